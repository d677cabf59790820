"""When a moving point meets a shape: exact, for circles and thick lines (capsules).

The distance from a point on a straight way to a capsule is a convex function of the time. So who moves away from it,
or along it, never meets it, and who comes nearer meets either one of its two straight sides or one of its round ends.
All in float64.
"""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

import numpy as np

from systems.core.kernel import inlined
from systems.core.shape_index import cell_at, distance_to_line, nearest_on_line

i64 = np.int64
NEVER = 2.0
TOUCH = 1e-9  # of the way, and 10 of it in u: coming nearer by less is flying along


@inlined
def outward(x, y, dx, dy, ax, ay, bx, by):
    """The unit vector away from a line at a place, and the distance from it; on the line itself against (dx, dy)."""
    qx, qy = nearest_on_line(x, y, ax, ay, bx, by)
    nx, ny = x - qx, y - qy
    gap = np.sqrt(nx * nx + ny * ny)
    if gap > 0.0:
        return nx / gap, ny / gap, gap
    nx, ny = ay - by, bx - ax
    if nx == 0.0 and ny == 0.0:
        nx, ny = -dx, -dy
    size = np.sqrt(nx * nx + ny * ny)
    if size == 0.0:
        return 1.0, 0.0, gap
    side = -1.0 if nx * dx + ny * dy > 0.0 else 1.0
    return side * nx / size, side * ny / size, gap


@inlined
def time_of_impact(x, y, dx, dy, ax, ay, bx, by, reach, regain):
    """The share of the way (dx, dy) after which a point comes as near as `reach` to a line; NEVER if it does not.

    Who is nearer already meets it at once, unless the way leads out by `regain` times what is missing.
    """
    nx, ny, gap = outward(x, y, dx, dy, ax, ay, bx, by)
    size = np.sqrt(dx * dx + dy * dy)
    if gap > reach + size:
        return NEVER
    if dx * nx + dy * ny >= regain * max(reach - gap, 0.0) - TOUCH * (10.0 + size):
        return NEVER
    if gap <= reach:
        return 0.0
    length = np.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    if length > 0.0:
        ux, uy = (bx - ax) / length, (by - ay) / length
        side, nearing = ux * (y - ay) - uy * (x - ax), uy * dx - ux * dy
        if side < 0.0:
            side, nearing = -side, -nearing
        if side >= reach and nearing > 0.0:
            share = (side - reach) / nearing
            along = (x + share * dx - ax) * ux + (y + share * dy - ay) * uy
            if 0.0 <= along <= length:
                return share if share <= 1.0 else NEVER
    share = min(_into_circle(x - ax, y - ay, dx, dy, reach), _into_circle(x - bx, y - by, dx, dy, reach))
    return share if share <= 1.0 else NEVER


@inlined
def _into_circle(x, y, dx, dy, radius):
    """When a point outside gets into a circle round the origin; NEVER if it does not, or beyond the way."""
    b, c = x * dx + y * dy, x * x + y * y - radius * radius
    inside = b * b - (dx * dx + dy * dy) * c
    if b >= 0.0 or inside < 0.0:
        return NEVER
    return max(c, 0.0) / (np.sqrt(inside) - b)


@inlined
def first_hit(index, x, y, dx, dy, more, regain):
    """The first shape that a point on the way (dx, dy) comes as near to as `more` beyond its radius.

    The way is followed column by column of the index's cells. On a torus it may begin and end anywhere.

    Returns:
        The share of the way (NEVER: none is met), the place of the shape in the index, and what to add to the point
        to bring it next to the shape as it is noted there.
    """
    best, entry, best_x, best_y = NEVER, i64(-1), 0.0, 0.0
    if index.columns == 0:
        return best, entry, best_x, best_y
    first = i64(np.floor((x - index.left) * index.per_x))
    last = i64(np.floor((x + dx - index.left) * index.per_x))
    if index.torus_x == 0.0:
        first = min(max(first, i64(-1)), i64(index.columns))
        last = min(max(last, i64(-1)), i64(index.columns))
    step = i64(1) if last >= first else i64(-1)
    for n in range(abs(last - first) + 1):
        column = first + n * step
        enters, leaves = 0.0, 1.0
        if first != last:
            one = (index.left + column / index.per_x - x) / dx
            other = (index.left + (column + 1) / index.per_x - x) / dx
            enters = 0.0 if n == 0 else max(min(one, other), 0.0)
            leaves = 1.0 if column == last else min(max(one, other), 1.0)
        if enters > best:
            break
        low, high = y + enters * dy, y + leaves * dy
        lowest = i64(np.floor((min(low, high) - index.bottom) * index.per_y))
        highest = i64(np.floor((max(low, high) - index.bottom) * index.per_y))
        if index.torus_x == 0.0:
            lowest, highest = max(lowest, i64(0)), min(highest, i64(index.lines - 1))
        for line in range(lowest, highest + 1):
            cell, shift_x, shift_y = cell_at(index.columns, index.lines, index.torus_x, index.torus_y, column, line)
            if cell < 0:
                continue
            for k in range(index.start[cell], index.start[cell + 1]):
                share = time_of_impact(
                    x + shift_x,
                    y + shift_y,
                    dx,
                    dy,
                    index.ax[k],
                    index.ay[k],
                    index.bx[k],
                    index.by[k],
                    index.radius[k] + more,
                    regain,
                )
                if share < best:
                    best, entry, best_x, best_y = share, i64(k), shift_x, shift_y
    return best, entry, best_x, best_y


@inlined
def nearest_shape(index, x, y):
    """How far a place is from the nearest shape of its cell (negative inside; infinity: none), and as `first_hit`."""
    best, entry = np.inf, i64(-1)
    if index.columns == 0:
        return best, entry, 0.0, 0.0
    column = i64(np.floor((x - index.left) * index.per_x))
    line = i64(np.floor((y - index.bottom) * index.per_y))
    cell, shift_x, shift_y = cell_at(index.columns, index.lines, index.torus_x, index.torus_y, column, line)
    if cell >= 0:
        for k in range(index.start[cell], index.start[cell + 1]):
            gap = distance_to_line(x + shift_x, y + shift_y, index.ax[k], index.ay[k], index.bx[k], index.by[k])
            if gap - index.radius[k] < best:
                best, entry = gap - index.radius[k], i64(k)
    return best, entry, shift_x, shift_y
