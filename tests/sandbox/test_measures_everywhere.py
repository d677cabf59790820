"""Every measure of every bundled scene, also of mods, has the same bits on any threads, in any order of rows, and after
saving and opening."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import sandbox
from sandbox import opening
from sandbox.edit import Clear
from sandbox.mods.load.assembly import assembled
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.opening import load
from sandbox.scenes.bundled import bundled_scenes
from sandbox.simulation import Simulation
from systems.engine.threads import exactly
from tests.bundled import MODS
from tests.bundled import opened as of_mod
from tests.sandbox.test_same_everywhere import RUN, every_kind

SCENES = [path.stem for path in bundled_scenes()]
WORLDS: dict[str, Callable[[], Simulation]] = {
    "every kind": lambda: Simulation(every_kind()),  # with edges
    "ronan": lambda: load("ronan"),  # a torus
    **{
        scene.stem: partial(of_mod, scene.parents[1].name, scene.stem) for scene in sorted(MODS.glob("*/scenes/*.toml"))
    },
}
LONG = [pytest.param(scene, marks=pytest.mark.verify) for scene in SCENES if scene not in WORLDS]


def measured(simulation: Simulation) -> dict[str, str]:
    return {name: float(value).hex() for name, value in simulation.measures().items()}


@pytest.mark.usual_threads
@pytest.mark.parametrize("name", [*WORLDS, *LONG])
def test_measures_do_not_depend_on_threads_rows_or_saving(name: str, tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    with WORLDS[name]() if name in WORLDS else load(name) as simulation:
        simulation.step(300 if name == "evolution" else 40)  # ticks until the young differ from their parents
        found, table = measured(simulation), simulation.world.table
        assert found.keys() >= {"polarization", "milling", "mean_speed", "nearest_neighbour", "mean_energy"}
        for threads in (1, 2, 3):
            table.reorder(chance.permutation(table.size))
            with exactly(threads):
                assert measured(simulation) == found
        simulation.save(tmp_path / "saved.boids")
        with opening.load(tmp_path / "saved.boids", mods=LoadedMods(assembled(simulation.scene.loaded))) as again:
            assert measured(again) == found


@pytest.mark.verify
@pytest.mark.parametrize("name", SCENES)
def test_one_thread_measures_what_sixteen_do(name: str) -> None:
    command = [sys.executable, "-c", RUN, "run", name, "--ticks", "40", "--json"]
    found = {
        repr(json.loads(subprocess.check_output(command, env={**os.environ, "NUMBA_NUM_THREADS": threads}))["metrics"])
        for threads in ("1", "16")
    }
    assert len(found) == 1


def test_a_world_in_which_nothing_moves_has_no_order_rather_than_none_of_it() -> None:
    with sandbox.new() as simulation:
        simulation.spawn("obstacle", 3)
        found = simulation.measures()
        assert [name for name in ("polarization", "milling", "mean_speed") if not np.isnan(found[name])] == []


def test_a_mod_s_measures_of_nobody_are_no_numbers() -> None:
    for mod, scene, name in (
        ("vicsek", "vicsek", "vicsek_polarization"),
        ("couzin", "couzin-torus", "couzin_milling"),
        ("evolution", "evolution", "sight_spread"),
    ):
        with of_mod(mod, scene) as simulation:
            simulation.submit(Clear())
            simulation.step()
            assert np.isnan(simulation.measures()[name])


def test_a_prefab_that_nobody_is_has_a_population_of_0_and_without_the_system_there_is_no_number() -> None:
    with sandbox.new() as simulation:
        assert simulation.measures(["population"])["population.wolf"] == 0
        simulation.set("population", False)
        assert "population.wolf" not in simulation.measures()
        with pytest.raises(ValueError, match=r"there is no measure 'population\.wolf'"):
            simulation.run(1, record="population.wolf")
