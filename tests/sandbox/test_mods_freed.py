"""What a mod leaves behind when another version of it takes its place: nothing but machine code."""

from __future__ import annotations

import gc
import shutil
from pathlib import Path

import pytest

from sandbox.mods.find.finding import bundled_mods_folder
from sandbox.mods.load.together import mods_from
from sandbox.opening import load


def kernels_of(mod: str) -> int:
    """How many compiled functions of a mod numba still knows."""
    gc.collect()
    made = [thing for thing in gc.get_objects() if type(thing).__name__ in ("CPUDispatcher", "FragmentDispatcher")]
    return sum(one.py_func.__module__.startswith(f"boids_mods.{mod}.") for one in made)


@pytest.mark.parametrize("mod", ["magnet", "vicsek"])
def test_the_kernels_of_older_versions_are_freed(tmp_path: Path, mod: str) -> None:
    folder = shutil.copytree(bundled_mods_folder() / mod, tmp_path / mod)
    code, scene = folder / f"{mod}.py", next(folder.glob("scenes/*.toml"))
    counts = []
    for version in range(4):
        code.write_text(f"{code.read_text()}\nVERSION = {version}\n")
        with load(scene, mods=mods_from([folder])) as simulation:
            simulation.step(2)
            assert not simulation.mods.faults
        del simulation
        counts.append(kernels_of(mod))
    assert counts[1:] == counts[1:2] * 3


def test_a_mod_whose_files_are_as_before_is_not_imported_again(tmp_path: Path) -> None:
    folder = shutil.copytree(bundled_mods_folder() / "magnet", tmp_path / "magnet")
    one, other = (mods_from([folder]).loaded[0] for _ in range(2))
    assert one is other
    code = folder / "magnet.py"
    code.write_text(f"{code.read_text()}\nVERSION = 2\n")
    assert mods_from([folder]).loaded[0] is not one
