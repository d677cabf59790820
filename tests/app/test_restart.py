"""Restarting leads back to where the window opened."""

from __future__ import annotations

from pathlib import Path

import sandbox
from sandbox.app.document.again import maker
from sandbox.design.scene import Entry
from sandbox.edit import Erase, SetField
from sandbox.simulation import Simulation

from .conftest import drifting


def test_a_scene_begins_again_with_its_seed_and_with_what_was_set_before() -> None:
    with Simulation(drifting(Entry("red", 30)), seed=8) as simulation:
        simulation.submit(SetField("Look.size", 3))
        simulation.settle_commands()
        start = simulation.digest()
        again = maker(simulation)
        simulation.step(5)
        for _ in range(2):
            with again() as made:
                assert made.digest() == start


def test_a_snapshot_begins_again_where_it_was_taken(tmp_path: Path) -> None:
    with Simulation(drifting(Entry("red", 30))) as simulation:
        simulation.step(5)
        simulation.save(tmp_path / "s.boids")
    with sandbox.load(tmp_path / "s.boids") as opened:
        start = opened.digest()
        again = maker(opened)
        (tmp_path / "s.boids").unlink()
        opened.submit(Erase(320, 180, 1000))
        opened.step(3)
        with again() as made:
            assert made.tick == 5
            assert made.digest() == start
