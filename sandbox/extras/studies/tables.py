"""Makes the tables of a study: of points (the design), of runs, and of measurements (the series)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
import pyarrow as pa

from sandbox.extras.studies.design import Point, points_of
from sandbox.extras.studies.run import Result
from sandbox.extras.studies.study import Study, Value

IDENTITY = b"study"  # the metadata key of the study's identity
NO_KEY = "point"  # the column of a design without keys, which still has one row


def drawn(study: Study) -> pa.Table:
    """Return the design: a row for each point, a column for each key."""
    columns: dict[str, list[Value]] = {}
    for point in points_of(study):
        for key, value in point.items():
            columns.setdefault(key, []).append(value)
    return pa.table({key: _column(values) for key, values in columns.items()} or {NO_KEY: [0]})


def program() -> str:
    """Return the name and version of the program."""
    return f"boids-sandbox {version('boids-sandbox')}"


def keys_of(design: pa.Table) -> list[str]:
    """Return the keys of a design."""
    return [key for key in design.column_names if key != NO_KEY]


def _column(values: list[Value]) -> pa.Array:
    """Return a column of one type: integers mixed with floats become floats, other mixtures text."""
    if all(type(value) is bool for value in values) or all(type(value) is int for value in values):
        return pa.array(values)
    if all(type(value) in (int, float) for value in values):
        return pa.array([float(value) for value in values])
    return pa.array([str(value) for value in values])


class Tables:
    """Makes tables of results, with units and descriptions in their metadata; `design` has only columns of keys."""

    def __init__(self, study: Study, design: pa.Table) -> None:
        self._study, self._design = study, design

    def values(self, run: int) -> Point:
        """Return the values that are set for a run."""
        point: Point = self._design.slice(run % len(self._design), 1).to_pylist()[0]
        return point

    def seed(self, run: int) -> int:
        """Return the seed of a run."""
        return self._study.seed_of(run, len(self._design))

    def rows(self, results: Sequence[Result]) -> pa.Table:
        """Return a table with a row for each result."""
        schema = self.schema()
        columns: dict[str, Any] = dict(zip(Result._fields, zip(*results, strict=True), strict=True))
        point = np.array(columns["run"], np.int64) % len(self._design)
        summaries = np.array(columns["summary"]).reshape(len(results), len(self._study.summaries))
        columns |= {"point": point, **{key: self._design[key].take(point) for key in self._design.column_names}}
        columns |= {f"{column} {name}": summaries[:, at] for at, (column, name) in enumerate(self._study.summaries)}
        return pa.table({name: columns[name] for name in schema.names}, schema=schema)

    def schema(self) -> pa.Schema:
        fields = [
            *(pa.field(name, pa.int64()) for name in ("run", "point", "seed")),
            *(self._field(key, self._design.field(key).type) for key in self._design.column_names),
            *(self._field(column, pa.float64(), name) for column, name in self._study.summaries),
            pa.field("ticks", pa.int64()),
            *(pa.field(name, pa.string()) for name in ("ended", "why", "digest")),
            pa.field("seconds", pa.float64()),
            pa.field("key", pa.string()),
        ]
        return pa.schema(fields, {IDENTITY: self._study.identity.encode(), b"program": program().encode()})

    def _field(self, name: str, kind: pa.DataType, statistic: str = "") -> pa.Field:
        """Return a column with its unit and description in its metadata."""
        unit, meaning = self._study.meanings.get(name, ("", ""))
        return pa.field(f"{name} {statistic}".strip(), kind, metadata={"unit": unit, "meaning": meaning})

    def series(self, results: Sequence[Result]) -> pa.Table:
        """Return a table with a row for each measurement."""
        schema = self.series_schema()
        runs = np.repeat([result.run for result in results], [result.series.shape[1] for result in results])
        none = np.zeros((len(self._study.columns) + 1, 0))
        ticks, *measured = np.concatenate([none, *(result.series for result in results)], axis=1)
        columns = [runs.astype(np.int64), ticks.astype(np.int64), *measured]
        return pa.table(dict(zip(schema.names, columns, strict=True)), schema=schema)

    def series_schema(self) -> pa.Schema:
        fields = [self._field(name, pa.float64()) for name in self._study.columns]
        return pa.schema([pa.field("run", pa.int64()), pa.field("tick", pa.int64()), *fields])
