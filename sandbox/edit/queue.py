"""What people asked for and what was carried out, and the system that does so.

A command is checked when it is submitted and carried out in COMMANDS of the next tick; while the world is paused,
`Simulation.settle_commands` does it. Each command is completed before the next begins, entities included, and the
other systems of COMMANDS run after each. Batching, pausing and replay give identical results.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from components.store.world import World
from sandbox.design.origins import Origins
from sandbox.edit.command import Command
from sandbox.edit.undoing import Redo, Undo
from sandbox.serials import Serials
from sandbox.undo.change import Change
from sandbox.undo.coming import handle
from sandbox.undo.history import History
from sandbox.undo.recording import changes_since, settings_since, settle, whole
from sandbox.undo.size import size_of
from systems.engine.pipeline import Pipeline
from systems.engine.system import Phase, System

MOST_LOGGED = 200_000  # commands: a hand that moves gives one in every frame
MOST_BYTES = 64 << 20  # that they may hold together; the last one may hold more


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
        refused: why some of the last that waited were not carried out: mostly, the world had changed since they were
            asked for.
    """

    waiting: list[Asked] = field(default_factory=list)
    log: list[Done] = field(default_factory=list)
    forgotten: int = 0
    refused: list[str] = field(default_factory=list)
    _held: int = 0  # bytes

    @property
    def count(self) -> int:
        """How many were carried out."""
        return self.forgotten + len(self.log)

    def since(self, count: int) -> list[Done]:
        """Those that were carried out since `count` had this value."""
        return self.log[max(count - self.forgotten, 0) :]

    def go_back(self, log: list[Done]) -> None:
        """Only these were carried out, and none waits: the world is what it was then."""
        self.waiting, self.log, self.forgotten, self._held = [], log, 0, 0

    def note(self, tick: int, command: Command, joins: bool = False) -> None:
        """Note a command that was carried out."""
        self._held += _new_bytes(command, self.log[-1].command if self.log else None)
        self.log.append(Done(tick, command, joins))
        while len(self.log) > 1 and (len(self.log) > MOST_LOGGED or self._held > MOST_BYTES):
            gone = len(self.log) // 2
            del self.log[:gone]
            self.forgotten += gone
            commands = [None, *(done.command for done in self.log)]
            self._held = sum(_new_bytes(command, before) for before, command in pairwise(commands) if command)


def _new_bytes(command: Command, before: Command | None) -> int:
    """How much it holds that the one before it does not: the steps of a slider name the same 100,000 entities."""
    known = {id(part) for part in _parts(before)}
    return sum(size_of(part) for part in _parts(command) if id(part) not in known)


def _parts(command: Command | None) -> list[object]:
    values = vars(command).values() if command else ()
    return [value.array if isinstance(value, Serials) else value for value in values]


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
                _carry_out(world, asked, others)
            except ValueError as error:
                queue.refused.append(str(error))
            except Exception as error:  # a fault of the program must not cost a person the commands behind it
                queue.refused.append(f"{type(asked.command).__name__} failed and changed nothing: {error}")
            else:
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


def carried_out(world: World, command: Command, others: Iterable[System]) -> list[Change]:
    """Carry out a command between two ticks, and then the other systems of COMMANDS.

    Returns:
        what takes it back, to be applied from the last to the first; nothing where it is no step.
    """
    with whole(world) as before:
        world.begin_tick()
        command.apply(world)
        world.commit()
        settings = settings_since(before, world)
        settle(world, others)
    changes = [*settings, *changes_since(before, world)] if command.step else []
    if changes:
        born = np.arange(before.next_serial, world.next_serial)  # all come after those who were there
        for first, last, _ in world.resource(Origins).entries:
            born = born[(born < first) | (born >= last)]  # a crowd is placed together
        changes += handle(world, np.concatenate([command.handles.array, born]))
    return changes
