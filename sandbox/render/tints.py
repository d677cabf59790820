"""Colours animals by a quantity instead of their species: each gets a position from 0 to 1 on a ramp, or none.

heading    turns from the x axis, counter-clockwise, with depth as seen from the front; none at rest or along the depth
speed      between the lowest Motion.min_speed and the highest Motion.max_speed
energy     Energy.level / Energy.capacity
age        Life.age relative to the highest Life.max_age or, if that is higher, to the age of the oldest animal without
           a max_age, rounded up
crowding   number of animals around, up to 2.5 times the usual number
flock      a colour for each flock, see `followed.py`; none outside of flocks
"""

from __future__ import annotations

import math
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.life import Energy, Life
from components.motion import Motion, Velocity
from components.store.fields import AMOUNT_SCALE
from components.store.records import ComponentType
from components.store.world import World
from sandbox.render.colour_scales import PALETTE, RAMPS, STEPS, Legend
from sandbox.render.followed import followed
from systems.engine.kernel import inlined, kernel
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.exact.vector import is_zero, length, read, to_f64
from systems.space.raster import count, divide, interpolated

f32, i32, u16, u32 = np.float32, np.int32, np.uint16, np.uint32
TINTS = ("species", "heading", "speed", "energy", "age", "crowding", "flock")
SPECIES, HEADING, SPEED, ENERGY, AGE, CROWDING, FLOCK = range(7)
CELL = 1.5  # the approximate side of a cell, in mean distances of evenly spread animals
MOST_CELLS = 1000  # along an axis
TOP = 2.5

NO_FLOCKS, ONE_FLOCK = "no flocks", "one flock of {high:,.0f}"
FLOCKS = "{low:,.0f} flocks, the largest of {high:,.0f}"
SHARING = "{low:,.0f} flocks, the largest of {high:,.0f}; several share a colour"

_alone = Lock()  # a world and its copies, which another thread may draw, share the flocks that are followed
GREYED = 0  # the code of animals without the quantity; other codes are 1 + the index in the ramp

Rows = NDArray[np.int32]
Codes = NDArray[np.uint16]
Scale = tuple[str, float, float]  # the unit of the quantity, and its values at the ends of the ramp


def tint(world: World, data: Any, rows: Rows, by: int) -> tuple[Codes, Legend | None]:
    """Colour the animals in these rows by one of TINTS; `data`: see `data_of`.

    Returns:
        By table row, GREYED or 1 + the index in the ramp; and the meaning of the colours. An empty array and None for
        the colours of the species.
    """
    if by == SPECIES:
        return np.zeros(0, u16), None
    if by == FLOCK:
        with _alone:
            flocks = followed(world)
            codes, used = flocks.codes(world), flocks.colours_in_use()
        many = SHARING if flocks.count > len(used) else FLOCKS
        words = many if flocks.count > 1 else ONE_FLOCK if flocks.count else NO_FLOCKS
        return codes, Legend("flock", "", flocks.count, flocks.largest, PALETTE, words, used)
    codes = np.full(world.table.size, GREYED, u16)
    unit, low, high = _BY[by](world, data, rows, codes)
    return codes, Legend(TINTS[by], unit, low, high, RAMPS[TINTS[by]])


def coloured(own: NDArray[np.uint32], codes: Codes, ramp: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the colours, 0xRRGGBB, for colours of species and these codes, computed as in the shader."""
    red, green, blue = (own >> u32(bits) & u32(255) for bits in (16, 8, 0))
    grey = u32(3) * ((u32(77) * red + u32(150) * green + u32(29) * blue) >> u32(8))
    red, green, blue = ((channel + grey) // u32(5) for channel in (red, green, blue))
    greyed = red << u32(16) | green << u32(8) | blue
    found: NDArray[np.uint32] = np.where(codes == GREYED, greyed, ramp[np.maximum(codes, 1) - 1])
    return found


def _by_heading(world: World, data: Any, rows: Rows, codes: Codes) -> Scale:
    _turns(rows, data, _bit(world, Velocity), codes)
    return "degrees", 0.0, 360.0


def _by_speed(world: World, data: Any, rows: Rows, codes: Codes) -> Scale:
    moving = world.table.rows(Velocity, Motion)
    low, high = _limits(moving, data) if len(moving) else (0.0, 1.0)
    _speeds(rows, data, _bit(world, Velocity), low, 1 / max(high - low, 1e-6), codes)
    return "u/s", low, high


def _by_energy(world: World, data: Any, rows: Rows, codes: Codes) -> Scale:
    _energies(rows, data, _bit(world, Energy), codes)
    return "% of what it can hold", 0.0, 100.0


def _by_age(world: World, data: Any, rows: Rows, codes: Codes) -> Scale:
    most, oldest = _ages_reached(world.table.rows(Life), data)
    high = max(most, _round_up(oldest / AMOUNT_SCALE) if oldest > 0 else 0.0) or 1.0
    _ages(rows, data, _bit(world, Life), 1 / (high * AMOUNT_SCALE), codes)
    return "s", 0.0, high


def _by_crowding(world: World, data: Any, rows: Rows, codes: Codes) -> Scale:
    settings, places = world.resource(Settings), world.table.stacked("Position", rows)[:, :2]  # from the front
    cells = divide(settings, places, _side(settings, places), MOST_CELLS)
    counts = np.zeros(cells.shape, i32)
    count((places[:, 0], places[:, 1]), cells, counts)
    usual = float((counts.astype(np.int64) ** 2).sum() / max(len(rows), 1))
    _crowds(rows, data, cells, counts, 1 / max(TOP * usual, 1e-6), codes)
    return "in 100 x 100 u", 0.0, TOP * usual * cells.per_x * cells.per_y * 1e4


_BY = {HEADING: _by_heading, SPEED: _by_speed, ENERGY: _by_energy, AGE: _by_age, CROWDING: _by_crowding}


def _bit(world: World, component: ComponentType) -> np.uint64:
    return np.uint64(world.table.mask([component]))


def _side(settings: Settings, places: NDArray[np.float32]) -> float:
    """Return the side of a cell, a power of two, u, so that a few births or deaths don't change the cells."""
    width, height = settings.width, settings.height
    if settings.edges == "open" and len(places):
        width, height = np.ptp(places, axis=0).tolist()
    apart = math.sqrt(max(width, 1.0) * max(height, 1.0) / max(len(places), 1))
    return float(2.0 ** round(math.log2(CELL * apart)))


def _round_up(value: float) -> float:
    """Round up to the next of 1, 2, 5, 10, 20, 50 ..."""
    power = 10.0 ** math.floor(math.log10(value))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= value))


@for_each_row
def _turns(row, data, moves, codes):
    way = read(data.velocity[row])[:2]  # with depth, as seen from the front
    if data.presence[row] & moves and not is_zero(way):
        codes[row] = _code(turn_of(way))


@kernel
def _limits(rows, data):
    low, high = np.inf, 0.0
    for row in rows:
        low, high = min(low, data.motion[row].min_speed), max(high, data.motion[row].max_speed)
    return low, high


@for_each_row
def _speeds(row, data, moves, low, per, codes):
    if data.presence[row] & moves:
        codes[row] = _code(max((length(read(data.velocity[row])) - low) * per, 0.0))


@for_each_row
def _energies(row, data, lives, codes):
    if data.presence[row] & lives:
        codes[row] = _code(max(data.energy[row].level, 0) / max(data.energy[row].capacity, 1))


@kernel
def _ages_reached(rows, data):
    """Return the highest max_age, s, and the age of the oldest animal without a max_age, in 1 / AMOUNT_SCALE s."""
    most, oldest = 0.0, np.int64(0)
    for row in rows:
        if data.life[row].max_age > 0:
            most = max(most, data.life[row].max_age)
        else:
            oldest = max(oldest, data.life[row].age)
    return most, oldest


@for_each_row
def _ages(row, data, ages, per, codes):
    if data.presence[row] & ages:
        codes[row] = _code(data.life[row].age * per)


@for_each_row
def _crowds(row, data, cells, counts, per, codes):
    codes[row] = _code(interpolated(to_f64(read(data.position[row])), cells, counts) * per)


@inlined
def _code(share):
    """Return 1 + the index in the ramp of a share from 0 on."""
    return u16(1 + min(int(f32(share) * STEPS), STEPS - 1))


@inlined
def turn_of(way):
    """Return the angle of a direction in turns, in [0, 1); the arc tangent is a polynomial with an error below 2e-6."""
    x, y = way
    flat, steep = min(abs(x), abs(y)), max(abs(x), abs(y))
    t = flat / steep
    s = t * t
    a = t * (0.99997726 + s * (-0.33262347 + s * (0.19354346 + s * (-0.11643287 + s * (0.05265332 - s * 0.01172120)))))
    turn = a * 0.15915494309189535
    if abs(y) > abs(x):
        turn = 0.25 - turn
    if x < 0:
        turn = 0.5 - turn
    return 1.0 - turn if y < 0 and turn > 0 else turn
