"""docs/mods.md, followed word by word by a newcomer: every command, every file, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sandbox
from sandbox.mods.load.together import mods_from
from tests.command_line import ROOT, boids, boids_alone
from tests.mods import write_mod

PAGE = (ROOT / "docs" / "mods.md").read_text("utf-8")
FIRST_MOD = PAGE[: PAGE.index("## What a system may do")]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Newcomer:
    """Someone in an empty folder, who types what the page says."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.lure = folder, folder / "mods" / "lure" / "lure.py"
        self._environment = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}

    def types(self, command: str) -> str:
        program, *words = command.split()
        if program == "boids":
            does = boids
            if "play" in words:  # a picture needs a process without windows
                does, words = boids_alone, [*words, "--picture", "lagoon.png"]
            done = does(*words, cwd=self.folder, **self._environment)
        else:
            environment = {**os.environ, **self._environment, "PYTHONPATH": str(ROOT)}
            run = [sys.executable, "-m", program, *words]
            done = subprocess.run(run, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def saves(self, python: str) -> None:
        """What a block of Python is: the mod, a new `install` for it, or its test."""
        if "def test_" in python:
            (self.folder / "mods/lure/tests/test_lure.py").write_text(python)
        elif python.startswith("def install"):
            before = self.lure.read_text()
            self.lure.write_text(
                before[: before.index("def install")].replace("import App,", "import App, FieldsPanel, Placing,")
                + python
            )
        else:
            self.lure.write_text(python)


def test_the_python_of_the_first_mod_is_a_mod(tmp_path: Path) -> None:
    newcomer = Newcomer(tmp_path)
    newcomer.lure.parent.mkdir(parents=True)
    (newcomer.lure.parent / "tests").mkdir()
    write_mod(newcomer.lure.parent, "")
    for text in (text for kind, text in BLOCK.findall(FIRST_MOD) if kind == "python"):
        newcomer.saves(text)
        assembly = mods_from([newcomer.lure.parent]).assembly
        assert [*assembly.mods] == ["lure"]
        assert "Lure" in {component.__name__ for component in assembly.app.components}


@pytest.mark.verify
def test_the_first_mod_works(tmp_path: Path) -> None:
    newcomer, pictures = Newcomer(tmp_path), 0
    for kind, text in BLOCK.findall(FIRST_MOD):
        if kind == "console":
            for line in text.splitlines():
                newcomer.types(line.removeprefix("$ "))
                pictures += " play " in line
        elif kind == "toml":
            (tmp_path / "lagoon.toml").write_text(text)
        else:
            newcomer.saves(text)
    assert pictures == len(list(tmp_path.glob("*.png"))) == 1
    newcomer.types("boids mod check mods/lure --quick")  # since the page checked it in full, only `install` changed
    assert "1 passed" in newcomer.types("pytest mods/lure")
    assert "lure" in newcomer.types("boids mod list")
    assert "changed since" in newcomer.types("boids mod list")
    newcomer.types("boids mod enable lure")
    newcomer.types("boids run lagoon.toml --ticks 10")


def test_the_example_for_worlds_with_depth_covers_the_floor(tmp_path: Path) -> None:
    (seabed,) = (text for kind, text in BLOCK.findall(PAGE) if 'plane="floor"' in text)
    folder = write_mod(tmp_path / "seabed", seabed, worlds="both")
    with sandbox.new((400, 300), edges="turn", mods=[folder]) as flat:
        flat.spawn("boid", at=(110, 210))
        flat.step()
        assert np.argwhere(silt(flat)).tolist() == [[10, 5]]
    text = 'format = 1\n[world]\nsize = [400, 300, 500]\n[[spawn]]\nprefab = "boid"\nat = [110, 210, 450]\n'
    with sandbox.loads(text, mods=[folder]) as deep:
        deep.step()
        assert silt(deep).shape == (25, 20)
        assert np.argwhere(silt(deep)).tolist() == [[22, 5]]


def silt(sim: sandbox.Sandbox) -> np.ndarray:
    return next(value for kind, value in sim.world.resources.items() if kind.__name__ == "Seabed").silt.amounts


def test_the_other_examples_are_mods(tmp_path: Path) -> None:
    examples = [text for kind, text in BLOCK.findall(PAGE[len(FIRST_MOD) :]) if kind == "python"]
    assert examples
    for number, text in enumerate(examples):
        mods_from([write_mod(tmp_path / f"example{number}", text)])
