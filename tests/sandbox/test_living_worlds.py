"""A scene with food, eaters and young goes on the same through snapshots, on any threads and in any order of rows."""

from __future__ import annotations

import csv
from pathlib import Path

import numba
import numpy as np
import pytest

from sandbox import opening
from sandbox.cli.running import run_ticks
from sandbox.report import write_measures
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.toml.source import TomlSource
from systems.engine.ledger import Ledger

TICKS = 600
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


@pytest.fixture(scope="module")
def expected() -> str:
    """The digest after TICKS ticks in one go on one thread, in a world where enough happens."""
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    with meadow() as simulation:
        simulation.step(TICKS)
        ledger = simulation.world.resource(Ledger)
        assert min(ledger.births, ledger.deaths) > 10
        assert ledger.meals > 1000
        numba.set_num_threads(before)
        return simulation.digest()


def test_levels_that_differ_stay_within_their_bounds() -> None:
    with meadow() as simulation:
        table = simulation.world.table
        levels = table.columns["Energy.level"][: table.size][table.prefab[: table.size] == table.prefab[0]] / 2**20
        assert levels.std() == pytest.approx(40, rel=0.25)
        assert levels.mean() == pytest.approx(90, rel=0.15)


def test_saving_and_loading_changes_nothing(expected: str, tmp_path: Path) -> None:
    simulation = meadow()
    while simulation.tick < TICKS:
        simulation.step(20)
        simulation.save(tmp_path / "state.npz")
        simulation.close()
        simulation = opening.load(tmp_path / "state.npz")
    assert simulation.digest() == expected
    simulation.close()


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_and_the_order_of_rows_change_nothing(threads: int, expected: str) -> None:
    shuffle = np.random.default_rng(threads)
    before = numba.get_num_threads()
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))  # type: ignore[attr-defined]
    with meadow() as simulation:
        table = simulation.world.table
        while simulation.tick < TICKS:
            table.reorder(shuffle.permutation(table.size))
            simulation.step(5)
        assert simulation.digest() == expected
    numba.set_num_threads(before)


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
