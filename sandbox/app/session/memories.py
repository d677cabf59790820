"""What overlays remember of each world: in Compare there are two."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakKeyDictionary, WeakSet

from sandbox.simulation import Simulation

if TYPE_CHECKING:
    from sandbox.app.session.session import Session

T = TypeVar("T")


class PerSimulation(Generic[T]):
    """What an overlay remembers of each world that it shows."""

    def __init__(self, make: Callable[[], T], copy: Callable[[T], T] | None = None) -> None:
        """`copy`: copies what is remembered, for the second world when Compare begins; None: it begins anew."""
        self._make, self._copy = make, copy
        self._kept: WeakKeyDictionary[Simulation, T] = WeakKeyDictionary()
        _all.add(self)

    def of(self, session: Session) -> T:
        """Return what is remembered of the session's world; at first, what `make` returns."""
        simulation = session.simulation
        if simulation not in self._kept:
            self._kept[simulation] = self._make()
        return self._kept[simulation]

    def copy(self, of: Simulation, to: Simulation) -> None:
        """Remember of a world what is remembered of another one."""
        if self._copy is not None and of in self._kept:
            self._kept[to] = self._copy(self._kept[of])


_all: WeakSet[PerSimulation[Any]] = WeakSet()


def copy_memories(of: Simulation, to: Simulation) -> None:
    """Let all overlays remember of a world what they remember of another one, of which it is a copy."""
    for remembered in _all:
        remembered.copy(of, to)
