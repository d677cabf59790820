"""The results of a study as text: a table for people, CSV or JSON lines for programs."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

import pyarrow.csv as pa_csv

from sandbox.study.folder import StudyFolder
from sandbox.terminal import say, show_table

MOST_ROWS = 200


def print_csv(folder: StudyFolder) -> None:
    """A row for each run that is done."""
    table = folder.table()
    sys.stdout.flush()
    pa_csv.write_csv(table, sys.stdout.buffer)


def print_json(folder: StudyFolder) -> None:
    """A JSON object a line for each run that is done."""
    for row in folder.table().to_pylist():
        print(json.dumps({key: _plain(value) for key, value in row.items()}))


def print_table(folder: StudyFolder) -> None:
    """A row for each point: its values, how many of its runs are done, and the mean of each summary."""
    names = [f"{column} {name}" for column, name in folder.study.summaries]
    rows = means(folder)
    done, runs = sum(row["runs"] for row in rows), folder.runs
    say(f"{folder.study.scene_name}: {done:,} of {runs:,} runs of {folder.study.ticks:,} ticks")
    lines = [
        [*(_short(row[key]) for key in folder.keys), f"{row['runs']:,}", *(_short(row[name]) for name in names)]
        for row in rows[:MOST_ROWS]
    ]
    show_table([*folder.keys, "runs", *names], lines)
    if len(rows) > MOST_ROWS:
        say(f"and {len(rows) - MOST_ROWS:,} points more: --csv has all")
    failed: dict[str, int] = {}
    for why in folder.reasons():
        failed[why] = failed.get(why, 0) + 1
    for why, count in sorted(failed.items(), key=lambda item: -item[1])[:10]:
        say(f"{count:,} runs failed: {why}")


def means(folder: StudyFolder) -> list[dict[str, Any]]:
    """By point, in order: its values, `runs` that did not fail, and the mean of each summary of these."""
    names = [f"{column} {name}" for column, name in folder.study.summaries]
    table = folder.table().select(["point", "ended", *names])
    sums: dict[int, list[list[float]]] = {}
    for row in table.to_pylist():
        if row["ended"] != "failed":
            sums.setdefault(row["point"], []).append([row[name] for name in names])
    found = []
    for point, values in enumerate(folder.points):
        columns = list(zip(*sums.get(point, []), strict=True)) or [()] * len(names)
        means = [_mean([value for value in column if not math.isnan(value)]) for column in columns]
        row = {key: values[key] for key in folder.keys}
        found.append({**row, "runs": len(sums.get(point, [])), **dict(zip(names, means, strict=True))})
    return found


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
