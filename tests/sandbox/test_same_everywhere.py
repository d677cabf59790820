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
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path

import numba
import numpy as np
import pytest

from components.flock import Flocker, Perception
from components.look import Look
from components.motion import Motion, Position, Velocity
from components.store.fields import AMOUNT_SCALE
from components.store.prefab import Prefab
from components.store.world import World
from sandbox.design.prefabs import component_defaults, installed_prefabs
from sandbox.design.scene import Entry, Scene
from sandbox.opening import load
from sandbox.parts import BUILT_IN
from sandbox.scenes.bundled import bundled_scenes
from sandbox.simulation import Simulation
from sandbox.toml.schemas import Spread
from systems.engine.app import installed
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.engine.threads import exactly

TICKS = 1000
SOON = 300  # ticks that show it too, where nobody is born
ONE_THREAD = {"NUMBA_NUM_THREADS": "1"}
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}  # what every x86-64 has: SSE2 instead of AVX, no FMA
RUN = "from systems.engine import threads; threads.entities_per_thread = 1; from sandbox.cli.main import main; main()"
EXPECTED = {
    "murmuration": "11ca70de1b91881e5b739caeeac67ef092f1cad5d5f5e83b9e42ab2557342503",
    "ronan": "4dd5494ea0e8c611dd5fa85efa1d45c6fbccbb710c390e5a5854acf98f5f763d",
    "scarf": "e592ea77c166e2c6f4673bbc590b66e1b6dd75ad13464c9cab645f89ae05f854",
    "every_rule": "b522b61aabebb9c4c30ba25aaabef22e2ad8a43a25e282eea25f067996feeda8",
    "every_kind": "170b3ffef7f7086a5342ba41d6be68193be7797903a007fb1ecfb1ee02654142",
    "pasture": "bc1fdeea904acfa453cd380b34e742d44c1a4f0d42918986bf6424a7e7d88d5e",
    "storm": "3977532399822abf7edaf4914ebd72ca0fb0a47e3fafea3fa1f74c902d42b8d2",
    "bait-ball": "a62a272a830c62cbd3d75445a6eeacbc4c25a72fbe7fde742cb29ba21d03ba27",
    "reef_in_space": "ed0f02da0c3b59571ee50013973c408d373e71a6c671ed7e4d5857d495f7fda3",
    "every_kind_in_space": "26d1995d2f0128a58bc8c45615a937fb170b7670d544a14aaf0f1160d7808db6",
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


class Idle(System):
    """Nothing, before flocking."""

    phase = Phase.STEER
    before = ("flocking",)

    def run(self, world: World) -> None:
        pass


def test_a_system_that_does_nothing_changes_no_bit() -> None:
    digests = set()
    for more in ((), (Idle(),)):
        with load("reef") as simulation:
            simulation.pipeline.replace(simulation.world, (*simulation.pipeline.systems, *more))
            simulation.step(60)
            digests.add(simulation.digest())
    assert len(digests) == 1


def every_kind(depth: float = 0) -> Scene:
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
    settings = Settings(width=800, height=600, edges="bounce", population_limit=900, depth=depth)
    return Scene("every kind", seed=6, settings=settings, prefabs=prefabs, entries=entries)


SCENES: dict[str, Callable[[], Simulation]] = {
    "murmuration": lambda: load("murmuration"),
    "ronan": lambda: load("ronan"),
    "scarf": lambda: load("scarf"),
    "every_rule": lambda: Simulation(every_rule()),
    "every_kind": lambda: Simulation(every_kind()),
    "pasture": lambda: load("pasture"),
    "storm": lambda: load("storm"),
    "bait-ball": lambda: load("bait-ball"),
    "reef_in_space": lambda: load("reef", depth=300),
    "every_kind_in_space": lambda: Simulation(every_kind(depth=400)),
}


def digests(scenes: Iterable[str]) -> dict[str, str]:
    """The digest of each of these scenes after TICKS ticks, in this process."""
    found = {}
    for name in scenes:
        with SCENES[name]() as simulation:
            simulation.step(TICKS)
            found[name] = simulation.digest()
    return found


def digests_elsewhere(environment: dict[str, str], *scenes: str) -> dict[str, str]:
    """The same in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.sandbox.test_same_everywhere", *scenes],
        env={**os.environ, **environment},
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        check=True,
    )
    return dict(json.loads(done.stdout))


@pytest.fixture
def one_thread() -> Iterator[None]:
    with exactly(1):
        yield


@cache
def course(scene: str) -> dict[int, str]:
    """The digest after so many ticks of a plain run on one thread."""
    found = {}
    with exactly(1), SCENES[scene]() as simulation:
        for ticks in (SOON, TICKS):
            simulation.step(ticks - simulation.tick)
            found[ticks] = simulation.digest()
    return found


@pytest.mark.parametrize("scene", SCENES)
def test_a_thousand_ticks_have_the_expected_digest(scene: str) -> None:
    assert course(scene)[TICKS] == EXPECTED[scene]


QUICK = [(scene, TICKS if scene in ("every_kind", "every_kind_in_space", "pasture") else SOON) for scene in SCENES]
LONG = [pytest.param(scene, TICKS, marks=pytest.mark.verify) for scene, ticks in QUICK if ticks < TICKS]


@pytest.mark.timeout(600)
def test_another_processor_and_more_threads_change_nothing() -> None:
    scene = "every_rule"  # compiles what steers, most of the arithmetic, and little else
    assert digests_elsewhere(GENERIC | {"NUMBA_NUM_THREADS": "3"}, scene) == {scene: EXPECTED[scene]}


@pytest.mark.verify
@pytest.mark.parametrize(
    "environment", [GENERIC, GENERIC | ONE_THREAD, *({"NUMBA_NUM_THREADS": str(n)} for n in (2, 3, 4, 7))]
)
def test_neither_changes_anything_in_any_scene(environment: dict[str, str]) -> None:
    assert digests_elsewhere(environment) == EXPECTED


@pytest.mark.parametrize(("scene", "ticks"), [*QUICK, *LONG])
def test_neither_the_order_of_rows_nor_a_thread_for_each_core_changes_anything(scene: str, ticks: int) -> None:
    shuffle = np.random.default_rng(1)
    with SCENES[scene]() as simulation:
        table = simulation.world.table
        while simulation.tick < ticks:
            table.reorder(shuffle.permutation(table.size))
            simulation.step(5)
        assert simulation.digest() == course(scene)[ticks]


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("every", [100, pytest.param(10, marks=pytest.mark.verify)], ids="every {} ticks".format)
@pytest.mark.parametrize(("scene", "ticks"), [*QUICK, *LONG])
def test_saving_and_loading_changes_nothing(scene: str, ticks: int, every: int, tmp_path: Path) -> None:
    simulation = SCENES[scene]()
    while simulation.tick < ticks:
        simulation.step(every)
        simulation.save(tmp_path / "state.boids")
        simulation.close()
        simulation = load(tmp_path / "state.boids")
    assert simulation.digest() == course(scene)[ticks]
    simulation.close()


@pytest.mark.verify
@pytest.mark.parametrize("scene", [path.stem for path in bundled_scenes()])
def test_every_bundled_scene_is_the_same_on_one_and_on_two_threads_for_long(scene: str) -> None:
    command = [sys.executable, "-c", RUN, "run", scene, "--ticks", "200" if scene == "million" else "5000", "--json"]
    digests = {
        json.loads(subprocess.run(command, env={**os.environ, **threads}, stdout=subprocess.PIPE).stdout)["digest"]
        for threads in (ONE_THREAD, {"NUMBA_NUM_THREADS": "2"})
    }
    assert len(digests) == 1


if __name__ == "__main__":
    with exactly(numba.get_num_threads()):
        print(json.dumps(digests(sys.argv[1:] or SCENES), indent=4))
