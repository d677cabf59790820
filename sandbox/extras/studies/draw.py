"""Draws the pictures of a study as matplotlib figures, light and dark."""

from __future__ import annotations

from io import BytesIO, StringIO
from textwrap import fill
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.colors import Normalize
from matplotlib.figure import Figure as MplFigure

from sandbox.extras.studies.panels import Bars, Cloud, Heat, Line, Panel, Picture, is_scale, shown, told
from sandbox.extras.studies.study import Value

WIDTH, HEIGHT = 4.2, 3.3  # inches, of a panel
COLOURS = "viridis"  # ordered by lightness, also for colour-blind people
MOST_CELLS = 8  # along an axis of a map; in larger maps the cells have no numbers
MOST_NAMES = 12  # tick labels on an axis with words
THEMES = {
    "light": {"back": "#ffffff", "ink": "#1d2433", "faint": "#d5dae2", "line": "#0072b2"},
    "dark": {"back": "#14171c", "ink": "#e6e9ee", "faint": "#3a424e", "line": "#56b4e9"},
}


class Figure(MplFigure):
    """A matplotlib figure that notebooks display."""

    def _repr_png_(self) -> bytes:
        return png_of(self)


def png_of(figure: MplFigure) -> bytes:
    """Return the figure as a PNG; the same figure gives the same bytes."""
    out = BytesIO()
    figure.savefig(out, format="png", dpi=120, facecolor=figure.get_facecolor(), metadata={"Software": None})
    return out.getvalue()


def draw(picture: Picture, theme: str = "light") -> Figure:
    """Draw a picture as a figure; `theme`: "light" or "dark".

    Raises:
        ValueError: the theme is neither.
    """
    if theme not in THEMES:
        raise ValueError(f"theme = {theme!r}: must be one of {', '.join(THEMES)}")
    look, columns = THEMES[theme], min(picture.columns, len(picture.panels))
    rows = -(-len(picture.panels) // columns)
    with mpl.rc_context(_style(look)):
        figure = Figure(figsize=(WIDTH * columns, HEIGHT * rows + 0.6), layout="constrained", facecolor=look["back"])
        wide = int(18 * columns * WIDTH / 1.7)
        figure.suptitle(fill(picture.title, wide), x=0.012, ha="left", fontsize=12, fontweight="bold")
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        for ax in axes[len(picture.panels) :]:
            ax.set_axis_off()
        for ax, panel in zip(axes, picture.panels):
            _draw(ax, panel, look)
        figure.supxlabel(fill(picture.note, wide + 20), x=0.012, ha="left", fontsize=8)
    return figure


def svg_of(panel: Panel, name: str) -> str:
    """Return a panel as SVG, in the colours of the CSS variables --ink, --faint and --line; `name`: unlike others."""
    look, out = THEMES["light"], StringIO()
    with mpl.rc_context({**_style(look), "svg.fonttype": "none", "svg.hashsalt": name}):
        figure = MplFigure(figsize=(WIDTH, HEIGHT), layout="constrained")
        _draw(figure.subplots(), panel, look)
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    svg = out.getvalue()[out.getvalue().index("<svg") :]
    for part in ("ink", "faint", "line"):
        svg = svg.replace(look[part], f"var(--{part})")
    return svg


def _style(look: dict[str, str]) -> dict[Any, Any]:
    return {
        "text.color": look["ink"], "axes.labelcolor": look["ink"], "axes.edgecolor": look["faint"],
        "xtick.color": look["ink"], "ytick.color": look["ink"], "axes.facecolor": look["back"],
        "grid.color": look["faint"], "grid.linewidth": 0.6, "axes.axisbelow": True, "font.size": 9,
        "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 10, "axes.titleweight": "bold",
        "axes.titlelocation": "left", "axes.formatter.useoffset": False,
        "text.parse_math": False, "figure.constrained_layout.w_pad": 0.12, "figure.constrained_layout.h_pad": 0.12,
    }  # fmt: skip


def _wrapped(text: str, width: int) -> str:
    return "\n".join(fill(line, width, break_long_words=False) for line in text.split("\n"))


def _draw(ax: Any, panel: Panel, look: dict[str, str]) -> None:
    ax.set_title(_wrapped(panel.title, 40))
    ax.set_xlabel(_wrapped(panel.x_label, 52))
    if isinstance(panel, Line):
        _line(ax, panel, look)
    elif isinstance(panel, Bars):
        _bars(ax, panel, look)
    elif isinstance(panel, Heat | Cloud):
        ax.set_ylabel(_wrapped(panel.y_label, 42))
        drawn = _heat(ax, panel) if isinstance(panel, Heat) else _cloud(ax, panel, look)
        bar = ax.figure.colorbar(drawn, ax=ax)
        bar.outline.set_visible(False)


def _line(ax: Any, panel: Line, look: dict[str, str]) -> None:
    ax.grid(True)
    x = _coordinates(ax.xaxis, panel.x)
    for line in panel.lines:
        ax.plot(*line, color=look["line"], alpha=0.25, linewidth=0.7)
    dots_x, dots_y = panel.dots
    where = dots_x if is_scale(panel.x) else [panel.x.index(value) for value in dots_x]
    ax.plot(where, dots_y, ".", color=look["line"], alpha=0.6, markersize=5, markeredgewidth=0)
    if not is_scale(panel.x):
        ax.errorbar(x, panel.mean, panel.half, fmt="o", color=look["line"], capsize=3)
        ax.margins(x=0.2)
        return
    ax.fill_between(x, panel.mean - panel.half, panel.mean + panel.half, color=look["line"], alpha=0.25, linewidth=0)
    marker = "o" if len(x) <= MOST_NAMES * 2 else ""
    ax.plot(x, panel.mean, marker=marker, markersize=4, color=look["line"], linewidth=1.6)


def _bars(ax: Any, panel: Bars, look: dict[str, str]) -> None:
    ax.grid(True, axis="x")
    ax.barh(range(len(panel.names)), panel.length, xerr=panel.half, color=look["line"], ecolor=look["ink"], height=0.6)
    ax.set_yticks(range(len(panel.names)), [name.replace(".", ".\n") for name in panel.names])
    ax.set_xlim(0, max(1.0, float(np.max(panel.length + panel.half))))


def _heat(ax: Any, panel: Heat) -> Any:
    scale = Normalize(*panel.scale)
    x, y = _coordinates(ax.xaxis, panel.xs, steps=True), _coordinates(ax.yaxis, panel.ys, steps=True)
    drawn = ax.pcolormesh(x, y, panel.z, cmap=COLOURS, norm=scale, shading="nearest")
    if len(x) <= MOST_CELLS and len(y) <= MOST_CELLS:
        for row, column in np.argwhere(~np.isnan(panel.z)):
            value = panel.z[row, column]
            colour = "#ffffff" if scale(value) < 0.6 else "#10131a"
            text = told(value, panel.half[row, column])
            ax.text(column, row, text, ha="center", va="center", fontsize=7, color=colour)
    return drawn


def _cloud(ax: Any, panel: Cloud, look: dict[str, str]) -> Any:
    ax.grid(True)
    x, y = _coordinates(ax.xaxis, panel.x), _coordinates(ax.yaxis, panel.y)
    scale = Normalize(*panel.scale)
    return ax.scatter(x, y, c=panel.z, cmap=COLOURS, norm=scale, s=26, edgecolors=look["ink"], linewidths=0.3)


def _coordinates(axis: Any, values: Any, steps: bool = False) -> Any:
    """Return coordinates of values on an axis: numbers at their value; words, and with `steps` all, at 0, 1, 2 ..."""
    if is_scale(values) and not steps:
        return values
    levels: list[Value] = list(dict.fromkeys(values))
    every = -(-len(levels) // MOST_NAMES)
    axis.set_ticks(range(0, len(levels), every), [shown(value) for value in levels[::every]])
    return [levels.index(value) for value in values]
