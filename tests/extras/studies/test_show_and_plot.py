"""What a person sees who types `boids study show` and `boids study plot`."""

from __future__ import annotations

import csv
import json
import re
import shutil
from io import StringIO
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from PIL import Image

from tests.command_line import boids, boids_alone
from tests.extras.studies.done import RADIUS, SPEED, done, fabricated, study_file


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 200])
def test_the_table_cuts_no_name_and_no_number(tmp_path: Path, columns: int) -> None:
    folder = done(study_file(tmp_path, RADIUS + SPEED))
    out = boids("study", "show", folder.path, COLUMNS=str(columns)).stdout
    assert "…" not in out
    assert all(len(line) <= columns for line in out.splitlines())
    joined = re.sub(r"\s", "", out)
    for part in ("Perception.", "max_speed", "polarization", "mean_speed"):
        assert part in joined or columns < 60
    assert re.search(r"\d\.\d{3}", out)


def test_means_stand_with_their_confidence_interval(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, RADIUS))
    pairs = folder.table().filter(pc.equal(folder.table()["point"], 0))["mean_speed last"].to_pylist()
    mean, half = sum(pairs) / 2, 12.706 * abs(pairs[0] - pairs[1]) / 2  # Student's t with one degree of freedom
    assert f"{mean:.4g} ± {half:.2g}" in boids("study", "show", folder.path, COLUMNS="200").stdout


def test_csv_and_json_have_a_row_a_run(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, RADIUS))
    rows = [*csv.DictReader(StringIO(boids_alone("study", "show", folder.path, "--csv").stdout))]
    lines = [json.loads(line) for line in boids("study", "show", folder.path, "--json").stdout.splitlines()]
    assert len(rows) == len(lines) == 6
    for row, line in zip(rows, lines, strict=True):
        assert row["digest"] == line["digest"]
        assert float(row["polarization mean"]) == line["polarization mean"]


def test_the_mean_of_no_runs_is_a_dash(tmp_path: Path) -> None:
    out = boids("study", "show", done(study_file(tmp_path, RADIUS), 1).path).stdout
    assert out.count("–") == 4  # of two numbers at two points
    assert "nan" not in out


def test_why_runs_failed_is_shown_and_reported(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, RADIUS), 4)
    folder.store.add([fabricated(folder, run, "a mod <gave> up") for run in (4, 5)])
    assert "2 of the runs failed: a mod <gave> up" in boids("study", "show", folder.path).stdout
    assert boids("study", "plot", folder.path).returncode == 0
    text = (folder.path / "plots" / "report.html").read_text("utf-8")
    assert "<td>2</td><td>a mod &lt;gave&gt; up</td>" in text


def test_plot_writes_pictures_in_both_themes_and_a_report(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, RADIUS))
    out = boids("study", "plot", folder.path, "--out", tmp_path / "pictures")
    assert out.returncode == 0, out.stderr
    paths = [Path(line) for line in out.stdout.splitlines()]
    assert [path.name for path in paths] == ["line.png", "line-dark.png", "report.html"]
    corners = []
    for path in paths[:2]:
        with Image.open(path) as image:
            corners.append(image.convert("L").getpixel((0, 0)))
    assert corners[0] > 250
    assert corners[1] < 40


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("study", "plot", "results"), "no run has succeeded yet: there is nothing to draw"),
        (("study", "plot", "nothing"), "is not a study's folder: boids study run FILE --out FOLDER makes one"),
        (("study", "plot", "results", "--out", "pond.toml"), "pond.toml"),
    ],
)
def test_what_cannot_be_drawn_is_a_sentence(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done(study_file(tmp_path, RADIUS), 0 if "--out" not in words else None)
    out = boids(*words, cwd=tmp_path)
    assert out.returncode == 1
    assert said in out.stderr
    assert len(out.stderr.splitlines()) == 1


def test_the_table_that_was_removed_is_made_again_and_one_that_is_damaged_is_told(tmp_path: Path) -> None:
    file = study_file(tmp_path, RADIUS)
    path = done(file).path / "runs.parquet"
    before = pq.read_table(path).drop_columns(["seconds"])
    path.unlink()
    assert done(file).left() == 0
    assert pq.read_table(path).drop_columns(["seconds"]).equals(before)
    path.write_bytes(path.read_bytes()[:500])
    for command in ("show", "reproduce"):
        out = boids("study", command, path.parent)
        assert out.stderr.startswith(f"boids: {path}: is damaged or cut: boids study run with another folder makes")
        assert len(out.stderr.splitlines()) == 1


def test_rows_stand_in_order_whatever_was_done_first(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, RADIUS, seeds=400), 0)
    for runs in (range(1000, 1200), (7, 3)):
        folder.store.add([fabricated(folder, run) for run in runs])
    assert folder.table()["run"].to_pylist() == [3, 7, *range(1000, 1200)]


def test_tables_say_units_and_meanings(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, RADIUS))
    schema = pq.read_schema(folder.path / "runs.parquet")
    radius, speed = (schema.field(name).metadata for name in ("fish.Perception.radius", "mean_speed last"))
    assert (radius[b"unit"], radius[b"meaning"]) == (b"u", b"how far it sees")
    assert speed[b"unit"] == b"u/s"
    assert pq.read_schema(folder.path / "series.parquet").field("mean_speed").metadata[b"unit"] == b"u/s"


def test_series_are_whole_before_and_after_they_are_put_together(tmp_path: Path) -> None:
    file = study_file(tmp_path, RADIUS)
    some = done(file, 5).series()
    shutil.copytree(tmp_path / "results", tmp_path / "copy")
    whole = done(file).series()
    assert (len(some), len(whole)) == (20, 24)
    assert whole.slice(0, 20).equals(some)
