"""A system of a mod that fails leaves no trace: the world is that of a run in which it was switched off before."""

from __future__ import annotations

from collections.abc import Callable

from components.motion import Velocity
from components.store.world import World
from sandbox.parts import BUILT_IN
from systems.core.install import installed
from systems.core.pipeline import Phase, System
from tests.sandbox.guarded import modded

LAST = 12


class Faulty(System):
    """Pushes to the right until its tick comes; then it does what it shouldn't."""

    phase = Phase.LIFE
    writes = (Velocity,)
    after = tuple(system.name for system in installed(BUILT_IN).systems)

    def __init__(self, at: int, trespass: Callable[[World], object]) -> None:
        super().__init__()
        self.at, self.trespass = at, trespass

    def run(self, world: World) -> None:
        velocity = world.table.columns["Velocity.x"]
        velocity[world.table.rows(Velocity)] += 1
        if world.tick == self.at:
            self.trespass(world)


def raises(world: World) -> None:
    raise ZeroDivisionError("division by zero")


def test_a_system_that_fails_in_a_tick_has_not_run_in_it() -> None:
    with modded(Faulty(5, raises)) as mine:
        mine.simulation.step(LAST)
        assert [fault.message for fault in mine.faults] == ["ZeroDivisionError: division by zero"]
        assert mine.faults[0].place.startswith("test_guard.py:")
        assert mine.faults[0].where == "system faulty, tick 5"
        found = mine.simulation.digest()
    with modded(idle := Faulty(5, raises)) as mine:
        mine.simulation.step(5)
        idle.enabled = False
        mine.simulation.step(LAST - 5)
        assert mine.simulation.digest() == found
