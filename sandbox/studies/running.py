"""Running what of a study is still to be done, and putting results together on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

from sandbox.studies.cluster import run_on_cluster
from sandbox.studies.folder import StudyFolder
from sandbox.studies.local import cores, run_local
from sandbox.studies.study import Study
from sandbox.studies.worker import Task

SECONDS = 5.0  # between two times of putting together

Run = Callable[[Iterator[Task]], Iterator[int]]
"""Runs tasks and journals their results; gives the number of each run that is done."""


def runner(study: Study, folder: Path, mods: tuple[Path, ...], workers: int | None, scheduler: str | None) -> Run:
    """What runs the tasks of a study: so many processes of this machine, else one a core; or a Dask cluster.

    Args:
        mods: the folders of those in its worlds.
        scheduler: the address of a cluster.
    """
    if scheduler is not None:
        return lambda tasks: run_on_cluster(tasks, study, folder, mods, scheduler)
    return lambda tasks: run_local(tasks, study, folder, mods, workers or cores())


def to_do(folder: StudyFolder, shard: tuple[int, int] = (1, 1)) -> list[int]:
    """The runs without a result, in order; of a shard (k, n) every n-th, from the k-th on."""
    runs = np.flatnonzero(~folder.done())
    return runs[runs % shard[1] == shard[0] - 1].tolist()  # type: ignore[no-any-return]


def run_study(folder: StudyFolder, runs: Iterable[int], run: Run) -> Iterator[int]:
    """Have these runs run; gives the number of each that is done. Whenever this ends, it can be begun again."""
    tasks = ((number, folder.values(number), folder.seed(number)) for number in runs)
    last = time.monotonic()
    try:
        with closing(run(tasks)) as done:  # type: ignore[type-var]
            for number in done:
                if time.monotonic() - last > SECONDS:
                    folder.compact()
                    last = time.monotonic()
                yield number
    finally:
        folder.compact()
