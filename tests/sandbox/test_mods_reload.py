"""Hot reload: nothing of an older version is left, in the world or in memory."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import esper
import pytest

from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.run.upgrade import UseMods
from sandbox.opening import load
from sandbox.simulation import Simulation
from systems.engine.system import System
from tests.memory import allocated, allocations_counted, resident
from tests.mods import write_mod

PLAIN = """
import esper
from sandbox.api import App, Phase, System, Velocity, World, component, number

runs = 0


@component
class Lean:
    much: float = number(3, "u/s²", 0, 100, "how much")


class Leaning(System):
    phase = Phase.LIFE
    writes = ("Velocity.x",)
    before = ("metabolism",)

    def run(self, world: World) -> None:
        global runs
        runs += 1
        for _, (velocity, lean) in esper.get_components(Velocity, Lean):
            velocity.x += lean.much * VERSION


def install(app: App) -> None:
    app.add_component(Lean)
    app.add_system(Leaning)
    app.add_prefabs('''
[prefabs.leaning]
extends = "boid"
Lean = {}
''')
"""

KERNEL = PLAIN.replace("        for _", "        push(world.table.columns['Velocity.x'])\n        for _").replace(
    "def install",
    """
from sandbox.api import parallel_kernel, prange

@parallel_kernel
def push(x):
    for k in prange(len(x)):
        x[k] += VERSION


def install""",
)

SCENE = """format = 1
[[spawn]]
prefab = "leaning"
count = 30
"""


def reloaded(tmp_path: Path, code: str, times: int, first: int, memory: Callable[[], int]) -> float:
    """Reload a mod so often in a running world, and check that the newest runs; how much memory grew after some, MB.

    Of the versions after the first ones, the half counts after which less is left: a table of Python's may grow once.
    """
    folder = write_mod(tmp_path / "mods" / "lean", code.replace("VERSION", "0"))
    (tmp_path / "scene.toml").write_text(SCENE)
    library = Library(Trust(tmp_path / "trust.toml"), [folder])
    with load(tmp_path / "scene.toml", mods=library) as simulation:
        at = []
        for version in range(1, times + 1):
            (folder / "lean.py").write_text(code.replace("VERSION", str(version % 7)))
            simulation.submit(UseMods(library.reload("lean")))
            simulation.step()
            assert not simulation.mods.faults
            if version in (first, (first + times) // 2, times):
                at.append(memory())
        grown = 2 * min(late - early for early, late in pairwise(at))
        assert_only_the_newest(simulation, library)
    return grown / 2**20


def assert_only_the_newest(simulation: Simulation, library: Library) -> None:
    named = [name for name in sys.modules if name.startswith("boids_mods.lean")]
    assert len({id(sys.modules[name]) for name in named}) == 2  # the package and its module
    assert [type(p).__name__ for p in esper._processors].count("Leaning") == 1
    systems = [thing for thing in gc.get_objects() if isinstance(thing, System) and thing.name == "leaning"]
    assert len(systems) <= 3  # the world's, the library's, and that of the last check
    for thing in systems:
        assert type(thing) is type(simulation.pipeline.by_name["leaning"])
    entity = int(simulation.world.table.serial[0])
    lean = simulation.world.table.components["Lean"]
    assert [type(handle) for handle in esper.components_for_entity(entity)].count(lean) == 1
    assert len(esper.components_for_entity(entity)) == 9


@pytest.mark.timeout(300)
@pytest.mark.parametrize("versions", [35, pytest.param(200, marks=pytest.mark.verify)])
def test_versions_of_a_plain_mod_leave_behind_only_what_the_log_of_commands_holds(
    tmp_path: Path, versions: int
) -> None:
    with allocations_counted():
        assert reloaded(tmp_path, PLAIN, versions, 20, allocated) / (versions - 20) < 0.02


@pytest.mark.verify
def test_a_version_with_a_kernel_leaves_its_machine_code_behind_and_no_more(tmp_path: Path) -> None:
    assert reloaded(tmp_path, KERNEL, 33, 3, resident) / 30 < 4
