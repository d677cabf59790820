"""Small studies that are done."""

from __future__ import annotations

from pathlib import Path

from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.journal import Journal, line_of
from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.run import run_one
from sandbox.extras.studies.running import to_do
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
    study, scene = read_study(file, own_library(()))
    folder = StudyFolder(file.parent / "results", study)
    journal = Journal(folder.path / "journals")
    for run in to_do(folder)[:most]:
        journal.append(line_of(run_one(study, scene, run, folder.tables.values(run), folder.tables.seed(run))))
    journal.close()
    folder.compact()
    return folder
