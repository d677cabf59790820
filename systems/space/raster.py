"""Rasters: copies of grid fields, fitted to the present world, for sampling, deposits, diffusion and decay.

Amounts are in fixed point. The order of deposits therefore does not matter, and diffusion conserves the total exactly:

    after(c) = before(c) + sum over the eight cells n around c of trunc((before(n) - before(c)) * w(n))
    w        = share / 5 beside, share / 20 at the corners

The flow out of one cell is exactly the flow into the other. The weights are those of the nine-point Laplacian that is
isotropic up to the fourth order (M. Patra and M. Karttunen 2006, "Stencils with isotropic discretization error for
differential operators", Numerical Methods for Partial Differential Equations 22, 936).
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
    """Amounts over the world, for kernels: the attributes of `Cells`, and an amount in each cell.

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
    """Return a writable copy of a grid's amounts, fitted to the present world.

    If the size of the world has changed, amounts keep their places relative to the lower left corner: amounts outside
    the new size are dropped, and new cells are 0.
    """
    cells = divide(world.resource(Settings), NOBODY, grid.cell, MOST_CELLS)
    amounts = np.zeros((cells.lines, cells.columns), i64)
    lines, columns = np.minimum(amounts.shape, grid.amounts.shape)
    amounts[:lines, :columns] = grid.amounts[:lines, :columns]
    return Raster(*cells, amounts)


@inlined
def sample(raster, x, y):
    """Return the amount at a place (u), float64, by bilinear interpolation; 0 outside of the world."""
    column, line = _cell_at(raster, x, y)
    if column < 0 or line < 0:
        return 0.0
    return interpolated(f64(x), f64(y), raster, raster.amounts) / AMOUNT_SCALE


@inlined
def deposit(raster, x, y, amount):
    """Add an amount to the cell at a place (u); outside of the world it is lost.

    Don't call this in a `prange` loop: two threads could write to the same cell.
    """
    column, line = _cell_at(raster, x, y)
    if column >= 0 and line >= 0:
        raster.amounts[line, column] += i64(np.floor(f64(amount) * AMOUNT_SCALE + 0.5))


@inlined
def _cell_at(cells, x, y):
    """Return the column and line of a place; one of them is negative outside of a world with edges."""
    column, line = i64(np.floor((x - cells.left) * cells.per_x)), i64(np.floor((y - cells.bottom) * cells.per_y))
    if cells.wraps:
        return column % cells.columns, line % cells.lines
    return column if column < cells.columns else i64(-1), line if line < cells.lines else i64(-1)


@parallel_kernel
def diffused(raster, share, kept):
    """Return a raster's amounts after diffusion and decay in a tick, int64 (lines, columns).

    Args:
        share: the share of a cell's amount that flows to the eight cells around it, 0 to 1; theirs flows back.
        kept: the share of the amounts that then remains, 0 to 1; each cell is rounded toward 0.
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
