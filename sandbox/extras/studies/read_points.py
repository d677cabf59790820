"""Reads a list of points: a CSV file with a line of keys, and a line of values for each point."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from sandbox.extras.studies.design import Point
from sandbox.extras.studies.format import MOST_RUNS
from sandbox.extras.studies.study import Value
from sandbox.files import named, read_file, reason
from sandbox.toml.source import read_value

MOST_BYTES = 64 << 20


def read_points(path: Path) -> tuple[str, list[tuple[int, Point]]]:
    """Read a file; return its text, and its points with their line numbers.

    Raises:
        ValueError: the file has a mistake; the message has its line.
    """
    try:
        text = read_file(path, MOST_BYTES + 1).decode("utf-8-sig")
    except OSError as error:
        raise ValueError(f"{named(path)}: can't be read: {reason(error)}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{named(path)}: must be text in UTF-8") from None
    if len(text) > MOST_BYTES:
        raise ValueError(f"{named(path)}: larger than {MOST_BYTES >> 20} MB")
    reader = csv.reader(io.StringIO(text))
    points: list[tuple[int, Point]] = []
    keys: list[str] = []
    try:
        for row in reader:
            if row and not keys:
                keys = [key.strip() for key in row]
                if len({*keys}) < len(keys):
                    raise ValueError("must name each key once")
            elif row:
                points.append((reader.line_num, _point(keys, row)))
        if not 1 <= len(points) <= MOST_RUNS:
            raise ValueError("must have a line of keys, and a line for each point")
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{named(path)}:{max(reader.line_num, 1)}: {error}") from None
    return text, points


def _point(keys: list[str], row: list[str]) -> Point:
    if len(row) != len(keys):
        raise ValueError(f"has {len(row)} values, and must have {len(keys)}")
    return {key: _value(text.strip()) for key, text in zip(keys, row, strict=True)}


def _value(text: str) -> Value:
    value = read_value(text)
    return value if isinstance(value, bool | int | float | str) else text
