"""Selects the animals in a view of a world with depth: near ones to be drawn as meshes, and those far away."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.render.animals import Drawing
from sandbox.render.seen import BRISK, came_to, look_code, way_of
from systems.engine.kernel import inlined
from systems.engine.rows import PORTIONS, for_each_portion, portion_of
from systems.engine.threads import SuitedTo
from systems.exact.vector import ZERO, cross, dot, is_zero, read, read_acceleration, sub, to_f32, to_f64, unit

f32, f64, i64, u32, u64 = np.float32, np.float64, np.int64, np.uint32, np.uint64
FLYING = np.dtype([("place", f32, 3), ("way", f32, 3), ("came", f32, 3), ("bank", f32, 2), ("look_code", u32)])
"""One animal: its position (u, from what the camera looks at); its heading, a unit vector; the way to its previous
position, u; how far it banks, -1 to 1, to the right, with its rhythm, 0 to 1; and the index of its look with its code,
as in `seen.INSTANCE`."""
SEEN_FAR, SEEN_NEAR, FOUND = range(3)
LINE = 8  # int64 in a cache line: threads write to different lines


class Eye(NamedTuple):
    """A view of a world with depth.

    Attributes:
        focus, right, up, toward: the place that is looked at, u, and unit vectors on the screen and to the viewer.
        above: the unit vector that points up in the world.
        back: from the focus to the eye, u.
        across, upward: how far it sees to each side, u per u of distance; in a parallel view, u.
        per_u: pixels of 1 u, at a distance of 1 u from the eye; in a parallel view, everywhere.
        parallel: 1 for a parallel view, else 0.
        detailed: pixels: half a length from which on an animal is near.
        extent: how far a shape goes from its position, in half lengths.
        least: half the shortest length drawn, pixels.
    """

    focus: tuple[float, float, float]
    right: tuple[float, float, float]
    up: tuple[float, float, float]
    toward: tuple[float, float, float]
    above: tuple[float, float, float]
    back: float
    across: float
    upward: float
    per_u: float
    parallel: float
    detailed: float
    extent: float
    least: float


def seen_in_space(drawing: Drawing, eye: Eye) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Return the animals in a view, dtype FLYING: those far away, and those that are near."""
    data, drawn, counts = drawing.data, drawing.drawn, np.zeros((PORTIONS, LINE), i64)
    found, levels = np.empty(len(drawn.rows), np.int32), np.empty(len(drawn.rows), np.int8)
    vectors = tuple(float(number) for vector in eye[:5] for number in vector)
    view = (*vectors, *map(float, eye[5:]))
    with SuitedTo(len(drawn.rows)):
        _find(data, drawn, view, found, levels, counts)
        of_each = counts[:, :FOUND]
        ends = of_each.sum(axis=0).cumsum()
        of_each[:] = of_each.cumsum(axis=0) - of_each + ends - of_each.sum(axis=0)
        made = np.empty(ends[-1], FLYING)
        _fill(data, drawn, view, found, levels, counts, made)
    return made[: ends[SEEN_FAR]], made[ends[SEEN_FAR] :]


@for_each_portion
def _find(portion, data, drawn, view, found, levels, counts):
    begin, end = portion_of(portion, len(drawn.rows))
    at = u64(begin)
    for k in range(u64(begin), u64(end)):
        row = u64(drawn.rows[k])
        level = _level(sub(to_f64(read(data.position[row])), view[0:3]), f64(data.look[row].size), view)
        if level >= 0:
            found[at], levels[at] = row, level
            at += u64(1)
            counts[portion, level] += 1
    counts[portion, FOUND] = i64(at) - begin


@inlined
def _level(offset, size, view):
    """Return SEEN_FAR or SEEN_NEAR, or -1 if it is not in view; `offset`: from the focus."""
    back, across, upward, per_u, parallel, detailed, extent, least = view[15:23]
    away = back - dot(offset, view[9:12])
    scale = 1.0 if parallel > 0.0 else away
    reach = extent * max(size, least * max(scale, 0.0) / per_u)
    if away < -reach:
        return -1
    if abs(dot(offset, view[3:6])) > across * scale + reach * (1.0 + across):
        return -1
    if abs(dot(offset, view[6:9])) > upward * scale + reach * (1.0 + upward):
        return -1
    return SEEN_NEAR if size * per_u >= detailed * scale else SEEN_FAR


@for_each_portion
def _fill(portion, data, drawn, view, found, levels, begins, made):
    begin, _ = portion_of(portion, len(drawn.rows))
    for at in range(u64(begin), u64(begin + begins[portion, FOUND])):
        row, level = u64(found[at]), levels[at]
        animal = made[begins[portion, level]]
        begins[portion, level] += 1
        place, heading = to_f32(sub(to_f64(read(data.position[row])), view[0:3])), unit(way_of(data, drawn, row))
        if is_zero(heading):
            heading = f32(1), ZERO, ZERO
        came = came_to(data, drawn, row)
        for axis in range(3):
            animal.place[axis], animal.way[axis], animal.came[axis] = place[axis], heading[axis], came[axis]
        animal.bank[0] = _bank(data, drawn, row, to_f32(view[12:15]))
        animal.bank[1] = f32(u32(data.serial[row]) * u32(0x9E3779B1) >> u32(8)) / f32(1 << 24)
        animal.look_code = look_code(data, drawn, row)


@inlined
def _bank(data, drawn, row, above):
    """Return how far an animal banks to its right: half as far as it can at a turn of BRISK."""
    way = way_of(data, drawn, row)
    squared = dot(way, way)
    right = unit(cross(way, above))
    if not (data.presence[row] & drawn.steers and squared > 0):
        return ZERO
    turn = dot(right, read_acceleration(data.motion[row])) / np.sqrt(squared)
    return turn / (f32(BRISK) + abs(turn))
