"""Saves what a system of a mod may change besides columns, to restore it: resources, measures, parameters."""

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
from systems.engine.measures import Measures
from systems.engine.system import Phase, System

NUMBER = (int, float, np.integer, np.floating)


def _is_number(value: Any) -> bool:
    """Return whether a value is a number within the range of floats, which Python's integers can exceed."""
    return isinstance(value, NUMBER) and not (isinstance(value, int) and abs(value) > sys.float_info.max)


class KeptState:
    """The state of the declared resources, the measures and the system's parameters before a run."""

    def __init__(self, world: World, system: System) -> None:
        self._system, resources = system, world.resources
        self._declared = [(kept, kept.stored) for kept in resources.values() if isinstance(kept, Resource)]
        self._measures = resources.get(Measures)
        self._measured = dict(self._measures.values) if self._measures else {}
        self._parameters = system.stored

    def check(self, only_look: bool) -> None:
        """Check that the system has changed only what it may, and to valid values.

        Raises:
            TrespassError: it has not; the message says what it changed, and what would be right.
        """
        for resource, before in self._declared:
            if resource.stored != before:
                self._refuse_undeclared(type(resource), only_look)
        if self._measures and self._measures.values != self._measured:
            self._check_measures(self._measures.values)
        stored = self._system.stored
        for name in self._system.parameters:
            now = stored[name]
            if now is not self._parameters[name]:
                self._check_parameter(name, now)

    def put_back(self) -> None:
        """Restore the saved state."""
        for resource, before in self._declared:
            resource.stored = before
        if self._measures:
            self._measures.values = self._measured
        self._system.stored = self._parameters

    def _refuse_undeclared(self, kind: type, only_look: bool) -> None:
        if only_look:
            phase = self._system.phase.name
            raise TrespassError(
                f"{kind.__name__} was changed in {phase}, which only measures or draws: do it in an earlier phase"
            )
        if kind not in (*self._system.writes, *self._system.adds):
            raise TrespassError(f"{kind.__name__} was changed by a system that doesn't declare it: add it to `writes`")

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
