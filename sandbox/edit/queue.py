"""The queue and log of commands, and the system that carries them out.

`Simulation.submit` checks a command, and adds it to those that wait here. It is carried out in COMMANDS of the next
tick, or before that by `Simulation.settle_commands`, as in every frame of the window, also while the world is paused.
Each command is completed, including births and deaths, before the next begins, and the other systems of COMMANDS run
after each. Batching, pausing and replay give identical results.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from components.store.world import World
from sandbox.edit.command import Command
from sandbox.edit.undoing import Redo, Undo
from sandbox.serials import Serials
from sandbox.undo.changes import settled
from sandbox.undo.history import History
from sandbox.undo.size import size_of
from systems.engine.pipeline import Pipeline
from systems.engine.system import Phase, System

MOST_LOGGED = 150_000  # commands: a moving hand submits one in every frame
MOST_READ = 1_000  # commands: readers see those of a few frames
MOST_BYTES = 64 << 20  # of all logged commands together; the last one alone may be larger


@dataclass(frozen=True)
class Asked:
    """A waiting command. `joins`: it is undone together with the one before it."""

    command: Command
    joins: bool = False


@dataclass(frozen=True)
class Done:
    """A command that was carried out, and the tick in which it was."""

    tick: int
    command: Command
    joins: bool = False


@dataclass
class CommandQueue:
    """A resource: the commands of a session.

    Attributes:
        waiting: commands that will be carried out in the next COMMANDS.
        log: the latest commands that were carried out. Submitted to the same scene in the same ticks, they make the
            same world, unless some are `forgotten`.
        forgotten: the number of earlier commands that were dropped from the log.
        refused: reasons why commands were not carried out in the last run of the queue; usually the world has
            changed since they were submitted.
    """

    waiting: list[Asked] = field(default_factory=list)
    log: list[Done] = field(default_factory=list)
    forgotten: int = 0
    refused: list[str] = field(default_factory=list)
    _held: int = 0  # bytes

    @property
    def count(self) -> int:
        """The number of commands carried out so far."""
        return self.forgotten + len(self.log)

    def for_readers(self) -> CommandQueue:
        """Return a copy with the latest MOST_READ commands, to which others can be submitted while a tick runs."""
        latest = self.log[-MOST_READ:]
        return CommandQueue(log=latest, forgotten=self.count - len(latest))

    def since(self, count: int) -> list[Done]:
        """Return the commands carried out since `count` had this value."""
        return self.log[max(count - self.forgotten, 0) :]

    def go_back(self, log: list[Done]) -> None:
        """Reset to this log, without waiting commands, because the world was reset to an earlier state."""
        self.waiting, self.log, self.forgotten, self._held = [], log, 0, 0

    def note(self, tick: int, command: Command, joins: bool = False) -> None:
        """Log a command that was carried out."""
        self._held += _new_bytes(command, self.log[-1].command if self.log else None)
        self.log.append(Done(tick, command, joins))
        while len(self.log) > 1 and (len(self.log) > MOST_LOGGED or self._held > MOST_BYTES):
            gone = len(self.log) // 2
            del self.log[:gone]
            self.forgotten += gone
            commands = [None, *(done.command for done in self.log)]
            self._held = sum(_new_bytes(command, before) for before, command in pairwise(commands) if command)


def _new_bytes(command: Command, before: Command | None) -> int:
    """Return the bytes that a command does not share with the one before: steps of a slider share their entities."""
    known = {id(part) for part in _parts(before)}
    return sum(size_of(part) for part in _parts(command) if id(part) not in known)


def _parts(command: Command | None) -> list[object]:
    values = vars(command).values() if command else ()
    return [value.kept if isinstance(value, Serials) else value for value in values]


class Commands(System):
    """Carries out the commands submitted since the last tick."""

    phase = Phase.COMMANDS
    essential = True
    before = ("push_out",)

    def run(self, world: World) -> None:
        queue = world.resource(CommandQueue)
        if not queue.waiting:
            return
        due, queue.waiting, queue.refused = queue.waiting, [], []
        others = [s for s in world.resource(Pipeline).systems if s.phase is self.phase and s is not self]
        history = world.resource(History)
        for asked in due:
            history.look(world.tick, queue.count)
            try:
                asked.command.check(world)
                _dispatch(world, asked, others)
            except ValueError as error:
                queue.refused.append(str(error))
            except Exception as error:  # a bug in one command must not lose those behind it
                queue.refused.append(f"{type(asked.command).__name__} failed and changed nothing: {error}")
            else:
                queue.note(world.tick, asked.command, asked.joins)
                history.mark(world.tick, queue.count)
        world.begin_tick()


def _dispatch(world: World, asked: Asked, others: list[System]) -> None:
    history, command = world.resource(History), asked.command
    if isinstance(command, Undo):
        history.undo(world, others)
    elif isinstance(command, Redo):
        history.redo(world, others)
    else:
        label = command.label(world)
        with history.rolled_back_on_error(world) as before:
            world.begin_tick()
            command.apply(world)
            world.commit()
            before = settled(before, world, others)
            if command.undoable:
                edited = Serials(world.table.serial[command.edits_alone.rows_in(world.table)])
                history.note(label, world, before, edited, asked.joins)
        if not command.undoable:
            history.let_go()
