"""The formats of exported files. Rows are written as they come, so that a file may be larger than memory."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from sandbox.extras.export.about import told_of
from sandbox.files import named, write_atomically, written_beside
from sandbox.trajectory import TEXT, Column, Rows

PIECE = 1 << 17  # rows: of a row group of Parquet at least, of a piece of another format at most
PARQUET, CSV, NPZ = ".parquet", ".csv", ".npz"
ABOUT = "about"  # the array of an npz that tells of the others
DIGITS = {"float32": "%.9g", "float64": "%r", "int64": "%d", TEXT: "%s"}  # exact; of others as of whole numbers
Told = Mapping[str, Any]


def check_format(path: Path) -> None:
    """Check before anything runs that a file can have this format.

    Raises:
        ValueError: its name ends otherwise, or Parquet needs pyarrow, which is not installed.
    """
    if (ending := path.suffix.lower()) not in (PARQUET, CSV, NPZ):
        raise ValueError(f"{named(path)}: must end in {PARQUET}, {CSV} or {NPZ}")
    if ending == PARQUET and find_spec("pyarrow") is None:
        raise ValueError(
            f'{named(path)}: Parquet needs pyarrow: pip install "boids-sandbox[export]"; {CSV} and {NPZ} need nothing'
        )


def write(
    path: Path, columns: Sequence[Column], samples: Iterable[Rows], recipe: Told, end: Callable[[], Told]
) -> None:
    """Write the rows into a file, which replaces the one at `path` when all are written.

    Args:
        recipe: where the rows come from, for the file's metadata.
        end: returns what is to be added to this after the last rows.
    Raises:
        WriteError: it can't be written; an existing file is unchanged.
    """

    def about() -> str:
        told = {**recipe, **end(), "columns": {column.name: told_of(column) for column in columns}}
        return json.dumps(told, indent=2, ensure_ascii=False)

    with written_beside(path) as file:
        if path.suffix.lower() == PARQUET:
            _write_parquet(file, columns, samples, recipe, end)
        elif path.suffix.lower() == NPZ:
            _write_npz(file, columns, samples, about, path.parent)
        else:
            _write_csv(file, columns, samples)
            write_atomically(about_csv(path), about().encode())


def about_csv(path: Path) -> Path:
    """Return the path of the JSON file that tells about a CSV file."""
    return path.with_name(f"{path.name}.json")


def _texts(told: Told) -> dict[str, str]:
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in told.items()}


def _write_parquet(
    file: BinaryIO, columns: Sequence[Column], samples: Iterable[Rows], recipe: Told, end: Callable[[], Told]
) -> None:
    """Write a row group whenever there are PIECE rows; texts as dictionaries, and null where something is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    text = pa.dictionary(pa.int32(), pa.string())
    types = [text if column.type == TEXT else pa.type_for_alias(column.type) for column in columns]
    told = zip(columns, types, strict=True)
    fields = [pa.field(column.name, type, metadata=told_of(column)) for column, type in told]
    schema = pa.schema(fields, _texts(recipe))

    def array(values: NDArray[Any], type: pa.DataType) -> pa.Array:
        made = pa.array(values, from_pandas=True)  # NaN becomes null
        return pc.if_else(pc.equal(made, ""), None, made).dictionary_encode() if type == text else made.cast(type)

    repeated = [column.name for column in columns if not column.type.startswith("float")]
    with pq.ParquetWriter(file, schema, use_dictionary=["time", *repeated]) as writer:
        for rows in _grouped(samples):
            arrays = [array(rows[column.name], type) for column, type in zip(columns, types, strict=True)]
            writer.write_table(pa.table(arrays, schema=schema), row_group_size=len(arrays[0]) or None)
        writer.add_key_value_metadata(_texts(end()))


def _grouped(samples: Iterable[Rows]) -> Iterator[Rows]:
    """Join the rows of several times, until there are PIECE."""
    waiting: list[Rows] = []
    count = 0
    for rows in samples:
        waiting.append(rows)
        count += len(rows["tick"])
        if count >= PIECE:
            yield _joined(waiting)
            waiting, count = [], 0
    if waiting:
        yield _joined(waiting)


def _joined(parts: Sequence[Rows]) -> Rows:
    return {name: np.concatenate([rows[name] for rows in parts]) for name in parts[0]}


def _write_csv(file: BinaryIO, columns: Sequence[Column], samples: Iterable[Rows]) -> None:
    """Write a line of names, then a line for each row; empty where something is missing."""
    file.write((",".join(column.name for column in columns) + "\n").encode())
    for rows in samples:
        for begin in range(0, len(rows["tick"]), PIECE):
            lines = _lines(columns, {name: values[begin : begin + PIECE] for name, values in rows.items()})
            file.write("".join(lines).encode())


def _lines(columns: Sequence[Column], rows: Rows) -> Iterator[str]:
    """Write the rows of a piece as lines; what is the same in all, such as the tick, only once."""
    patterns, found = [], []
    for column in columns:
        values, pattern = rows[column.name], DIGITS.get(column.type, "%.17g")
        if len(values) > 1 and (values == values[0]).all():  # never of the serials
            pattern = (pattern % values[0].item()).replace("%", "%%")
        elif column.type != TEXT and (missing := np.isnan(values)).any():
            words = (pattern % value for value in values.tolist())
            found.append(["" if lacks else word for word, lacks in zip(words, missing.tolist(), strict=True)])
            pattern = "%s"
        else:
            found.append(values.tolist())
        patterns.append(pattern)
    return map((",".join(patterns) + "\n").__mod__, zip(*found, strict=True))


def _write_npz(
    file: BinaryIO, columns: Sequence[Column], samples: Iterable[Rows], about: Callable[[], str], folder: Path
) -> None:
    """Write an array for each column, collected in a file of its own: an npz holds one after the other, with its size.

    Args:
        folder: where these files are meanwhile, without a name.
    """
    words: dict[str, int] = {}  # the texts so far, each with its number
    with ExitStack() as stack:
        parts = [stack.enter_context(TemporaryFile(dir=folder)) for _ in columns]
        count = 0
        for rows in samples:
            count += len(rows["tick"])
            for column, part in zip(columns, parts, strict=True):
                values = rows[column.name]
                part.write((_numbers(values, words) if column.type == TEXT else values).tobytes())
        archive = stack.enter_context(zipfile.ZipFile(file, "w"))
        known = np.array([*words, ""])
        for column, part in zip(columns, parts, strict=True):
            dtype = known.dtype if column.type == TEXT else column.dtype
            with archive.open(f"{column.name}.npy", "w", force_zip64=True) as member:
                header = {"descr": dtype.str, "fortran_order": False, "shape": (count,)}
                np.lib.format.write_array_header_1_0(member, header)
                part.seek(0)
                stored = np.dtype(np.int32) if column.type == TEXT else dtype
                while piece := part.read(PIECE * stored.itemsize):
                    values = np.frombuffer(piece, stored)
                    member.write((known[values] if column.type == TEXT else values).tobytes())
        with archive.open(f"{ABOUT}.npy", "w") as member:
            np.save(member, np.array(about()))


def _numbers(texts: NDArray[np.str_], words: dict[str, int]) -> NDArray[np.int32]:
    """Return the number of each text; new ones get the next number."""
    found, which = np.unique(texts, return_inverse=True)
    return np.array([words.setdefault(word, len(words)) for word in found.tolist()], np.int32)[which]
