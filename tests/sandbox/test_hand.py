"""The hand as a command: it pulls while it is in the world, and the world remembers it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import sandbox
from sandbox.edit import SetHand
from sandbox.simulation import Simulation
from systems.engine.hand import Hand
from tests.edits import do
from tests.recordings import meta_in


def resources(simulation: Simulation, path: Path) -> object:
    simulation.save(path)
    return meta_in(path)["resources"]


def test_the_flock_comes_to_the_hand_and_flees_from_it() -> None:
    def away(strength: float) -> float:
        with sandbox.load("ronan", seed=3) as simulation:
            simulation.submit(SetHand(500, 300, strength, 800))
            simulation.step(60)
            columns, size = simulation.world.table.columns, simulation.world.table.size
            return float(np.median(np.hypot(columns["Position.x"][:size] - 500, columns["Position.y"][:size] - 300)))

    assert away(900) < away(0) < away(-900)


def test_a_snapshot_holds_the_hand_while_it_is_in_the_world(tmp_path: Path) -> None:
    with sandbox.load("ronan", seed=3) as simulation:
        before = simulation.digest()
        do(simulation, SetHand(500, 1 / 3, 600))
        assert resources(simulation, tmp_path / "a.boids") == {
            "Hand": {"x": 500, "y": 0.33333334, "strength": 600, "radius": 200}
        }
        with sandbox.load(tmp_path / "a.boids") as again:
            assert again.world.resource(Hand) == Hand(500, 1 / 3, 600, 200)
            for each in (simulation, again):
                each.step(20)
            assert again.digest() == simulation.digest()
        do(simulation, SetHand(1, 1, 0))
        assert resources(simulation, tmp_path / "a.boids") == {}
    with sandbox.load("ronan", seed=3) as simulation:
        simulation.submit(SetHand(5, 5, 600))
        simulation.submit(SetHand(5, 5, 0))
        simulation.settle_commands()
        assert simulation.digest() == before
