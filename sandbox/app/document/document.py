"""The document: a simulation with its recorded past, its file, the selection, and the copied entities."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Entities
from components.store.world import World
from sandbox.app.document.again import Make, Shown
from sandbox.app.document.comparison import Comparison
from sandbox.app.document.selection import Selection
from sandbox.app.document.unsaved import Unsaved
from sandbox.app.measuring.measures_log import MeasuresLog
from sandbox.app.messages import Messages
from sandbox.edit import Command, CommandQueue, Paste, Redo, SetParameter, Spawn, Undo
from sandbox.files import as_text, plain_name
from sandbox.language import translate
from sandbox.past.timeline import Timeline
from sandbox.render.tints import TINTS
from sandbox.simulation import Simulation
from sandbox.undo.history import History, UndoStep
from systems.engine.system import Phase

REFUSED = re.compile(r"(?:\w+\.)?(?P<name>\w+) = .*?: (?P<why>.+)", re.DOTALL)


@dataclass(frozen=True)
class Copied:
    """Copied entities, and the centre of their bounding box, u."""

    copies: Entities
    middle: tuple[float, ...]


class Document:
    """A simulation and the data that belongs to it; it is edited only by `submit`.

    Attributes:
        timeline: records the simulation; `simulation` is the one that it shows now.
        again: makes the simulation again, for restarting.
        file: the user's own scene file, which saving writes to; or None.
        source: the file of any kind, not one of the program's own, that the world was opened from or saved to; or None.
        folder: the folder in which a file was last opened or saved.
        copied: the copied entities, for pasting; or None.
        measures: measures since the simulation was shown, for charts.
        practises: whether edits of this world are exercises, which nobody saves.
        comparison: the second world in Compare, or None.
        colouring: one of TINTS, which overrides the colouring of the worlds; "": no override.
    """

    def __init__(self, shown: Shown, again: Make, messages: Messages) -> None:
        self._messages = messages
        self.file: Path | None = None
        self.source: Path | None = None
        self.folder: Path | None = None
        self.copied: Copied | None = None
        self.selection = Selection()
        self.comparison: Comparison | None = None
        self.practises, self.again = False, again
        self.show(shown, again)

    def show(self, shown: Shown, again: Make) -> None:
        """Replace the simulation, by another one or by one with its past."""
        self.compare(False)
        self.colouring = ""
        self.practises = self.practises and again is self.again
        self.source = self.source if again is self.again else None
        self.timeline = shown if isinstance(shown, Timeline) else Timeline(shown)
        self.again = again
        self.unsaved, self.measures = Unsaved(self.timeline), MeasuresLog(self.timeline.branch)
        self.measures.gather(self.simulation)
        self.selection.choose(())

    @property
    def simulation(self) -> Simulation:
        return self.timeline.simulation

    @property
    def timelines(self) -> list[Timeline]:
        """The timelines of the worlds that are shown: one, or in Compare two."""
        return [self.timeline, *([self.comparison.timeline] if self.comparison else [])]

    def prepare(self, simulation: Simulation, world: World) -> None:
        """Take the measures that are due of one of the worlds that are shown, see `MeasuresLog.prepare`."""
        if simulation is self.simulation:
            self.measures.prepare(simulation, world)
        elif self.comparison is not None:
            self.comparison.measures.prepare(simulation, world)

    def follow_branches(self) -> None:
        """Forget what was measured of branches that are no longer shown."""
        self.measures.follow(self.timeline)
        if self.comparison is not None:
            self.comparison.measures.follow(self.comparison.timeline)

    @property
    def title(self) -> str:
        """The document's title: the name of its file, else that of the scene."""
        file = self.file or self.source
        return as_text(file.name) if file else self.simulation.scene.name

    @property
    def stem(self) -> str:
        """The stem of the names of its files: that of its file, else the name of the scene."""
        file = self.file or self.source
        return as_text(file.stem) if file else plain_name(self.simulation.scene.name)

    @property
    def moment(self) -> str:
        """The stem of file names for the present tick: "murmuration-600"."""
        return f"{self.stem}-{self.simulation.tick}"

    @property
    def caption(self) -> str:
        """The window's title; a star marks unsaved changes."""
        return f"{self.title}{'*' if self.unsaved.some else ''} – boids"

    def submit(self, command: Command, *, joins: bool = False) -> bool:
        """Submit a command; return whether it was accepted, else show a message that says why not.

        Args:
            joins: whether it is undone together with the previous command.
        """
        try:
            self.simulation.submit(command, joins)
            if self.comparison is not None and (self.comparison.both or self._is_about_looks(command)):
                self.comparison.simulation.submit(command, joins)
            if self._is_about_looks(command):
                self.colouring = ""
        except ValueError as error:
            self._messages.warn(without_keys(str(error)))
            return False
        return True

    def _is_about_looks(self, command: Command) -> bool:
        """Return whether a command sets how the world is drawn; in Compare such commands apply to both worlds."""
        systems = self.simulation.pipeline.by_name
        return isinstance(command, SetParameter) and systems[command.system].phase is Phase.RENDER

    def carry_out(self) -> NDArray[np.int64]:
        """Carry out waiting commands and record them, or show why they were refused; called in every frame.

        Returns:
            The serials of the entities that they placed.
        """
        world = self.simulation.world
        queue, first = world.resource(CommandQueue), world.next_serial
        count = queue.count
        self.simulation.settle_commands()
        places = any(isinstance(done.command, Spawn | Paste) for done in queue.since(count))
        while queue.refused:
            self._messages.warn(queue.refused.pop())
        self.timeline.take_up()
        return np.arange(first, world.next_serial if places else first)

    def compare(self, on: bool) -> None:
        """Start Compare with a copy of the present world, or end it."""
        if self.comparison is not None:
            self.simulation.join()
            self.comparison.close(self.timeline.branch)
        self.comparison = Comparison(self.timeline) if on else None

    def work_on(self, right: bool) -> None:
        """Make the right or the left world the current one."""
        other = self.comparison
        self.simulation.join()
        if other is not None and other.works_right != right:
            other.works_right = right
            self.timeline, other.timeline = other.timeline, self.timeline
            self.unsaved.timeline = self.timeline
            self.measures, other.measures = other.measures, self.measures

    def undo(self) -> None:
        """Undo the last step; in a past with other colours than the recorded ones, return to those."""
        if self.colouring and self.timeline.in_past:
            self.colouring = ""
            self._tell_colours()
            return
        self._undo_or_redo(Undo(), "undo", "undone", self.simulation.world.resource(History).undoable)

    def redo(self) -> None:
        """Redo the step that was undone last."""
        self._undo_or_redo(Redo(), "redo", "redone", self.simulation.world.resource(History).redoable)

    def _undo_or_redo(self, command: Command, words: str, done: str, steps: list[UndoStep]) -> None:
        self.simulation.settle_commands()
        if not steps:
            self._messages.say(translate(f"Nothing to {words}."))
        elif self.submit(command):
            self._messages.say(f"{translate(done)}: {in_language(steps[-1].label)}")

    def undo_many(self, steps: int) -> None:
        """Undo so many steps, or redo them if the number is negative."""
        self.simulation.settle_commands()
        history = self.simulation.world.resource(History)
        room = len(history.undoable if steps > 0 else history.redoable)
        for _ in range(min(abs(steps), room)):
            if not self.submit(Undo() if steps > 0 else Redo()):
                return

    def next_colours(self) -> None:
        """Colour the animals by the next of TINTS."""
        self.simulation.settle_commands()  # there may be two key presses in one frame
        self.colour_by(TINTS[(TINTS.index(self.coloured_by) + 1) % len(TINTS)])

    @property
    def coloured_by(self) -> str:
        """The one of TINTS by which animals are coloured."""
        return str(self.colouring or self.simulation.pipeline.by_name["render"].colour)  # type: ignore[attr-defined]

    def colour_by(self, tint: str) -> None:
        """Colour the animals by one of TINTS; while the past is shown, only the view changes, without a command."""
        self.simulation.settle_commands()
        if tint == self.coloured_by:
            return
        is_edit = not any(timeline.in_past or not timeline.recording.runs for timeline in self.timelines)
        self.colouring = "" if is_edit else tint
        if not is_edit or self.submit(SetParameter("render", "colour", tint)):
            self._tell_colours(tint)

    def _tell_colours(self, tint: str = "") -> None:
        self._messages.say(translate("coloured by {tint}", tint=translate(tint or self.coloured_by)), about="colours")


def in_language(label: str) -> str:
    """Translate the label of an undo step: "place boid × 12"."""
    for end in (" of everybody", " as the scene has it"):
        if label.endswith(end):
            return translate(f"{{what}}{end}", what=translate(label.removesuffix(end)))
    verb, _, what = label.partition(" ")
    known = translate(label)
    return translate(f"{verb} {{what}}", what=what) if what and known == label else known


def without_keys(refusal: str) -> str:
    """Rewrite the message of a refused command without key and value: "Reach: a mean position is undefined ..."."""
    found = REFUSED.fullmatch(refusal)
    if found is None:
        return refusal
    words = found["name"].replace("_", " ").capitalize()
    return f"{translate(words)}{' ' if found['why'].startswith('must') else ': '}{found['why']}"
