"""The same scene, seed and commands give the same bits: on any number of threads, in any order of rows, through
snapshots, in any process and on any processor.

To renew EXPECTED run this file (`python -m tests.sandbox.test_same_everywhere`): it prints the table. A change
needs a reason, in the commit and in the changelog; see "When an expected digest changes" in CONTRIBUTING.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import numba
import numpy as np
import pytest

from components.flock import Flocker, Perception
from components.look import Look
from components.motion import Motion, Position, Velocity
from components.store.fields import AMOUNT_SCALE
from components.store.world import Prefab
from sandbox.opening import load
from sandbox.parts import BUILT_IN
from sandbox.reading.prefabs import component_defaults, installed_prefabs
from sandbox.scene import Entry, Scene, Spread
from sandbox.scenes import bundled_scenes
from sandbox.simulation import Simulation
from systems.core.install import installed
from systems.core.settings import Settings

TICKS = 1000
ONE_THREAD = {"NUMBA_NUM_THREADS": "1"}
PATIENT = {"OMP_WAIT_POLICY": "passive"}  # threads that wait sleep: on a busy machine spinning ones cost minutes
EXPECTED = {
    "murmuration": "47cdf7cebd003ab1e9df56c59ac55d69e4a962330a7f8c8bcece951b01c6b44b",
    "ronan": "ab91271f1beaee88b8b43b07a243f5bdb679d22ecfd22dd1726aa967d50aea1a",
    "scarf": "e1ce8518f9a558fdad698d626d8f7f70d111c6b4a374d423a913bb7a31ad514d",
    "every_rule": "179c5ee71e5aa35a7d4b8e93d3bdacf4bd2f7b33d0df27e5ece611c470a0d976",
    "every_kind": "77d4aee1812cee7c7b957d9f9bc4dbadab0840fd0f8040db986ab53e5ebd39f8",
    "pasture": "85e800486cbac0e7463904f6f57802f8b4957432d0311dc3c79faf04613312f3",
    "storm": "e79780c62cbb07e590aa07b2565f8860cbfab2cfb4edf92ab05f481c7cc2a143",
}


def every_rule() -> Scene:
    """A torus with prefabs for all falloffs and ways to steer; some mix, some see far, some only a few."""
    prefabs = {}
    for falloff, steer in product(
        Flocker.fields["separation_falloff"].choices, Flocker.fields["separation_steer"].choices
    ):
        name, place = f"{falloff}_{steer}", len(prefabs)
        values = {
            Position: {},
            Velocity: {},
            Motion: {"min_speed": 30, "max_acceleration": 900, "drag": 0.5, "drag_after_clamp": place % 2 == 0},
            Perception: {
                "radius": 40 + 15 * place,
                "fov": (360, 300, 90)[place % 3],
                "reach": ("metric", "metric", "topological")[place % 3],
                "neighbours": 1 + place,
            },
            Flocker: {
                "separation_falloff": falloff,
                "separation_steer": steer,
                "separation_mean": place % 4 == 0,
                "separation_mixes": True,
                "alignment_steer": steer,
                "alignment_mixes": place % 2 == 1,
                "alignment_radius": 10 * place,
                "cohesion_steer": steer,
                "cohesion_limit": 100,
            },
            Look: {},
        }
        prefabs[name] = Prefab(
            name,
            {
                c.__name__: {key: c.fields[key].parse(value) for key, value in given.items()}
                for c, given in values.items()
            },
        )
    spread: dict[str, object] = {"Flocker.cohesion_strength": Spread(1, 0.3), "Perception.fov": Spread(300, 60)}
    entries = [Entry(name, 60, values=spread) for name in prefabs]  # type: ignore[arg-type]
    together = [Entry(name, 5, at=(100, 100)) for name in prefabs]
    return Scene(
        "every rule", seed=5, settings=Settings(width=700, height=500), prefabs=prefabs, entries=entries + together
    )


def every_kind() -> Scene:
    """A bouncing world with a few of every built-in prefab, most of them with energy, who starve and have young."""
    prefabs = installed_prefabs(installed(BUILT_IN))
    animal: dict[str, object] = {
        "Energy.level": 30 * AMOUNT_SCALE,
        "Energy.rest_burn": 1.5,
        "Energy.capacity": 99 << 20,
    }
    animal |= {"Life.birth_level": 45 * AMOUNT_SCALE, "Life.max_age": 12.0, "Life.mutation": 0.3}
    animal |= {"Life.age": AMOUNT_SCALE}
    entries = []
    for name, prefab in prefabs.items():
        if "Flocker" in prefab.components or "Predator" in prefab.components:
            defaults = {
                f"{c}.{key}": value
                for c in ("Energy", "Life")
                for key, value in component_defaults(installed(BUILT_IN), c).items()
            }
            entries.append(Entry(name, 25, values=defaults | animal))
        elif name == "wall":
            entries.append(Entry(name, points=((100, 80), (320, 120), (280, 300), (150, 200)), closed=True))
        else:
            rich: dict[str, object] = {"Food.regrowth": 30.0, "Food.radius": 25.0} if name == "food" else {}
            entries.append(Entry(name, 40 if rich else 6, values=rich))
    settings = Settings(width=800, height=600, edges="bounce", population_limit=900)
    return Scene("every kind", seed=6, settings=settings, prefabs=prefabs, entries=entries)


SCENES: dict[str, Callable[[], Simulation]] = {
    "murmuration": lambda: load("murmuration"),
    "ronan": lambda: load("ronan"),
    "scarf": lambda: load("scarf"),
    "every_rule": lambda: Simulation(every_rule()),
    "every_kind": lambda: Simulation(every_kind()),
    "pasture": lambda: load("pasture"),
    "storm": lambda: load("storm"),
}


def digests() -> dict[str, str]:
    """The digest of each scene after TICKS ticks, in this process."""
    found = {}
    for name, make in SCENES.items():
        with make() as simulation:
            simulation.step(TICKS)
            found[name] = simulation.digest()
    return found


def digests_elsewhere(environment: dict[str, str]) -> dict[str, str]:
    """The same in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.sandbox.test_same_everywhere"],
        env={**os.environ, **environment},
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        check=True,
    )
    return dict(json.loads(done.stdout))


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Here; the tests about threads run processes of their own."""
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    yield
    numba.set_num_threads(before)


@pytest.mark.parametrize("scene", SCENES)
def test_a_thousand_ticks_have_the_expected_digest(scene: str) -> None:
    with SCENES[scene]() as simulation:
        simulation.step(TICKS)
        assert simulation.digest() == EXPECTED[scene]


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.timeout(300)
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    assert digests_elsewhere({"NUMBA_NUM_THREADS": str(threads), **PATIENT}) == EXPECTED


@pytest.mark.timeout(600)
def test_the_processor_changes_nothing() -> None:
    """`generic` is what every x86-64 has: SSE2 instead of AVX, no fused multiplication and addition."""
    assert digests_elsewhere({"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", **ONE_THREAD}) == EXPECTED


@pytest.mark.parametrize("scene", SCENES)
def test_the_order_of_rows_changes_nothing(scene: str) -> None:
    shuffle = np.random.default_rng(1)
    with SCENES[scene]() as simulation:
        table = simulation.world.table
        while simulation.tick < TICKS:
            table.reorder(shuffle.permutation(table.size))
            simulation.step(5)
        assert simulation.digest() == EXPECTED[scene]


@pytest.mark.parametrize("scene", SCENES)
def test_saving_and_loading_changes_nothing(scene: str, tmp_path: Path) -> None:
    simulation = SCENES[scene]()
    while simulation.tick < TICKS:
        simulation.step(10)
        simulation.save(tmp_path / "state.npz")
        simulation.close()
        simulation = load(tmp_path / "state.npz")
    assert simulation.digest() == EXPECTED[scene]
    simulation.close()


@pytest.mark.verify
@pytest.mark.parametrize("scene", [path.stem for path in bundled_scenes()])
def test_every_bundled_scene_is_the_same_on_one_and_on_two_threads_for_long(scene: str) -> None:
    command = [sys.executable, "-m", "sandbox.cli", "run", scene, "--ticks", "5000", "--json"]
    digests = {
        json.loads(subprocess.run(command, env={**os.environ, **threads}, stdout=subprocess.PIPE).stdout)["digest"]
        for threads in (ONE_THREAD, {"NUMBA_NUM_THREADS": "2", **PATIENT})
    }
    assert len(digests) == 1


if __name__ == "__main__":
    print(json.dumps(digests(), indent=4))
