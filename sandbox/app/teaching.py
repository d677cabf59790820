"""The lesson under way: what the panel Lesson, its actions and the ring around things share."""

from __future__ import annotations

from pathlib import Path

from sandbox.app.lesson_checks import Watcher
from sandbox.app.questions import Question, nothing
from sandbox.app.session.action import HELP, PANELS, VIEW, Action, actions_of
from sandbox.app.session.session import Session
from sandbox.design.presets import QUANTITIES
from sandbox.language import said, spoken
from sandbox.lessons.lesson import Lesson
from sandbox.lessons.reader import SURPRISE, TABS, WindowNames, read_lesson
from sandbox.scenes.bundled import find_lesson, in_language
from systems.engine.app import App

PANEL = "lesson"


class Teaching:
    """Which step a person has come to.

    Attributes:
        lesson: the one under way, or None; `at`: its step.
        done: the steps that were ticked off.
        watcher: looks for what the step asks for; None where it only is to be read, or is done.
    """

    def __init__(self) -> None:
        self.lesson: Lesson | None = None
        self.at = 0
        self.done: set[int] = set()
        self.watcher: Watcher | None = None

    def open(self, session: Session, file: Path) -> None:
        """Read a lesson, and begin it once its scene is opened."""
        try:
            lesson = read_lesson(file, session.services.modding.library, window_names(session.app))
        except (ValueError, OSError) as error:
            session.ask(
                Question(said("{name} can't be opened", name=file.name), str(error), [("Close", nothing)], listing=True)
            )
            return
        session.services.filing.open(lesson.scene, lambda: self.begin(session, lesson))

    def begin(self, session: Session, lesson: Lesson) -> None:
        """Begin a lesson in the world that is shown, which is its scene."""
        self.lesson, self.done = lesson, set()
        session.view.welcomes = False
        session.hand.begin_anew(session)
        session.front(PANEL)
        self.go(session, 0)

    def go(self, session: Session, step: int) -> None:
        """Go to a step; past the last one the lesson is over."""
        if self.lesson is None or step == len(self.lesson.steps):
            self.leave(session)
            return
        self.at = max(step, 0)
        session.view.led = False
        self.look_again(session)

    def look_again(self, session: Session) -> None:
        """Look from now on for what the step asks for; also where another world is shown."""
        check = self.lesson.steps[self.at].check if self.lesson is not None else None
        self.watcher = None
        if check is not None and self.at not in self.done:
            try:
                self.watcher = Watcher(check, session)
            except ValueError:  # another world, without what the lesson is about
                return

    def leave(self, session: Session) -> None:
        """No lesson is under way any more; its world stays."""
        self.lesson, self.watcher = None, None
        session.view.pointed = ()

    def watch(self, session: Session) -> None:
        """A frame begins: tick off what is done, and say what to point at."""
        if self.lesson is None:
            return
        if self.watcher is not None and self.watcher.holds(session):
            self.done.add(self.at)
            self.watcher = None
        if (point := self.lesson.steps[self.at].point) and self.at not in self.done:
            session.view.pointed = ways_to(session, point)


def teaching_of(session: Session) -> Teaching:
    """That of a session's window."""
    found: Teaching = next(panel.teaching for panel in session.app.panels if panel.name == PANEL)
    return found


def first_steps(teaching: Teaching) -> Action:
    """The action that begins the lesson of this name."""

    def do(session: Session) -> None:
        teaching.open(session, in_language(find_lesson("first-steps"), spoken()))

    return Action("first_steps", "First steps", do, menu=HELP, section=-1, help="a lesson of five minutes")


def window_names(app: App) -> WindowNames:
    """What lessons may name of a window with these parts; what pans while a key is held is nothing to be done once."""
    return {
        "action": [action.name for action in actions_of(app).values() if action.pans is None],
        "panel": [panel.name for panel in app.panels],
        "overlay": [overlay.name for overlay in app.overlays],
        "tool": [tool.name for tool in app.tools],
    }


def ways_to(session: Session, name: str) -> tuple[str, ...]:
    """What is framed for a name, the nearest first: a widget, its tab, its panel, the menu that opens this."""
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
