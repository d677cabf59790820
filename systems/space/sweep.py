"""Computes when a moving point hits a capsule of the plane, or in space a ball: exact.

The distance from a point on a straight path to a capsule is a convex function of time. A point that moves away from the
capsule, or along it, therefore never hits it; a point that comes nearer hits one of its two straight sides or one of
its round ends. All computations are in float64.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from systems.engine.kernel import inlined, outlined
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import add, cross, divided, dot, filled, is_zero, left_of, length, scaled, sub
from systems.space.axis import axes_of, begin_along
from systems.space.capsule_index import cell_around, distance_to_segment, ends_of, nearest_on_segment

i64 = np.int64
NEVER, APART = 2.0, 3.0  # as times. NEVER: comes near, but does not hit; APART: does not even come near
ALONG = 1e-9  # of the path: a point that comes nearer by less moves along the capsule
CONTACT = 1e-8  # u: a point is in contact if the gap is smaller, because of rounding


@inlined
def outward(here, along, a, b):
    """Return the unit vector away from a segment at a place, and the distance; on it, against `along`."""
    away = sub(here, nearest_on_segment(here, a, b))
    gap = length(away)
    if gap > 0.0:
        return divided(away, gap), gap
    across = _across(sub(b, a))
    if is_zero(across):
        across = scaled(along, -1.0)
    size = length(across)
    if size == 0.0:
        return _first_axis(here), gap
    side = -1.0 if dot(across, along) > 0.0 else 1.0
    return divided(scaled(across, side), size), gap


@inlined
def _across(segment):
    """Return a vector at a right angle to a segment of the plane; in space there are only balls."""
    return left_of(segment) if len(segment) == 2 else filled(segment, 0.0)


@inlined
def _first_axis(like):
    return (1.0, 0.0) if len(like) == 2 else (1.0, 0.0, 0.0)


Way = namedtuple("Way", "start along length")
"""A straight path: where it begins, the vector to its end, and its length, u; float64."""


@inlined
def time_of_impact(way, a, b, distance, regain):
    """Return the fraction of a path at which a point comes within `distance` of a segment, or NEVER or APART.

    A point that is nearer already hits at once, unless the path leads away by `regain` times the missing distance.
    """
    if _lies_apart(way, sub(a, way.start), sub(b, way.start), distance):
        return APART
    return _time_of_impact(way, a, b, distance, regain)


@outlined
def _time_of_impact(way, a, b, distance, regain):
    start, along = way.start, way.along
    out, gap = outward(start, along, a, b)
    if dot(along, out) >= regain * max(distance - gap, 0.0) - CONTACT - ALONG * way.length:
        return NEVER
    if gap <= distance + CONTACT:
        return 0.0
    fraction = _entered(start, along, a, b, distance)
    return fraction if fraction <= 1.0 else NEVER


@inlined
def _entered(start, along, a, b, distance):
    """Return the fraction at which a point from outside comes so near to a segment, above 1 if after the path."""
    if len(a) == 3:
        return _into_circle(sub(start, a), along, distance)
    segment = sub(b, a)
    size = length(segment)
    if size > 0.0:
        u = divided(segment, size)
        side, nearing = cross(u, sub(start, a)), -cross(u, along)
        if side < 0.0:
            side, nearing = -side, -nearing
        if side >= distance and nearing > 0.0:
            fraction = (side - distance) / nearing
            foot = dot(sub(add(start, scaled(along, fraction)), a), u)
            if 0.0 <= foot <= size:
                return fraction
    return min(_into_circle(sub(start, a), along, distance), _into_circle(sub(start, b), along, distance))


@inlined
def _lies_apart(way, a, b, distance):
    """Return whether both ends of a segment, relative to the start of a path, lie far to one side, behind or ahead.

    Most segments do, for unpredictable reasons, so this uses a single branch: |a + b| - |a - b| is twice the smaller
    absolute value of two numbers of the same sign, and negative for other numbers.
    """
    if len(a) == 3:
        return _ball_lies_apart(way, a, distance)
    left_a, left_b = cross(way.along, a), cross(way.along, b)
    half = 0.5 * way.length * way.length
    ahead_a, ahead_b = dot(way.along, a) - half, dot(way.along, b) - half
    aside_by = abs(left_a + left_b) - abs(left_a - left_b) - 2.0 * distance * way.length
    beyond_by = abs(ahead_a + ahead_b) - abs(ahead_a - ahead_b) - 2.0 * (distance * way.length + half)
    return max(aside_by, beyond_by) > 0.0


@inlined
def _ball_lies_apart(way, centre, distance):
    """Return whether a centre, relative to the start of a path, lies far to one side, behind or ahead."""
    aside, half, wide = cross(way.along, centre), 0.5 * way.length * way.length, distance * way.length
    beyond_by = abs(dot(way.along, centre) - half) - wide - half
    return max(dot(aside, aside) - wide * wide, beyond_by) > 0.0


@inlined
def _into_circle(start, along, radius):
    """Return the time when a point outside enters a circle or ball around the origin, above 1 if after the path; or
    NEVER.
    """
    b, c = dot(start, along), dot(start, start) - radius * radius
    inside = b * b - dot(along, along) * c
    if b >= 0.0 or inside < 0.0:
        return NEVER
    return max(c, 0.0) / (np.sqrt(inside) - b)


@inlined
def first_hit(capsules, start, along, more, regain):
    """Find the first capsule that a point moving from `start` by `along` hits, with all radii enlarged by `more`.

    The path is divided into steps no longer than the capsules' margin minus `more`, so that the cell where a
    step begins lists all capsules that the step can hit. On a torus the path may begin and end anywhere.

    Args:
        more: u, less than the capsules' margin.
        regain: see `time_of_impact`.
    Returns:
        The fraction of the path; NEVER or APART if nothing is hit. APART guarantees that no point of the path is within
        `more` of a capsule. If it is at most 1: its index in the arrays, and the shift to add to the point, so
        that it is next to the copy of the capsule that is listed there.
    """
    best, entry, best_shift = APART, i64(-1), filled(start, 0.0)
    step, far = capsules.margin - more, length(along)
    begin, end = _within(capsules, start, along)
    done = begin * far
    while done <= end * far:
        fraction = done / far if done > 0.0 else 0.0
        if fraction > best:
            break
        cell, shift = cell_around(capsules, add(start, scaled(along, fraction)))
        if cell >= 0:
            way = Way(add(start, shift), along, far)
            for k in range(capsules.start[cell], capsules.start[cell + 1]):
                a, b = ends_of(capsules, k)
                found = time_of_impact(way, a, b, capsules.radius[k] + more, regain)
                if found < best:
                    best, entry, best_shift = found, i64(k), shift
        done += step
    return best, entry, best_shift


@inlined
def _within(capsules, start, along):
    """Return the fractions of a path between which it lies in the cells; on a torus 0 and 1."""
    if capsules.cells_x == 0:
        return 0.0, -1.0
    if capsules.torus_x > 0.0:
        return 0.0, 1.0
    return _in_all(_within_along(axes_of(capsules), start, along))


@on_each_axis
def _within_along(axis, start, along):
    low, high = axis.origin, begin_along(axis, axis.cells)
    if along != 0.0:
        one, other = (low - start) / along, (high - start) / along
        return max(0.0, min(one, other)), min(1.0, max(one, other))
    return 0.0, 1.0 if low <= start <= high else -1.0


@inlined
def _in_all(parts):
    """Return the part of a path that is in all these parts of it."""
    (begin, end), (from_y, to_y) = parts[0], parts[1]
    begin, end = max(begin, from_y), min(end, to_y)
    if len(parts) == 2:
        return begin, end
    return max(begin, parts[2][0]), min(end, parts[2][1])


@inlined
def nearest_capsule(capsules, here):
    """Return the distance from a place to the nearest capsule of its cell (negative inside; infinity: none); the other
    values are those of `first_hit`.
    """
    best, entry = np.inf, i64(-1)
    cell, shift = cell_around(capsules, here)
    if cell >= 0:
        for k in range(capsules.start[cell], capsules.start[cell + 1]):
            a, b = ends_of(capsules, k)
            gap = distance_to_segment(add(here, shift), a, b)
            if gap - capsules.radius[k] < best:
                best, entry = gap - capsules.radius[k], i64(k)
    return best, entry, shift
