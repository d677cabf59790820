"""Small studies that are done."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sandbox.design.scene import Scene
from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.run import Result, failed, run_one
from sandbox.extras.studies.study import Study
from sandbox.mods.load.library import own_library

SCENE = """
format = 1
name = "Pond"
[world]
size = [200, 150]
[[spawn]]
prefab = "fish"
count = 12
"""
STUDY = """
format = 1
scene = "pond.toml"
ticks = {ticks}
seeds = {seeds}
[vary]
{vary}
{design}
[measure]
every = 5
columns = ["polarization", "mean_speed", "population.fish"]
{summary}
"""
SUMMARY = 'summary = { polarization = ["mean"], mean_speed = ["last"] }'
RADIUS = '"fish.Perception.radius" = [20, 40, 80]\n'
SPEED = '"fish.Motion.max_speed" = [30.0, 60.0]\n'
FLOCKING = "flocking = [true, false]\n"


def study_file(
    folder: Path, vary: str = "", design: str = "", *, seeds: int = 2, ticks: int = 20, summary: str = SUMMARY
) -> Path:
    """A study file and its scene."""
    (folder / "pond.toml").write_text(SCENE)
    path = folder / "pond-study.toml"
    path.write_text(STUDY.format(vary=vary, design=design, seeds=seeds, ticks=ticks, summary=summary))
    return path


def done(file: Path, most: int | None = None) -> StudyFolder:
    """The folder of results beside a study file, in which this process ran all runs, or so many."""
    return run_here(file.parent / "results", *read_study(file, own_library(())), most)


def run_here(path: Path, study: Study, scene: Scene, most: int | None = None) -> StudyFolder:
    """The folder of results of a study, in which this process ran all runs, or so many."""
    folder = StudyFolder(path, study)
    tables = folder.tables
    for run in folder.to_do()[:most]:
        folder.store.add([run_one(study, scene, run, tables.values(run), tables.seed(run))])
    folder.finish()
    return folder


def fabricated(folder: StudyFolder, run: int, why: str = "") -> Result:
    """A result that no world had; with a reason, of a run that failed."""
    study, values, seed = folder.study, folder.tables.values(run), folder.tables.seed(run)
    if why:
        return failed(study, run, values, seed, why)
    summary = np.full(len(study.summaries), run * 0.37 % 1)
    series = np.full((len(study.columns) + 1, 1), 5.0)
    return Result(run, seed, study.key(values, seed), "ticks", "", study.ticks, "0" * 64, 0.1, summary, series)
