"""A folder of results may be a stranger's: each of its files is checked before it is believed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sandbox.extras.studies.checked import StudyError
from sandbox.extras.studies.folder import open_results
from tests.command_line import boids
from tests.extras.studies.done import done, study_file

VARY = '"fish.Perception.radius" = [20, 40, 80]\n'
SHAPES = ("a folder", "a pipe", "nothing", "text", "half", "another table", "a longer table")


@pytest.fixture(scope="module")
def of_6_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return done(study_file(tmp_path_factory.mktemp("finished"), VARY)).path


@pytest.fixture
def finished(of_6_runs: Path, tmp_path: Path) -> Path:
    """The results of 6 runs that are done."""
    return Path(shutil.copytree(of_6_runs, tmp_path / "finished"))


@pytest.fixture(scope="module")
def of_2_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return done(study_file(tmp_path_factory.mktemp("over-time"))).path


@pytest.fixture
def over_time(of_2_runs: Path, tmp_path: Path) -> Path:
    """The results of 2 runs that are done and drawn over time."""
    return Path(shutil.copytree(of_2_runs, tmp_path / "over-time"))


@pytest.fixture(scope="module")
def of_a_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return done(study_file(tmp_path_factory.mktemp("begun"), VARY), 2).path


@pytest.fixture
def begun(of_a_journal: Path, tmp_path: Path) -> Path:
    """The results of 2 of 6 runs, in a journal."""
    return Path(shutil.copytree(of_a_journal, tmp_path / "begun"))


def changed(path: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    pq.write_table(change(pq.read_table(path)), path)


def put(path: Path, column: str, values: pa.Array) -> None:
    """Write other values into a column of a table."""
    changed(path, lambda table: table.set_column(table.schema.get_field_index(column), column, values))


def told(folder: Path, command: str = "show") -> str:
    """The only line that a command complains with."""
    out = boids("study", command, folder)
    assert (out.returncode, out.stdout) == (1, "")
    (line,) = [line for line in out.stderr.splitlines() if not line.startswith("    ")]
    return line.removeprefix("boids: ")


def spoil(path: Path, shape: str) -> None:
    """Put something else in the place of a file."""
    content = path.read_bytes()
    path.unlink()
    match shape:
        case "a folder":
            path.mkdir()
        case "a pipe":
            os.mkfifo(path)
        case "another table":
            pq.write_table(pa.table({"a": [1]}), path)
        case "a longer table":
            path.write_bytes(content)
            changed(path, lambda table: pa.concat_tables([table, table]))
        case _:
            path.write_bytes({"nothing": b"", "text": b"hello\n", "half": content[: len(content) // 2]}[shape])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["design.parquet", "runs.parquet"])
def test_a_table_that_is_something_else_is_refused(finished: Path, name: str, shape: str) -> None:
    spoil(finished / name, shape)
    is_of_another_study = (name, shape) == ("design.parquet", "another table")
    assert told(finished).startswith(f"{finished if is_of_another_study else finished / name}: ")


@pytest.mark.parametrize("shape", ["a folder", "a pipe", "half", "another table", "a longer table"])
def test_measurements_that_are_something_else_are_refused(over_time: Path, shape: str) -> None:
    spoil(over_time / "series/00000.parquet", shape)
    assert told(over_time, "plot").startswith(f"{over_time / 'series/00000.parquet'}: ")


@pytest.mark.parametrize("shape", ["a folder", "a pipe"])
@pytest.mark.parametrize("name", ["study.toml", "scene.toml"])
def test_a_text_that_is_something_else_is_refused(finished: Path, name: str, shape: str) -> None:
    spoil(finished / name, shape)
    assert told(finished).startswith(f"{finished / name}: ")


def test_a_design_of_millions_of_points_is_not_unpacked(finished: Path) -> None:
    many = pa.table({"fish.Perception.radius": np.zeros(30_000_000, np.int64)})
    metadata = pq.read_schema(finished / "design.parquet").metadata
    pq.write_table(many.replace_schema_metadata(metadata), finished / "design.parquet")
    assert told(finished) == f"{finished / 'design.parquet'}: has 30,000,000 rows, and must have 3"


def test_cells_of_many_megabytes_are_not_unpacked(finished: Path) -> None:
    put(finished / "runs.parquet", "why", pa.array(["x" * 20_000_000] * 6))
    assert told(finished).startswith(f"{finished / 'runs.parquet'}: would unpack to ")


@pytest.mark.parametrize(
    ("column", "values", "words"),
    [
        ("run", [0, 1, 2, 3, 4, 4], "row 6 is of run 4, and the table has runs 0 to 5"),
        ("run", [0, 1, 2, 3, 4, -1], "row 6 is of run -1, and the table has runs 0 to 5"),
        ("point", [0, 1, 2, 0, 1, 9], "row 6 is of point 9, and run 5 has point 2"),
        ("ticks", [None, 1, 2, 3, 4, 5], "has empty cells"),
        ("ticks", ["a"] * 6, "its column 'ticks' is of string, and must be of int64"),
    ],
)
def test_wrong_values_of_a_table_are_told(finished: Path, column: str, values: list[object], words: str) -> None:
    put(finished / "runs.parquet", column, pa.array(values))
    assert told(finished).startswith(f"{finished / 'runs.parquet'}: {words}")


def test_words_that_are_no_text_are_told(finished: Path) -> None:
    ends = pa.py_buffer(np.arange(7, dtype=np.int32))
    put(
        finished / "runs.parquet", "why", pa.Array.from_buffers(pa.string(), 6, [None, ends, pa.py_buffer(b"\xff" * 6)])
    )
    assert told(finished).startswith(f"{finished / 'runs.parquet'}: is damaged or cut")


GOOD = {"digest": "", "ticks": 20, "ended": "ticks", "why": "", "seconds": 1.0, "summary": [0.5, 0.5], "series": {}}
LINES: list[object] = [
    {"zzz": 1},
    {},
    {**GOOD, "zzz": 1},
    {**GOOD, "digest": 5},
    {**GOOD, "digest": "\ud800"},
    {**GOOD, "ticks": -1},
    {**GOOD, "ticks": 21},
    {**GOOD, "ticks": 1.5},
    {**GOOD, "ended": "well"},
    {**GOOD, "why": None},
    {**GOOD, "seconds": "soon"},
    {**GOOD, "summary": [0.5]},
    {**GOOD, "summary": [0.5, 10**400]},
    {**GOOD, "summary": {}},
    {**GOOD, "series": {"tick": [5]}},
    {**GOOD, "series": {"tick": [5], "polarization": [1], "mean_speed": [], "population.fish": [1]}},
    {**GOOD, "series": [1]},
    b'{"run":0,"digest":}',
    b'{"run":0,"digest":"\xff"}',
    b'{"run":0,"digest":' + b"[" * 5000 + b"]" * 5000 + b"}",
    b'{"run":0,"ticks":' + b"1" * 5000 + b"}",
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line)[:60])
def test_a_line_of_a_journal_that_is_no_result_is_told_with_its_place(begun: Path, line: object) -> None:
    (journal,) = (begun / "journals").iterdir()
    second = journal.read_bytes().splitlines(keepends=True)[1]
    text = line if isinstance(line, bytes) else json.dumps({"run": 0, **line}, separators=(",", ":")).encode()  # type: ignore[dict-item]
    text = text.replace(b'{"run":0}', b'{"run":0,"why":""}')
    journal.write_bytes(second + text + b"\n")
    assert told(begun).startswith(f"{journal}:2: is not a result of this study: ")


def test_a_line_without_end_is_not_read_whole(begun: Path) -> None:
    (journal,) = (begun / "journals").iterdir()
    with journal.open("r+b") as file:
        file.truncate(50_000_000_000)  # takes no space on the disk
    assert told(begun).startswith(f"{journal}:3: is longer than a result of this study")


@pytest.mark.parametrize("name", ["journals/0.jsonl", "parts/00000.parquet"])
@pytest.mark.parametrize("shape", ["a folder", "a pipe"])
def test_a_journal_or_part_that_is_no_file_is_refused(begun: Path, name: str, shape: str) -> None:
    (begun / name).parent.mkdir(exist_ok=True)
    (begun / name).touch()
    spoil(begun / name, shape)
    assert told(begun).startswith(f"{begun / name}: ")


@pytest.mark.parametrize("name", ["abc.parquet", "00001.parquet", "0.parquet", f"{'9' * 200}.parquet"])
def test_a_part_that_the_study_has_not_is_refused(begun: Path, name: str) -> None:
    (begun / "parts").mkdir()
    (begun / "parts" / name).touch()
    assert told(begun) == f"{begun / 'parts' / name}: is no part of this study, whose last is 00000.parquet: remove it"


@pytest.mark.parametrize("name", ["failed.jsonl", "parts/00000.parquet", "plots/report.html", "running-1-1.lock"])
def test_nothing_is_written_through_a_link(begun: Path, tmp_path: Path, name: str) -> None:
    (begun / name).parent.mkdir(exist_ok=True)
    (begun / name).symlink_to(tmp_path / "mine.txt")
    for command in ("show", "plot"):
        assert told(begun, command).startswith(f"{begun / name}: is a link, and a folder of results has none")
    ran = boids("study", "run", begun / "study.toml", "--out", begun)
    assert (ran.returncode, ran.stderr.startswith(f"boids: {begun / name}: is a link")) == (1, True)
    assert not (tmp_path / "mine.txt").exists()


def test_a_part_that_vanishes_again_and_again_is_told(begun: Path) -> None:
    folder = open_results(begun)
    (begun / "parts").mkdir()
    (begun / "parts" / "00000.parquet").symlink_to("nothing")
    with pytest.raises(StudyError, match="its files vanish while they are read: try again"):
        folder.table()


def test_what_was_added_is_checked_too(finished: Path, of_6_runs: Path) -> None:
    for name in ("x", "-1", "1e3", "01", "9" * 200):
        (finished / "added" / name).mkdir(parents=True)
        (finished / "added" / name / "runs.parquet").touch()
    assert boids("study", "show", finished).returncode == 0
    added = Path(shutil.copytree(of_6_runs, finished / "added" / "7"))
    (added / "study.toml").write_text("hello")
    assert told(finished).startswith(f"{added / 'study.toml'}:1:6: ")
    shutil.copy(of_6_runs / "study.toml", added)
    spoil(added / "runs.parquet", "another table")
    assert told(finished).startswith(f"{added / 'runs.parquet'}: its columns are not those of this study")
