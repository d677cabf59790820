"""Runs the runs of a study that are not done, and merges results in between."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import closing

import numpy as np

from sandbox.design.scene import Scene
from sandbox.studies.cluster import run_on_cluster
from sandbox.studies.folder import StudyFolder
from sandbox.studies.local import cores, run_local

SECONDS = 5.0  # between two merges of results


def to_do(folder: StudyFolder, shard: tuple[int, int] = (1, 1)) -> list[int]:
    """Return the runs without a result, in order; of shard (k, n) only every n-th run, from the k-th on."""
    runs = np.flatnonzero(~folder.done())
    return runs[runs % shard[1] == shard[0] - 1].tolist()  # type: ignore[no-any-return]


def run_study(
    folder: StudyFolder, runs: Iterable[int], scene: Scene, workers: int | None = None, scheduler: str | None = None
) -> Iterator[int]:
    """Run these runs; yield the number of each that is done. After an interruption, another call can continue.

    Args:
        workers: the number of processes on this machine; by default one per core.
        scheduler: the address of a Dask cluster that runs them instead.
    Raises:
        ValueError: `workers` is less than 1.
    """
    if workers is not None and workers < 1:
        raise ValueError(f"workers = {workers}: must be 1 or more")
    tasks = ((run, folder.tables.values(run), folder.tables.seed(run)) for run in runs)
    given = folder.study, folder.path, tuple(mod.folder for mod in scene.loaded)
    if scheduler is None:
        return put_together(folder, run_local(tasks, *given, workers or cores()))
    return put_together(folder, run_on_cluster(tasks, *given, scheduler))


def put_together(folder: StudyFolder, done: Iterator[int]) -> Iterator[int]:
    """Yield the number of each run that is done, and merge the results from time to time and at the end."""
    last = time.monotonic()
    try:
        with closing(done):  # type: ignore[type-var]
            for run in done:
                if time.monotonic() - last > SECONDS:
                    folder.compact()
                    last = time.monotonic()
                yield run
    finally:
        folder.compact()
