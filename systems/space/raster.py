"""Divides the world into cells, and interpolates between values of cells: counts of entities, and rasters.

A raster is a copy of a grid field, fitted to the present world, for sampling, deposits, diffusion and decay. Amounts
are in fixed point. The order of deposits therefore does not matter, and diffusion conserves the total exactly:

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
from components.store.grids import FLOOR, MOST_CELLS, Grid
from components.store.world import World
from systems.engine.kernel import inlined, kernel, parallel_kernel, prange
from systems.engine.settings import Settings
from systems.exact.fixed_point import fixed
from systems.exact.vector import element, to_f64
from systems.space.axis import (
    Axis,
    Cells,
    axes_of,
    brought_along,
    brought_on,
    cell_of,
    flat,
    from_origin,
    is_on,
    nearest_cell,
    number_of,
)

f64, i64 = np.float64, np.int64
Places = NDArray[np.float32]
NOBODY = np.zeros((0, 2), np.float32)
BESIDE, CORNER = 1 / 5, 1 / 20


def divide(settings: Settings, places: Places, side: float, most: int, second: int = 1) -> Cells:
    """Divide a plane of the world into cells about `side` (u) wide, or wider: at most `most` along an axis.

    Args:
        places: float32 (n, 2), with depth (n, 3), u: an "open" world is divided within the box around them; without
            any, within its size.
        second: the plane is that of x and this axis.
    """
    torus = settings.torus or (0.0,) * len(settings.size)
    low, high = (0.0, 0.0), (settings.width, settings.size[second])
    if settings.edges == "open" and len(places):
        low, high = (ends[[0, second]].tolist() for ends in (places.min(axis=0), places.max(axis=0)))
    sizes = [max(upper - lower, 1.0) for lower, upper in zip(low, high, strict=True)]
    side = max(side, *(size / most for size in sizes))
    cells = [max(round(size / side), 1) for size in sizes]
    ends = zip(low, sizes, cells, (torus[0], torus[second]), strict=True)
    return Cells(*flat(Axis(origin, count / size, count, torus) for origin, size, count, torus in ends))


@kernel
def count(places, cells, counts):
    """Add 1 to `counts`, int32, by line and x, for each place; places outside count for the cell at the border.

    Args:
        places: (x, y), float32 (n,) each, u.
    """
    axes, each = axes_of(cells), counts.reshape(-1)
    for k in range(len(places[0])):
        each[number_of(axes, nearest_cell(axes, element(places, k)))] += 1


@inlined
def interpolated(here, cells, numbers):
    """Return the value at a place (u), float64, by bilinear interpolation of the values of cells, by line and x."""
    x_axis, y_axis = axes_of(cells)
    u, v = from_origin(x_axis, here[0]) - 0.5, from_origin(y_axis, here[1]) - 0.5
    x, y = int(np.floor(u)), int(np.floor(v))
    right, up = u - x, v - y
    x0, x1 = brought_along(x_axis, x), brought_along(x_axis, x + 1)
    y0, y1 = brought_along(y_axis, y), brought_along(y_axis, y + 1)
    lower = numbers[y0, x0] * (1.0 - right) + numbers[y0, x1] * right
    upper = numbers[y1, x0] * (1.0 - right) + numbers[y1, x1] * right
    return lower * (1.0 - up) + upper * up


class Raster(NamedTuple):
    """Amounts over the world, for kernels: the attributes of `Cells`, and an amount in each cell.

    That of a floor in a world with depth has z in place of y.

    Attributes:
        origin_x, origin_y: the corner of the first cell, u.
        per_x, per_y: cells per u.
        cells_x, cells_y: the number of cells along x and y.
        torus_x, torus_y: the size of the world if it is a torus, u; else 0.
        amounts: int64 (cells_y, cells_x), in units of 1 / AMOUNT_SCALE.
        second: the axis of the world that follows x: 1, or 2 for a floor.
    """

    origin_x: float
    origin_y: float
    per_x: float
    per_y: float
    cells_x: int
    cells_y: int
    torus_x: float
    torus_y: float
    amounts: NDArray[np.int64]
    second: int


def raster_of(world: World, grid: Grid) -> Raster:
    """Return a writable copy of a grid's amounts, fitted to the present world.

    If the size of the world has changed, amounts keep their places relative to the lower left corner: amounts outside
    the new size are dropped, and new cells are 0.
    """
    settings = world.resource(Settings)
    second = 2 if settings.depth and grid.plane == FLOOR else 1
    cells = divide(settings, NOBODY, grid.cell_size, MOST_CELLS, second)
    amounts = np.zeros(cells.shape, i64)
    both = tuple(slice(number) for number in np.minimum(amounts.shape, grid.amounts.shape))
    amounts[both] = grid.amounts[both]
    return Raster(*cells, amounts, second)


@inlined
def sample(raster, here):
    """Return the amount at a place of the world, u, float64, by bilinear interpolation; 0 outside of the world."""
    there = _on_plane(raster, here)
    return interpolated(to_f64(there), raster, raster.amounts) / AMOUNT_SCALE if _is_over(raster, there) else 0.0


@inlined
def deposit(raster, here, amount):
    """Add an amount to the cell at a place of the world, u; outside of the world it is lost.

    Don't call this in a `prange` loop: two threads could write to the same cell.
    """
    there = _on_plane(raster, here)
    if _is_over(raster, there):
        x, y = brought_on(axes_of(raster), cell_of(axes_of(raster), there))
        raster.amounts[y, x] += fixed(amount, AMOUNT_SCALE)


@inlined
def _on_plane(raster, here):
    """Return a place of the world, projected onto the plane of a raster."""
    return here if len(here) == 2 else (here[0], here[raster.second])


@inlined
def _is_over(raster, here):
    """Return whether a place lies in the world; on a torus each does."""
    return raster.torus_x > 0 or is_on(axes_of(raster), cell_of(axes_of(raster), here))


@parallel_kernel
def diffused(raster, share, remaining):
    """Return a raster's amounts after diffusion and decay in a tick, int64 (cells_y, cells_x).

    Args:
        share: the share of a cell's amount that flows to the eight cells around it, 0 to 1; theirs flows back.
        remaining: the share of the amounts that then remains, 0 to 1; each cell is rounded toward 0.
    """
    amounts = np.empty_like(raster.amounts)
    for y in prange(raster.cells_y):
        _diffuse_line(raster, y, share * BESIDE, share * CORNER, remaining, amounts)
    return amounts


@inlined
def _diffuse_line(raster, y, side, corner, remaining, amounts):
    before, (x_axis, y_axis) = raster.amounts, axes_of(raster)
    below, above = brought_along(y_axis, y - 1), brought_along(y_axis, y + 1)
    for x in range(x_axis.cells):
        left, right = brought_along(x_axis, x - 1), brought_along(x_axis, x + 1)
        own = before[y, x]
        came = i64((before[y, left] - own) * side) + i64((before[y, right] - own) * side)
        came += i64((before[below, x] - own) * side) + i64((before[above, x] - own) * side)
        came += i64((before[below, left] - own) * corner) + i64((before[below, right] - own) * corner)
        came += i64((before[above, left] - own) * corner) + i64((before[above, right] - own) * corner)
        amounts[y, x] = i64((own + came) * remaining)
