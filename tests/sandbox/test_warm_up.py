"""Kernels are compiled by several processes at once; here they are compiled already, and only loaded."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

import sandbox.warm_up
from sandbox.design.prefabs import installed_prefabs
from sandbox.design.scene import Entry, Scene
from sandbox.long_work import followed
from sandbox.parts import BUILT_IN
from sandbox.render import room, seen, tints
from sandbox.render.animals import Drawing
from sandbox.scenes.bundled import find_scene
from sandbox.simulation import Simulation
from sandbox.warm_up import _compiled_by_others, prepare, ready_scenes, steps, warm_up
from sandbox.workload import Workload
from systems.engine import kernel_cache
from systems.engine.app import installed

pytestmark = pytest.mark.timeout(600)  # where they have to be compiled first


@pytest.fixture(scope="module")
def parts() -> list[str]:
    warm_up()
    workload = Workload.everything()
    workload.close()
    return workload.stages


@pytest.mark.parametrize(("place", "depth"), [(1, 0.0), (2, 0.0), (3, 0.0), (3, 200.0)])
def test_each_process_does_all_parts_in_an_order_of_its_own(parts: list[str], place: int, depth: float) -> None:
    workload = Workload.everything(depth)
    order = workload.order(place, 4)
    assert sorted(order) == sorted(parts)
    assert order != parts
    for part in order:
        workload.run(part)
    systems = workload._simulations[0].pipeline.by_name
    assert all(systems[part].nanoseconds for part in parts if part in systems)
    workload.close()


@pytest.mark.parametrize("scene", ["", "ronan", "no such scene"])
def test_several_processes_end_without_a_word_where_nothing_is_missing(parts: list[str], scene: str) -> None:
    assert list(_compiled_by_others(2, scene)) == []


def test_what_else_an_interpreter_prints_is_not_heard(
    parts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os; os.write(1, b'Welcome to this machine, '); print('enjoy')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert list(_compiled_by_others(1, "ronan")) == []


def test_this_process_does_what_others_leave(parts: list[str]) -> None:
    assert list(_compiled_by_others(0, "")) == []
    done = [part for _, part in steps()]
    flat = [part.replace("_", " ") for part in parts]
    assert done == [*flat, *flat, ""]  # and with depth


def test_a_bundled_scene_is_prepared_once_before_the_rest_is_compiled(
    parts: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def told(scene: Path) -> list[int]:
        shares: list[int] = []
        with followed(lambda done, count: shares.append(done)):
            prepare(scene)
        return shares

    monkeypatch.setattr(sandbox.warm_up, "_ready_list", lambda: tmp_path / "ready")
    assert told(find_scene("ronan")) == []
    monkeypatch.setattr(kernel_cache, "is_cold", lambda: True)
    (tmp_path / "ronan.toml").write_bytes(find_scene("ronan").read_bytes())
    assert told(tmp_path / "ronan.toml") == []
    assert told(find_scene("ronan"))[-1] == 100
    assert told(find_scene("ronan")) == []
    assert ready_scenes() == {"ronan"}


@pytest.mark.verify
def test_a_scene_needs_nothing_more_once_its_kernels_are_compiled(tmp_path: Path) -> None:
    """In an empty cache; what is compiled is told, so that a person sees it go on."""
    program = (
        "from systems.engine import kernel\n"
        "from sandbox.opening import load\n"
        "from sandbox.warm_up import steps\n"
        "told = []\n"
        "def prepare():\n"
        "    told.extend(share for share, _ in steps('ronan'))\n"
        "    kernel.before_compiling = lambda: print('something is missing')\n"
        "kernel.before_compiling = prepare\n"
        "with load('ronan') as simulation:\n"
        "    simulation.step(3)\n"
        "assert len(told) > 100 and told == sorted(told) and told[-1] == 1.0, told\n"
    )
    env = {**os.environ, "BOIDS_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env, check=True)
    assert done.stdout == ""


def test_where_the_disk_is_full_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setenv("BOIDS_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(1 << 30, 1 << 30, 0))
    assert kernel_cache.cache_folder.__wrapped__() is None
    (tmp_path / "kernels" / os.listdir(tmp_path / "kernels")[0] / "warm-1").touch()
    assert kernel_cache.cache_folder.__wrapped__() is not None  # what is there already can be read


FOR_MODS = (*("systems.space.neighbour_lists.", "systems.space.raster.", "systems.exact.random.random_normal"),)
PLAY_ALL = """
import json, sys
from numba.core import event
from sandbox.opening import load
from sandbox.workload import Workload
from sandbox.scenes.bundled import bundled_scenes
from systems.engine.kernel import Kernel
from tests.bundled import LARGE

with event.install_recorder("numba:compile") as compiled:
    for depth in 0.0, 200.0:
        workload = Workload.everything(depth)
        for part in workload.stages:
            workload.run(part)
    ours = [module for name, module in sys.modules.items() if name.startswith(("components.", "sandbox.", "systems."))]
    kernels = [found for module in ours for found in vars(module).values() if isinstance(found, Kernel)]
    for path in bundled_scenes():
        if path.stem not in LARGE:
            simulation = load(path)
            simulation.step(3)
            simulation.close()
names = {f"{kernel.__module__}.{kernel.__name__}" for kernel in kernels if "made" not in vars(kernel)}
print(json.dumps([sorted(names), [str(event.data["dispatcher"]) for _, event in compiled.buffer]]))
"""


def test_it_plays_every_kernel_of_the_program_and_then_nothing_has_to_be_compiled(parts: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", PLAY_ALL], capture_output=True, text=True, check=True)
    unplayed, compiled = json.loads(done.stdout)
    assert [name for name in unplayed if not name.startswith(FOR_MODS)] == []
    assert compiled == []


@pytest.mark.parametrize("count", [0, 1, 2])
def test_however_few_there_are_nothing_is_compiled_after_it(parts: list[str], count: int) -> None:
    kernels = tints._turns, tints._speeds, tints._crowds, seen._find, seen._fill
    made = [getattr(kernel, "made", kernel) for kernel in kernels]  # one that was called stands there as it was made
    known = {function: len(function.signatures) for function in made}
    entries = [Entry("boid", count)] if count else []
    scene = Scene(prefabs=installed_prefabs(installed(BUILT_IN)), entries=entries)
    with Simulation(scene) as simulation:
        render = simulation.pipeline.by_name["render"]
        for choice in range(len(tints.TINTS)):
            render.colour = choice
            render.process(simulation.world)
            region = seen.Region(*np.ones(len(seen.Region._fields)).tolist())
            drawing = simulation.world.resource(Drawing)
            seen.seen(drawing, region, room.Room())
    assert {function: len(function.signatures) for function in known} == known
