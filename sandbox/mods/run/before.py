"""What a run of a mod's system may change besides columns: requests, resources, measures and parameters."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from components.store.records import limits
from components.store.resources import Resource
from components.store.table import MOST_PREFABS
from components.store.world import World
from sandbox.mods.find.fault import TrespassError
from sandbox.mods.run.request import ONLY_LOOKING, refuse_looking
from systems.engine.hand import Hand
from systems.engine.measures import Measures
from systems.engine.settings import Settings
from systems.engine.system import Phase, System

NUMBER = (int, float, np.integer, np.floating)
OF_PEOPLE = (Settings, Hand)  # changed by commands only


class Before:
    """What a world was before a system ran, besides the records of its table."""

    def __init__(self, world: World, system: System) -> None:
        self._world, self._system = world, system
        self._vars, self._asked, self._resources = dict(vars(world)), world.asked, dict(world.resources)
        self._stored = {kind: own.stored for kind, own in self._resources.items() if isinstance(own, Resource)}
        self._measures = world.resources.get(Measures)
        self._of_measures = dict(vars(self._measures)) if self._measures else {}
        self._measured = dict(self._measures.values) if self._measures else {}
        self._parameters = system.stored

    def check(self) -> None:
        """Check that the system has changed only what it may, and to valid values.

        Raises:
            TrespassError: it has not; the message says what it changed, and what would be right.
        """
        world = self._world
        for name, value in self._vars.items():
            if vars(world)[name] is not value and name != "next_serial":
                raise TrespassError(f"world.{name} was changed, which belongs to the program")
        if world.asked != self._asked:
            refuse_looking(self._system, "spawn or despawn")
        for kind, resource in self._resources.items():
            if world.resources.get(kind) is not resource:
                raise TrespassError(f"{kind.__name__} was replaced or removed: write into the resource's fields")
        for kind, resource in world.resources.items():
            known = self._stored.get(kind)
            if isinstance(resource, Resource) and resource.stored is not known:
                self._check_resource(resource, kind().stored if known is None else known)
        for name, value in self._of_measures.items():
            if vars(self._measures)[name] is not value:
                raise TrespassError(f"Measures.{name} was replaced: put numbers into Measures.values, by name")
        if self._measures and self._measures.values != self._measured:
            self._check_measures(self._measures.values)
        stored = self._system.stored
        for name in self._system.parameters:
            if stored[name] is not self._parameters[name]:
                self._check_parameter(name, stored[name])

    def put_back(self) -> None:
        """Make it so again."""
        self._world.take_back(self._asked)
        vars(self._world).update(self._vars)
        self._world.resources.update(self._resources)
        for kind, stored in self._stored.items():
            self._resources[kind].stored = stored
        if self._measures:
            vars(self._measures).update(self._of_measures | {"values": self._measured})
        self._system.stored = self._parameters

    def _check_resource(self, resource: Resource, known: Mapping[str, Any]) -> None:
        kind: type = type(resource)
        phase, name = self._system.phase, kind.__name__
        if resource.stored == known:
            return
        if phase in ONLY_LOOKING:
            raise TrespassError(
                f"{name} was changed in {phase.name}, which only measures or draws: do it in an earlier phase"
            )
        if kind in OF_PEOPLE:
            raise TrespassError(f"{name} was changed by a system, and only commands may change it")
        if kind not in (*self._system.writes, *self._system.adds):
            raise TrespassError(f"{name} was changed by a system that doesn't declare it: add it to `writes`")

    def _check_measures(self, values: Mapping[Any, Any]) -> None:
        for name, measured in values.items():
            if not (isinstance(name, str) and name.isprintable()):
                raise TrespassError(f"a measure is called {name!r:.80}: must be a text in one line")
            if measured is not self._measured.get(name) and not _is_number(measured):
                raise TrespassError(f"the measure {name!r} became {measured!r:.80}: must be a number")
        if self._system.phase is not Phase.MEASURE:
            raise TrespassError(
                f"measures were set in {self._system.phase.name}, where they are lost: set them in a system of MEASURE"
            )
        if Measures not in (*self._system.writes, *self._system.adds):
            raise TrespassError("Measures was changed by a system that doesn't declare it: add it to `adds`")

    def _check_parameter(self, name: str, value: Any) -> None:
        field = self._system.parameters[name]
        allowed = limits(field, MOST_PREFABS)
        if not isinstance(value, NUMBER) or not allowed.low <= value <= allowed.high:
            raise TrespassError(f"{self._system.name}.{name} became {value!r:.80}: {allowed.must}")
        if field.dtype.kind != "f" and value != int(value):
            raise TrespassError(f"{self._system.name}.{name} became {value!r:.80}: must be a whole number")


def _is_number(value: Any) -> bool:
    """Return whether a value is a number within the range of floats, which Python's integers can exceed."""
    return isinstance(value, NUMBER) and not (isinstance(value, int) and abs(value) > sys.float_info.max)
