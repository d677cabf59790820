"""What a person works on: a simulation, how it is looked at, what is selected, and what is in the hand.

Panels, tools and overlays get the session. They read the world, and change it through `submit` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from components.motion import Position
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.places import places
from sandbox.app.fields.typed import without_keys
from sandbox.app.files.file_dialog import FileDialog
from sandbox.app.files.unsaved import Unsaved
from sandbox.app.measuring.frame_times import FrameTimes
from sandbox.app.measuring.measures_log import MeasuresLog
from sandbox.app.messages import Messages
from sandbox.app.preferences import Preferences
from sandbox.app.questions import Question
from sandbox.app.restart import Make
from sandbox.app.selection import Selection
from sandbox.app.tools.hand import Hand
from sandbox.clock import SECOND, Clock
from sandbox.edit import Command, CommandQueue, Redo, SetParameter, Undo
from sandbox.edit.undo.history import History, Step
from sandbox.files import as_text, plain_name
from sandbox.mods.find.fault import Fault
from sandbox.simulation import Simulation
from systems.engine.app import App
from systems.engine.settings import Settings
from systems.view.tints import TINTS

if TYPE_CHECKING:
    from sandbox.app.clipboard import Copied
    from sandbox.app.modding import Modding
    from sandbox.app.panels.panel import Panel


@dataclass
class Session:
    """All of it, without graphics.

    Attributes:
        again: makes the simulation anew, for restarting.
        file: the scene file of the person's own that saving writes to.
        folder: where something was opened or saved last.
        shown: names of the overlays that are switched on.
        following: the camera goes with what is selected.
        copied: what pasting makes others of.
        questions: what a person must answer before all else, one after another; time stands meanwhile.
        dialog: the file they must choose, after the questions.
        open: opens a scene file or a snapshot, once nothing is lost by it.
        picture: what panels draw the picture of a file with, if there is one and it is read already.
        modding: switches mods and says what became of them.
        act: does an action by its name, as its key would.
        frames_per_second: of late.
        frame_times: what each part of a frame costs.
        measures: what was measured since the simulation was shown, for charts.
        faults: of mods in what they do for the window; those that were not stopped yet.
        capture: takes the next key instead of what that key does; a panel that waits for one says so in every frame.
    """

    simulation: Simulation
    again: Make
    app: App
    preferences: Preferences
    clock: Clock = field(default_factory=Clock)
    camera: Camera = field(default_factory=lambda: Camera((1, 1), (1, 1)))
    selection: Selection = field(default_factory=Selection)
    messages: Messages = field(default_factory=Messages)
    hand: Hand = field(init=False)
    modding: Modding = field(init=False)
    shown: set[str] = field(default_factory=set)
    _missed_panels: set[str] = field(default_factory=set)  # open when they went with their mod
    _missed_overlays: set[str] = field(default_factory=set)
    following: bool = False
    copied: Copied | None = None
    questions: list[Question] = field(default_factory=list)
    dialog: FileDialog | None = None
    file: Path | None = None
    folder: Path | None = None
    open: Callable[[Path], None] = lambda path: None
    picture: Callable[[Path], Any] = lambda path: None
    act: Callable[[str], None] = lambda name: None
    frames_per_second: float = 60.0
    frame_times: FrameTimes = field(default_factory=FrameTimes)
    measures: MeasuresLog = field(default_factory=MeasuresLog)
    faults: list[Fault] = field(default_factory=list)
    capture: Callable[[str], None] | None = None

    def __post_init__(self) -> None:
        self.hand = Hand(self.app.tools)
        self.unsaved = Unsaved(self.simulation)
        self.measures.gather(self.simulation)
        self._shown_at: tuple[str, int, int] | None = None  # the moment of the world that the last frame ended with

    @property
    def asks(self) -> bool:
        """Whether a question or a dialog waits for an answer: nothing else is done before."""
        return bool(self.questions) or self.dialog is not None

    @property
    def question(self) -> Question | None:
        """The one that is to be answered now."""
        return self.questions[0] if self.questions else None

    def ask(self, question: Question, *, first: bool = False) -> None:
        """Have a question answered after those that wait, or first of all; what a drag has begun ends.

        One that waits already is asked once.
        """
        self.hand.let_go(self)
        self.questions[:] = [other for other in self.questions if not other.is_same(question)]
        self.questions.insert(0 if first else len(self.questions), question)

    def answer(self, number: int) -> None:
        """Answer the question; what that asks comes before those that wait."""
        question, *waiting = self.questions
        self.questions.clear()
        question.answers[number][1]()
        self.questions += waiting

    @property
    def title(self) -> str:
        """What a person calls this world: the file it is saved in, else the scene's name."""
        return as_text(self.file.name) if self.file else self.simulation.scene.name

    @property
    def moment(self) -> str:
        """What a file about this moment of the world is called: "murmuration-600"."""
        return f"{plain_name(self.simulation.scene.name)}-{self.simulation.tick}"

    @property
    def caption(self) -> str:
        """What stands at the head of the window; a star marks what is not saved."""
        return f"{self.title}{'*' if self.unsaved.some else ''} – boids"

    def show(self, simulation: Simulation, again: Make) -> None:
        """Work on another simulation from now on."""
        self.hand.let_go(self)
        settings = simulation.world.resource(Settings)
        self.simulation, self.again = simulation, again
        self.clock = Clock(settings.tick_rate)
        self.camera = Camera((settings.width, settings.height), self.camera.screen, self.camera.insets)
        self.unsaved = Unsaved(simulation)
        self.measures.gather(simulation)
        self.selection.choose(())
        self.following = False

    def install(self, app: App) -> None:
        """Have these panels, tools, overlays, charts and scenes from now on, instead of those that were there.

        What goes is closed, put down and shown no more, until one of the same name comes.
        Between two frames: the lists of `app` are replaced in place.
        """
        panels, overlays = {panel.name for panel in self.app.panels}, {overlay.name for overlay in self.app.overlays}
        for part in fields(App):
            getattr(self.app, part.name)[:] = getattr(app, part.name)
        now = {panel.name for panel in self.app.panels}, {overlay.name for overlay in self.app.overlays}
        back = (self._missed_panels & now[0]) - {*self.preferences.open}, self._missed_overlays & now[1]
        gone = (panels - now[0]) & {*self.preferences.open}, (overlays - now[1]) & self.shown
        self.preferences.open[:] = [*(name for name in self.preferences.open if name not in gone[0]), *sorted(back[0])]
        self.shown |= back[1]
        self.shown -= gone[1]
        self._missed_panels = (self._missed_panels | gone[0]) - back[0]
        self._missed_overlays = (self._missed_overlays | gone[1]) - back[1]
        self.hand.put_down_what_is_gone(self)

    def submit(self, command: Command, *, joins: bool = False) -> bool:
        """Ask for an edit; returns whether it can be done, and says why not.

        Args:
            joins: it is undone together with the command before it.
        """
        try:
            self.simulation.submit(command, joins)
        except ValueError as error:
            self.messages.warn(without_keys(str(error)))
            return False
        return True

    def undo(self) -> None:
        """Take back what was done last."""
        self._turn(Undo(), "undo", "undone", self.simulation.world.resource(History).undoable)

    def redo(self) -> None:
        """Do again what was taken back last."""
        self._turn(Redo(), "redo", "redone", self.simulation.world.resource(History).redoable)

    def _turn(self, command: Command, words: str, done: str, steps: list[Step]) -> None:
        self.simulation.settle_commands()
        if not steps:
            self.messages.say(f"Nothing to {words}.")
        elif self.submit(command):
            self.messages.say(f"{done}: {steps[-1].label}")

    def next_colours(self) -> None:
        """Colour the animals by the next of TINTS."""
        self.simulation.settle_commands()  # two presses may fall into one frame
        render = self.simulation.pipeline.by_name["render"]
        tint = TINTS[(render.colour + 1) % len(TINTS)]  # type: ignore[attr-defined]
        if self.submit(SetParameter("render", "colour", tint)):
            self.messages.say(f"coloured by {tint}")

    def follow(self) -> None:
        """Have the camera go with what is selected, or stay again."""
        self.following = not self.following and bool(self.selection.serials)

    @property
    def open_panels(self) -> list[Panel]:
        """The open ones, the one opened last at the end."""
        known = {panel.name: panel for panel in self.app.panels}
        return [known[name] for name in self.preferences.open if name in known]

    def front(self, name: str) -> None:
        """Open a panel before the others of its side."""
        self.preferences.open[:] = [other for other in self.preferences.open if other != name] + [name]

    def toggle_panel(self, name: str) -> None:
        """Open a panel, or close it."""
        if name in self.preferences.open:
            self.preferences.open.remove(name)
        else:
            self.preferences.open.append(name)

    def watch(self) -> None:
        """Measure, and tell the open panels of a frame, also those that are hidden: some gather what they show."""
        shown = self.app.charts if "charts" in self.preferences.open else ()
        self.measures.gather(self.simulation, [chart.system for chart in shown])  # those of mods may be expensive
        for panel in self.app.panels:
            if panel.name in self.preferences.open:
                panel.watch(self)

    def toggle_overlay(self, name: str) -> None:
        """Switch an overlay on, or off."""
        self.shown ^= {name}

    def advance(self, seconds: float) -> bool:
        """Let real time pass: waiting commands, whole ticks; returns whether the world changed since the last frame.

        Commands are carried out in every frame, also where no tick is due: a click is answered at once.
        """
        self.hand.frame(self)
        world = self.simulation.world
        queue = world.resource(CommandQueue)
        self.simulation.settle_commands()
        while queue.refused:
            self.messages.warn(queue.refused.pop())
        settings = world.resource(Settings)
        self.clock.tick_rate = settings.tick_rate
        self.camera.look_over((settings.width, settings.height), settings.torus is not None)
        if not self.asks:
            self.clock.frame(round(seconds * SECOND), self.simulation.step)
        before, self._shown_at = self._shown_at, (world.name, self.simulation.tick, len(queue.log))
        changed = self._shown_at != before  # also by what was carried out between two frames: saving does that
        if changed:
            self.selection.forget_dead(world)
        if self.following:
            self._follow()
        return changed

    def _follow(self) -> None:
        """Have the camera look at the middle of what is selected; on a torus, which has no middle, at the first one."""
        world, table = self.simulation.world, self.simulation.world.table
        rows = table.living(self.selection.array)
        rows = rows[table.has(rows, Position)]
        if not len(rows):
            self.following = False
            return
        if world.resource(Settings).torus:
            rows = rows[:1]
        x, y = places(world, rows, self.clock.alpha).mean(axis=0, dtype=np.float64)
        self.camera.look_at(float(x), float(y))
