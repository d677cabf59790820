"""Repeats runs of a study: to compare how they end, to add a measure, or to open one of them in the window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sandbox.design.scene import Scene
from sandbox.extras.studies.checked import StudyError
from sandbox.extras.studies.folder import StudyFolder, open_to_run
from sandbox.extras.studies.run import Result
from sandbox.extras.studies.set_up import simulation_of, unknown_measures
from sandbox.extras.studies.store import Store
from sandbox.extras.studies.study import Study
from sandbox.files import named
from sandbox.meanings import meanings
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation

ENDS = ("run", "ended", "why", "ticks", "digest")
Ends = dict[int, dict[str, Any]]


def drawn_runs(folder: StudyFolder, sample: int | None) -> list[int]:
    """Return the runs that are done, or a random sample of them, always the same."""
    runs: NDArray[np.int64] = folder.table(["run"])["run"].to_numpy()
    if not len(runs):
        raise StudyError(f"{named(folder.path)}: no run is done yet: boids study run does them")
    if sample is not None and sample < len(runs):
        runs = np.sort(np.random.default_rng(folder.study.seed).choice(runs, sample, replace=False))
    return [*map(int, runs)]


def ends_of(folder: StudyFolder) -> Ends:
    """Return how each run that is done has ended, by its number."""
    return {row["run"]: row for row in folder.table([*ENDS]).to_pylist()}


def differing(ends: Ends, again: Iterable[Result]) -> Iterator[str]:
    """Yield a sentence for each of these results that ends otherwise than its run did."""
    for result in again:
        now = {name: getattr(result, name) for name in ENDS}
        if ends[result.run] != now:
            yield f"run {result.run:,}: {_end(ends[result.run])}, and now {_end(now)}"


def _end(row: dict[str, Any]) -> str:
    if row["ended"] == "failed":
        return f"failed ({row['why']})"
    return f"ended after {row['ticks']:,} ticks with {str(row['digest'])[:16]}..."


class Added:
    """A measure that is added to a finished study: its runs are repeated, and go into a store of their own.

    Attributes:
        study: the same runs; its summary is the mean of the measure.
        store: the results of the repeated runs.
    """

    def __init__(self, folder: StudyFolder, scene: Scene, measure: str, ticks: tuple[int, int] | None) -> None:
        """Begin it, or continue it.

        Args:
            ticks: the first and last tick of the mean; by default as in the study.
        Raises:
            ValueError: the measure or the ticks are invalid, or runs are still to be done.
        """
        study, every = folder.study, folder.study.every
        if left := folder.left():
            raise StudyError(f"{named(folder.path)}: {left:,} runs are still to be done: boids study run does them")
        with Simulation(scene) as simulation:
            if wrong := unknown_measures(simulation, [measure]).get(measure):
                raise StudyError(f"--measure {measure}: {wrong}")
        after, until = (ticks[0] - 1, ticks[1]) if ticks else (study.after, study.until)
        if (after // every + 1) * every > min(until or study.ticks, study.ticks):
            raise StudyError(
                f"--ticks {after + 1}..{until}: must have a multiple of {every} within {study.ticks:,} ticks: "
                f"the study measures every {every} ticks"
            )
        averaged = measure if (after, until) == (study.after, study.until) else f"{measure} {after + 1}-{until}"
        if (averaged, "mean") in folder.summaries:
            raise StudyError(f"--measure {measure}: its mean is in the table already")
        columns = tuple(dict.fromkeys([measure, *([study.stop.name] if study.stop else [])]))
        self.study: Study = replace(study, columns=columns, summary={measure: ("mean",)}, after=after, until=until)
        self._folder, self._name = folder, f"{averaged} mean"
        self._unit, self._meaning = meanings(scene, (), columns)[measure]
        self.store = Store(folder.path / f"added-{self.study.identity[:16]}.sqlite", self.study, folder.runs)

    def to_do(self) -> list[int]:
        """Return the runs that are still to be repeated."""
        left: list[int] = np.flatnonzero(~self.store.done()).tolist()
        return left

    def finish(self) -> list[str]:
        """Add the column, unless runs ended otherwise; return a sentence for each of these."""
        results = [result for chunk in self.store.chunks() for result in chunk]
        differs = [*differing(ends_of(self._folder), results)]
        if not differs:
            field = pa.field(self._name, pa.float64(), metadata={"unit": self._unit, "meaning": self._meaning})
            self._folder.add_column(field, np.array([result.summary[0] for result in results]))
        self.store.remove()
        return differs


def simulation_of_run(path: Path, run: int, mods: LoadedMods) -> tuple[Simulation, StudyFolder]:
    """Return the world of a run at its beginning, and the results.

    Raises:
        ValueError: there is no such run, or the results can't be opened.
    """
    folder, scene = open_to_run(path, mods)
    if not 0 <= run < folder.runs:
        raise ValueError(f"run {run}: {named(path)} has runs 0 to {folder.runs - 1:,}")
    return simulation_of(scene, folder.tables.values(run), folder.tables.seed(run)), folder


def run_as_timeline(path: Path, run: int, mods: LoadedMods) -> tuple[Timeline, int]:
    """Return a run from its beginning as a timeline, and its last tick, or the planned one if it is not done.

    Raises:
        ValueError: as in `simulation_of_run`.
    """
    simulation, folder = simulation_of_run(path, run, mods)
    timeline = Timeline(simulation)
    rows = folder.table(["run", "ticks"])
    ticks = rows.filter(pc.equal(rows["run"], run))["ticks"].to_pylist()
    return timeline, (ticks and ticks[0]) or folder.study.ticks
