"""Prints the results of a study: as a table for people, or as CSV or JSON lines for programs."""

from __future__ import annotations

import json
import math
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import pyarrow.csv as pa_csv

from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.panels import shown
from sandbox.extras.studies.points import numbers, succeeded, together
from sandbox.terminal import say, show_table

MOST_ROWS = 200
MOST_REASONS = 10
BESIDE = 3  # characters between two columns of a table


def print_csv(folder: StudyFolder) -> None:
    """Print a CSV with a row for each run that is done."""
    table = folder.table()
    sys.stdout.flush()
    pa_csv.write_csv(table, sys.stdout.buffer)


def print_json(folder: StudyFolder) -> None:
    """Print a JSON object per line for each run that is done."""
    for row in folder.table().to_pylist():
        print(json.dumps({key: _plain(value) for key, value in row.items()}))


def print_table(folder: StudyFolder) -> None:
    """Print a row for each point: its values, the number of runs done, and the mean of each summary."""
    titles, rows = means(folder)
    done = folder.runs - folder.left()
    say(f"{folder.study.scene_name}: {done:,} of {folder.runs:,} runs of {folder.study.ticks:,} ticks")
    lines = rows[:MOST_ROWS]
    for columns in _beside(titles, lines, len(folder.keys)):
        heads = [titles[column].replace(".", ".\n").replace(" ", "\n") for column in columns]
        show_table(heads, [[line[column] for column in columns] for line in lines])
    if len(rows) > MOST_ROWS:
        say(f"and {len(rows) - MOST_ROWS:,} points more: --csv has all")
    for why, count in folder.reasons().most_common(MOST_REASONS):
        say(f"{count:,} of the runs failed: {why}")


def _beside(titles: Sequence[str], lines: Sequence[Sequence[str]], keys: int) -> Iterator[list[int]]:
    """Split the columns into tables that fit the terminal's width, each with the key columns first."""
    parts = [title.replace(".", ". ").split() for title in titles]
    widths = [max(map(len, [*parts[n], *(line[n] for line in lines)])) + BESIDE for n in range(len(titles))]
    room = shutil.get_terminal_size().columns - sum(widths[:keys])
    some: list[int] = []
    for column in range(keys, len(titles)):
        if some and sum(widths[n] for n in [*some, column]) > room:
            yield [*range(keys), *some]
            some = []
        some.append(column)
    yield [*range(keys), *some]


def means(folder: StudyFolder) -> tuple[list[str], list[list[str]]]:
    """Return titles, and a row for each point: its values, the number of `runs` that did not fail, and their means.

    After a mean stands ± half the width of its 95 % confidence interval, if there are two runs or more.
    """
    names = [f"{column} {name}" for column, name in folder.summaries]
    table = succeeded(folder.table())
    at = table["point"].to_numpy()
    points = together(at, numbers(table, names), len(folder.design))
    runs, half = Counter(at.tolist()), points.half
    rows = []
    for point, values in enumerate(folder.design.to_pylist()):
        numbers_of = zip(points.mean[point].tolist(), half[point].tolist(), strict=True)
        cells = [shown(mean) + ("" if math.isnan(wide) else f" ± {wide:.2g}") for mean, wide in numbers_of]
        rows.append([*map(shown, values.values()), f"{runs[point]}", *cells])
    return [*folder.keys, "runs", *names], rows


def means_as_html(folder: StudyFolder, most: int) -> str:
    """Return an HTML table of the means of at most `most` points."""
    titles, rows = means(folder)
    more = f"<p>The first {most} of {len(rows):,}; <code>boids study show --csv</code> has all.</p>"
    return table_as_html(titles, rows[:most]) + (more if len(rows) > most else "")


def table_as_html(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an HTML table of texts."""
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    lines = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
    return f'<div style="overflow-x: auto">{table}</div>'


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
