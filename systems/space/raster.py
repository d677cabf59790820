"""What a grid of a resource holds, over the world as it is: to sample, to deposit on, to let diffuse and decay.

Amounts are in fixed point. So it does not matter in which order several deposit, and diffusion loses nothing:

    after(c) = before(c) + sum over the eight cells n around c of trunc((before(n) - before(c)) * w(n))
    w        = share / 5 beside, share / 20 at the corners

What flows from one cell to another is what it gets, to the last bit. The weights are those of the nine-point Laplacian
that is the same in all directions up to the fourth order (M. Patra and M. Karttunen 2006, "Stencils with isotropic
discretization error for differential operators", Numerical Methods for Partial Differential Equations 22, 936).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.store.fields import AMOUNT_SCALE
from components.store.grids import MOST_CELLS, Grid
from components.store.world import World
from systems.engine.kernel import inlined, parallel_kernel, prange
from systems.engine.settings import Settings
from systems.space.cells import beside, divide, interpolated

f64, i64 = np.float64, np.int64
NOBODY = np.zeros((0, 2), np.float32)
BESIDE, CORNER = 1 / 5, 1 / 20


class Raster(NamedTuple):
    """Amounts over the world, for kernels: `Cells`, with an amount in each.

    Attributes:
        amounts: int64 (lines, columns), in units of 1 / AMOUNT_SCALE.
    """

    columns: int
    lines: int
    left: float
    bottom: float
    per_x: float
    per_y: float
    wraps: bool
    amounts: NDArray[np.int64]


def raster_of(world: World, grid: Grid) -> Raster:
    """A copy of a grid's amounts, to be changed, over the world as it is now.

    Where the world became another size since they were put there, they stay where they are, measured from the lower
    left corner: what lies outside now is gone, and what is new is empty.
    """
    cells = divide(world.resource(Settings), NOBODY, grid.cell, MOST_CELLS)
    amounts = np.zeros((cells.lines, cells.columns), i64)
    lines, columns = np.minimum(amounts.shape, grid.amounts.shape)
    amounts[:lines, :columns] = grid.amounts[:lines, :columns]
    return Raster(*cells, amounts)


@inlined
def sample(raster, x, y):
    """How much there is at a place (u), float64, mixed from the four cells around it; outside of a world 0."""
    column, line = _cell_at(raster, x, y)
    if column < 0 or line < 0:
        return 0.0
    return interpolated(f64(x), f64(y), raster, raster.amounts) / AMOUNT_SCALE


@inlined
def deposit(raster, x, y, amount):
    """Add an amount to the cell at a place (u); outside of a world it is lost.

    Not in a `prange` loop: two threads may meet in a cell.
    """
    column, line = _cell_at(raster, x, y)
    if column >= 0 and line >= 0:
        raster.amounts[line, column] += i64(np.floor(f64(amount) * AMOUNT_SCALE + 0.5))


@inlined
def _cell_at(cells, x, y):
    """The column and line of a place; one of them is below 0 outside of a world with edges."""
    column, line = i64(np.floor((x - cells.left) * cells.per_x)), i64(np.floor((y - cells.bottom) * cells.per_y))
    if cells.wraps:
        return column % cells.columns, line % cells.lines
    return column if column < cells.columns else i64(-1), line if line < cells.lines else i64(-1)


@parallel_kernel
def diffused(raster, share, kept):
    """What becomes of a raster's amounts in a tick, int64 (lines, columns).

    Args:
        share: of what is in a cell goes to the eight around it, 0 to 1; what they have flows back.
        kept: of all that there is then remains, 0 to 1; each cell's rounded toward 0.
    """
    amounts = np.empty_like(raster.amounts)
    for line in prange(raster.lines):
        _diffuse_line(raster, line, share * BESIDE, share * CORNER, kept, amounts)
    return amounts


@inlined
def _diffuse_line(raster, line, side, corner, kept, amounts):
    before, lines, columns, wraps = raster.amounts, raster.lines, raster.columns, raster.wraps
    below, above = beside(line - 1, lines, wraps), beside(line + 1, lines, wraps)
    for column in range(columns):
        left, right = beside(column - 1, columns, wraps), beside(column + 1, columns, wraps)
        own = before[line, column]
        came = i64((before[line, left] - own) * side) + i64((before[line, right] - own) * side)
        came += i64((before[below, column] - own) * side) + i64((before[above, column] - own) * side)
        came += i64((before[below, left] - own) * corner) + i64((before[below, right] - own) * corner)
        came += i64((before[above, left] - own) * corner) + i64((before[above, right] - own) * corner)
        amounts[line, column] = i64((own + came) * kept)
