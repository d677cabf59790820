"""Selects the animals in a view, and packs each into 16 bytes for the graphics card.

Positions are relative to the centre of the view, as float32 without the lowest nine bits: precise to eight millionths
of the view's width, anywhere in the world. The pose is stored in these bits: the heading, how far the animal banks, and
the lower bits of its rhythm, which differs from animal to animal. The movement since the last tick is stored as
float16, with a relative precision of 1/4000. Animals outside of the view are left out. The others are sorted by level
of detail, then by row. Only DETAILED ones bank and have a rhythm.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.render.animals import Drawing, look_number
from sandbox.render.room import Room
from systems.engine.kernel import inlined
from systems.engine.rows import PORTIONS, for_each_portion, portion_of
from systems.engine.threads import SuitedTo
from systems.exact.vector import (
    ZERO,
    add,
    dot,
    filled,
    left_of,
    read,
    read_acceleration,
    read_previous,
    sub,
    to_f64,
)
from systems.space.axis import torus_in
from systems.space.torus import nearest_copy, toward

f32, f64, i32, i64, u32, u64 = np.float32, np.float64, np.int32, np.int64, np.uint32, np.uint64
INSTANCE = np.dtype([("place_pose", u32, 2), ("came", u32), ("look_code", u32)])
"""One animal: its position (u, relative to the centre of the view) with 9 bits each of its pose, the upper ones first;
its previous position (u, relative to the present one), as two float16; and the index of its look, with its code (see
`tint`) in the bits from CODE on, and the upper bits of its rhythm from RHYTHM on. From its lowest bits on, a pose
consists of a heading (`turned`), a bank (`banked`) from BANK on, and the lower bits of the rhythm from BEAT on."""

POSE = u32(9)  # bits of the pose with each coordinate
BANK, BEAT = u32(11), u32(16)
BEATS = u32(2)  # lower bits of the rhythm
CODE, RHYTHM = u32(20), u32(29)  # there are fewer than 2**20 looks and 2**9 codes
HALF_CIRCLE = 511  # steps of a heading
ROLL = 15  # steps of a bank
BRISK = 3.0  # rad/s: the rate of turn at which it banks half as far as it can
SHRUNK = f32(2.0**-112)  # the difference between the exponent biases of float32 and float16
LARGEST = f32(65504)  # of float16
FAR, COARSE, DETAILED = range(3)  # levels of detail
FOUND = 3  # the index of the number of a portion's animals in view
MARGIN = 1.25  # the width of a region for a view that moves, in widths of the view
ALIKE = 1.5  # the change of the zoom within which levels of detail stay the same while a view moves
LINE = 8  # int64 in a cache line: threads write to different lines

Seen = tuple[NDArray[np.void], NDArray[np.void], NDArray[np.void]]


class Region(NamedTuple):
    """A view of the world.

    Attributes:
        x, y: its centre, u.
        across, up: half its width and height, u; infinite: all animals are in view.
        repeats_x, repeats_y: the distance after which the world is drawn again, u; 0: it is drawn once.
        extent: how far a shape goes from its position, in half lengths.
        least: half the length, u, below which animals are drawn at this size: FAR.
        coarse: half the length, u, below which the other animals are COARSE.
    """

    x: float
    y: float
    across: float
    up: float
    repeats_x: float
    repeats_y: float
    extent: float
    least: float
    coarse: float

    def wider(self) -> Region:
        """Return a region around this one, for a view that moves."""
        return self._replace(across=MARGIN * self.across, up=MARGIN * self.up)

    def offset(self, view: Region) -> tuple[float, float]:
        """Return the way from the centre of a view to this one's, u; if it repeats the world, to the nearest copy."""
        x, y = self.x - view.x, self.y - view.y
        if self.repeats_x == 0.0:
            return x, y
        return math.remainder(x, self.repeats_x), math.remainder(y, self.repeats_y)

    def shows(self, view: Region) -> bool:
        """Return whether the animals in this region give exactly the picture of a view."""
        is_there = self._replace(across=view.across, up=view.up) == view
        return is_there and self.across >= view.across and self.up >= view.up

    def covers(self, view: Region) -> bool:
        """Return whether the animals in this region include those of a view, in about the same detail."""
        x, y = self.offset(view)
        is_inside = abs(x) + view.across <= self.across and abs(y) + view.up <= self.up
        repeats = (self.repeats_x, self.repeats_y) == (view.repeats_x, view.repeats_y)
        return is_inside and repeats and _alike(self.least, view.least) and _alike(self.coarse, view.coarse)


class Collected(NamedTuple):
    """The animals in a region."""

    region: Region
    seen: Seen


def _alike(one: float, other: float) -> bool:
    """Return whether two bounds of a level of detail differ so little that either may be used."""
    return one == other or 0 < max(one, other) <= ALIKE * min(one, other)


def seen(drawing: Drawing, region: Region, room: Room) -> Seen:
    """Return the animals in a view, dtype INSTANCE, as FAR, COARSE and DETAILED ones; the arrays belong to `room`.

    If a view repeats the world, it repeats the animals too.
    """
    data, drawn, counts = drawing.data, drawing.drawn, np.zeros((PORTIONS, LINE), i64)
    found = room.rows(len(drawn.rows))
    with SuitedTo(len(drawn.rows)):
        _find(data, drawn, region, found, counts)
        of_each = counts[:, :FOUND]  # by portion and level of detail; then where these begin
        ends = of_each.sum(axis=0).cumsum()
        of_each[:] = of_each.cumsum(axis=0) - of_each + ends - of_each.sum(axis=0)
        words = room.words(ends[-1])
        _fill(data, drawn, region, found, counts, words)
    far, coarse, detailed = np.split(words.reshape(-1).view(INSTANCE), ends[:DETAILED])
    return far, coarse, detailed


@for_each_portion
def _find(portion, data, drawn, region, found, counts):
    begin, end = portion_of(portion, len(drawn.rows))
    at = u64(begin)
    for k in range(u64(begin), u64(end)):
        row = u64(drawn.rows[k])
        _, across, _, up = _images(data, drawn, region, row)
        if across * up > 0:
            found[at] = row
            at += u64(1)
            counts[portion, _detail(data, region, row)] += across * up
    counts[portion, FOUND] = i64(at) - begin


@for_each_portion
def _fill(portion, data, drawn, region, found, begins, words):
    begin, _ = portion_of(portion, len(drawn.rows))
    for at in range(u64(begin), u64(begin + begins[portion, FOUND])):
        row = u64(found[at])
        detail, pose, beat = _detail(data, region, row), turned(way_of(data, drawn, row)), u32(0)
        if detail == DETAILED:
            beat = u32(data.serial[row]) * u32(0x9E3779B1) >> u32(27)
            pose |= _bank(data, drawn, row) << BANK | (beat & ((u32(1) << BEATS) - u32(1))) << BEAT
        what = _came(data, drawn, row), pose, look_code(data, drawn, row) | beat >> BEATS << RHYTHM
        place = sub(to_f64(read(data.position[row])), (region.x, region.y))
        if region.repeats_x == 0.0:
            _write(words, u64(begins[portion, detail]), place, what)
            begins[portion, detail] += 1
            continue
        x, across, y, up = _images(data, drawn, region, row)
        for m in range(y, y + up):
            for n in range(x, x + across):
                copy = add(place, (n * region.repeats_x, m * region.repeats_y))
                _write(words, u64(begins[portion, detail]), copy, what)
                begins[portion, detail] += 1


@inlined
def _write(words, at, place, what):
    came, pose, code = what
    words[at, 0] = upper_bits(place[0]) | pose >> POSE
    words[at, 1] = upper_bits(place[1]) | pose & ((u32(1) << POSE) - u32(1))
    words[at, 2] = came
    words[at, 3] = code


@inlined
def _detail(data, region, row):
    size = data.look[row].size
    return (size >= region.least) + (size >= region.coarse)


@inlined
def _images(data, drawn, region, row):
    """Return the copies of an animal in view: along each axis where the first is, and their number.

    Where it is counts in widths of the world along x, and in heights along y.
    """
    if region.across == np.inf:
        return 0, 1, 0, 1
    here = read(data.position[row])
    before = nearest_copy(read_previous(data.position[row]), here, torus_in(drawn))
    extent = region.extent * max(f64(data.look[row].size), region.least)
    x, across = _along(here[0], before[0], region.x, extent + region.across, region.repeats_x)
    y, up = _along(here[1], before[1], region.y, extent + region.up, region.repeats_y)
    return x, across, y, up


@inlined
def _along(here, before, middle, extent, repeats):
    low, high = f64(min(here, before)) - middle - extent, f64(max(here, before)) - middle + extent
    if repeats == 0.0:
        return 0, (1 if low <= 0.0 <= high else 0)
    per = 1.0 / repeats
    first = i64(np.ceil(-high * per))
    return first, i64(np.floor(-low * per)) - first + 1


@inlined
def came_to(data, drawn, row):
    """Return the way from a row's place back to that of a tick ago."""
    return toward(read(data.position[row]), read_previous(data.position[row]), torus_in(drawn))


@inlined
def _came(data, drawn, row):
    came = came_to(data, drawn, row)
    return float16(came[0]) | float16(came[1]) << u32(16)


@inlined
def look_code(data, drawn, row):
    """Return the index of a row's look, with its code from bit CODE on."""
    number = u32(look_number(row, data.prefab, data.look, drawn.looks))
    return number | (u32(drawn.codes[row]) + u32(1)) << CODE if len(drawn.codes) else number


@inlined
def way_of(data, drawn, row):
    """Return the velocity of a row, zeros if it has none."""
    velocity = read(data.velocity[row])
    return velocity if data.presence[row] & drawn.moves else filled(velocity, ZERO)


@inlined
def _bank(data, drawn, row):
    way = way_of(data, drawn, row)
    squared = dot(way, way)
    if not (data.presence[row] & drawn.steers and squared > 0):
        return banked(f32(0))
    return banked(f32(dot(left_of(way), read_acceleration(data.motion[row])) / squared))


# ---- numbers in few bits, which the shader unpacks


@inlined
def upper_bits(value):
    """Return the bits of a float32, rounded to the upper 23; the lower 9 are 0."""
    return f32(value).view(u32) + u32(0x100) & u32(0xFFFFFE00)


@inlined
def float16(value):
    """Return the bits of a float32 as a float16, clamped to its range."""
    magnitude = (f32(min(abs(value), LARGEST) * SHRUNK).view(u32) + u32(0x1000)) >> u32(13)
    return magnitude | (u32(0x8000) if value < 0 else u32(0))


@inlined
def turned(way):
    """Pack a direction into 11 bits: y, scaled so that |x| + |y| = 1, in steps from 0 to 2 HALF_CIRCLE; and x's sign.

    (0, 0) becomes the direction of the x axis.
    """
    far = abs(way[0]) + abs(way[1])
    steps = way[1] / far * f32(HALF_CIRCLE) if far > 0 else f32(0)
    return u32(i32(steps + f32(HALF_CIRCLE + 0.5))) | (u32(0x400) if way[0] < 0 else u32(0))


@inlined
def banked(turn):
    """Pack a rate of turn, rad/s, into 5 bits: how far it banks, in steps from 1 to 31; 16 is level."""
    return u32(i32(f32(ROLL) * turn / (f32(BRISK) + abs(turn)) + f32(ROLL + 1.5)))
