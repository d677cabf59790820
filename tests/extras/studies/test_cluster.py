"""What goes wrong with a Dask cluster is said in a sentence, and nothing is lost."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.extras.studies.executor import results_of
from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.study import Study
from sandbox.mods.load.together import mods_from
from sandbox.physics import PHYSICS
from tests.bundled import MODS
from tests.command_line import ROOT, boids
from tests.extras.studies.done import done as run_all
from tests.extras.studies.small import cluster, complaints, rows, small_study, started


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return small_study(tmp_path)


def test_a_scheduler_that_is_not_there(study, tmp_path):
    ran = boids("study", "run", study, "--out", tmp_path / "out", "--scheduler", "tcp://127.0.0.1:9")
    assert (ran.returncode, ran.stderr) == (1, "boids: tcp://127.0.0.1:9: no Dask scheduler answers there\n")


@pytest.mark.parametrize("address", ["somewhere", "tcp://127.0.0.1", "http://127.0.0.1:8786"])
def test_what_is_no_address(address, study, tmp_path):
    ran = boids("study", "run", study, "--out", tmp_path / "out", "--scheduler", address)
    right = "must be the address of a Dask scheduler: tcp://host:8786"
    assert (ran.returncode, ran.stderr) == (1, f"boids: --scheduler {address}: {right}\n")


def test_a_worker_with_another_version_of_the_program(study, tmp_path):
    """Its worlds may run differently. Then the study goes on with a worker that has ours."""
    for package in ("components", "systems", "sandbox"):
        shutil.copytree(ROOT / package, tmp_path / "other" / package, ignore=shutil.ignore_patterns("__pycache__"))
    file = tmp_path / "other" / "sandbox" / "physics.py"
    file.write_text(file.read_text().replace(f"PHYSICS = {PHYSICS}", f"PHYSICS = {PHYSICS + 1}"))
    with cluster(tmp_path, workers=0) as dask:
        dask.add_worker(PYTHONPATH=str(tmp_path / "other"))
        ran = boids("study", "run", study, "--out", tmp_path / "out", "--scheduler", dask.address)
        assert ran.returncode == 1
        assert ran.stderr.startswith("boids: the Dask worker tcp://127.0.0.1:")
        assert f"physics {PHYSICS + 1} of the program, and this one has 0" in ran.stderr
        assert ran.stderr.count("\n") == 1
        dask.workers[0].kill()
        dask.add_worker()
        command = started("study", "run", study, "--out", tmp_path / "out", "--scheduler", dask.address)
        assert (complaints(command), command.returncode) == ("", 0)
    assert len(rows(tmp_path / "out")) == 28


def test_a_worker_with_other_mods(study, tmp_path):
    magnet = mods_from([MODS / "magnet"])
    read, _ = read_study(study, magnet)
    with cluster(tmp_path, workers=1) as dask:

        def run_with(study: Study, *folders: Path) -> list[int]:
            batches = results_of([(0, {}, 1)], study, folders, scheduler=dask.address)
            return [result.run for results in batches for result in results]

        assert run_with(read, MODS / "magnet") == [0]
        with pytest.raises(ValueError, match=r"can't run this study: its mods differ: magnet is not on$"):
            run_with(read, tmp_path / "of another machine")
        with pytest.raises(ValueError, match=r"its mods differ: magnet is another version$"):
            run_with(replace(read, mods=(("magnet", "0" * 64),)), MODS / "magnet")
        with pytest.raises(ValueError, match=r"its mods differ: magnet is on too$"):
            run_with(replace(read, mods=()), MODS / "magnet")


def test_a_worker_runs_one_task_at_a_time_however_many_threads_it_has(study, tmp_path):
    with cluster(tmp_path, workers=0) as dask:
        dask.add_worker(threads=8)
        command = started("study", "run", study, "--out", tmp_path / "out", "--scheduler", dask.address)
        assert (complaints(command), command.returncode) == ("", 0)
    assert rows(tmp_path / "out").equals(rows(run_all(study).path))
