"""Small studies as files, and their commands as processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from tests.command_line import ROOT

SCENE = """
format = 1
[world]
size = [300, 300]
[[spawn]]
prefab = "boid"
count = 12
"""
STUDY = """
format = 1
scene = "small.toml"
ticks = {ticks}
seeds = {seeds}
[vary]
"boid.Flocker.cohesion_strength" = {{ from = 2, to = 20, steps = 7 }}
"spawn.boid.count" = [4, 12]
[measure]
every = 5
columns = ["polarization"]
summary = {{ polarization = ["mean", "last"] }}
"""


def small_study(folder: Path, seeds: int = 2, ticks: int = 10) -> Path:
    """A study of `14 * seeds` runs; its file."""
    (folder / "small.toml").write_text(SCENE)
    file = folder / "small-study.toml"
    file.write_text(STUDY.format(seeds=seeds, ticks=ticks))
    return file


def rows(folder: Path) -> pa.Table:
    """The rows of a study that is done, but for how long each took."""
    return pq.read_table(folder / "runs.parquet").drop_columns(["seconds"])


def started(*words: object, stderr: IO[str] | int | None = None) -> subprocess.Popen[str]:
    """A command that goes on beside the test, in a session of its own."""
    command = [sys.executable, "-m", "sandbox.cli.main", *map(str, words)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=stderr or subprocess.PIPE, text=True, env=env, start_new_session=True
    )


def complaints(command: subprocess.Popen[str]) -> str:
    """What a command says besides how far it is, when it has ended."""
    _, errors = command.communicate(timeout=300)
    return "".join(line for line in errors.splitlines(keepends=True) if not line.startswith("Running: "))


def workers_of(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """The processes that run the study of a command."""
    try:
        children = psutil.Process(process.pid).children()
        return [child for child in children if any("spawn_main" in word for word in child.cmdline())]
    except psutil.Error:
        return []


def wait_for(what: str, ready: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until a function says that it is so."""
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, f"no {what} after {seconds:.0f} s"
        time.sleep(0.01)


class Cluster:
    """A Dask scheduler and its workers, each a process."""

    def __init__(self, folder: Path, nanny: bool) -> None:
        self._nanny = "--nanny" if nanny else "--no-nanny"
        self._folder, self._file = folder, folder / f"scheduler-{os.urandom(4).hex()}.json"
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", self._file)
        wait_for("scheduler", lambda: self._file.exists() and self._file.read_text().endswith("}"))
        self.address: str = json.loads(self._file.read_text())["address"]
        self.workers: list[subprocess.Popen[bytes]] = []

    def add_worker(self, threads: int = 1, **environment: str) -> None:
        """One more worker."""
        self.workers.append(self._start("worker", self.address, "--nthreads", threads, self._nanny, **environment))

    def _start(self, *words: object, **environment: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *map(str, words), "--no-dashboard", "--host", "127.0.0.1"]
        env = {"PYTHONPATH": str(ROOT), **os.environ, **environment}
        with open(self._folder / f"dask-{words[0]}.log", "a") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=env, cwd=self._folder)

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            for one in (
                [*psutil.Process(process.pid).children(recursive=True), process] if process.poll() is None else []
            ):
                one.kill()
            process.wait()


@contextmanager
def cluster(folder: Path, workers: int, nanny: bool = False) -> Iterator[Cluster]:
    """A cluster until the block ends; with a `nanny` each, workers that die are replaced."""
    made = Cluster(folder, nanny)
    try:
        for _ in range(workers):
            made.add_worker()
        yield made
    finally:
        made.end()
