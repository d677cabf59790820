"""Repeats runs of a study: to compare their digests, to add a measure, or to open one of them in the window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import tomlkit
from numpy.typing import NDArray

from sandbox.design.scene import Scene
from sandbox.extras.studies.checked import StudyError, read_metadata
from sandbox.extras.studies.folder import ADDED, StudyFolder, open_to_run
from sandbox.extras.studies.read_study import DESIGN
from sandbox.extras.studies.study import Study
from sandbox.extras.studies.tables import IDENTITY
from sandbox.extras.studies.trial import unknown_measures
from sandbox.extras.studies.world import world_of
from sandbox.files import named
from sandbox.meanings import meanings
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation

ENDS = ("run", "ended", "why", "ticks", "digest")


def drawn_runs(folder: StudyFolder, sample: int | None) -> list[int]:
    """Return the runs that are done, or a random sample of them, always the same."""
    runs: NDArray[np.int64] = folder.table(["run"])["run"].to_numpy()
    if not len(runs):
        raise StudyError(f"{named(folder.path)}: no run is done yet: boids study run does them")
    if sample is not None and sample < len(runs):
        runs = np.sort(np.random.default_rng(folder.study.seed).choice(runs, sample, replace=False))
    return [*map(int, runs)]


def begun_again(folder: StudyFolder, path: Path, study: Study) -> StudyFolder:
    """Open a folder for new results of the same points, or continue an existing one."""
    return StudyFolder(path, study, folder.drawn)


def differing(before: StudyFolder, now: StudyFolder) -> list[str]:
    """Return a sentence for each run that is done in both folders and whose end differs."""
    again = now.table([*ENDS])
    rows = before.table([*ENDS])
    rows = rows.filter(pc.is_in(rows["run"], again["run"].combine_chunks()))
    return [
        f"run {one['run']:,}: {_end(one)}, and now {_end(other)}"
        for one, other in zip(rows.to_pylist(), again.to_pylist(), strict=True)
        if one != other
    ]


def _end(row: dict[str, object]) -> str:
    if row["ended"] == "failed":
        return f"failed ({row['why']})"
    return f"ended after {row['ticks']:,} ticks with {str(row['digest'])[:16]}..."


def study_of_measure(folder: StudyFolder, scene: Scene, measure: str, ticks: tuple[int, int] | None) -> Study:
    """Return a study with the same runs whose summary is the mean of another measure.

    Args:
        ticks: the first and last tick of the mean; by default as in the study.
    Raises:
        ValueError: the measure or the ticks are invalid; the message says what would be right.
    """
    study, every = folder.study, folder.study.every
    if (measure, "mean") in folder.summaries and ticks is None:
        raise StudyError(f"--measure {measure}: its mean is in the table already")
    with Simulation(scene) as world:
        if wrong := unknown_measures(world, [measure]).get(measure):
            raise StudyError(f"--measure {measure}: {wrong}")
    after, until = (ticks[0] - 1, ticks[1]) if ticks else (study.after, study.until)
    if ticks and (after // every + 1) * every > min(until, study.ticks):
        raise StudyError(
            f"--ticks {ticks[0]}..{ticks[1]}: must have a multiple of {every} within {study.ticks:,} ticks: "
            f"the study measures every {every} ticks"
        )
    columns = tuple(dict.fromkeys([measure, *([study.stop.name] if study.stop else [])]))
    document = tomlkit.parse(study.text)
    said: dict[str, object] = {"columns": list(columns), "summary": {measure: ["mean"]}, "after": after}
    document["measure"].update(said | ({"until": until} if until else {}))
    summary = {measure: ("mean",)}
    text = tomlkit.dumps(document)
    units = meanings(scene, folder.keys, columns)
    return replace(study, columns=columns, summary=summary, after=after, until=until, text=text, meanings=units)


def added_folder(folder: StudyFolder, study: Study) -> StudyFolder:
    """Return the folder for the results of such a study: one that was begun before, or one with the next number."""
    added = folder.added()
    for path in added:
        if (path / DESIGN).exists() and read_metadata(path / DESIGN).get(IDENTITY) == study.identity.encode():
            return StudyFolder(path, study)
    return begun_again(folder, folder.path / ADDED / str(int(added[-1].name) + 1 if added else 1), study)


def world_of_run(path: Path, run: int, mods: LoadedMods) -> tuple[Simulation, StudyFolder]:
    """Return the world of a run at its beginning, and the results.

    Raises:
        ValueError: there is no such run, or the results can't be opened.
    """
    folder, scene = open_to_run(path, mods)
    if not 0 <= run < folder.runs:
        raise ValueError(f"run {run}: {named(path)} has runs 0 to {folder.runs - 1:,}")
    return world_of(scene, folder.tables.values(run), folder.tables.seed(run)), folder


def run_as_timeline(path: Path, run: int, mods: LoadedMods) -> tuple[Timeline, int]:
    """Return a run from its beginning as a timeline, and its last tick, or the planned one if it is not done.

    Raises:
        ValueError: as in `world_of_run`.
    """
    world, folder = world_of_run(path, run, mods)
    timeline = Timeline(world)
    rows = folder.table(["run", "ticks"])
    ticks = rows.filter(pc.equal(rows["run"], run))["ticks"].to_pylist()
    return timeline, (ticks and ticks[0]) or folder.study.ticks
