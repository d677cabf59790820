"""Runs of a study run again: to compare how they end, to measure something else, to stand in their worlds."""

from __future__ import annotations

import math
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from sandbox.design.pictures import Pictures, picture_file
from sandbox.extras.studies import executor
from sandbox.extras.studies.again import Added, run_as_timeline
from sandbox.extras.studies.folder import begin_results, open_results, open_to_run
from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.run import run_one
from sandbox.extras.studies.set_up import simulation_of
from sandbox.mods.load.loaded_mods import NO_MODS
from tests.command_line import boids
from tests.extras.studies.done import done as run_all
from tests.extras.studies.small import SCENE, small_study

STUDY = """
format = 1
scene = "hunters"
ticks = 100
seeds = 2
[vary]
"spawn.prey.count" = [5, 600]
"prey.Motion.max_speed" = [20, 200]
[measure]
every = 20
columns = ["catches"]
summary = { catches = ["last"] }
after = 20
stop = "catches >= 1"
"""
RUNS = 8


@pytest.fixture(autouse=True)
def _one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one for each core: to begin takes each a second, and here it has a few short runs."""
    monkeypatch.setattr(executor, "cores", lambda: 1)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study that is done."""
    place = tmp_path_factory.mktemp("done")
    (place / "s.toml").write_text(STUDY)
    return run_all(place / "s.toml").path


@pytest.fixture
def results(done: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(done, tmp_path / "copy"))


def rows(folder: Path) -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = open_results(folder).table().to_pylist()
    return table


def change(folder: Path, name: str, run: int, value: object) -> None:
    """Write another value of a run into the table, as a folder of another program might have it."""
    table = pq.read_table(folder / "runs.parquet")
    values = table[name].to_pylist()
    values[run] = value
    place = table.schema.get_field_index(name)
    pq.write_table(table.set_column(place, table.schema.field(place), pa.array(values)), folder / "runs.parquet")


def measured_plainly(folder: Path, run: int, measure: str, ticks: range) -> float:
    """The mean of a measure in these ticks of a run that ends after one catch, seen every 20 ticks."""
    opened, scene = open_to_run(folder, NO_MODS)
    seen = []
    with simulation_of(scene, opened.tables.values(run), opened.tables.seed(run)) as simulation:
        while simulation.tick < 100:
            simulation.step(20)
            if simulation.tick in ticks:
                seen.append(simulation.measures()[measure])
            if simulation.measures()["catches"] >= 1:
                break
    return sum(seen) / len(seen) if seen else float("nan")


def test_the_study_has_runs_that_end_early_and_others(done: Path) -> None:
    assert {row["ended"] for row in rows(done)} == {"ticks", "stop"}


@pytest.mark.parametrize(("sample", "count"), [(("--sample", 3), 3), pytest.param((), RUNS, marks=pytest.mark.verify)])
def test_all_runs_or_some_end_as_they_did(done: Path, sample: tuple[object, ...], count: int) -> None:
    ran = boids("study", "reproduce", done, *sample)
    assert (ran.returncode, ran.stdout) == (0, f"{done}: {count} runs again, with the same ends\n")


def test_a_run_that_ends_otherwise_is_told(results: Path) -> None:
    was = rows(results)[5]["digest"]
    change(results, "digest", 5, "f" * 64)
    ran = boids("study", "reproduce", results)
    ended = f"ended after {rows(results)[5]['ticks']} ticks with "
    assert (ran.returncode, ran.stdout) == (3, f"run 5: {ended}{'f' * 16}..., and now {ended}{was[:16]}...\n")


def test_what_nobody_thought_of_is_measured(results: Path) -> None:
    assert boids("study", "add", results, "--measure", "nearest_neighbour").returncode == 0
    assert boids("study", "add", results, "--measure", "polarization", "--ticks", "90..100").returncode == 0
    table = rows(results)
    assert [*table[0]][5:8] == ["catches last", "nearest_neighbour mean", "polarization 90-100 mean"]
    for run, row in enumerate(table):
        for name, measure, ticks in (
            ("nearest_neighbour mean", "nearest_neighbour", range(21, 101)),
            ("polarization 90-100 mean", "polarization", range(90, 101)),
        ):
            plain = measured_plainly(results, run, measure, ticks)
            assert row[name] == pytest.approx(plain, rel=1e-12, nan_ok=True), (run, name)
    assert any(math.isnan(row["polarization 90-100 mean"]) for row in table)  # of those that ended before
    assert "nearest_neighbour" in boids("study", "show", results).stdout
    again = boids("study", "add", results, "--measure", "nearest_neighbour")
    assert again.stderr == "boids: --measure nearest_neighbour: its mean is in the table already\n"


def test_adding_goes_on_where_it_was_interrupted(results: Path) -> None:
    opened, scene = open_to_run(results, NO_MODS)
    begun = Added(opened, scene, "milling", None)
    begun.store.add([run_one(begun.study, scene, 2, opened.tables.values(2), opened.tables.seed(2))])
    assert [*rows(results)[0]][6] == "ticks"  # what is not whole is not shown
    assert Added(opened, scene, "milling", None).to_do() == [0, 1, *range(3, RUNS)]
    assert boids("study", "add", results, "--measure", "milling").returncode == 0
    assert [*rows(results)[0]][6] == "milling mean"
    assert not list(results.glob("*.sqlite*"))


def test_nothing_is_added_to_runs_that_end_otherwise(results: Path) -> None:
    change(results, "digest", 0, "0" * 64)
    ran = boids("study", "add", results, "--measure", "milling")
    assert ran.returncode == 3
    assert ran.stdout.startswith("run 0: ended after")
    assert [*rows(results)[0]][6] == "ticks"
    assert not list(results.glob("*.sqlite*"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--measure", "milking"], "there is no measure 'milking'; did you mean 'milling'?"),
        (["--measure", "milling", "--ticks", "60..30"], "must be two ticks, from 1 on: 5000..6000"),
        (["--measure", "milling", "--ticks", "1-3"], "must be two ticks, from 1 on: 5000..6000"),
        (["--measure", "milling", "--ticks", "21..39"], "the study measures every 20 ticks"),
        (["--measure", "milling", "--ticks", "101..300"], "the study measures every 20 ticks"),
    ],
)
def test_what_can_not_be_measured_is_told(done: Path, options: list[str], words: str) -> None:
    ran = boids("study", "add", done, *options)
    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert words in ran.stderr


def test_a_study_is_finished_before_something_is_added(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    results = run_all(tmp_path / "s.toml", most=0).path
    none = f"boids: {results}: no run is done yet: boids study run does them\n"
    assert boids("study", "reproduce", results).stderr == none
    run_all(tmp_path / "s.toml", most=4)
    assert "4 runs are still to be done" in boids("study", "add", results, "--measure", "milling").stderr


def test_every_run_is_had_again_as_a_timeline(done: Path) -> None:
    for run, row in enumerate(rows(done)):
        timeline, end = run_as_timeline(done, run, NO_MODS)
        assert end == row["ticks"]
        for _ in range(end):
            timeline.step()
        assert timeline.simulation.digest() == row["digest"]
        timeline.seek(0)
        assert timeline.simulation.populations()["prey"] == row["spawn.prey.count"]
        timeline.close()


def test_without_a_display_a_picture_of_the_moment_is_drawn(done: Path, tmp_path: Path) -> None:
    words = ("study", "play", done, "--run", 5, "--at", "1s", "--picture", tmp_path / "then.png")
    shown = boids(*words, DISPLAY="", WAYLAND_DISPLAY="")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert (tmp_path / "then.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--run", 8], "run 8: {} has runs 0 to 7"),
        (["--run", 0, "--at", "soon"], "--at soon: must be seconds, like 12.5s, or a tick, like 750"),
    ],
)
def test_a_moment_that_is_not_there_is_told(done: Path, words: list[object], told: str) -> None:
    ran = boids("study", "play", done, *words, "--picture", "then.png", DISPLAY="", WAYLAND_DISPLAY="")
    assert (ran.returncode, ran.stderr) == (1, f"boids: {told.format(done)}\n")


def test_a_run_has_no_moment_after_its_end(done: Path) -> None:
    ran = boids(
        "study", "play", done, "--run", 0, "--at", "900s", "--picture", "then.png", DISPLAY="", WAYLAND_DISPLAY=""
    )
    assert re.fullmatch(r"boids: --at 900s: must be at most \d[\d.]*s, where it ends\n", ran.stderr)


def test_the_pictures_of_a_scene_are_kept_with_the_results(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("study/map.png", "study/photos/map.png")]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        Image.new("RGB", (2, 1), (len(file.parts), 0, 0)).save(file)
    said = [os.path.relpath(file, tmp_path / "study") for file in files]
    study = small_study(tmp_path / "study")
    tables = [f"[pictures.n{n}]\nfile = '{name}'\n" for n, name in enumerate(said)]
    (tmp_path / "study/small.toml").write_text(SCENE + "".join(tables))
    begin_results(tmp_path / "results", *read_study(study, NO_MODS))
    moved = shutil.move(tmp_path / "results", tmp_path / "elsewhere/results")
    _, scene = open_to_run(Path(moved), NO_MODS)
    found = [picture_file(own, scene.folder) for own in scene.tables[Pictures.table].values()]
    assert [file and file.read_bytes() for file in found] == [file.read_bytes() for file in files]


def test_a_scene_plants_no_results(tmp_path: Path) -> None:
    study = small_study(tmp_path)
    for name in ("runs.png", "unfinished.sqlite.png", "id_rsa.png"):
        (tmp_path / name).write_bytes(b"PAR1 forged, or a secret")
        (tmp_path / "small.toml").write_text(SCENE + f"[pictures.a]\nfile = '{name}'\n")
        with pytest.raises(ValueError, match="is not a readable picture"):
            begin_results(tmp_path / "results", *read_study(study, NO_MODS))
        assert not [*(tmp_path / "results").rglob("*.png")]
        shutil.rmtree(tmp_path / "results")


def test_a_list_of_points_is_kept_with_its_results(tmp_path: Path) -> None:
    listed = STUDY.split("[vary]")[0] + '[design]\nkind = "list"\nfile = "p.csv"\n[measure]\ncolumns = ["catches"]\n'
    (tmp_path / "s.toml").write_text(listed)
    (tmp_path / "p.csv").write_text("spawn.prey.count,flocking,prey.Perception.radius\n3,true,20\n9,false,30.5\n")
    results = run_all(tmp_path / "s.toml").path
    (tmp_path / "p.csv").unlink()
    table = rows(results)
    assert [row["spawn.prey.count"] for row in table] == [3, 9, 3, 9]
    assert [row["flocking"] for row in table] == [True, False, True, False]
    assert {row["ended"] for row in table} == {"ticks"}
