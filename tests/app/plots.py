"""Finds the plots of a frame: where each stands, and what its scales say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from imgui_bundle import implot
from numpy.typing import NDArray

from sandbox.app.window import FlockWindow


@dataclass
class Plot:
    """A plot as a person reads it: numbers beside it, and pixels from the lower left of the window.

    Attributes:
        left, right, low, high: the edges of the plot.
        seconds: the time at the left and the right edge.
        scales: the lowest and the highest value at the left, and at the right if that has a scale of its own.
    """

    left: float
    right: float
    low: float
    high: float
    seconds: tuple[float, float]
    scales: list[tuple[float, float]]

    def x(self, second: float) -> float:
        """Where a time stands."""
        begin, end = self.seconds
        return self.left + (self.right - self.left) * (second - begin) / (end - begin)

    def y(self, value: float, scale: int = 0) -> float:
        """How high a value stands on a scale."""
        lowest, highest = self.scales[scale]
        return self.low + (self.high - self.low) * (value - lowest) / (highest - lowest)


def plots(window: FlockWindow) -> list[Plot]:
    """Draw a frame and return its plots, in order."""
    found: list[Plot] = []
    with _noting(found, window.height):
        window.gui.events.awake = 2
        window.on_draw()
    return found


@contextmanager
def _noting(found: list[Plot], height: int) -> Iterator[None]:
    end_plot = implot.end_plot

    def noting() -> None:
        plot = implot.internal.get_current_plot()
        box, time = plot.plot_rect, plot.x_axis(0).range
        axes = [axis for axis in map(plot.y_axis, range(3)) if axis.enabled]
        edges = box.min.x, box.max.x, height - box.max.y, height - box.min.y
        scales = [(axis.range.min, axis.range.max) for axis in axes]
        found.append(Plot(*edges, (time.min, time.max), scales))
        end_plot()

    implot.end_plot = noting
    try:
        yield
    finally:
        implot.end_plot = end_plot


def height_of(picture: NDArray[np.uint8], plot: Plot, channel: int, x: float) -> float:
    """Return how high a red (0) or green (1) line stands at `x` in a picture, pixels from the lower left."""
    column = picture[int(plot.low) : int(plot.high), round(x)].astype(int)
    strength = np.maximum(column[:, channel] - column[:, [c for c in (0, 1, 2) if c != channel]].max(1) - 20, 0)
    assert strength.any(), "there is no line of this colour"
    return int(plot.low) + 0.5 + float(np.average(np.arange(len(column)), weights=strength))
