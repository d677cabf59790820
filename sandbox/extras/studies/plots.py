"""Chooses the pictures of a study by the number of varied keys, and by whether its points fill a grid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.extras.studies.checked import StudyError
from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.panels import Bars, Cloud, Heat, Line, Panel, Picture, is_scale, limits, shown
from sandbox.extras.studies.points import numbers, succeeded, together
from sandbox.extras.studies.study import Value

MOST_LINES = 30  # single runs shown over time
MOST_DOTS = 2000
MOST_MAPS = 6  # side by side
MOST_LEVELS, BINS = 24, 12  # with more levels than this, the values of a key are put into so many bins
MOST_TICKS = 500  # points of a line over time
FEWEST_POINTS = 64  # of a design, for meaningful sensitivities
MAP = "Mean of the runs of each point, ± half the width of its 95 % confidence interval."
BAND = "The band is the 95 % confidence interval of the mean."


def pictures_of(folder: StudyFolder) -> list[Picture]:
    """Return the pictures of the results so far.

    Raises:
        StudyError: no run is done, or the study has no summary.
    """
    table = succeeded(folder.table())
    if not len(table):
        raise StudyError("no run has succeeded yet: there is nothing to draw")
    if not folder.summaries and folder.varied:
        raise StudyError('the study has no summary: add summary = { MEASURE = ["mean"] } to [measure]')
    return [*_Chooser(folder, table).pictures()]


class _Chooser:
    """Makes the pictures of one study.

    Attributes:
        keys: the keys with two values or more.
        of_points: by key, the value of each point.
        levels: by key, its distinct values.
        level_of: by key, the index of each point's value in `levels`, shape (points,).
        names: column and statistic of each number of the summary.
        values: these numbers, shape (runs, names).
        at: the point of each run.
        points: the means of the numbers by point, shape (points, names).
    """

    def __init__(self, folder: StudyFolder, table: Any) -> None:
        self.folder, self.study = folder, folder.study
        self.keys = folder.varied
        self.of_points: dict[str, list[Value]] = {key: folder.design[key].to_pylist() for key in self.keys}
        self.levels = {key: _levels(values) for key, values in self.of_points.items()}
        self.level_of = {key: _level_of(self.levels[key], values) for key, values in self.of_points.items()}
        self.names = folder.summaries
        self.values = numbers(table, [f"{column} {name}" for column, name in self.names])
        self.at = table["point"].to_numpy()
        self.points = together(self.at, self.values, len(folder.design))
        pairs = {*zip(*self.of_points.values(), strict=True)}
        self.is_grid = len(pairs) == np.prod([len(levels) for levels in self.levels.values()])

    def pictures(self) -> Iterator[Picture]:
        count = len(self.keys)
        if count == 0:
            of = "the runs that have not stopped by then" if self.study.stop else "the runs"
            note = f"Mean of {of}, and single runs behind it. {BAND}"
            yield Picture("time", "Over time", note, 2, [*self._times()])
        elif count == 1:
            yield Picture(
                "line", f"By {self.keys[0]}", f"Mean of the runs; a dot is a run. {BAND}", 3, [*self._effects()]
            )
        elif count == 2:
            title = f"By {self.keys[0]} and {self.keys[1]}"
            note = MAP if self.is_grid else "Mean of the runs of each point."
            yield Picture("map", title, note, 2, [*self._maps(*self.keys)])
        else:
            yield from self._many()

    def _many(self) -> Iterator[Picture]:
        *_, last = sorted(self.keys, key=lambda key: len(self.levels[key]), reverse=True)
        if not self.is_grid and len(self.folder.design) >= FEWEST_POINTS:
            bars = [panel for number in range(len(self.names)) for panel in self._sensitivities(number)]
            share = "the share of the variance between points that each explains alone"
            note = f"First-order sensitivities (RBD-FAST): {share}. Lines: 95 % confidence."
            if bars:
                yield Picture("sensitivity", "What matters", note, 3, bars)
        elif self.is_grid and len(self.keys) == 3 and len(self.levels[last]) <= MOST_MAPS:
            x, y = (key for key in self.keys if key != last)
            title, maps = f"By {x} and {y}, for each {last}", [*self._maps(x, y, last)]
            yield Picture("map", title, MAP, len(self.levels[last]), maps)
        note = f"Along each of them, whatever the others are; a dot is a run. {BAND}"
        yield Picture("effects", "One by one", note, len(self.keys), [*self._effects()])

    # ---- kinds

    def _times(self) -> Iterator[Panel]:
        series = self.folder.series()
        ticks = series["tick"].to_numpy()
        every = self.study.every * -(-int(ticks.max(initial=1)) // (self.study.every * MOST_TICKS))
        series = series.filter(ticks % every == 0)  # thinned, not averaged: the band counts runs
        where, run = series["tick"].to_numpy() // every, series["run"].to_numpy()
        values = numbers(series, list(self.study.columns))
        means = together(where, values, int(where.max(initial=0)) + 1)
        x = np.arange(len(means.mean)) * every
        shown = np.unique(run)[:MOST_LINES]
        for number, name in enumerate(self.study.columns):
            lines = [(where[run == each] * every * 1.0, values[run == each, number]) for each in shown]
            there = means.count[:, number] > 0
            mean, half = means.mean[there, number], means.half[there, number]
            yield Line(self._label(name), "time (ticks)", x[there].tolist(), mean, half, lines)

    def _effects(self) -> Iterator[Panel]:
        """Yield the panels of each number (rows) by each varied key (columns)."""
        along = {key: self._x(key) for key in self.keys}
        for number, (column, name) in enumerate(self.names):
            for key, (x, of) in along.items():
                means = together(of, self.values[:, [number]], len(x))
                some = range(0, len(self.at), -(-len(self.at) // MOST_DOTS))
                dots = [self.of_points[key][self.at[run]] for run in some], self.values[some, number]
                yield Line(
                    self._label(column, name), self._label(key), x, means.mean[:, 0], means.half[:, 0], dots=dots
                )

    def _x(self, key: str) -> tuple[list[Value], NDArray[np.int64]]:
        """Return the x of the means along a key (its values, or the means of bins), and the index of each run in it."""
        levels = self.levels[key]
        of = self.level_of[key][self.at]
        if self.study.kind == "grid" or len(levels) <= MOST_LEVELS or not is_scale(levels):
            return levels, of
        bins = np.arange(len(levels)) * BINS // len(levels)
        middles = [
            float(np.mean(part)) for part in np.array_split(np.array(levels, float), np.flatnonzero(np.diff(bins)) + 1)
        ]
        return [*middles], bins[of]

    def _maps(self, x: str, y: str, by: str = "") -> Iterator[Panel]:
        """Yield a map over two keys for each number, and for each value of a third key."""
        half = self.points.half
        for number, (column, name) in enumerate(self.names):
            label, scale = self._label(column, name), limits(self.points.mean[:, number])
            for value in self.levels[by] if by else [None]:
                points = np.flatnonzero([not by or this == value for this in self.of_points[by or x]])
                title = f"{label}\n{by} = {shown(value)}" if by else label
                about = title, self._label(x), self._label(y), scale
                means = self.points.mean[points, number], half[points, number]
                if not self.is_grid:
                    xs, ys = ([self.of_points[key][point] for point in points] for key in (x, y))
                    yield Cloud(*about, xs, ys, means[0])
                    continue
                xs, ys = self.levels[x], self.levels[y]
                where = self.level_of[y][points], self.level_of[x][points]
                cells = np.zeros((len(ys), len(xs)), np.int64)
                cells[where] = range(len(points))
                yield Heat(*about, xs, ys, *(one[cells] for one in means))

    def _sensitivities(self, number: int) -> Iterator[Panel]:
        """Yield the sensitivities of a number to each varied key; nothing if all points have the same mean."""
        from SALib.analyze import rbd_fast

        mean = self.points.mean[:, number]
        there = ~np.isnan(mean)
        if there.sum() < FEWEST_POINTS or np.ptp(mean[there]) == 0:
            return
        levels = np.stack([self.level_of[key] for key in self.keys], axis=1).astype(float)
        problem = {"num_vars": len(self.keys), "names": self.keys, "bounds": [[0, len(mean)]] * len(self.keys)}
        found = rbd_fast.analyze(problem, levels[there], mean[there], seed=0)
        order = np.argsort(found["S1"])
        length, half = np.array(found["S1"])[order], np.array(found["S1_conf"])[order]
        title, names = ", ".join(self.names[number]), [self.keys[index] for index in order]
        yield Bars(title, "share of the variance", names, length, half)

    def _label(self, name: str, statistic: str = "") -> str:
        unit = self.study.meanings.get(name, ("", ""))[0]
        words = f"{name}, {statistic}" if statistic else name
        return f"{words}\n{unit}" if "(" in unit else f"{words} ({unit})" if unit else words


def _levels(values: list[Value]) -> list[Value]:
    """Return the distinct values: numbers ascending, words in order of first use."""
    found = list(dict.fromkeys(values))
    return sorted(found, key=float) if is_scale(found) else found


def _level_of(levels: list[Value], values: list[Value]) -> NDArray[np.int64]:
    """Return the index of each value in `levels`."""
    index_of = {value: index for index, value in enumerate(levels)}
    return np.array([index_of[value] for value in values], np.int64)
