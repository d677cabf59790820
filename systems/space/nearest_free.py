"""Finds the nearest place outside of all shapes: exact, even if shapes overlap.

The free place nearest to a point inside a shape lies on an outline: either at the point of the outline that is nearest
to the given point (its foot), or at an intersection of two outlines. It suffices to try all of these. An outline is a
circle or a straight line; a wall has two circles and two lines. The edges of the world are lines too.
"""

from __future__ import annotations

import numpy as np

from systems.engine.kernel import inlined, subroutine
from systems.exact.angles import direction
from systems.space.shape_index import cell_at, distance_to_line
from systems.space.sweep import held, nearest_shape

f64, i64 = np.float64, np.int64
MOST_SHAPES = 32  # around a place; if there are more, a coarser search is used
ROUNDING = 0.1  # of the skin: places nearer than the skin by less than this count as free
DIRECTIONS, FINENESS = 64, 0.01  # of the coarser search: number of rays; smallest step as a share of the distance
GOLDEN = 0.6180339887498949  # turns: gives consecutive serials very different directions


@subroutine
def nearest_free(index, box, x, y, skin, serial):
    """Return the nearest free place in a box, float64 x, y; the place itself if nothing is free.

    Of two places at the same distance, even and odd serials get different ones.
    """
    shapes, outlines = np.empty((MOST_SHAPES, 5)), np.empty((4 * MOST_SHAPES + 4, 5))
    which = np.empty(MOST_SHAPES, i64)
    reach = depth = skin - nearest_shape(index, x, y)[0]
    size = index.columns / index.per_x + index.lines / index.per_y
    farthest = 0.5 * size if index.torus_x > 0.0 else 2.0 * size + reach
    while reach <= farthest:
        count = _shapes_around(index, x, y, reach, skin, shapes, which)
        if count > MOST_SHAPES:
            return _search_rays(index, box, x, y, depth, farthest, skin, serial)
        total = _note_edges(box, x, y, reach, outlines)
        best, best_x, best_y = _best(box, x, y, shapes, count, outlines, total, skin, serial)
        if best <= reach * (1.0 + 1e-9):
            return held(x + best_x, box.left, box.right), held(y + best_y, box.bottom, box.top)
        if reach == farthest:
            break
        reach = min(2.0 * reach if best == np.inf else best, farthest)
    return x, y


@inlined
def _shapes_around(index, x, y, reach, skin, shapes, which):
    """Collect the shapes within `reach` of a place, relative to it, and enlarged by the skin; return their number, or
    MOST_SHAPES + 1 if there are more.
    """
    count = i64(0)
    first = i64(np.floor((x - reach - index.left) * index.per_x))
    last = i64(np.floor((x + reach - index.left) * index.per_x))
    lowest = i64(np.floor((y - reach - index.bottom) * index.per_y))
    highest = i64(np.floor((y + reach - index.bottom) * index.per_y))
    if index.torus_x == 0.0:
        first, last = max(first, i64(0)), min(last, i64(index.columns - 1))
        lowest, highest = max(lowest, i64(0)), min(highest, i64(index.lines - 1))
    for line in range(lowest, highest + 1):
        for column in range(first, last + 1):
            cell, shift_x, shift_y = cell_at(index, column, line)
            from_x, from_y = x + shift_x, y + shift_y
            for k in range(index.start[cell], index.start[cell + 1]):
                ax, ay, bx, by = index.ax[k] - from_x, index.ay[k] - from_y, index.bx[k] - from_x, index.by[k] - from_y
                radius = index.radius[k] + skin
                known = distance_to_line(0.0, 0.0, ax, ay, bx, by) > radius + reach
                for n in range(count):
                    same = which[n] == index.shape[k] and abs(shapes[n, 0] - ax) + abs(shapes[n, 1] - ay) < 1e-3
                    known = known or same
                if known:
                    continue
                if count == MOST_SHAPES:
                    return count + 1
                which[count] = index.shape[k]
                shapes[count, 0], shapes[count, 1], shapes[count, 2], shapes[count, 3] = ax, ay, bx, by
                shapes[count, 4] = radius
                count += 1
    return count


@inlined
def _note_edges(box, x, y, reach, outlines):
    """Add the edges of a box within `reach` of a place to `outlines`, relative to the place; return their number."""
    total = i64(0)
    for n in range(4):
        along = (box.left - x, box.right - x, box.bottom - y, box.top - y)[n]
        if abs(along) <= reach:
            outlines[total, 0], outlines[total, 1] = (along, 0.0) if n < 2 else (0.0, along)
            outlines[total, 2] = 0.0
            outlines[total, 3], outlines[total, 4] = (0.0, 1.0) if n < 2 else (1.0, 0.0)
            total += 1
    return total


@inlined
def _best(box, x, y, shapes, count, outlines, total, skin, serial):
    """Return the distance (infinity if there is none) and the offset of the nearest foot or intersection that is free.

    `outlines` contains `total` edges already.
    """
    best, best_x, best_y = np.inf, 0.0, 0.0
    turn = serial * GOLDEN
    for n in range(count):
        total = _note_outlines(shapes[n], outlines, total)
    for i in range(total):
        for j in range(-1, i):
            for side in range(2):
                if j < 0:
                    px, py = _foot(outlines[i], turn)
                else:
                    px, py = _meeting(outlines[i], outlines[j], side)
                far = np.sqrt(px * px + py * py)
                nearer = far < np.inf and (far < best or (far == best and serial % 2 == 1))
                if nearer and _is_in(box, x + px, y + py, skin) and _is_free(px, py, shapes, count, skin):
                    best, best_x, best_y = far, px, py
    return best, best_x, best_y


@inlined
def _note_outlines(shape, outlines, total):
    """Add a shape's outlines: circles (x, y, radius, 0, 0), lines (x, y, 0, ux, uy) with a point and a direction."""
    ax, ay, bx, by, radius = shape[0], shape[1], shape[2], shape[3], shape[4]
    length = np.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    for n in range(4 if length > 0.0 else 1):
        if n < 2:
            outlines[total, 0], outlines[total, 1] = (ax, ay) if n == 0 else (bx, by)
            outlines[total, 2], outlines[total, 3], outlines[total, 4] = radius, 0.0, 0.0
        else:
            ux, uy = (bx - ax) / length, (by - ay) / length
            away = radius if n == 2 else -radius
            outlines[total, 0], outlines[total, 1] = ax - uy * away, ay + ux * away
            outlines[total, 2], outlines[total, 3], outlines[total, 4] = 0.0, ux, uy
        total += 1
    return total


@inlined
def _foot(outline, turn):
    """Return the point of an outline nearest to the origin; for a circle around the origin, the point at `turn`."""
    x, y, radius, ux, uy = outline[0], outline[1], outline[2], outline[3], outline[4]
    if radius == 0.0:
        along = x * ux + y * uy
        return x - along * ux, y - along * uy
    far = np.sqrt(x * x + y * y)
    if far == 0.0:
        ux32, uy32 = direction(turn)
        return radius * f64(ux32), radius * f64(uy32)
    return x - radius * (x / far), y - radius * (y / far)


@inlined
def _meeting(one, other, side):
    """Return one of the up to two intersections of two outlines; infinity if there are none."""
    if one[2] == 0.0 and other[2] == 0.0:
        cross = one[3] * other[4] - one[4] * other[3]
        if cross == 0.0:
            return np.inf, np.inf
        share = ((other[0] - one[0]) * other[4] - (other[1] - one[1]) * other[3]) / cross
        return one[0] + share * one[3], one[1] + share * one[4]
    if one[2] == 0.0:
        one, other = other, one
    # `one` is a circle: intersect it with the line `other`, or with the radical line of both circles.
    if other[2] == 0.0:
        ux, uy = other[3], other[4]
        along = (one[0] - other[0]) * ux + (one[1] - other[1]) * uy
        mx, my = other[0] + along * ux, other[1] + along * uy
    else:
        dx, dy = other[0] - one[0], other[1] - one[1]
        square = dx * dx + dy * dy
        if square == 0.0:
            return np.inf, np.inf
        share = 0.5 * (1.0 + (one[2] - other[2]) * (one[2] + other[2]) / square)
        mx, my = one[0] + share * dx, one[1] + share * dy
        far = np.sqrt(square)
        ux, uy = -dy / far, dx / far
    rest = one[2] * one[2] - (mx - one[0]) * (mx - one[0]) - (my - one[1]) * (my - one[1])
    if rest < 0.0:
        return np.inf, np.inf
    half = np.sqrt(rest) if side == 0 else -np.sqrt(rest)
    return mx + half * ux, my + half * uy


@inlined
def _is_in(box, x, y, skin):
    slack = ROUNDING * skin
    return box.left - slack <= x <= box.right + slack and box.bottom - slack <= y <= box.top + slack


@inlined
def _is_free(x, y, shapes, count, skin):
    for n in range(count):
        gap = distance_to_line(x, y, shapes[n, 0], shapes[n, 1], shapes[n, 2], shapes[n, 3]) - shapes[n, 4]
        if gap < -ROUNDING * skin:
            return False
    return True


@inlined
def _search_rays(index, box, x, y, depth, farthest, skin, serial):
    """Return the nearest free place on rays from a place inside a shape; the place itself if there is none.

    Each step along a ray is the depth inside the nearest shape, because within that distance nothing is free. `depth`
    is the depth at the start.
    """
    best, best_x, best_y = farthest, x, y
    for n in range(DIRECTIONS):
        ux, uy = direction((serial * GOLDEN) + n / DIRECTIONS)
        far = depth
        while far < best:
            px, py = x + far * f64(ux), y + far * f64(uy)
            if not _is_in(box, px, py, 0.0):
                break
            gap = nearest_shape(index, px, py)[0]
            if gap >= skin:
                best, best_x, best_y = far, px, py
            far += max(skin - gap, FINENESS * far)
    return best_x, best_y
