"""Reads the tables of a folder of results, which may be a stranger's: each is checked before it is unpacked or used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sandbox.extras.studies.footer import SNAPPY, UNCOMPRESSED, chunks_in
from sandbox.files import named, open_file, reason

MOST_CELL, MOST_MORE = 1000, 1 << 20  # bytes of a cell, on average, and of a table besides
MOST_ADDED = 1000  # columns
PLAIN = {SNAPPY, UNCOMPRESSED}  # others can unpack to thousands of times their size
VALUES = (pa.bool_(), pa.int64(), pa.float64(), pa.string())  # the types of the columns of a design
AGAIN = "boids study run with another folder makes the same results again"


class StudyError(ValueError):
    """The results of a study can't be begun, opened or used; the message says why."""


def read_metadata(path: Path) -> Mapping[bytes, bytes]:
    """Return the metadata of a table.

    Raises:
        StudyError: it can't be read.
    """
    with _opened(path) as file:
        return file.schema_arrow.metadata or {}


def read_design(path: Path, keys: Sequence[str], points: int) -> pa.Table:
    """Read a design, which has these columns and a row for each point.

    Raises:
        StudyError: it can't be read, or is not such a table.
    """
    return _read(path, dict.fromkeys(keys), points, points)


def read_runs(path: Path, schema: pa.Schema, runs: int, points: int, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a table with a row for each run, in order.

    Args:
        schema: its columns; it may have others, of numbers, which were added.
        points: the number of points of the design.
        columns: only these columns, `run` among them.
    Raises:
        StudyError: as in `read_design`.
    """
    expected, numbers = dict(zip(schema.names, schema.types, strict=True)), np.arange(runs)
    table = _read(path, expected | dict.fromkeys(added_columns(path, schema), pa.float64()), runs, runs, columns)
    _refuse_others(path, table, table["run"].to_numpy() == numbers, runs)
    if "point" in table.column_names and (wrong := np.flatnonzero(table["point"].to_numpy() != numbers % points)).size:
        run = int(wrong[0])
        mismatch = f"row {run + 1:,} is of point {table['point'][run]}, and run {run:,} has point {run % points:,}"
        raise StudyError(f"{named(path)}: {mismatch}")
    return table


def added_columns(path: Path, schema: pa.Schema) -> list[str]:
    """Return the names of columns that are not in the schema: measures that were added, if it is such a table.

    Raises:
        StudyError: as in `read_metadata`.
    """
    with _opened(path) as file:
        added = [name for name in file.schema_arrow.names if name not in schema.names]
    return added if len(added) <= MOST_ADDED and all(" " in name for name in added) else []


def read_series(path: Path, schema: pa.Schema, runs: int, most: int) -> pa.Table:
    """Read a table with a row for each measurement of these runs, at most `most`.

    Raises:
        StudyError: as in `read_design`.
    """
    table = _read(path, dict(zip(schema.names, schema.types, strict=True)), 0, most)
    found = table["run"].to_numpy()
    _refuse_others(path, table, (found >= 0) & (found < runs), runs)
    return table


@contextmanager
def _opened(path: Path) -> Iterator[pq.ParquetFile]:
    """Open a table, to be read without threads: Arrow's may let go of the file while Python ends, and then abort."""
    try:
        opened = open_file(path)
    except OSError as error:
        raise StudyError(f"{named(path)}: {reason(error)}") from None
    with opened as file:
        try:
            yield pq.ParquetFile(file, pre_buffer=False)
        except (pa.ArrowException, OSError, UnicodeDecodeError):
            raise StudyError(f"{named(path)}: is damaged or cut: {AGAIN}") from None


def _chunks(path: Path) -> list[tuple[int, int]]:
    try:
        with open_file(path) as file:
            return chunks_in(file)
    except (OSError, ValueError):
        raise StudyError(f"{named(path)}: is damaged or cut: {AGAIN}") from None


def _read(
    path: Path,
    columns: Mapping[str, pa.DataType | None],
    least: int,
    most: int,
    some: Sequence[str] | None = None,
) -> pa.Table:
    """Read a table of `least` to `most` rows and these columns, of these types or one of VALUES."""
    with _opened(path) as file:
        schema, parts = file.schema_arrow, [file.metadata.row_group(n) for n in range(file.metadata.num_row_groups)]
        if sorted(schema.names) != sorted(columns):
            other = ", ".join(sorted({*schema.names} ^ {*columns})) or "one of them twice"
            raise StudyError(f"{named(path)}: its columns are not those of this study: {other:.200}")
        for field in schema:
            right = columns[field.name] or (field.type if field.type in VALUES else "numbers or text")
            if field.type != right:
                raise StudyError(f"{named(path)}: its column {field.name!r} is of {field.type}, and must be of {right}")
        rows = sum(part.num_rows for part in parts)
        if not least <= rows <= most or rows != file.metadata.num_rows:
            right = f"{most:,}" if least == most else f"at most {most:,}"
            raise StudyError(f"{named(path)}: has {max(rows, file.metadata.num_rows):,} rows, and must have {right}")
        chunks = _chunks(path)
        size = sum(max(unpacked, 0) for _, unpacked in chunks)
        if size > MOST_CELL * rows * len(columns) + MOST_MORE or any(codec not in PLAIN for codec, _ in chunks):
            raise StudyError(f"{named(path)}: would unpack to {size:,} bytes or more: {AGAIN}")
        table = file.read(some, use_threads=False)
        table.validate(full=True)
    if any(column.null_count for column in table.columns):
        raise StudyError(f"{named(path)}: has empty cells: {AGAIN}")
    return table


def _refuse_others(path: Path, table: pa.Table, right: np.ndarray[tuple[int], np.dtype[np.bool_]], runs: int) -> None:
    """Refuse a table with a row that is not right."""
    if not right.all():
        row = int(np.argmin(right))
        run = table["run"][row].as_py()
        raise StudyError(f"{named(path)}: row {row + 1:,} is of run {run:,}, and the table has runs 0 to {runs - 1:,}")
