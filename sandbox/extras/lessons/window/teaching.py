"""How far the current lesson is, shared by the panel Lesson, its actions and the ring around widgets."""

from __future__ import annotations

import math
from pathlib import Path

from sandbox.app.questions import Question
from sandbox.app.session.action import Action, actions_of
from sandbox.app.session.session import Session
from sandbox.condition import Condition
from sandbox.design.presets import QUANTITIES
from sandbox.design.surprise import SURPRISE
from sandbox.extras.lessons.attempt import Attempt
from sandbox.extras.lessons.bundled import find_lesson, in_language
from sandbox.extras.lessons.checks import Watcher, condition_words
from sandbox.extras.lessons.lesson import Lesson, is_better
from sandbox.extras.lessons.reader import TABS, WindowNames, read_lesson
from sandbox.language import current_language, translate
from sandbox.simulation import Simulation
from systems.engine.app import App

PANEL = "lesson"
SECONDS = 12.0  # for which is told that an attempt was lost


class Teaching:
    """The current lesson and step.

    Attributes:
        lesson: the current lesson, or None; `at`: the index of its current step.
        done: the steps that were ticked off.
        watcher: checks the task of the step; None if it has no task or is done.
        attempt: follows the score, if the lesson is a challenge and its world is shown from the beginning; else None.
    """

    def __init__(self) -> None:
        self.lesson: Lesson | None = None
        self.at = 0
        self.done: set[int] = set()
        self.watcher: Watcher | None = None
        self.attempt: Attempt | None = None
        self._again: object = None  # makes the world of the lesson
        self._told = False  # whether the result of the attempt was told

    def open(self, session: Session, file: Path) -> None:
        """Read a lesson, open its scene, and begin it."""
        try:
            lesson = read_lesson(file, session.services.modding.library, window_names(session.app))
        except (ValueError, OSError) as error:
            title = translate("{name} can't be opened", name=file.name)
            session.ask(Question(title, str(error), listing=True))
            return
        session.services.filing.open(lesson.scene, lambda: self.begin(session, lesson))

    def begin(self, session: Session, lesson: Lesson) -> None:
        """Begin a lesson in the world that is shown, which must be its scene, at the usual speed.

        In a challenge time stands at first, so that reading costs nothing, and the tool of the first step is in hand.
        """
        self.lesson, self.done = lesson, set()
        self._again = session.document.again
        session.playback.ticked = self._ticked
        session.document.practises = True
        session.clock.paused, session.clock.speed = lesson.challenge is not None, 100
        session.view.welcomes = False
        session.hand.begin_anew(session)
        for tool in session.hand.tools:
            if lesson.challenge is not None and tool.name == lesson.steps[0].point:
                session.hand.take(session, tool)  # else a click would place a boid, and lose
        session.front(PANEL)
        self.go(session, 0)
        self.look_at_world(session)

    def go(self, session: Session, step: int) -> None:
        """Go to a step; after the last one the lesson ends."""
        if self.lesson is None or step == len(self.lesson.steps):
            self.leave(session)
            return
        self.at = max(step, 0)
        session.view.led = False
        self.look_again(session)

    def look_again(self, session: Session) -> None:
        """Watch from now on for the task of the step."""
        check = self.lesson.steps[self.at].check if self.lesson is not None else None
        self.watcher = None
        if check is not None and self.at not in self.done:
            try:
                self.watcher = Watcher(check, session)
            except ValueError:  # another world is shown that lacks the lesson's entities or systems
                return

    def look_at_world(self, session: Session) -> None:
        """Watch the world that is shown, which may be a new one."""
        challenge = self.lesson.challenge if self.lesson is not None else None
        is_own = challenge is not None and session.document.again is self._again
        self.attempt, self._told = Attempt(challenge) if challenge is not None and is_own else None, False
        self.look_again(session)

    def leave(self, session: Session) -> None:
        """End the lesson; its world stays."""
        self.lesson = self.watcher = self.attempt = None
        session.document.practises = False
        session.view.pointed = ()

    def update(self, session: Session) -> None:
        """Tick off the step if its task is done, and set what to point at; called at the start of each frame."""
        if self.lesson is None:
            return
        self._tell_result(session)
        if self.watcher is not None and self.watcher.holds(session):
            self.done.add(self.at)
            self.watcher = None
        if (point := self.lesson.steps[self.at].point) and self.at not in self.done:
            session.view.pointed = ways_to(session, point)

    def again(self, session: Session) -> None:
        """Begin a challenge again, in a new world."""
        lesson = self.lesson
        if lesson is not None:
            session.services.filing.open(lesson.scene, lambda: self.begin(session, lesson))

    def _ticked(self, simulation: Simulation) -> None:
        if self.attempt is not None:
            self.attempt.look(simulation)

    def _tell_result(self, session: Session) -> None:
        """Stop time and tell the result, once an attempt has ended; one that is lost begins again."""
        attempt, lesson = self.attempt, self.lesson
        if attempt is None or lesson is None or not (attempt.lost or attempt.score is not None):
            self._told = False
            return
        if self._told:
            return
        self._told, session.clock.paused = True, True
        if attempt.lost:
            session.messages.say(translate("Lost: {why} It begins again.", why=lost_words(attempt)), SECONDS)
            self.again(session)
            return
        assert attempt.score is not None
        best, stars = session.preferences.best, attempt.challenge.stars
        if is_better(attempt.score, best.get(lesson.key, math.inf if stars[0] > stars[-1] else -math.inf), stars):
            best[lesson.key] = round(attempt.score, 2)


def lost_words(attempt: Attempt) -> str:
    """Return why an attempt is lost, as a sentence."""
    why = attempt.lost
    return f"{condition_words(why)}." if isinstance(why, Condition) else translate(why or "")


def teaching_of(session: Session) -> Teaching:
    """Return the teaching of a session's window."""
    found: Teaching = next(panel.teaching for panel in session.app.panels if panel.name == PANEL)
    return found


def first_steps(teaching: Teaching) -> Action:
    """Return the action that begins the lesson "first-steps"."""

    def do(session: Session) -> None:
        teaching.open(session, in_language(find_lesson("first-steps"), current_language()))

    return Action(
        "first_steps",
        "First steps",
        do,
        menu="Help",
        section=-1,
        help="a lesson of five minutes, which stays in the menu Help",
        bar="welcome",
        icon="graduation-cap",
    )


def window_names(app: App) -> WindowNames:
    """Return the names of these parts that lessons may use; panning is left out, because a key is held for it."""
    return {
        "action": [action.name for action in actions_of(app).values() if action.pans is None],
        "panel": [panel.name for panel in app.panels],
        "overlay": [overlay.name for overlay in app.overlays],
        "tool": [tool.name for tool in app.tools],
    }


def ways_to(session: Session, name: str) -> tuple[str, ...]:
    """Return what to point at for a name, the nearest first: the widget, its tab, its panel, the menu that opens it."""
    names = [name]
    if any(tool.name == name for tool in session.app.tools):
        names.append("palette")
    elif name in (*QUANTITIES, SURPRISE):
        names += ["Everybody", "inspector"]
    elif name.rpartition(".")[0][:1].isupper() or name.count(".") == 2:
        names += ["Selected" if session.selection.serials else "Prefabs", "inspector"]
    elif name in TABS:
        names.append("inspector")
    elif name.partition(".")[0] in session.simulation.pipeline.by_name:
        names += [*name.split(".")[:-1], "pipeline"]  # of a parameter, also its system's box
    elif name.startswith("world."):
        names += [name.replace("world.", "Settings."), "world"]
    actions = [session.actions[each] for each in names if each in session.actions]
    items = [f"item {action.name}" for action in actions]
    menus = [f"menu {action.menu or action.group}" for action in actions]  # panels are in the menu of their group
    return (*names, *items, *menus)
