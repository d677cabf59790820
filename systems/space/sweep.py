"""Computes when a moving point hits a shape: exact, for circles and thick lines (capsules).

The distance from a point on a straight path to a capsule is a convex function of time. A point that moves away from the
capsule, or along it, therefore never hits it; a point that comes nearer hits one of its two straight sides or one of
its round ends. All computations are in float64.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from systems.engine.kernel import inlined, outlined
from systems.space.shape_index import cell_around, distance_to_line, nearest_on_line

i64 = np.int64
NEVER, APART = 2.0, 3.0  # as times. NEVER: comes near, but does not hit; APART: does not even come near
ALONG = 1e-9  # of the path: a point that comes nearer by less moves along the shape
CONTACT = 1e-8  # u: a point is in contact if the gap is smaller, because of rounding


@inlined
def outward(x, y, dx, dy, ax, ay, bx, by):
    """Return the unit vector away from a line at a place, and the distance; on the line itself, against (dx, dy)."""
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


class Way(NamedTuple):
    """A straight path from (x, y) along (dx, dy), and its length, u; float64."""

    x: float
    y: float
    dx: float
    dy: float
    length: float


@inlined
def time_of_impact(way, ax, ay, bx, by, reach, regain):
    """Return the fraction of a path at which a point comes within `reach` of the line from a to b, or NEVER or APART.

    A point that is nearer already hits at once, unless the path leads away by `regain` times the missing distance.
    """
    if _lies_apart(way, ax - way.x, ay - way.y, bx - way.x, by - way.y, reach):
        return APART
    return _time_of_impact(way, ax, ay, bx, by, reach, regain)


@outlined
def _time_of_impact(way, ax, ay, bx, by, reach, regain):
    x, y, dx, dy = way.x, way.y, way.dx, way.dy
    nx, ny, gap = outward(x, y, dx, dy, ax, ay, bx, by)
    if dx * nx + dy * ny >= regain * max(reach - gap, 0.0) - CONTACT - ALONG * way.length:
        return NEVER
    if gap <= reach + CONTACT:
        return 0.0
    length = np.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    if length > 0.0:
        ux, uy = (bx - ax) / length, (by - ay) / length
        side, nearing = ux * (y - ay) - uy * (x - ax), uy * dx - ux * dy
        if side < 0.0:
            side, nearing = -side, -nearing
        if side >= reach and nearing > 0.0:
            fraction = (side - reach) / nearing
            along = (x + fraction * dx - ax) * ux + (y + fraction * dy - ay) * uy
            if 0.0 <= along <= length:
                return fraction if fraction <= 1.0 else NEVER
    fraction = min(_into_circle(x - ax, y - ay, dx, dy, reach), _into_circle(x - bx, y - by, dx, dy, reach))
    return fraction if fraction <= 1.0 else NEVER


@inlined
def _lies_apart(way, ax, ay, bx, by, reach):
    """Return whether both ends of a line, relative to the start of a path, lie far to the same side, far behind or far
    ahead.

    Most lines do, for unpredictable reasons, so this uses a single branch: |a + b| - |a - b| is twice the smaller
    absolute value of two numbers of the same sign, and negative for other numbers.
    """
    dx, dy = way.dx, way.dy
    left_a, left_b = dx * ay - dy * ax, dx * by - dy * bx
    half = 0.5 * way.length * way.length
    ahead_a, ahead_b = dx * ax + dy * ay - half, dx * bx + dy * by - half
    aside_by = abs(left_a + left_b) - abs(left_a - left_b) - 2.0 * reach * way.length
    beyond_by = abs(ahead_a + ahead_b) - abs(ahead_a - ahead_b) - 2.0 * (reach * way.length + half)
    return max(aside_by, beyond_by) > 0.0


@inlined
def _into_circle(x, y, dx, dy, radius):
    """Return the time when a point outside enters a circle around the origin, above 1 if after the path; or NEVER."""
    b, c = x * dx + y * dy, x * x + y * y - radius * radius
    inside = b * b - (dx * dx + dy * dy) * c
    if b >= 0.0 or inside < 0.0:
        return NEVER
    return max(c, 0.0) / (np.sqrt(inside) - b)


@inlined
def first_hit(index, x, y, dx, dy, more, regain):
    """Find the first shape that a point moving by (dx, dy) hits, with all radii enlarged by `more`.

    The path is divided into steps no longer than the index's margin minus `more`, so that the cell where a step begins
    lists all shapes that the step can hit. On a torus the path may begin and end anywhere.

    Args:
        more: u, less than the index's margin.
        regain: see `time_of_impact`.
    Returns:
        The fraction of the path; NEVER or APART if nothing is hit. APART guarantees that no point of the path is within
        `more` of a shape. If it is at most 1: the shape's position in the index, and the offset to add to the point, so
        that it is next to the copy of the shape that is listed there.
    """
    best, entry, best_x, best_y = APART, i64(-1), 0.0, 0.0
    step, length = index.margin - more, np.sqrt(dx * dx + dy * dy)
    begin, end = _within(index, x, y, dx, dy)
    done = begin * length
    while done <= end * length:
        fraction = done / length if done > 0.0 else 0.0
        if fraction > best:
            break
        cell, shift_x, shift_y = cell_around(index, x + fraction * dx, y + fraction * dy)
        if cell >= 0:
            way = Way(x + shift_x, y + shift_y, dx, dy, length)
            for k in range(index.start[cell], index.start[cell + 1]):
                ends = index.ax[k], index.ay[k], index.bx[k], index.by[k]
                found = time_of_impact(way, *ends, index.radius[k] + more, regain)
                if found < best:
                    best, entry, best_x, best_y = found, i64(k), shift_x, shift_y
        done += step
    return best, entry, best_x, best_y


@inlined
def first_edge(box, x, y, dx, dy):
    """Return the fraction of a path at which it leaves a box, and the unit vector inward; APART if it stays inside."""
    fraction, nx, ny = APART, 0.0, 0.0
    if dx != 0.0 and not box.left <= x + dx <= box.right:
        fraction = max(((box.left if dx < 0.0 else box.right) - x) / dx, 0.0)
        nx = 1.0 if dx < 0.0 else -1.0
    if dy != 0.0 and not box.bottom <= y + dy <= box.top:
        other = max(((box.bottom if dy < 0.0 else box.top) - y) / dy, 0.0)
        if other < fraction:
            fraction, nx, ny = other, 0.0, 1.0 if dy < 0.0 else -1.0
    return fraction, nx, ny


@inlined
def held(value, low, high):
    """Clamp a number to [low, high]."""
    return min(max(value, low), high)


@inlined
def _within(index, x, y, dx, dy):
    """Return the fractions of a path between which it lies in the grid; on a torus 0 and 1."""
    begin, end = 0.0, 1.0
    if index.torus_x == 0.0:
        right, top = index.left + index.columns / index.per_x, index.bottom + index.lines / index.per_y
        for low, high, place, way in ((index.left, right, x, dx), (index.bottom, top, y, dy)):
            if way != 0.0:
                one, other = (low - place) / way, (high - place) / way
                begin, end = max(begin, min(one, other)), min(end, max(one, other))
            elif not low <= place <= high:
                end = -1.0
    return begin, end


@inlined
def nearest_shape(index, x, y):
    """Return the distance from a place to the nearest shape of its cell (negative inside; infinity: none); the other
    values are those of `first_hit`.
    """
    best, entry = np.inf, i64(-1)
    cell, shift_x, shift_y = cell_around(index, x, y)
    if cell >= 0:
        for k in range(index.start[cell], index.start[cell + 1]):
            gap = distance_to_line(x + shift_x, y + shift_y, index.ax[k], index.ay[k], index.bx[k], index.by[k])
            if gap - index.radius[k] < best:
                best, entry = gap - index.radius[k], i64(k)
    return best, entry, shift_x, shift_y
