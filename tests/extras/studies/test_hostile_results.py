"""A folder of results may be a stranger's: each of its files is checked before it is believed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sandbox.extras.studies.checked import StudyError
from sandbox.extras.studies.folder import open_results
from sandbox.extras.studies.store import SUPER as MAGIC
from sandbox.files import WriteError
from tests.command_line import boids
from tests.extras.studies.done import done, study_file
from tests.mutants import byte_mutants, some_or_many

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
def of_a_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return done(study_file(tmp_path_factory.mktemp("begun"), VARY), 2).path


@pytest.fixture
def begun(of_a_store: Path, tmp_path: Path) -> Path:
    """The results of 2 of 6 runs, in SQLite."""
    return Path(shutil.copytree(of_a_store, tmp_path / "begun"))


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
    assert told(finished).startswith(f"{finished / name}: ")


@pytest.mark.parametrize("shape", ["a folder", "a pipe", "half", "another table", "a longer table"])
def test_measurements_that_are_something_else_are_refused(over_time: Path, shape: str) -> None:
    spoil(over_time / "series.parquet", shape)
    assert told(over_time, "plot").startswith(f"{over_time / 'series.parquet'}: ")


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


WRONG: dict[str, tuple[object, ...]] = {
    "run": (-1, 6, 10**12),
    "seed": (None, "seven", 0.5),
    "key": (None, b"key"),
    "ended": ("well", None),
    "why": (None, b"why"),
    "ticks": (-1, 21, None, 1.5, "soon"),
    "digest": (None, b"\xff"),
    "seconds": (None, "soon", b"1"),
    "summary": (None, "", b"", b"1234567", np.zeros(3).tobytes()),
    "series": (None, 5, b"1234567", np.zeros(3).tobytes(), np.full(8, 21.0).tobytes(), np.full(4, 0.5).tobytes()),
}


@pytest.mark.parametrize(("column", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_a_row_that_is_no_result_is_told(begun: Path, column: str, value: object) -> None:
    with changed_store(begun) as connection:
        connection.execute(f"UPDATE results SET {column} = ? WHERE run = 1", (value,))
    damaged = "is damaged or cut: " if column == "run" else "its row of run 1 is not a result of this study: "
    assert told(begun).startswith(f"{begun / 'unfinished.sqlite'}: {damaged}")


@contextmanager
def changed_store(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(folder / "unfinished.sqlite")) as connection, connection:
        yield connection


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more (a)",
        "CREATE TRIGGER t AFTER INSERT ON results BEGIN DELETE FROM results; END",
        "CREATE INDEX i ON results (ended)",
        "DROP TABLE results",
        "ALTER TABLE results ADD COLUMN b GENERATED ALWAYS AS (zeroblob(1000000))",
        "DROP TABLE results; CREATE VIEW results AS SELECT 1 AS run",
        "PRAGMA journal_mode = WAL",
    ],
)
def test_a_store_with_anything_else_in_it_is_not_asked(begun: Path, statement: str) -> None:
    with closing(sqlite3.connect(begun / "unfinished.sqlite")) as connection:
        connection.executescript(statement)
    if statement == "DROP TABLE results":  # as of a study that has just begun
        assert "0 of 6 runs" in boids("study", "show", begun).stdout
    else:
        assert told(begun).startswith(f"{begun / 'unfinished.sqlite'}: is damaged or cut")


def test_a_row_of_many_megabytes_is_not_read(begun: Path) -> None:
    with changed_store(begun) as connection:
        connection.execute("UPDATE results SET series = zeroblob(500000000) WHERE run = 1")
    assert told(begun).startswith(f"{begun / 'unfinished.sqlite'}: is damaged or cut")


TABLES = "unfinished.sqlite", "design.parquet", "runs.parquet", "series.parquet"


@some_or_many
@pytest.mark.parametrize("name", TABLES)
def test_no_damage_is_more_than_a_sentence(name: str, count: int, begun: Path, over_time: Path) -> None:
    """Every mutant is read, or refused with the name of a file of the folder; nothing is written."""
    path = begun / name if name == "unfinished.sqlite" else over_time / name
    good, around = path.read_bytes(), sorted(path.parent.iterdir())
    refused = 0
    for mutant in byte_mutants(good, count):
        path.write_bytes(mutant)
        said = ""
        try:
            results = open_results(path.parent)
            results.table()
            results.series()
        except (StudyError, WriteError) as error:
            said = f"{error}"
        assert (
            said.startswith((f"{path.parent}{os.sep}", f"{path.parent}: its results are of another study")) or not said
        )
        refused += bool(said)
    assert refused > count / 6
    assert sorted(path.parent.iterdir()) == around


def test_a_rollback_of_other_files_is_not_carried_out(begun: Path, tmp_path: Path) -> None:
    """SQLite deletes the file that is named at the end of a rollback journal, if it is no longer needed."""
    mine, path = tmp_path / "mine.txt", begun / "unfinished.sqlite"
    mine.write_text("mine")
    name = str(mine).encode()
    page = struct.pack(">I", 1) + name + struct.pack(">II", len(name), sum(name)) + MAGIC
    header = MAGIC + struct.pack(">IIIII", 0, 0, path.stat().st_size // 4096, 512, 4096)
    path.with_name(f"{path.name}-journal").write_bytes(header.ljust(512, b"\0") + page)
    for command in ("show", "run"):
        words = (begun / "study.toml", "--out", begun) if command == "run" else (begun,)
        out = boids("study", command, *words)
        assert (out.returncode, out.stderr.count("\n")) == (1, 1)
        assert f"{path}: is damaged or cut" in out.stderr
    assert mine.read_text() == "mine"


@pytest.mark.parametrize("shape", ["a folder", "a pipe"])
def test_a_store_that_is_no_file_is_refused(begun: Path, shape: str) -> None:
    spoil(begun / "unfinished.sqlite", shape)
    assert told(begun).startswith(f"{begun / 'unfinished.sqlite'}: ")


@pytest.mark.parametrize("name", ["failed.jsonl", "series.parquet", "plots/report.html", "running.lock"])
def test_nothing_is_written_through_a_link(begun: Path, tmp_path: Path, name: str) -> None:
    (begun / name).parent.mkdir(exist_ok=True)
    (begun / name).symlink_to(tmp_path / "mine.txt")
    for command in ("show", "plot"):
        assert told(begun, command).startswith(f"{begun / name}: is a link, and a folder of results has none")
    ran = boids("study", "run", begun / "study.toml", "--out", begun)
    assert (ran.returncode, ran.stderr.startswith(f"boids: {begun / name}: is a link")) == (1, True)
    assert not (tmp_path / "mine.txt").exists()


def test_a_table_that_is_not_there_is_told(over_time: Path) -> None:
    (over_time / "series.parquet").unlink()
    assert told(over_time, "plot") == f"{over_time / 'series.parquet'}: no such file or directory"


@pytest.mark.parametrize(
    ("name", "values"),
    [("milling mean", ["a"] * 6), ("milling", [0.5] * 6), ("milling mean", [None] * 6), ("run", [0.5] * 6)],
)
def test_a_column_that_was_not_added_is_refused(finished: Path, name: str, values: list[object]) -> None:
    changed(finished / "runs.parquet", lambda table: table.append_column(name, pa.array(values)))
    assert told(finished).startswith(f"{finished / 'runs.parquet'}: ")
