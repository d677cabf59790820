"""One run of a study as a timeline: to stand in its world."""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc

from sandbox.files import named
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.past.timeline import Timeline
from sandbox.studies.folder import open_results
from sandbox.studies.world import world_of


def run_as_timeline(path: Path, run: int, mods: LoadedMods) -> tuple[Timeline, int]:
    """The world of a run at its beginning, and the tick with which the run ended, or will end if it is not done.

    Raises:
        ValueError: there is no such run, or nothing can be opened.
    """
    folder, scene = open_results(path, mods)
    if not 0 <= run < folder.runs:
        raise ValueError(f"--run {run}: {named(path)} has runs 0 to {folder.runs - 1:,}")
    timeline = Timeline(world_of(scene, folder.values(run), folder.seed(run)))
    rows = folder.table(["run", "ticks"])
    ticks = rows.filter(pc.equal(rows["run"], run))["ticks"].to_pylist()
    return timeline, (ticks and ticks[0]) or folder.study.ticks
