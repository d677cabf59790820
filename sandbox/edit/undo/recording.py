"""Doing something to a world, and noting what takes it back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from components.store.table import ComponentType, EntityTable, fields_of
from components.store.world import World
from sandbox.edit.beings import beings_in
from sandbox.edit.undo.change import Change
from sandbox.edit.undo.coming import Come, Go, Handled, NextSerial
from sandbox.edit.undo.settings import PrefabAt, Setting, same, settings_of
from sandbox.edit.undo.values import Before
from sandbox.serials import Serials
from systems.engine.pipeline import System

if TYPE_CHECKING:
    from sandbox.edit.command import Command


def carried_out(world: World, command: Command, others: Iterable[System]) -> list[Change]:
    """Carry out a command between two ticks, and then the other systems of COMMANDS.

    Returns:
        what takes it back, to be applied from the last to the first.
    """
    settings, prefabs, first = settings_of(world), list(world.prefabs.values()), world.next_serial
    rows, keys = command.edited(world)
    try:
        changes = recorded(world, lambda: command.apply(world), keys, rows)
    except BaseException:
        for change in (*_settings(world, settings), *reversed([*_prefabs(world, prefabs)])):
            change.apply(world)
        raise
    changes = [*_settings(world, settings), *_prefabs(world, prefabs), *changes]
    born = np.arange(first, world.next_serial)  # all come after those who were there
    one_by_one = Handled(Serials(np.concatenate([command.handles.array, born])), True)
    if changes and (taken_back := one_by_one.apply(world)):
        changes.append(taken_back)
    return [*changes, *settled(world, others)]


def settled(world: World, others: Iterable[System]) -> list[Change]:
    """Run the other systems of COMMANDS; returns what takes back what they did."""
    running = [system for system in others if system.enabled]

    def run() -> None:
        for system in running:
            system.process(world)

    return recorded(world, run, {key for system in running for key in _written(world.table, system)})


def recorded(
    world: World, do: Callable[[], None], keys: Iterable[str], rows: NDArray[Any] | None = None
) -> list[Change]:
    """Do something that writes in no other columns than these, of these rows (None: of all), and commit.

    Where that fails, the world is as it was.

    Returns:
        what takes it back, to be applied from the last to the first.
    """
    first, before = world.next_serial, Before(world.table, keys, rows)
    world.begin_tick()
    try:
        do()
    except BaseException:
        world.cancel()
        world.next_serial = first
        for values in before.values():
            values.apply(world)
        raise
    changes: list[Change] = [*before.values()]
    if len(doomed := world.dying):
        changes.append(Come(beings_in(world, doomed)))
    world.commit()
    if world.next_serial > first:
        changes.insert(0, NextSerial(world.next_serial, first, world.tick))
        changes.append(Go(np.arange(first, world.next_serial)))
    return changes


def _settings(world: World, before: dict[tuple[str, ...], Any]) -> Iterator[Change]:
    now = settings_of(world)
    for place, value in before.items():
        if place in now and not same(now[place], value):
            yield Setting(place, now[place], value)


def _prefabs(world: World, before: Sequence[Any]) -> Iterator[Change]:
    now = [*world.prefabs.values()]
    for place in range(max(len(now), len(before))):
        new, old = (each[place] if place < len(each) else None for each in (now, before))
        if not same(new, old):
            yield PrefabAt(place, new, old)


def _written(table: EntityTable, system: System) -> Iterator[str]:
    """The columns that a system writes or adds to."""
    for what in (*system.writes, *system.adds):
        owner, _, name = (what if isinstance(what, str) else what.__name__).partition(".")
        component: ComponentType | None = table.components.get(owner)
        for field in fields_of(component) if component else ():
            if name in ("", field.name):
                yield from field.columns
