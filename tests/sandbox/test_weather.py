"""Wind, leaders, goals and wandering in a scene: one path, through snapshots and in any order of rows; explained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sandbox.explain.explanation import explain
from sandbox.opening import load
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.toml.source import TomlSource

SCENE = """
format = 1
[world]
size = [700, 500]
[prefabs.boid]
extends = "boid"
Wander = { rate = 2 }
[prefabs.wind]
Position = {}
Wind = { turbulence = 0.4 }
[prefabs.cloud]
Position = {}
Velocity = {}
Motion = {}
Wind = { kind = "gust", direction = 30 }
[prefabs.goal]
Position = {}
Goal = { calls = ["boid"] }
[[spawn]]
prefab = "boid"
count = 150
[[spawn]]
prefab = "boid"
count = 3
Leader = {}
[[spawn]]
prefab = "wind"
count = 4
[[spawn]]
prefab = "wind"
at = [0, 250]
Wind = { kind = "vortex", radius = 200 }
[[spawn]]
prefab = "cloud"
count = 2
[[spawn]]
prefab = "goal"
count = 3
"""
TICKS = 300


def simulation() -> Simulation:
    return Simulation(scene_of(TomlSource("weather.toml", SCENE.encode())))


@pytest.fixture(scope="module")
def expected() -> str:
    with simulation() as it:
        it.step(TICKS)
        return it.digest()


def test_saving_and_loading_changes_nothing(expected: str, tmp_path: Path) -> None:
    it = simulation()
    while it.tick < TICKS:
        it.step(50)
        it.save(tmp_path / "state.npz")
        it.close()
        it = load(tmp_path / "state.npz")
    assert it.digest() == expected
    it.close()


def test_the_order_of_rows_changes_nothing(expected: str) -> None:
    shuffle = np.random.default_rng(1)
    with simulation() as it:
        table = it.world.table
        while it.tick < TICKS:
            table.reorder(shuffle.permutation(table.size))
            it.step(5)
        assert it.digest() == expected


def test_each_system_can_be_switched_off_alone_and_counts() -> None:
    found = set()
    for off in ("", "wind", "leading", "goals", "wander"):
        with simulation() as it:
            for name, system in it.pipeline.by_name.items():
                system.enabled = name != off
            it.step(60)
            found.add(it.world.table.columns["Position.x"][:150].tobytes())
    assert len(found) == 5


def test_explain_names_what_each_of_them_asks() -> None:
    with simulation() as it:
        it.step(20)
        rules = [explain(it, serial).rules for serial in range(1, 151)]
    for name in ("wind", "leading", "goals", "wander"):
        assert any(np.hypot(*rule[name]) > 1 for rule in rules), name
    assert all(abs(np.hypot(*rule["wander"])) <= 40 for rule in rules)
