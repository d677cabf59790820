"""A scene with food, eaters and young: how they begin, and what is measured in every tick."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from sandbox.cli.running import run_ticks
from sandbox.report import write_measures
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.toml.source import TomlSource
from systems.engine.ledger import Ledger

MEADOW = """
format = 1
seed = 3

[world]
size = [500, 400]
population_limit = 400

[prefabs.grazer]
extends = "boid"
Energy = { speed_burn = 4, hunger = 110 }
Life = { birth_level = 130, max_age = 12, mutation = 0.2 }

[prefabs.browser]
extends = "grazer"
Perception = { radius = 90 }

[prefabs.grass]
Position = {}
Food = { regrowth = 40, radius = 15, feeds = ["grazer"] }

[prefabs.bush]
Position = {}
Food = { amount = 300, capacity = 300, regrowth = 20, radius = 25 }

[[spawn]]
prefab = "grazer"
count = 80
Life = { age = { mean = 6, sd = 4 } }
Energy = { level = { mean = 90, sd = 40 } }

[[spawn]]
prefab = "browser"
count = 40

[[spawn]]
prefab = "grass"
count = 30

[[spawn]]
prefab = "bush"
count = 6
"""


def meadow() -> Simulation:
    return Simulation(scene_of(TomlSource("meadow.toml", MEADOW.encode())))


def test_levels_that_differ_stay_within_their_bounds() -> None:
    with meadow() as simulation:
        table = simulation.world.table
        levels = table.columns["Energy.level"][: table.size][table.prefab[: table.size] == table.prefab[0]] / 2**20
        assert levels.std() == pytest.approx(40, rel=0.25)
        assert levels.mean() == pytest.approx(90, rel=0.15)


def test_the_measures_of_every_tick_are_written(tmp_path: Path) -> None:
    rows: list[dict[str, float]] = []
    with meadow() as simulation:
        run_ticks(simulation, 50, [lambda: rows.append({"tick": simulation.tick, **simulation.measures()})])
        ledger = simulation.world.resource(Ledger)
    write_measures(tmp_path / "m.csv", rows)
    with open(tmp_path / "m.csv", encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    assert [int(row["tick"]) for row in read] == list(range(1, 51))
    assert float(read[-1]["meals"]) == ledger.meals > 0
    for name in ("births", "deaths", "catches", "mean_energy", "food", "flocks", "nearest_neighbour"):
        assert all(np.isfinite(float(row[name])) for row in read)
    assert 1 <= float(read[-1]["flocks"]) <= 60
