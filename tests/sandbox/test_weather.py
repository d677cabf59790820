"""Wind, leaders, goals and wandering in a scene: each counts, and is explained."""

from __future__ import annotations

import numpy as np

from sandbox.explain.explanation import explain
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


def simulation() -> Simulation:
    return Simulation(scene_of(TomlSource("weather.toml", SCENE.encode())))


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
