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

from sandbox.design.prefabs import installed_prefabs
from sandbox.design.scene import Entry, Scene
from sandbox.explain.dry_run import Rehearsal
from sandbox.parts import BUILT_IN
from sandbox.simulation import Simulation
from sandbox.warm_up import _begin, _compiled_by_others, steps, warm_up
from systems.engine import kernel_cache
from systems.engine.app import installed
from systems.view import seen, tints
from systems.view.render import Drawing

pytestmark = pytest.mark.timeout(600)  # where they have to be compiled first


@pytest.fixture(scope="module")
def acts() -> list[str]:
    warm_up()
    rehearsal = Rehearsal()
    rehearsal.close()
    return rehearsal.acts


def test_one_of_several_processes_begins_at_its_place_and_plays_all(acts: list[str]) -> None:
    told, tell = os.pipe()
    with os.fdopen(told) as lines:
        with os.fdopen(tell, "wb") as to_us, _begin(1, 3, to_us) as other:
            pass
        *played, end = [line.rstrip("\n").split(" ") for line in lines]
    assert other.returncode == 0
    assert end == [str(len(acts)), ""]
    assert sorted(act for _, act in played) == sorted(acts)
    assert played[0][1] == acts[0]  # others need what the first ones find
    assert played[-1][1] != acts[-1]


def test_after_the_opening_acts_come_in_any_order(acts: list[str]) -> None:
    rehearsal = Rehearsal()
    rest = acts[rehearsal.opening :]
    for act in [*acts[: rehearsal.opening], *reversed(rest)]:
        rehearsal.play(act)
    systems = rehearsal._worlds[0].pipeline.by_name
    assert all(systems[act].nanoseconds for act in rest if act in systems)
    rehearsal.close()


def test_several_processes_play_all(acts: list[str]) -> None:
    assert set(_compiled_by_others(2)) == {(len(acts), act) for act in acts}


def test_what_else_an_interpreter_prints_is_not_heard(
    acts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os; os.write(1, b'Welcome to this machine, '); print('enjoy')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert set(_compiled_by_others(1)) == {(len(acts), act) for act in acts}


def test_this_process_does_what_others_leave(acts: list[str]) -> None:
    assert list(_compiled_by_others(0)) == []
    assert list(steps()) == [*((n, len(acts), act) for n, act in enumerate(acts)), (len(acts), len(acts), "done")]


def test_where_the_disk_is_full_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setenv("BOIDS_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(1 << 30, 1 << 30, 0))
    assert kernel_cache.cache_folder.__wrapped__() is None
    (tmp_path / "kernels" / os.listdir(tmp_path / "kernels")[0] / "warm-1").touch()
    assert kernel_cache.cache_folder.__wrapped__() is not None  # what is there already can be read


FOR_MODS = "systems.space.neighbour_lists.", "systems.space.raster.", "systems.exact.random.random_normal"
PLAY_ALL = """
import json, sys
from numba.core import event
from sandbox.explain.dry_run import Rehearsal
from sandbox.opening import load
from sandbox.scenes.bundled import bundled_scenes
from systems.engine.kernel import Kernel

with event.install_recorder("numba:compile") as compiled:
    rehearsal = Rehearsal()
    for act in rehearsal.acts:
        rehearsal.play(act)
    ours = [module for name, module in sys.modules.items() if name.startswith(("components.", "sandbox.", "systems."))]
    kernels = [found for module in ours for found in vars(module).values() if isinstance(found, Kernel)]
    for path in bundled_scenes():
        if path.stem not in ("hundred-thousand", "million"):
            simulation = load(path)
            simulation.step(3)
            simulation.close()
names = {f"{kernel.__module__}.{kernel.__name__}" for kernel in kernels if "made" not in vars(kernel)}
print(json.dumps([sorted(names), [str(event.data["dispatcher"]) for _, event in compiled.buffer]]))
"""


def test_it_plays_every_kernel_of_the_program_and_then_nothing_has_to_be_compiled(acts: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", PLAY_ALL], capture_output=True, text=True, check=True)
    unplayed, compiled = json.loads(done.stdout)
    assert [name for name in unplayed if not name.startswith(FOR_MODS)] == []
    assert compiled == []


@pytest.mark.parametrize("count", [0, 1, 2])
def test_however_few_there_are_nothing_is_compiled_after_it(acts: list[str], count: int) -> None:
    kernels = tints._turns, tints._speeds, tints._encode, seen._find, seen._fill
    made = [getattr(kernel, "made", kernel) for kernel in kernels]  # one that was called stands there as it was made
    known = {function: len(function.signatures) for function in made}
    entries = [Entry("boid", count)] if count else []
    scene = Scene(prefabs=installed_prefabs(installed(BUILT_IN)), entries=entries)
    with Simulation(scene) as simulation:
        render = simulation.pipeline.by_name["render"]
        for choice in range(len(tints.TINTS)):
            render.colour = choice
            render.process(simulation.world)
            sight = seen.Sight(*np.ones(len(seen.Sight._fields)).tolist())
            seen.seen(simulation.world.resource(Drawing).drawn, sight, seen.Room())
    assert {function: len(function.signatures) for function in known} == known
