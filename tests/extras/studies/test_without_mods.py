"""Results are plain data: they are shown, drawn and read without the mods that made them."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import sandbox
from sandbox.extras.studies.folder import open_results, open_to_run
from sandbox.extras.studies.read_study import read_study
from sandbox.mods.load.library import own_library
from sandbox.mods.load.loaded_mods import NO_MODS
from tests.command_line import ROOT, boids
from tests.extras.studies.done import run_here

STUDY = """
format = 1
scene = "s.toml"
ticks = 20
[vary]
"vicsek.Vicsek.noise" = [5, 90]
[measure]
every = 10
columns = ["vicsek_polarization"]
summary = { vicsek_polarization = ["mean"] }
"""
SCENE = """
format = 1
[mods]
required = ["vicsek"]
[[spawn]]
prefab = "vicsek"
count = 20
"""
VICSEK = ROOT / "mods" / "vicsek"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a study of a mod."""
    place = tmp_path_factory.mktemp("vicsek")
    (place / "s.toml").write_text(SCENE)
    (place / "study.toml").write_text(STUDY)
    return run_here(place / "results", *read_study(place / "study.toml", own_library([VICSEK]))).path


def test_they_are_shown_and_drawn(results: Path) -> None:
    assert "2 of 2 runs of 20 ticks" in boids("study", "show", results).stdout
    rows = [json.loads(line) for line in boids("study", "show", results, "--json").stdout.splitlines()]
    assert [0 < row["vicsek_polarization mean"] <= 1 for row in rows] == [True, True]
    assert boids("study", "plot", results).returncode == 0
    assert (results / "plots" / "report.html").stat().st_size


def test_a_script_reads_them(results: Path) -> None:
    found = sandbox.study(results).results()
    assert len(found) == 2
    field = found.table.schema.field("vicsek_polarization mean")
    assert field.metadata[b"meaning"] == b"Vicsek: polarization"


def test_they_are_of_the_same_study_with_and_without_them(results: Path) -> None:
    with_mods, _ = open_to_run(results, own_library([VICSEK]))
    assert open_results(results).study == with_mods.study


def test_to_run_them_again_needs_the_mods(results: Path) -> None:
    with pytest.raises(ValueError, match="the mod vicsek is not enabled"):
        open_to_run(results, NO_MODS)
    with pytest.raises(ValueError, match="the mod vicsek"):
        sandbox.study(results).run(results)


def test_they_say_which_program_made_them(results: Path) -> None:
    for name in ("design.parquet", "runs.parquet"):
        said = pq.read_schema(results / name).metadata[b"program"].decode()
        assert said == f"boids-sandbox {sandbox.__version__}"
