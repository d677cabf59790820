"""Selects the animals in a view, and packs each into 16 bytes for the graphics card.

Positions are relative to the centre of the view, as float32 without the lowest nine bits: precise to eight millionths
of the view's width, anywhere in the world. The pose is stored in these bits: the heading, how far the animal banks, and
the lower bits of its rhythm, which differs from animal to animal. The movement since the last tick is stored as
float16, with a relative precision of 1/4000. Animals outside of the view are left out. The others are sorted by level
of detail, then by row. Only DETAILED ones bank and have a rhythm.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import inlined
from systems.engine.rows import PARTS, for_each_part, part_of
from systems.engine.threads import SuitedTo
from systems.space.torus import nearest_copy_along
from systems.view.looks import look_number
from systems.view.packed import banked, float16, turned, upper_bits

f32, f64, i32, i64, u32, index = np.float32, np.float64, np.int32, np.int64, np.uint32, np.uint64
INSTANCE = np.dtype([("place_pose", u32, 2), ("came", u32), ("look_code", u32)])
"""One animal: its position (u, relative to the centre of the view) with 9 bits each of its pose, the upper ones first;
its previous position (u, relative to the present one), as two float16; and the index of its look, with its code (see
`tint`) in the bits from CODE on, and the upper bits of its rhythm from RHYTHM on. From its lowest bits on, a pose
consists of a heading (`packed.turned`), a bank (`packed.banked`) from BANK on, and the lower bits of the rhythm from
BEAT on."""

POSE = u32(9)  # bits of the pose with each coordinate
BANK, BEAT = u32(11), u32(16)
BEATS = u32(2)  # lower bits of the rhythm
CODE, RHYTHM = u32(20), u32(29)  # there are fewer than 2**20 looks and 2**9 codes
FAR, COARSE, DETAILED = range(3)  # levels of detail
FOUND = 3  # the index of the number of a part's animals in view
LINE = 8  # int64 in a cache line: threads write to different lines

Drawn = namedtuple("Drawn", "rows position velocity look prefab presence moves looks codes torus")
"""The data of animals to draw: `rows` are their table rows; all other arrays, except `codes`, are by table row.

moves: uint64, the presence bit of Velocity.
looks: see `looks_of`.
codes: uint16 (n,), see `tint`; (0,) if all have the colours of their Look.
torus: float32 (2,), u: the size of a torus, or 0."""

Lives = tuple[Any, Any, np.uint64]
"""What poses depend on, all by table row: the serials, the records of Motion, and its presence bit."""

Seen = tuple[NDArray[np.void], NDArray[np.void], NDArray[np.void]]


class Sight(NamedTuple):
    """A view of the world.

    Attributes:
        x, y: its centre, u.
        across, up: half its width and height, u; infinite: all animals are in view.
        repeats_x, repeats_y: the distance after which the world is drawn again, u; 0: it is drawn once.
        reach: the extent of a shape from its position, in half lengths.
        least: half the length, u, below which animals are drawn at this size: FAR.
        coarse: half the length, u, below which the other animals are COARSE.
    """

    x: float
    y: float
    across: float
    up: float
    repeats_x: float
    repeats_y: float
    reach: float
    least: float
    coarse: float


def seen(drawn: Drawn, lives: Lives, sight: Sight, room: Room) -> Seen:
    """Return the animals in a view, dtype INSTANCE, as FAR, COARSE and DETAILED ones; the arrays belong to `room`.

    If a view repeats the world, it repeats the animals too.
    """
    counts = np.zeros((PARTS, LINE), i64)
    with SuitedTo(len(drawn.rows)):
        _find(drawn, sight, room.places(len(drawn.rows)), counts)
        of_each = counts[:, :FOUND]  # by part and level of detail; then where these begin
        ends = of_each.sum(axis=0).cumsum()
        of_each[:] = of_each.cumsum(axis=0) - of_each + ends - of_each.sum(axis=0)
        words = room.words(ends[-1])
        _fill(drawn, lives, sight, room.places(len(drawn.rows)), counts, words)
    far, coarse, detailed = np.split(words.reshape(-1).view(INSTANCE), ends[:DETAILED])
    return far, coarse, detailed


class Room:
    """Buffers that are reused for every view, because allocating memory costs more than writing to it."""

    def __init__(self) -> None:
        self._places, self._words = np.zeros(0, i32), np.zeros((0, INSTANCE.itemsize // 4), u32)

    def places(self, count: int) -> NDArray[np.int32]:
        """Return a buffer for the indexes in `rows` of animals in view, int32 (count,)."""
        if len(self._places) < count:
            self._places = np.zeros(2 * count, i32)
        return self._places[:count]

    def words(self, count: int) -> NDArray[np.uint32]:
        """Return a buffer for this number of records, uint32 (count, 4)."""
        if len(self._words) < count:
            self._words = np.zeros((2 * count, INSTANCE.itemsize // 4), u32)
        return self._words[:count]


@for_each_part
def _find(part, drawn, sight, found, counts):
    begin, end = part_of(part, len(drawn.rows))
    at = index(begin)
    for k in range(index(begin), index(end)):
        row = index(drawn.rows[k])
        _, across, _, up = _images(drawn, sight, row)
        if across * up > 0:
            found[at] = k
            at += index(1)
            detail = _detail(drawn, sight, row)
            counts[part, detail] += across * up
    counts[part, FOUND] = i64(at) - begin


@for_each_part
def _fill(part, drawn, lives, sight, found, begins, words):
    begin, _ = part_of(part, len(drawn.rows))
    for at in range(index(begin), index(begin + begins[part, FOUND])):
        k = index(found[at])
        row = index(drawn.rows[k])
        here, detail = drawn.position[row], _detail(drawn, sight, row)
        x, y = f64(here.x) - sight.x, f64(here.y) - sight.y
        pose, beat = _heading(drawn, row), u32(0)
        if detail == DETAILED:
            beat = u32(lives[0][row]) * u32(0x9E3779B1) >> u32(27)
            pose |= _bank(drawn, lives, row) << BANK | (beat & ((u32(1) << BEATS) - u32(1))) << BEAT
        what = _came(drawn, row), pose, _look_code(drawn, k, row) | beat >> BEATS << RHYTHM
        if sight.repeats_x == 0.0:
            _write(words, index(begins[part, detail]), x, y, what)
            begins[part, detail] += 1
            continue
        column, across, line, up = _images(drawn, sight, row)
        for m in range(line, line + up):
            for n in range(column, column + across):
                _write(words, index(begins[part, detail]), x + n * sight.repeats_x, y + m * sight.repeats_y, what)
                begins[part, detail] += 1


@inlined
def _write(words, place, x, y, what):
    came, pose, code = what
    words[place, 0] = upper_bits(x) | pose >> POSE
    words[place, 1] = upper_bits(y) | pose & ((u32(1) << POSE) - u32(1))
    words[place, 2] = came
    words[place, 3] = code


@inlined
def _detail(drawn, sight, row):
    size = drawn.look[row].size
    return (size >= sight.least) + (size >= sight.coarse)


@inlined
def _images(drawn, sight, row):
    """Return the copies of an animal in view: along each axis the shift of the first, in worlds, and their number."""
    if sight.across == np.inf:
        return 0, 1, 0, 1
    here = drawn.position[row]
    reach = sight.reach * max(f64(drawn.look[row].size), sight.least)
    column, across = _along(here.x, here.previous_x, drawn.torus[0], sight.x, reach + sight.across, sight.repeats_x)
    line, up = _along(here.y, here.previous_y, drawn.torus[1], sight.y, reach + sight.up, sight.repeats_y)
    return column, across, line, up


@inlined
def _along(here, previous, torus, middle, reach, repeats):
    before = nearest_copy_along(previous, here, torus)
    low, high = f64(min(here, before)) - middle - reach, f64(max(here, before)) - middle + reach
    if repeats == 0.0:
        return 0, (1 if low <= 0.0 <= high else 0)
    per = 1.0 / repeats
    first = i64(np.ceil(-high * per))
    return first, i64(np.floor(-low * per)) - first + 1


@inlined
def _came(drawn, row):
    here = drawn.position[row]
    x = nearest_copy_along(here.previous_x, here.x, drawn.torus[0]) - here.x
    y = nearest_copy_along(here.previous_y, here.y, drawn.torus[1]) - here.y
    return float16(x) | float16(y) << u32(16)


@inlined
def _look_code(drawn, k, row):
    number = u32(look_number(row, drawn.prefab, drawn.look, drawn.looks))
    return number | (u32(drawn.codes[k]) + u32(1)) << CODE if len(drawn.codes) else number


@inlined
def _heading(drawn, row):
    moves = drawn.presence[row] & drawn.moves
    return turned(drawn.velocity[row].x, drawn.velocity[row].y) if moves else turned(f32(0), f32(0))


@inlined
def _bank(drawn, lives, row):
    _, motion, steers = lives
    x, y = drawn.velocity[row].x, drawn.velocity[row].y
    squared = x * x + y * y
    if not (drawn.presence[row] & drawn.moves and drawn.presence[row] & steers and squared > 0):
        return banked(f32(0))
    return banked(f32((x * motion[row].acceleration_y - y * motion[row].acceleration_x) / squared))
