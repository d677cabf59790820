"""Explain asks the systems of mods too, under their guard: one that fails is stopped, and Explain goes on."""

from __future__ import annotations

from components.motion import Motion
from components.store.world import World
from sandbox.explain.explanation import explain
from systems.engine.system import Phase, System
from tests.sandbox.guarded import Faulty, Season, modded, state


class Breeze(System):
    """Pushes everyone to the right, harder each time it is asked."""

    phase = Phase.STEER
    adds = ("Motion.acceleration", Season)
    fails = False

    def run(self, world: World) -> None:
        season = world.resource(Season)
        world.table.columns["Motion.acceleration.x"][world.table.rows(Motion)] += 8 * season.warmth
        season.warmth = min(1.0, 2 * season.warmth)
        if self.fails:
            raise RuntimeError("no wind")


class Calm(Breeze):
    """Fails."""

    fails = True


def mover(world: World) -> int:
    return int(world.table.serial[world.table.rows(Motion)[0]])


def test_what_a_guarded_system_gives_is_what_the_tick_uses() -> None:
    with modded(Breeze()) as mine:
        simulation = mine.simulation
        before = state(simulation)
        why = explain(simulation, mover(simulation.world))
        assert why.rules["breeze"] == (4.0, 0.0)
        assert state(simulation) == before
        simulation.step()
        row = simulation.world.table.row_of(why.serial)
        assert simulation.world.table.columns["Motion.acceleration.x"][row] == why.acceleration[0]
        assert simulation.world.resource(Season).warmth == 1
        assert not mine.faults


def test_one_that_fails_is_stopped_and_the_others_are_told() -> None:
    with modded(Calm(), Faulty(99)) as mine:
        simulation = mine.simulation
        why = explain(simulation, mover(simulation.world))
        assert [(fault.message, fault.where) for fault in mine.faults] == [
            ("RuntimeError: no wind", "system calm, tick 0")
        ]
        assert "calm" not in why.rules
        assert "flee" in why.rules
        found = state(simulation)
    with modded(Calm(), Faulty(99)) as mine:
        for name in ("calm", "faulty"):
            mine.simulation.pipeline.by_name[name].enabled = False
        assert state(mine.simulation) == found
