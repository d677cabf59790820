"""Running runs of a study again: whether they end as they did, to measure what nobody thought of, to stand in one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import tomlkit

from sandbox.design.scene import Scene
from sandbox.files import named
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation
from sandbox.studies.folder import ADDED, StudyError, StudyFolder, open_results
from sandbox.studies.meanings import meanings
from sandbox.studies.read_study import DESIGN
from sandbox.studies.study import Study
from sandbox.studies.tables import IDENTITY
from sandbox.studies.trial import unknown_measures
from sandbox.studies.world import world_of

ENDS = ("run", "ended", "why", "ticks", "digest")


def drawn_runs(folder: StudyFolder, sample: int | None) -> list[int]:
    """So many of the runs that are done, the same ones each time; or all of them."""
    runs = np.flatnonzero(folder.done())
    if sample is not None and sample < len(runs):
        runs = np.sort(np.random.default_rng(folder.study.seed).choice(runs, sample, replace=False))
    return runs.tolist()


def begun_again(folder: StudyFolder, path: Path, study: Study) -> StudyFolder:
    """A folder for results of the same points; one that is there is gone on with."""
    return StudyFolder(path, study, pq.read_table(folder.path / DESIGN))


def differing(before: StudyFolder, now: StudyFolder) -> list[str]:
    """Of each run that is done in both and ended otherwise, what differs: a sentence."""
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
    """The study with the same runs that takes the mean of a measure instead, in ticks from the first to the last.

    Raises:
        ValueError: what is wrong, and what would be right.
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
    """The folder in which the results of such a study are added: the one begun before, or the next free number."""
    numbers = sorted(int(path.name) for path in folder.path.glob(f"{ADDED}/*"))
    for path in (folder.path / ADDED / str(number) for number in numbers):
        if (path / DESIGN).exists() and pq.read_schema(path / DESIGN).metadata[IDENTITY] == study.identity.encode():
            return StudyFolder(path, study)
    return begun_again(folder, folder.path / ADDED / str(max(numbers, default=0) + 1), study)


def run_as_timeline(path: Path, run: int, mods: LoadedMods) -> tuple[Timeline, int]:
    """The world of a run at its beginning, and the tick with which the run ended, or will end if it is not done.

    Raises:
        ValueError: there is no such run, or nothing can be opened.
    """
    folder, scene = open_results(path, mods)
    if not 0 <= run < folder.runs:
        raise ValueError(f"--run {run}: {named(path)} has runs 0 to {folder.runs - 1:,}")
    timeline = Timeline(world_of(scene, folder.tables.values(run), folder.tables.seed(run)))
    rows = folder.table(["run", "ticks"])
    ticks = rows.filter(pc.equal(rows["run"], run))["ticks"].to_pylist()
    return timeline, (ticks and ticks[0]) or folder.study.ticks
