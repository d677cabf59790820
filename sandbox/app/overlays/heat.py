"""The Heat map overlay: the density of animals over the last seconds, in a world with depth on its floor."""

from __future__ import annotations

import math
from copy import deepcopy
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from components.store.grids import FLOOR, PICTURE
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.places import places
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.memories import PerSimulation
from sandbox.render.animals import Drawing
from sandbox.render.colour_scales import RAMPS
from systems.engine.settings import Settings
from systems.space.axis import Cells
from systems.space.raster import count, divide

if TYPE_CHECKING:
    from sandbox.app.session.session import Session
    from sandbox.simulation import Simulation

CELLS = 128  # number of cells along the longer side of the world
HALF_LIFE = 1.5  # s of simulated time until half of the heat is gone
TOP = 2.4  # times the usual heat: the upper end of the ramp
FOLLOWS = 0.4  # s: the half-life with which the upper end follows
BLUR = 1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16
LEAST_SEEN, MOST_SEEN = 0.06, 0.55  # of the ramp: transparent below, constant opacity above
OPACITY = 0.78
NO_CELLS = Cells(0.0, 0.0, 1.0, 1.0, 1, 1, 0.0, 0.0)


def colours(ramp: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return a ramp, 0xRRGGBB, as RGBA (n, 4) whose opacity grows with the heat."""
    share = np.clip((np.linspace(0, 1, len(ramp)) - LEAST_SEEN) / (MOST_SEEN - LEAST_SEEN), 0, 1)
    alpha = 255 * OPACITY * share * share * (3 - 2 * share)
    return np.stack([ramp >> 16 & 255, ramp >> 8 & 255, ramp & 255, np.rint(alpha)], axis=1).astype(np.uint8)


COLOURS = colours(RAMPS["heat"])


class Heat(Overlay):
    """Draws the blurred density of animals; the past fades exponentially."""

    name, title, help = "heat", "Heat map", "where many animals were in the last seconds"
    keys = ("H",)
    under = True

    def __init__(self) -> None:
        self._density = PerSimulation(Density, deepcopy)

    def update(self, session: Session) -> None:
        self._density.of(session).update(session.simulation)

    def draw(self, canvas: Canvas, session: Session) -> None:
        self._density.of(session).draw(canvas)


class Density:
    """The density of a world's animals over the last seconds."""

    def __init__(self) -> None:
        self._tick = -1
        self._plane, self._cells = PICTURE, NO_CELLS
        self._heat = np.zeros((1, 1), np.float32)  # the weighted sum of all counts; weights decay with age
        self._weight = 0.0  # the sum of the weights
        self._smooth = self._heat
        self._highest = 0.0

    def update(self, simulation: Simulation) -> None:
        """Add the present places."""
        settings, drawing = simulation.world.resource(Settings), simulation.world.resource(Drawing)
        second = 2 if settings.up == "y" else 1
        plane = FLOOR if second == 2 else PICTURE
        side = max(settings.width, settings.size[second]) / CELLS
        cells = divide(settings, np.zeros((0, 2), np.float32), side, CELLS, second)
        if (plane, cells) != (self._plane, self._cells) or simulation.tick < self._tick:
            self._plane, self._cells, self._tick = plane, cells, simulation.tick - 1
            self._heat = np.zeros(cells.shape, np.float32)
            self._weight = self._highest = 0.0
        passed, self._tick = simulation.tick - self._tick, simulation.tick
        if not passed:
            return
        seconds = passed / settings.tick_rate
        kept = 0.5 ** (seconds / HALF_LIFE)
        self._heat *= kept
        self._heat += counted(settings, places(simulation.world, drawing.rows, 1.0), cells, second)
        self._weight = kept * self._weight + 1
        self._smooth = blurred(self._heat, settings.torus is not None) / np.float32(self._weight)
        usual = float((self._smooth**2).sum() / max(self._smooth.sum(), 1e-9))
        follows = 1 - 0.5 ** (seconds / FOLLOWS) if self._highest else 1.0
        self._highest += follows * (TOP * usual - self._highest)

    def draw(self, canvas: Canvas) -> None:
        """Draw it as a picture."""
        if self._highest:
            canvas.picture(np.sqrt(self._smooth), COLOURS, math.sqrt(self._highest), plane=self._plane)


def counted(settings: Settings, places: NDArray[np.float32], cells: Cells, second: int = 1) -> NDArray[np.int32]:
    """Return the number of places in each cell, int32 (cells_y, cells_x); in an open world only of those within it.

    Args:
        second: the cells are those of x and this axis.
    """
    counts = np.zeros(cells.shape, np.int32)
    if settings.edges == "open":
        places = places[((places >= 0) & (places < settings.size)).all(1)]
    count((places[:, 0], places[:, second]), cells, counts)
    return counts


def blurred(numbers: NDArray[np.float32], wraps: bool) -> NDArray[np.float32]:
    """Return the numbers blurred by binomial weights over 5 x 5 cells."""
    for axis in (0, 1):
        padding = [(2, 2) if n == axis else (0, 0) for n in (0, 1)]
        padded = np.pad(numbers, padding, mode="wrap" if wraps else "edge")
        length = numbers.shape[axis]
        shifted = [padded.take(range(n, n + length), axis) for n in range(len(BLUR))]
        numbers = np.tensordot(np.array(BLUR, np.float32), np.stack(shifted), 1)
    return np.ascontiguousarray(numbers)
