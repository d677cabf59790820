"""Runs the runs of a study that are not done, and stores their results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing

from sandbox.design.scene import Scene
from sandbox.extras.studies.executor import results_of
from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.run import Result
from sandbox.extras.studies.store import Store
from sandbox.extras.studies.study import Study


def run_study(
    folder: StudyFolder, runs: Iterable[int], scene: Scene, workers: int | None = None, scheduler: str | None = None
) -> Iterator[int]:
    """Run these runs, and write the tables once all are done; yield the number of each run whose result is stored.

    Args:
        workers, scheduler: see `results_of`, which also says what is raised.
    """
    yield from stored(folder.store, repeated(folder, folder.study, runs, scene, workers, scheduler))
    folder.finish()


def repeated(
    folder: StudyFolder,
    study: Study,
    runs: Iterable[int],
    scene: Scene,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Iterator[list[Result]]:
    """Run runs of the folder, with the measures of this study; yield their results as they come."""
    tasks = ((run, folder.tables.values(run), folder.tables.seed(run)) for run in runs)
    return results_of(tasks, study, tuple(mod.folder for mod in scene.loaded), workers, scheduler)


def stored(store: Store, done: Iterator[list[Result]]) -> Iterator[int]:
    """Write results to the store as they come; yield the number of each run."""
    with closing(done):  # type: ignore[type-var]
        for results in done:
            store.add(results)
            yield from (result.run for result in results)
