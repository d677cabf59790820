"""The state of the current lesson, shared by the panel Lesson, its actions and the ring around widgets."""

from __future__ import annotations

from pathlib import Path

from sandbox.app.lesson_checks import Watcher
from sandbox.app.questions import Question, nothing
from sandbox.app.session.action import HELP, PANELS, VIEW, Action, actions_of
from sandbox.app.session.session import Session
from sandbox.design.presets import QUANTITIES
from sandbox.design.surprise import SURPRISE
from sandbox.language import current_language, translate
from sandbox.lessons.lesson import Lesson
from sandbox.lessons.reader import TABS, WindowNames, read_lesson
from sandbox.scenes.bundled import find_lesson, in_language
from systems.engine.app import App

PANEL = "lesson"


class Teaching:
    """The current lesson and step.

    Attributes:
        lesson: the current lesson, or None; `at`: the index of its current step.
        done: the steps that were ticked off.
        watcher: checks the task of the step; None if it has no task or is done.
    """

    def __init__(self) -> None:
        self.lesson: Lesson | None = None
        self.at = 0
        self.done: set[int] = set()
        self.watcher: Watcher | None = None

    def open(self, session: Session, file: Path) -> None:
        """Read a lesson, open its scene, and begin it."""
        try:
            lesson = read_lesson(file, session.services.modding.library, window_names(session.app))
        except (ValueError, OSError) as error:
            session.ask(
                Question(
                    translate("{name} can't be opened", name=file.name), str(error), [("Close", nothing)], listing=True
                )
            )
            return
        session.services.filing.open(lesson.scene, lambda: self.begin(session, lesson))

    def begin(self, session: Session, lesson: Lesson) -> None:
        """Begin a lesson in the world that is shown, which must be its scene, at the usual speed."""
        self.lesson, self.done = lesson, set()
        session.document.practises = True
        session.clock.paused, session.clock.speed = False, 100
        session.view.welcomes = False
        session.hand.begin_anew(session)
        session.front(PANEL)
        self.go(session, 0)

    def go(self, session: Session, step: int) -> None:
        """Go to a step; after the last one the lesson ends."""
        if self.lesson is None or step == len(self.lesson.steps):
            self.leave(session)
            return
        self.at = max(step, 0)
        session.view.led = False
        self.look_again(session)

    def look_again(self, session: Session) -> None:
        """Watch from now on for the task of the step; also called when another world is shown."""
        check = self.lesson.steps[self.at].check if self.lesson is not None else None
        self.watcher = None
        if check is not None and self.at not in self.done:
            try:
                self.watcher = Watcher(check, session)
            except ValueError:  # another world is shown that lacks the lesson's entities or systems
                return

    def leave(self, session: Session) -> None:
        """End the lesson; its world stays."""
        self.lesson, self.watcher = None, None
        session.document.practises = False
        session.view.pointed = ()

    def watch(self, session: Session) -> None:
        """Tick off the step if its task is done, and set what to point at; called at the start of each frame."""
        if self.lesson is None:
            return
        if self.watcher is not None and self.watcher.holds(session):
            self.done.add(self.at)
            self.watcher = None
        if (point := self.lesson.steps[self.at].point) and self.at not in self.done:
            session.view.pointed = ways_to(session, point)


def teaching_of(session: Session) -> Teaching:
    """Return the teaching of a session's window."""
    found: Teaching = next(panel.teaching for panel in session.app.panels if panel.name == PANEL)
    return found


def first_steps(teaching: Teaching) -> Action:
    """Return the action that begins the lesson "first-steps"."""

    def do(session: Session) -> None:
        teaching.open(session, in_language(find_lesson("first-steps"), current_language()))

    return Action("first_steps", "First steps", do, menu=HELP, section=-1, help="a lesson of five minutes")


def window_names(app: App) -> WindowNames:
    """Return the names of these parts that lessons may use; panning is left out, because a key is held for it."""
    return {
        "action": [action.name for action in actions_of(app).values() if action.pans is None],
        "panel": [panel.name for panel in app.panels],
        "overlay": [overlay.name for overlay in app.overlays],
        "tool": [tool.name for tool in app.tools],
    }


def ways_to(session: Session, name: str) -> tuple[str, ...]:
    """Return what to frame for a name, the nearest first: the widget, its tab, its panel, the menu that opens it."""
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
        names += ["Systems", "inspector"]
    elif name.startswith("world."):
        names += [name.replace("world.", "Settings."), "world"]
    actions = [session.actions[each] for each in names if each in session.actions]
    items = [f"item {action.name}" for action in actions]
    menus = [f"menu {action.menu or (PANELS if action.group == PANELS else VIEW)}" for action in actions]
    return (*names, *items, *menus)
