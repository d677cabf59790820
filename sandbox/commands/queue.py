"""What people asked for and what was carried out, and the system that does so.

A command is checked when it is submitted and carried out in COMMANDS of the next tick; while the world is paused,
`Simulation.settle_commands` does it. Each is carried out whole before the next, entities and all, and what else runs
in COMMANDS runs after each: so it is all the same whether commands come together or one by one, and while the world
runs or stands, and what replays a log gets the same world.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from components.store.world import World
from sandbox.commands.command import Command
from sandbox.commands.undoing import Redo, Undo
from sandbox.undo.history import History
from sandbox.undo.recording import carried_out
from systems.core.pipeline import Phase, Pipeline, System

MOST_LOGGED = 200_000  # commands: a hand that moves gives one in every frame


@dataclass(frozen=True)
class Asked:
    """A command that waits. `joins`: it is undone together with the one before it."""

    command: Command
    joins: bool = False


@dataclass(frozen=True)
class Done:
    """A command that was carried out in this tick."""

    tick: int
    command: Command
    joins: bool = False


@dataclass
class CommandQueue:
    """A resource: the commands of a session.

    Attributes:
        waiting: they are carried out in the next COMMANDS.
        log: the last that were carried out; submitted again, each in its tick, they make the same world of the same
            scene, unless some were `forgotten`.
        forgotten: how many were carried out before these.
        refused: why some of the last that waited could not be carried out: the world had changed since they were asked.
    """

    waiting: list[Asked] = field(default_factory=list)
    log: list[Done] = field(default_factory=list)
    forgotten: int = 0
    refused: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many were carried out."""
        return self.forgotten + len(self.log)

    def note(self, tick: int, command: Command, joins: bool = False) -> None:
        """Note a command that was carried out."""
        self.log.append(Done(tick, command, joins))
        if len(self.log) > MOST_LOGGED:
            gone = MOST_LOGGED // 2
            del self.log[:gone]
            self.forgotten += gone


class Commands(System):
    """Carries out what people asked for since the last tick."""

    phase = Phase.COMMANDS
    essential = True
    before = ("push_out",)

    def run(self, world: World) -> None:
        queue = world.resource(CommandQueue)
        if not queue.waiting:
            return
        due, queue.waiting, queue.refused = queue.waiting, [], []
        others = [s for s in world.resource(Pipeline).systems if s.phase is self.phase and s is not self]
        for asked in due:
            try:
                asked.command.check(world)
            except ValueError as error:
                queue.refused.append(str(error))
            else:
                _carry_out(world, asked, others)
                queue.note(world.tick, asked.command, asked.joins)
        world.begin_tick()


def _carry_out(world: World, asked: Asked, others: list[System]) -> None:
    history, command = world.resource(History), asked.command
    if isinstance(command, Undo):
        history.undo(world, others)
    elif isinstance(command, Redo):
        history.redo(world, others)
    else:
        label, changes = command.label(world), carried_out(world, command, others)
        if command.step:
            history.note(label, world.tick, changes, asked.joins)
