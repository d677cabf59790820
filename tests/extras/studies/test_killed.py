"""kill -9 at any moment: after going on, the table is that of an undisturbed run, row for row."""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import psutil
import pyarrow as pa
import pytest

from sandbox.extras.studies.executor import DEATHS
from tests.extras.studies.done import done
from tests.extras.studies.small import cluster, complaints, rows, small_study, started, wait_for, workers_of

LONG = pytest.mark.verify, pytest.mark.timeout(900)


@dataclass
class Case:
    """How often is killed, and a study with its undisturbed results."""

    kills: int
    file: Path
    serial: pa.Table

    def run(self, *words: object) -> subprocess.Popen[str]:
        return started("study", "run", self.file, *words)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((1, 15), id="few"),
        *(pytest.param((kills, 150), marks=LONG, id=f"{kills}") for kills in range(18, 23)),
    ],
)
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Case:
    kills, seeds = request.param
    folder = tmp_path_factory.mktemp("study")
    file = small_study(folder, seeds)
    return Case(kills, file, rows(done(file).path))


def has_workers(command: subprocess.Popen[str]) -> bool:
    """Whether there is a worker, or need be none any more."""
    return bool(workers_of(command)) or command.poll() is not None


def has_begun(out: Path) -> bool:
    """Whether results come in."""
    return any(path.stat().st_size for path in out.glob("*.sqlite"))


@pytest.mark.verify
def test_of_workers_while_the_command_goes_on(case, tmp_path):
    random, each = Random(case.kills), 2 * DEATHS - 1  # one more, and a run that all of them die with has failed
    for number in range(-(-case.kills // each)):
        command = case.run("--out", tmp_path / f"{number}", "--workers", 2)
        for _ in range(min(case.kills, each)):
            wait_for("worker", partial(has_workers, command))
            time.sleep(random.uniform(0, 2))
            for worker in workers_of(command)[:1]:
                worker.kill()
        assert (complaints(command), command.returncode) == ("", 0)
        assert rows(tmp_path / f"{number}").equals(case.serial)


def test_of_the_command_which_takes_its_workers_along(case, tmp_path):
    """Also while it begins, puts together or ends; when it has ended, it begins with another folder."""
    random, out = Random(case.kills), tmp_path / "0"
    for kill in range(case.kills):
        command = case.run("--out", out, "--workers", 2)
        time.sleep(random.uniform(0.5, 4))
        workers = workers_of(command)
        command.kill()
        command.communicate()
        assert not psutil.wait_procs(workers, timeout=5)[1]
        if (out / "runs.parquet").exists():
            assert rows(out).equals(case.serial)
            out = tmp_path / f"{kill}"
    command = case.run("--out", out)
    assert (complaints(command), command.returncode) == ("", 0)
    assert rows(out).equals(case.serial)


@pytest.mark.verify
def test_of_dask_workers_while_the_command_goes_on(case, tmp_path):
    random = Random(case.kills)
    with cluster(tmp_path, workers=1) as dask:
        for number in range(-(-case.kills // 5)):
            command = case.run("--out", tmp_path / f"{number}", "--scheduler", dask.address)
            for _ in range(min(case.kills, 5)):
                dask.add_worker()
                time.sleep(random.uniform(0, 4))
                killed = dask.workers.pop(0)
                killed.kill()
                killed.wait()
            assert (complaints(command), command.returncode) == ("", 0)
            assert rows(tmp_path / f"{number}").equals(case.serial)


@pytest.mark.verify
def test_of_the_scheduler(case, tmp_path):
    random, out = Random(case.kills), tmp_path / "0"
    for kill in range(case.kills):
        with cluster(tmp_path, workers=2) as dask:
            command = case.run("--out", out, "--scheduler", dask.address)
            if kill == 0:
                wait_for("result", partial(has_begun, out))
            time.sleep(random.uniform(0, 4))
        told = complaints(command)
        if command.returncode == 0:
            assert rows(out).equals(case.serial)
            out = tmp_path / f"{kill}"
        else:
            gone = f"boids: {dask.address}: the Dask scheduler is gone: the same command goes on where it stopped\n"
            assert told in (gone, f"boids: {dask.address}: no Dask scheduler answers there\n")
    command = case.run("--out", out)
    assert (complaints(command), command.returncode) == ("", 0)
    assert rows(out).equals(case.serial)
