"""Keyframes: states of a world that ticks can be run from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.entities import Records
from components.store.new_rows import starts
from components.store.records import ComponentType, as_bytes, fields_of, item_of
from components.store.savepoint import Savepoint
from sandbox.design.scene import Scene
from sandbox.edit.queue import CommandQueue
from sandbox.mods.load.loading import LoadedMod
from sandbox.simulation import Simulation
from sandbox.undo.history import History

_versions = count(-2, -1)  # of orders of rows: those of tables are positive


@dataclass(frozen=True, eq=False)
class Keyframe:
    """The state of a simulation at the end of a tick, before the commands of the next one.

    Attributes:
        savepoint: by ascending serial; what it has in common with the keyframe before is shared, not copied.
        history: what could be undone.
        commands: how many commands had been carried out.
        mods: those in the world.
    """

    savepoint: Savepoint
    history: History
    commands: int
    scene: Scene
    mods: tuple[LoadedMod, ...]

    @property
    def tick(self) -> int:
        return self.savepoint.tick

    @classmethod
    def take(cls, simulation: Simulation, commands: int, before: Keyframe | None = None) -> Keyframe:
        """The state as it is now; `commands`: how many were carried out, `before`: an earlier keyframe to share with."""
        world, mods = simulation.world, tuple(simulation.mods.mods.values())
        if before is not None and before.commands == commands:
            history = before.history
        else:
            history = world.resource(History).copy()
        savepoint = by_serial(Savepoint.take(world), before.savepoint if before else None)
        return cls(savepoint, history, commands, simulation.scene, mods)

    def restore(self, simulation: Simulation) -> Simulation:
        """Make the simulation what it was; one of other mods is made anew, and the one given stays as it is.

        Commands that wait are forgotten.

        Returns:
            the simulation that is so now.
        """
        if tuple(simulation.mods.mods.values()) != self.mods:
            simulation = Simulation(replace(self.scene, loaded=self.mods), populate=False)
        world = simulation.world
        self.savepoint.restore(world)
        world.resources[History] = self.history.copy()
        world.resource(CommandQueue).waiting.clear()
        return simulation

    def arrays(self) -> Iterator[NDArray[Any]]:
        """All that takes memory."""
        savepoint = self.savepoint
        yield from (savepoint.serial, savepoint.prefab, savepoint.presence)
        for kept in savepoint.records.values():
            yield kept.values
            if isinstance(kept.rows, np.ndarray):
                yield kept.rows
        for stored in savepoint.stored.values():
            yield from (value.amounts for value in stored.values() if hasattr(value, "amounts"))


def by_serial(now: Savepoint, before: Savepoint | None = None) -> Savepoint:
    """A savepoint with rows by ascending serial, in which values that are no state are as they begin.

    Most components stay as they are from one second to the next, but rows move: only in an order of their own can
    they be shared.

    Args:
        before: an earlier one of the same world, from this function: what is the same is shared with it.
    """
    order = np.argsort(now.serial)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    serial, prefab, presence = now.serial[order], now.prefab[order], now.presence[order]
    known: dict[str, Records] = {}
    if before is not None:
        serial, prefab = _shared(serial, before.serial), _shared(prefab, before.prefab)
        presence = _shared(presence, before.presence)
        if serial is before.serial and presence is before.presence and now.components == before.components:
            known = dict(before.records)
    records = {}
    for component in now.components:
        name = component.__name__
        kept = now.records[name]
        if name in known and known[name].version == kept.version:
            records[name] = known[name]
        else:
            records[name] = _in_order(component, kept, place, order)
            if name in known and np.array_equal(
                as_bytes(records[name].values).view(np.uint8), as_bytes(known[name].values).view(np.uint8)
            ):
                records[name] = known[name]._replace(version=kept.version)
    return replace(
        now, rows_version=next(_versions), serial=serial, prefab=prefab, presence=presence, records=records
    )


def _in_order(
    component: ComponentType, kept: Records, place: NDArray[np.int64], order: NDArray[np.int64]
) -> Records:
    """The records of a component by `place`, that of each row; `order` are all rows by place."""
    places = place[kept.rows]
    own = order if len(places) == len(order) else np.argsort(places)
    rows = slice(0, len(order)) if len(places) == len(order) else places[own]
    values = as_bytes(kept.values)[own].view(component.record)
    for field in fields_of(component):
        if field.transient:
            for key in field.columns:
                values[item_of(key)] = field.default
    for key, first in starts(component):
        values[item_of(key)] = values[item_of(first)]
    return Records(kept.version, rows, values)


def _shared(now: NDArray[Any], before: NDArray[Any]) -> NDArray[Any]:
    return before if np.array_equal(now, before) else now
