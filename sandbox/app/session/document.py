"""What a person works on: a world with its past, the file that it is saved in, who is selected and what was copied."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from components.store.entities import Entities
from sandbox.app.measuring.measures_log import MeasuresLog
from sandbox.app.messages import Messages
from sandbox.app.restart import Make, Shown
from sandbox.app.session.comparison import Comparison
from sandbox.app.session.selection import Selection
from sandbox.app.session.unsaved import Unsaved
from sandbox.edit import Command, Redo, SetParameter, Undo
from sandbox.files import as_text, plain_name
from sandbox.language import said
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation
from sandbox.undo.history import History, Step
from systems.engine.system import Phase
from systems.view.tints import TINTS

REFUSED = re.compile(r"(?:\w+\.)?(?P<name>\w+) = .*?: (?P<why>.+)", re.DOTALL)


@dataclass(frozen=True)
class Copied:
    """Entities that were copied, and the middle of them, u."""

    copies: Entities
    middle: tuple[float, float]


class Document:
    """A simulation and what belongs to it; whoever edits it does so by `submit`.

    Attributes:
        timeline: records all that happens; `simulation` is the one that it shows now.
        again: makes the simulation anew, for restarting.
        file: the scene file of the person's own that saving writes to.
        folder: where something was opened or saved last.
        copied: what pasting makes others of.
        measures: what was measured since the simulation was shown, for charts.
        comparison: a second world that is shown beside this one, or None.
        colouring: what animals are coloured by whatever the worlds say, one of TINTS; "": as they say.
    """

    def __init__(self, shown: Shown, again: Make, messages: Messages) -> None:
        self._messages = messages
        self.file: Path | None = None
        self.folder: Path | None = None
        self.copied: Copied | None = None
        self.selection = Selection()
        self.comparison: Comparison | None = None
        self.show(shown, again)

    def show(self, shown: Shown, again: Make) -> None:
        """Work on another simulation from now on, or on one with its past."""
        self.compare(False)
        self.colouring = ""
        self.timeline = shown if isinstance(shown, Timeline) else Timeline(shown)
        self.again = again
        self.unsaved, self.measures = Unsaved(self.timeline), MeasuresLog()
        self._measured = self.timeline.branch
        self.measures.gather(self.simulation)
        self.selection.choose(())

    @property
    def simulation(self) -> Simulation:
        return self.timeline.simulation

    def follow_branch(self) -> bool:
        """Whether the present branch is another one: what was measured on the one before is forgotten."""
        before, self._measured = self._measured, self.timeline.branch
        if before is self._measured:
            return False
        self.measures.forget_after(before.parting(self._measured))
        return True

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

    def submit(self, command: Command, *, joins: bool = False) -> bool:
        """Ask for an edit; returns whether it can be done, and says why not.

        Args:
            joins: it is undone together with the command before it.
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
        """Whether it says how the world is drawn: two that are compared are to look alike."""
        systems = self.simulation.pipeline.by_name
        return isinstance(command, SetParameter) and systems[command.system].phase is Phase.RENDER

    def compare(self, on: bool) -> None:
        """Show a second world beside this one, which begins as it is now, or show it no more."""
        if self.comparison is not None:
            self.comparison.close()
        self.comparison = Comparison(self.timeline) if on else None

    def work_on(self, right: bool) -> None:
        """Work on the world at the right, or on that at the left."""
        other = self.comparison
        if other is not None and other.works_right != right:
            other.works_right = right
            self.timeline, other.timeline = other.timeline, self.timeline
            self.measures, other.measures = other.measures, self.measures
            self._measured = self.timeline.branch

    def follow_comparison(self) -> None:
        """Bring the second world to the tick of this one."""
        if self.comparison is not None:
            self.comparison.follow(self.timeline.tick)

    def undo(self) -> None:
        """Take back what was done last."""
        self._turn(Undo(), "undo", "undone", self.simulation.world.resource(History).undoable)

    def redo(self) -> None:
        """Do again what was taken back last."""
        self._turn(Redo(), "redo", "redone", self.simulation.world.resource(History).redoable)

    def _turn(self, command: Command, words: str, done: str, steps: list[Step]) -> None:
        self.simulation.settle_commands()
        if not steps:
            self._messages.say(said(f"Nothing to {words}."))
        elif self.submit(command):
            self._messages.say(f"{said(done)}: {_in_language(steps[-1].label)}")

    def next_colours(self) -> None:
        """Colour the animals by the next of TINTS."""
        self.simulation.settle_commands()  # two presses may fall into one frame
        self.colour_by(TINTS[(TINTS.index(self.coloured_by) + 1) % len(TINTS)])

    @property
    def coloured_by(self) -> str:
        """The one of TINTS that animals are coloured by."""
        return self.colouring or TINTS[self.simulation.pipeline.by_name["render"].colour]  # type: ignore[attr-defined]

    def colour_by(self, tint: str) -> None:
        """Colour the animals by one of TINTS; where the past is shown that is no edit, and is not recorded."""
        self.simulation.settle_commands()
        if tint == self.coloured_by:
            return
        shown = [self.timeline, *([self.comparison.timeline] if self.comparison else [])]
        is_edit = not any(timeline.in_past or not timeline.recording.runs for timeline in shown)
        self.colouring = "" if is_edit else tint
        if not is_edit or self.submit(SetParameter("render", "colour", tint)):
            self._messages.say(said("coloured by {tint}", tint=said(tint)), about="colours")


def _in_language(label: str) -> str:
    """What a step does, in the language of the window: "place boid × 12"."""
    for end in (" of everybody", " as the scene has it"):
        if label.endswith(end):
            return said(f"{{what}}{end}", what=said(label.removesuffix(end)))
    verb, _, what = label.partition(" ")
    return said(f"{verb} {{what}}", what=what) if what else said(label)


def without_keys(refusal: str) -> str:
    """Why a command was refused, without the key and value of files: "Reach: a mean position has no meaning ..."."""
    found = REFUSED.fullmatch(refusal)
    if found is None:
        return refusal
    words = found["name"].replace("_", " ").capitalize()
    return f"{said(words)}{' ' if found['why'].startswith('must') else ': '}{found['why']}"
