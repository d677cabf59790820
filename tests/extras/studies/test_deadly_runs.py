"""A run that kills its process is a row with a reason, and the others are as they would be without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import boids
from tests.extras.studies.small import SCENE, cluster, rows, small_study
from tests.mods import write_mod

DEADLY = '''
import os

from sandbox.api import Phase, System, integer


class Deadly(System):
    """Ends the whole program in a tick."""

    phase = Phase.LIFE
    at: int = integer(0, "", 0, 100, "the tick")

    def run(self, world):
        if self.at == world.tick + 1:
            os.abort()


def install(app):
    app.add_system(Deadly)
'''
STUDY = """
format = 1
scene = "small.toml"
ticks = 10
seeds = 2
[vary]
"deadly.at" = [0, 3, 50]
[measure]
every = 5
columns = ["polarization"]
summary = { polarization = ["last"] }
"""


@pytest.fixture
def words(tmp_path: Path) -> list[object]:
    (tmp_path / "small.toml").write_text(SCENE)
    (tmp_path / "deadly-study.toml").write_text(STUDY)
    return ["study", "run", tmp_path / "deadly-study.toml", "--mod", write_mod(tmp_path / "deadly", DEADLY)]


SINGLE = '''
import numba
from sandbox.api import Phase, System


class Single(System):
    """Fails where it runs on several threads."""

    phase = Phase.LIFE

    def run(self, world):
        assert numba.get_num_threads() == 1


def install(app):
    app.add_system(Single)
'''


def test_how_long_a_study_takes_is_tried_as_its_workers_run(tmp_path: Path) -> None:
    file = small_study(tmp_path)
    tried = boids("study", "check", file, "--mod", write_mod(tmp_path / "single", SINGLE))
    assert (tried.returncode, tried.stderr) == (0, "")
    assert f"{file}: good: 14 points, 28 runs of 10 ticks" in tried.stdout


def check(folder: Path) -> None:
    """Those that kill have failed, and only those."""
    table = rows(folder)
    for at, ended, why, digest in zip(*(table[name].to_pylist() for name in ("deadly.at", "ended", "why", "digest"))):
        assert (ended, why) == (("failed", "the process running it crashed") if at == 3 else ("ticks", ""))
        assert len(digest) == (0 if at == 3 else 64)
    assert (folder / "failed.jsonl").read_text().count("the process running it crashed") == 2


def test_on_this_machine(words, tmp_path):
    ran = boids(*words, "--out", tmp_path / "out", "--workers", 2)
    assert ran.returncode == 1
    assert ran.stderr.endswith(f"boids: 2 of the runs failed: boids study show {tmp_path / 'out'} says why\n")
    check(tmp_path / "out")


@pytest.mark.verify
def test_in_a_cluster_whose_workers_are_replaced(words, tmp_path):
    with cluster(tmp_path, workers=2, nanny=True) as dask:
        assert boids(*words, "--out", tmp_path / "out", "--scheduler", dask.address).returncode == 1
    check(tmp_path / "out")
