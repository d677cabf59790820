"""Checks what a system of a mod requests, at once, so that no request can fail in COMMIT."""

from __future__ import annotations

import numpy as np

from components.store.entities import Entities
from components.store.waiting import Change, Gain, Loss
from components.store.world import World
from sandbox.design.field_rules import limits_in, refuse_broken
from sandbox.mods.find.fault import TrespassError
from systems.engine.settings import Settings
from systems.engine.system import Phase, System

MOST_SPAWNED = 100_000  # in one run of a system
ONLY_LOOKING = (Phase.MEASURE, Phase.RENDER)  # run on demand, not once a tick


class Requests:
    """Checks the births and the changes of components that a system requests in one run."""

    def __init__(self, world: World, system: System) -> None:
        self._world, self._system = world, system
        self._spawned = 0

    def accept(self, change: Change) -> None:
        """Check a request.

        Raises:
            ValueError: a value is out of bounds, or components conflict.
            TrespassError: there are too many entities, or the system only looks.
        """
        if isinstance(change, Entities):
            refuse_looking(self._system, "spawn")
            self._accept_births(change)
        elif isinstance(change, Gain | Loss):
            refuse_looking(self._system, "add or remove a component")
            if isinstance(change, Gain):
                self._accept_gain(change)

    def _accept_births(self, born: Entities) -> None:
        world = self._world
        self._spawned += len(born)
        if self._spawned > MOST_SPAWNED:
            raise TrespassError(f"spawns more than {MOST_SPAWNED:,} in one run")
        most = world.resource(Settings).population_limit
        if not world.has_room(len(born), most):
            raise TrespassError(f"spawns more than the world has room for: its population_limit is {most:,}")
        for name in born.records:
            for key in world.table.forms[name].columns:
                self._refuse_outside(key, born.column(key))
        for presence in np.unique(born.presence):
            self._refuse_conflict({component.__name__ for component in world.table.components_in(presence)})

    def _accept_gain(self, gain: Gain) -> None:
        for key, values in gain.values.items():
            self._refuse_outside(key, values)
        table = self._world.table
        now = table.components_in(table.presence[table.row(gain.serial)])
        later = {gain.component, *self._world.waiting.components_of(gain.serial, now)}
        self._refuse_conflict({component.__name__ for component in later})

    def _refuse_outside(self, key: str, values: np.ndarray[tuple[int], np.dtype[np.generic]]) -> None:
        allowed = limits_in(self._world, self._world.table.field(key))
        if not allowed.hold(values):
            raise ValueError(f"{key} = {values[~allowed.allow(values)][0].item()}: {allowed.must}")

    def _refuse_conflict(self, components: set[str]) -> None:
        refuse_broken(self._world.resource(Settings).edges, components, {})


def refuse_looking(system: System, what: str) -> None:
    """Raise TrespassError if this is a system that only measures or draws."""
    if system.phase in ONLY_LOOKING:
        raise TrespassError(f"can't {what} in {system.phase.name}, which only measures or draws: do it in LIFE")
