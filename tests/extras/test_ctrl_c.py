"""Ctrl+C at any moment from the first line of `program` on: no traceback, and no file is half written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import sleep

import pytest
from PIL import Image

from sandbox.files.atomic import UNFINISHED
from tests.command_line import ROOT, boids

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    pytest.mark.timeout(3600),  # each of 500 moments is a process of its own
]
LONGEST = 2.0  # s
BEGUN = """
import sys
from sandbox.cli.main import program

class Begun:
    def find_spec(self, name, path=None, target=None):
        if name == "sandbox.cli.commands":
            print(flush=True)

sys.meta_path.insert(0, Begun())
program()
"""
STUDY = """format = 1
scene = "ronan"
ticks = 20
[vary]
"ronan.Perception.radius" = [20, 40]
[measure]
columns = ["polarization"]
every = 10
summary = { polarization = ["mean"] }
"""
COMMANDS = (
    "run ronan --ticks 40 --record run.boids --metrics run.csv",
    "run reef --ticks 3 --picture end.png",
    "replay {here}/good.boids",
    "film ronan --to 0.5s --size 96x54 --out film.gif",
    "study run {here}/study.toml --out results --workers 1",
    "check ronan hunters pasture",
    "explain hunters --entity 1",
    "measures ronan",
    "systems reef",
    "lesson check who-leads",
    "mod new fresh",
    "mod check --quick {root}/mods/magnet",
    "mod list",
)


def unpacked(path: Path) -> bool:
    with zipfile.ZipFile(path) as archive:
        return archive.testzip() is None


def drawn(path: Path) -> bool:
    with Image.open(path) as picture:
        picture.seek(getattr(picture, "n_frames", 1) - 1)
        return picture.load() is not None


WHOLE: dict[str, Callable[[Path], bool]] = {
    "run.boids": unpacked,
    "run.csv": lambda path: path.read_text().count("\n") == 41,
    "end.png": drawn,
    "film.gif": drawn,
    "results": lambda path: boids("study", "run", path.parents[1] / "study.toml", "--out", path).returncode == 0,
    "mods": lambda path: all(boids("mod", "check", one).returncode == 0 for one in path.iterdir()),
}


@pytest.mark.parametrize("moments", [2, pytest.param(500, marks=pytest.mark.verify)])
def test_it_ends_the_command_without_a_word_and_what_is_there_is_whole(moments: int, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    assert boids("run", "hunters", "--ticks", 30, "--record", tmp_path / "good.boids").returncode == 0
    chance = Random(moments)
    for moment in range(moments):
        words = COMMANDS[moment % len(COMMANDS)].format(here=tmp_path, root=ROOT).split()
        (folder := tmp_path / str(moment)).mkdir()
        process = subprocess.Popen(
            [sys.executable, "-c", BEGUN, *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        assert process.stdout
        process.stdout.readline()
        sleep(seconds := chance.uniform(0, LONGEST))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate()
        told = f"{words}, {seconds} s: {process.returncode}\n{said}"
        assert process.returncode in (0, 130, -signal.SIGINT), told
        assert "Traceback" not in said, told
        for path in folder.iterdir():
            if UNFINISHED.fullmatch(path.name):  # Ctrl+C in an import ends the process: the next start removes it
                continue
            assert WHOLE[path.name](path), f"{told}\n{path}"
