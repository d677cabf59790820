"""Draws the pictures of the three studies in docs/studies.md, from their results.

.venv/bin/python tools/study_plots.py FOLDER      FOLDER has safety/, order/ and wolves/, the folders of their results
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pyarrow.parquet as pq

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
COLOURS = "#0072b2", "#d55e00", "#009e73", "#8a5a9e"  # distinguishable with red-green blindness (Okabe and Ito)
STYLE = {
    "figure.facecolor": "#fdfdfb", "axes.facecolor": "#fdfdfb", "axes.edgecolor": "#8a8a84", "axes.grid": True,
    "grid.color": "#e2e2dc", "text.color": "#4a4a46", "axes.labelcolor": "#4a4a46", "xtick.color": "#4a4a46",
    "ytick.color": "#4a4a46", "axes.spines.top": False, "axes.spines.right": False, "font.size": 11,
}  # fmt: skip

Rows = Sequence[dict[str, Any]]


def lines(axes: Any, rows: Rows, x: str, of: str, y: Callable[[dict[str, Any]], float], name: str) -> None:
    """Draw for each value of the key `of` a line through means, in a band of 95 % confidence; `name` is formatted with
    the value.
    """
    for colour, value in zip(COLOURS, sorted({row[of] for row in rows}), strict=False):
        places = sorted({row[x] for row in rows})
        runs = [np.array([y(row) for row in rows if row[of] == value and row[x] == place]) for place in places]
        mean = np.array([each.mean() for each in runs])
        half = np.array([1.96 * each.std(ddof=1) / len(each) ** 0.5 for each in runs])
        axes.plot(places, mean, "o-", color=colour, markersize=4, label=name.format(value))
        axes.fill_between(places, mean - half, mean + half, color=colour, alpha=0.2, linewidth=0)
    axes.legend(frameon=False)


def safety(rows: Rows) -> Any:
    figure, (share, count) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    x, of = "spawn.prey.count", "prey.Flocker.cohesion_strength"
    lines(share, rows, x, of, lambda row: 100 * row["catches last"] / row[x], "cohesion {} 1/s²")
    lines(count, rows, x, of, lambda row: row["catches last"], "cohesion {} 1/s²")
    for axes, label in ((share, "caught within a minute (% of the prey)"), (count, "caught within a minute (prey)")):
        axes.set(xscale="log", xlabel="prey at first", ylabel=label, ylim=(0, None))
        axes.set_xticks(ticks := sorted({row[x] for row in rows}), map(str, ticks))
        axes.minorticks_off()
    return figure


def order(rows: Rows) -> Any:
    figure, axes = plt.subplots(figsize=(7, 4.4), layout="constrained")
    measure = "vicsek_polarization mean"
    lines(axes, rows, "vicsek.Vicsek.noise", "spawn.vicsek.count", lambda row: row[measure], "{:,} of them")
    axes.set(xlabel="noise (degrees)", ylabel="polarization, mean over 33 s", ylim=(0, 1.02))
    return figure


def wolves(rows: Rows) -> Any:
    figure, panels = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
    x, y = "grass.Food.regrowth", "wolf.Motion.max_speed"
    xs, ys = sorted({row[x] for row in rows}), sorted({row[y] for row in rows})

    def cells(value: Callable[[dict[str, Any]], float]) -> Any:
        found = [[[value(row) for row in rows if row[x] == a and row[y] == b] for a in xs] for b in ys]
        return np.array(found).mean(axis=2)

    shown = (
        ("worlds in which wolves live on (%)", cells(lambda row: 100 * (row["population.wolf last"] > 0)), 100),
        ("wolves, mean", cells(lambda row: row["population.wolf mean"]), None),
        ("sheep, mean", cells(lambda row: row["population.sheep mean"]), None),
    )
    for axes, (title, values, most) in zip(panels, shown, strict=True):
        image = axes.imshow(values, origin="lower", cmap="viridis", aspect="auto", vmin=0, vmax=most)
        axes.set(title=title, xlabel="regrowth of a patch of grass (1/s)", ylabel="fastest a wolf runs (u/s)")
        axes.set_xticks(range(len(xs)), map(str, xs))
        axes.set_yticks(range(len(ys)), map(str, ys))
        axes.grid(False)
        for (row, column), value in np.ndenumerate(values):
            dark = value < 0.6 * image.get_clim()[1]
            colour = "white" if dark else "black"
            axes.text(column, row, f"{value:.0f}", ha="center", va="center", color=colour)
    return figure


def main() -> None:
    plt.rcParams.update(STYLE)
    for name, draw in (("safety", safety), ("order", order), ("wolves", wolves)):
        if (runs := Path(sys.argv[1]) / name / "runs.parquet").exists():
            draw(pq.read_table(runs).to_pylist()).savefig(PICTURES / f"study-{name}.png", dpi=100)


if __name__ == "__main__":
    main()
