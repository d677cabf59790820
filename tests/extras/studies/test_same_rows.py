"""However a study is run, its rows are the same."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.command_line import boids
from tests.extras.studies.done import done
from tests.extras.studies.small import cluster, complaints, rows, small_study, started


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_study(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def serial(study: Path) -> Path:
    """The folder of an undisturbed run by one worker."""
    ran = boids("study", "run", study, "--out", study.parent / "serial", "--workers", 1)
    told = [line for line in ran.stderr.splitlines() if not line.startswith("Running: ")]
    assert (ran.returncode, told) == (0, [])
    assert "28 runs in" in ran.stdout
    return study.parent / "serial"


def test_a_run_has_a_row_with_its_values_seed_and_digest(serial):
    table = rows(serial)
    assert table["run"].to_pylist() == list(range(28))
    assert table["spawn.boid.count"].to_pylist() == [4, 12] * 14
    assert len({*table["seed"].to_pylist()}) == len({*table["digest"].to_pylist()}) == 28
    assert {*table["ended"].to_pylist()} == {"ticks"}


def test_with_two_workers(study, serial, tmp_path):
    assert boids("study", "run", study, "--out", tmp_path / "out", "--workers", 2).returncode == 0
    assert rows(tmp_path / "out").equals(rows(serial))


@pytest.mark.verify
def test_with_a_dask_cluster(study, serial, tmp_path):
    with cluster(tmp_path, workers=2) as dask:
        command = started("study", "run", study, "--out", tmp_path / "out", "--scheduler", dask.address)
        assert (complaints(command), command.returncode) == ("", 0)
    assert rows(tmp_path / "out").equals(rows(serial))


def test_after_an_interruption_also_on_another_machine(study, serial, tmp_path):
    done(study, 11)
    shutil.move(study.parent / "results", tmp_path / "begun")
    shutil.copytree(tmp_path / "begun", tmp_path / "out")
    ran = boids("study", "run", study, "--out", tmp_path / "out", "--workers", 1)
    assert re.search(r"out: 17 runs in \d+ s, all 28 are done", ran.stdout)
    assert rows(tmp_path / "out").equals(rows(serial))
    assert {path.name for path in (tmp_path / "out").iterdir()} == {path.name for path in serial.iterdir()}


def test_a_study_that_is_done_runs_nothing(study, serial, tmp_path):
    shutil.copytree(serial, tmp_path / "out")
    before = (tmp_path / "out" / "runs.parquet").read_bytes()
    assert "0 runs in 0 s" in boids("study", "run", study, "--out", tmp_path / "out").stdout
    assert (tmp_path / "out" / "runs.parquet").read_bytes() == before
