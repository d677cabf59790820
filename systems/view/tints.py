"""Colours animals by a quantity instead of their species: each gets a position from 0 to 1 on a ramp, or none.

heading    turns from the x axis, counter-clockwise; none at rest
speed      between the lowest Motion.min_speed and the highest Motion.max_speed
energy     Energy.level / Energy.capacity
age        Life.age relative to the highest Life.max_age or, if that is higher, to the age of the oldest animal without
           a max_age, rounded up
crowding   number of animals around, up to 2.5 times the usual number
flock      a colour for each flock, see `followed.py`; none outside of flocks
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.life import Energy, Life
from components.motion import Motion, Velocity
from components.store.fields import AMOUNT_SCALE
from components.store.world import World
from systems.engine.kernel import inlined, kernel, parallel_kernel, prange
from systems.engine.settings import Settings
from systems.space.raster import count, divide, interpolated
from systems.view.flock_colours import PALETTE
from systems.view.followed import followed
from systems.view.ramps import RAMPS, STEPS, Legend

f32, i32, u32 = np.float32, np.int32, np.uint32
TINTS = ("species", "heading", "speed", "energy", "age", "crowding", "flock")
SPECIES, HEADING, SPEED, ENERGY, AGE, CROWDING, FLOCK = range(7)
NONE = f32(-1)
CELL = 1.5  # the approximate side of a cell, in mean distances of evenly spread animals
MOST_CELLS = 1000  # along an axis
TOP = 2.5

NO_FLOCKS, ONE_FLOCK = "no flocks", "one flock of {high:,.0f}"
FLOCKS = "{low:,.0f} flocks, the largest of {high:,.0f}"

GREYED = 0  # the code of animals without the quantity; other codes are 1 + the index in the ramp

Rows = NDArray[np.int32]
Codes = NDArray[np.uint16]


def tint(world: World, rows: Rows, by: int) -> tuple[Codes, Legend | None]:
    """Colour the animals in these rows by one of TINTS.

    Returns:
        For each row GREYED, or 1 + the index in the ramp; and the meaning of the colours. An empty array and None for
        the colours of the species.
    """
    if by == SPECIES:
        return np.zeros(0, np.uint16), None
    if by == FLOCK:
        flocks = followed(world)
        words = FLOCKS if flocks.count > 1 else ONE_FLOCK if flocks.count else NO_FLOCKS
        return flocks.codes(world, rows), Legend("flock", "", flocks.count, flocks.largest, PALETTE, words)
    shares = np.full(len(rows), NONE, f32)
    unit, low, high = _BY[by](world, rows, shares)
    codes = np.empty(len(rows), np.uint16)
    _encode(shares, codes)
    return codes, Legend(TINTS[by], unit, low, high, RAMPS[TINTS[by]])


def coloured(own: NDArray[np.uint32], codes: Codes, ramp: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the colours, 0xRRGGBB, for colours of species and these codes, computed as in the shader."""
    red, green, blue = (own >> u32(shift) & u32(255) for shift in (16, 8, 0))
    grey = u32(3) * ((u32(77) * red + u32(150) * green + u32(29) * blue) >> u32(8))
    red, green, blue = ((channel + grey) // u32(5) for channel in (red, green, blue))
    greyed = red << u32(16) | green << u32(8) | blue
    found: NDArray[np.uint32] = np.where(codes == GREYED, greyed, ramp[np.maximum(codes, 1) - 1])
    return found


def _by_heading(world: World, rows: Rows, shares: Any) -> tuple[str, float, float]:
    table = world.table
    _turns(rows, table.presence, np.uint64(table.mask([Velocity])), table.records(Velocity), shares)
    return "degrees", 0.0, 360.0


def _by_speed(world: World, rows: Rows, shares: Any) -> tuple[str, float, float]:
    table = world.table
    moving = table.rows(Velocity, Motion)
    low, high = _limits(moving, table.records(Motion)) if len(moving) else (0.0, 1.0)
    moves = np.uint64(table.mask([Velocity]))
    _speeds(rows, table.presence, moves, table.records(Velocity), low, 1 / max(high - low, 1e-6), shares)
    return "u/s", low, high


def _by_energy(world: World, rows: Rows, shares: Any) -> tuple[str, float, float]:
    table = world.table
    _energies(rows, table.presence, np.uint64(table.mask([Energy])), table.records(Energy), shares)
    return "% of what it can hold", 0.0, 100.0


def _by_age(world: World, rows: Rows, shares: Any) -> tuple[str, float, float]:
    table = world.table
    most, oldest = _ages_reached(table.rows(Life), table.records(Life))
    high = max(most, _round_up(oldest / AMOUNT_SCALE) if oldest > 0 else 0.0) or 1.0
    per = 1 / (high * AMOUNT_SCALE)
    _ages(rows, table.presence, np.uint64(table.mask([Life])), table.records(Life), per, shares)
    return "s", 0.0, high


def _by_crowding(world: World, rows: Rows, shares: Any) -> tuple[str, float, float]:
    settings, places = world.resource(Settings), world.table.pairs("Position", rows)
    cells = divide(settings, places, _side(settings, places), MOST_CELLS)
    counts = np.zeros(cells.shape, i32)
    count((places[:, 0], places[:, 1]), cells, counts)
    usual = float((counts.astype(np.int64) ** 2).sum() / max(len(rows), 1))
    _crowds(places, cells, counts, 1 / max(TOP * usual, 1e-6), shares)
    return "in 100 x 100 u", 0.0, TOP * usual * cells.per_x * cells.per_y * 1e4


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


_BY = {HEADING: _by_heading, SPEED: _by_speed, ENERGY: _by_energy, AGE: _by_age, CROWDING: _by_crowding}


@inlined
def turn_of(x, y):
    """Return the angle of a direction in turns, in [0, 1); the arc tangent is a polynomial with an error below 2e-6."""
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


@parallel_kernel
def _turns(rows, presence, moves, velocity, shares):
    for k in prange(len(shares)):
        x, y = velocity[rows[k]].x, velocity[rows[k]].y
        if presence[rows[k]] & moves and (x != 0 or y != 0):
            shares[k] = turn_of(x, y)


@kernel
def _limits(rows, motion):
    low, high = np.inf, 0.0
    for row in rows:
        low, high = min(low, motion[row].min_speed), max(high, motion[row].max_speed)
    return low, high


@parallel_kernel
def _speeds(rows, presence, moves, velocity, low, per, shares):
    for k in prange(len(shares)):
        if presence[rows[k]] & moves:
            x, y = velocity[rows[k]].x, velocity[rows[k]].y
            speed = np.sqrt(x * x + y * y)
            shares[k] = max((speed - low) * per, 0.0)


@parallel_kernel
def _energies(rows, presence, lives, energy, shares):
    for k in prange(len(shares)):
        if presence[rows[k]] & lives:
            shares[k] = max(energy[rows[k]].level, 0) / max(energy[rows[k]].capacity, 1)


@kernel
def _ages_reached(rows, life):
    """Return the highest max_age, s, and the age of the oldest animal without a max_age, in 1 / AMOUNT_SCALE s."""
    most, oldest = 0.0, np.int64(0)
    for row in rows:
        if life[row].max_age > 0:
            most = max(most, life[row].max_age)
        else:
            oldest = max(oldest, life[row].age)
    return most, oldest


@parallel_kernel
def _ages(rows, presence, ages, life, per, shares):
    for k in prange(len(shares)):
        if presence[rows[k]] & ages:
            shares[k] = life[rows[k]].age * per


@parallel_kernel
def _crowds(places, cells, counts, per, shares):
    for k in prange(len(shares)):
        shares[k] = interpolated((places[k, 0], places[k, 1]), cells, counts) * per


@parallel_kernel
def _encode(shares, codes):
    for k in prange(len(shares)):
        codes[k] = GREYED if shares[k] < 0 else 1 + min(int(shares[k] * STEPS), STEPS - 1)
