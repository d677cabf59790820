"""Candidates: copies of possible neighbours in contiguous arrays, so that each boid reads one range of memory."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from systems.engine.kernel import inlined, outlined, subroutine
from systems.exact.on_each_axis import on_each_axis
from systems.exact.vector import ZERO, filled, set_element
from systems.flocking.flock_grid import velocities_in, velocity_at
from systems.space.axis import torus_in
from systems.space.grid import FAR_AWAY, PADDING, place_at, places_in, stored_in
from systems.space.torus import nearest_copy
from systems.space.walk import cells_within, stretch

f32, i32, i64, u64 = np.float32, np.int32, np.int64, np.uint64
FAR = f32(FAR_AWAY)
LANES = 16  # candidates are copied and read in multiples of this


Candidates = namedtuple("Candidates", "x y vx vy prefab who")
DeepCandidates = namedtuple("DeepCandidates", "x y z vx vy vz prefab who")
"""Possible neighbours, with depth `DeepCandidates`; each array has the shape (n + PADDING,).

Attributes:
    x, y, z: float32, position, on a torus that of the copy near the viewer.
    vx, vy, vz: int32, velocity in fixed point.
    prefab: int32.
    who: int32, index in the grid's order.
"""


Slice = namedtuple("Slice", "candidates first last")
"""The candidates [first, last): all that a viewer may see."""


Section = namedtuple("Section", "line first last")
"""Cells of one line whose boids share candidates: those from `first` to before `last`."""


@subroutine
def room_for(count, like):
    """Return candidates, not filled yet; `like`: any vector of the world."""
    size = count + PADDING
    prefab, who = np.empty(size, i32), np.empty(size, i32)
    x, y, vx, vy = np.empty(size, f32), np.empty(size, f32), np.empty(size, i32), np.empty(size, i32)
    if len(like) == 2:
        return Candidates(x, y, vx, vy, prefab, who)
    return DeepCandidates(x, y, np.empty(size, f32), vx, vy, np.empty(size, i32), prefab, who)


@inlined
def set_place(candidates, k, here):
    set_element(places_in(candidates), k, here)


@inlined
def set_candidate(candidates, k, place, source, n, who):
    """Set the k-th candidate: its velocity and prefab are the n-th of other candidates or of `Mates`."""
    set_place(candidates, k, place)
    set_element(velocities_in(candidates), k, velocity_at(source, n))
    candidates.prefab[k], candidates.who[k] = source.prefab[n], who


@inlined
def pad(candidates, count):
    """Put far-away sentinels after the last candidate, which vectorised loops may read."""
    for k in range(u64(count), u64(count + PADDING)):
        set_element(places_in(candidates), k, filled(places_in(candidates), FAR))
        set_element(velocities_in(candidates), k, filled(velocities_in(candidates), i32(0)))
        candidates.prefab[k] = 0


@inlined
def copy_stretch(flock, first, last, shift, candidates, count):
    """Append a range of the grid's order, moved by the shift; return the new count."""
    grid, mates = flock.grid, flock.mates
    begin = u64(first)
    end, to = begin + u64((last - first + LANES - 1) // LANES * LANES), u64(count) - begin
    # The elements copied after the last one are overwritten by the next range or by `pad`.
    _copy_lanes(places_in(grid), places_in(candidates), begin, end, to, shift)
    _copy_lanes(velocities_in(mates), velocities_in(candidates), begin, end, to, filled(shift, i32(0)))
    _copy(mates.prefab, candidates.prefab, begin, end, to, i32(0))
    for k in range(begin, end):
        candidates.who[to + k] = i32(k)
    return count + last - first


@on_each_axis
def _copy_lanes(source, target, begin, end, to, shift):
    _copy(source, target, begin, end, to, shift)


@inlined
def _copy(source, target, begin, end, to, shift):
    for k in range(begin, end):
        target[to + k] = source[k] + shift


@inlined
def beyond_the_border(n, cells, torus):
    """Wrap n, the number of a cell along an axis, -1 to `cells`; also return the shift of the entities in it."""
    if 0 <= n < cells:
        return n, ZERO
    return (n + cells, -torus) if n < 0 else (n - cells, torus)


@inlined
def lines_around(stored):
    """Return the number of lines of cells whose boids may be near those of a line: 3, or with depth 9."""
    return 3 if len(stored) == 2 else 9


@inlined
def line_beside(stored, torus, line, n):
    """Return the n-th of the lines around a line, itself included, and the shift of its entities along y, or y and z.

    Args:
        stored, torus: those of the grid, vectors.
    """
    if len(torus) == 2:
        y, shift = beyond_the_border(line + n - 1, stored[1], torus[1])
        return y, (shift,)
    y, shift_y = beyond_the_border(line % stored[1] + n % 3 - 1, stored[1], torus[1])
    z, shift_z = beyond_the_border(line // stored[1] + n // 3 - 1, stored[2], torus[2])
    return z * stored[1] + y, (shift_y, shift_z)


@inlined
def gather_section(flock, section, candidates, begins):
    """Copy the candidates for the cells of a section, from the lines around, in the order of x.

    The 3 x 3 cells around a cell c, with depth 3 x 3 x 3, are then one range: begins[c - first] to
    begins[c - first + 3].
    """
    grid, stored, torus = flock.grid, stored_in(flock.grid), torus_in(flock.grid)
    count = 0
    for c in range(section.first - 1, section.last + 1):
        begins[c - section.first + 1] = count
        x, shift_x = beyond_the_border(c, grid.stored_x, grid.torus_x)
        for n in range(lines_around(stored)):
            line, across = line_beside(stored, torus, section.line, n)
            cell, shift = line * grid.stored_x + x, (shift_x, *across)
            count = copy_stretch(flock, grid.start[cell], grid.start[cell + 1], shift, candidates, count)
    begins[section.last - section.first + 2] = count
    pad(candidates, count)


@inlined
def section_size(flock, section):
    """Return the number of candidates that `gather_section` will copy."""
    grid, stored, torus = flock.grid, stored_in(flock.grid), torus_in(flock.grid)
    count = 0
    for n in range(lines_around(stored)):
        line, _ = line_beside(stored, torus, section.line, n)
        base = line * grid.stored_x
        count += grid.start[base + section.last] - grid.start[base + section.first]
        for c in (section.first - 1, section.last):
            x, _ = beyond_the_border(c, grid.stored_x, grid.torus_x)
            count += grid.start[base + x + 1] - grid.start[base + x]
    return count


@outlined
def gather_around(flock, me, radius, candidates):
    """Copy the candidates for a boid that sees beyond a cell, each once, at its nearest copy; return their number."""
    grid = flock.grid
    here, torus = place_at(grid, me), torus_in(grid)
    window = cells_within(grid, here, radius)
    count = i64(0)
    for n in range(window.stretches):
        first, last = stretch(grid, window, n)
        count = copy_stretch(flock, first, last, filled(torus, ZERO), candidates, count)
    for k in range(u64(0), u64(count)):
        set_place(candidates, k, nearest_copy(place_at(candidates, k), here, torus))
    pad(candidates, count)
    return count
