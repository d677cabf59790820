"""docs/studies.md, *Side by side*: its scenes and studies are complete, and run."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.extras.studies.design import points_of
from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.run import run_one
from sandbox.mods.load.loaded_mods import NO_MODS
from tests.command_line import ROOT

PAGE = (ROOT / "docs" / "studies.md").read_text("utf-8").partition("## Side by side")[2]
FILES = dict(re.findall(r"^```toml\n# (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
ROWS = {
    "flock.toml": "the flock is",
    "meadow.toml": "wolves and sheep are",
    "flock-study.toml": "the experiment is",
    "meadow-study.toml": "the experiment is",
}
STUDIES = [name for name in FILES if name.endswith("-study.toml")]


def test_there_are_two_scenes_and_two_studies() -> None:
    assert list(FILES) == ["flock.toml", "flock-study.toml", "meadow.toml", "meadow-study.toml"]


@pytest.mark.parametrize("name", STUDIES)
def test_the_first_and_the_last_point_run(name: str, tmp_path: Path) -> None:
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    study, scene = read_study(tmp_path / name, NO_MODS)
    points = list(points_of(study))
    short = replace(study, ticks=100)
    for run in (0, len(points) - 1):
        result = run_one(short, scene, run, points[run], study.seed_of(run, len(points)))
        assert (result.ended, result.why, result.ticks) == ("ticks", "", 100)


@pytest.mark.parametrize("name", FILES)
def test_the_lines_in_the_table_are_those_of_the_files(name: str) -> None:
    lines = sum(1 for line in FILES[name].splitlines() if line.strip() and not line.startswith("#"))
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {ROWS[name]} "))
    assert str(lines) in row.split("|")[2].replace(",", "").split()
