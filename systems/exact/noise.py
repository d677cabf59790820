"""Smooth noise out of the counter hash: it has no state, so no order can matter, and it goes on after any load.

Eddies are the curl of a potential psi (Bridson, Hourihan and Nordenstam 2007: "Curl-noise for procedural fluid flow"),
taken as its exact derivative, so that air moved by them neither gathers nor thins out anywhere. psi is noise over a
lattice: each point of it has a random value and a random slope, what lies between blends the four points around
(Perlin's quintic fade, 2002). A slope at the points, because values alone would leave all eddies in the rows and
columns of the lattice. In time whole steps blend into each other by the same fade.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from components.store.world import World
from systems.engine.kernel import inlined
from systems.engine.settings import Settings
from systems.exact.random import mixed, random_bits

f64, i64, u64 = np.float64, np.int64, np.uint64
EDDY = 100.0  # u, from one point of the lattice to the next
CHANGE = 3.0  # s, from one time step to the next
USUAL = 0.7  # speed of an eddy: makes the mean square of the velocities 1
_43, _22, _11 = u64(43), u64(22), u64(11)
_TO_UNIT = 1.0 / (1 << 53)
_HALF_OF_21, _HALF_OF_22 = 1.0 / (1 << 20), 1.0 / (1 << 21)
_LOW_21, _LOW_22 = u64((1 << 21) - 1), u64((1 << 22) - 1)


class Lattice(NamedTuple):
    """Where the points of the noise lie.

    Attributes:
        per_x, per_y: points per u.
        columns, lines: float64, after how many points it repeats; 0: it does not.
    """

    per_x: float
    per_y: float
    columns: float
    lines: float


def lattice_over(torus: tuple[float, float] | None) -> Lattice:
    """A lattice that repeats with the world: a whole number of points along each axis, about EDDY apart."""
    if torus is None:
        return Lattice(1.0 / EDDY, 1.0 / EDDY, 0.0, 0.0)
    columns, lines = (max(float(round(size / EDDY)), 2.0) for size in torus)
    return Lattice(columns / torus[0], lines / torus[1], columns, lines)


def time_of(world: World) -> float:
    """Seconds since the world began: what noise changes with."""
    return world.tick / world.resource(Settings).tick_rate


@inlined
def faded(t):
    """From 0 to 1 while t goes from 0 to 1, with neither slope nor curvature at both ends."""
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


@inlined
def slope_of_faded(t):
    return 30.0 * t * t * (t - 1.0) * (t - 1.0)


@inlined
def smoothstep(t):
    """From 0 to 1 while t goes from 0 to 1, with no slope at both ends; 0 before and 1 after."""
    s = min(max(t, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


@inlined
def eddies(key, x, y, time, lattice):
    """The potential at a place, and the velocity of the eddies that are its curl.

    Args:
        key: uint64, whose noise.
        x, y: float64, u; on a torus any place, in the world or not.
        time: float64, s.
    Returns:
        psi, whose mean is 0 and mean square about 1/4; x and y of the velocity, whose mean is 0 and whose length has
        the mean square 1 (0.99; half of the places have less than 0.8, one in a hundred more than 2.3, none 8).
    """
    step = np.floor(time / CHANGE)
    now, then = mixed(key ^ u64(i64(step))), mixed(key ^ u64(i64(step) + 1))
    blend = faded(time / CHANGE - step)
    lively = 1.0 / np.sqrt(blend * blend + (1.0 - blend) * (1.0 - blend))  # else it would be calm between two steps
    column, next_column, fx = _around(x * lattice.per_x, lattice.columns)
    line, next_line, fy = _around(y * lattice.per_y, lattice.lines)
    a, ax, ay = _point(now, then, blend, column, line, fx, fy)
    b, bx, by = _point(now, then, blend, next_column, line, fx - 1.0, fy)
    c, cx, cy = _point(now, then, blend, column, next_line, fx, fy - 1.0)
    d, dx, dy = _point(now, then, blend, next_column, next_line, fx - 1.0, fy - 1.0)
    sx, sy, slope_x, slope_y = faded(fx), faded(fy), slope_of_faded(fx), slope_of_faded(fy)
    low, high = a + sx * (b - a), c + sx * (d - c)
    along_low, along_high = ax + sx * (bx - ax) + slope_x * (b - a), cx + sx * (dx - cx) + slope_x * (d - c)
    up_low, up_high = ay + sx * (by - ay), cy + sx * (dy - cy)
    speed = lively * EDDY * USUAL
    along = along_low + sy * (along_high - along_low)
    up = up_low + sy * (up_high - up_low) + slope_y * (high - low)
    return lively * (low + sy * (high - low)), up * lattice.per_y * speed, -along * lattice.per_x * speed


@inlined
def _around(place, points):
    """The points before and after a place along one axis, and how far it is beyond the first."""
    if points > 0.0:
        place -= np.floor(place / points) * points
    first = np.floor(place)
    beyond = place - first
    after = first + 1.0
    if points > 0.0:  # rounding may leave a place at the very end of the lattice, which is its beginning
        first = first if first < points else 0.0
        after = after if after < points else after - points
    return i64(first), i64(after), beyond


@inlined
def _point(now, then, blend, column, line, dx, dy):
    """What a point of the lattice says of a place (dx, dy) away from it: value and slopes, between two time steps."""
    value, along, up = _drawn(now, column, line)
    next_value, next_along, next_up = _drawn(then, column, line)
    value, along, up = (
        value + blend * (next_value - value),
        along + blend * (next_along - along),
        up + blend * (next_up - up),
    )
    return value + along * dx + up * dy, along, up


@inlined
def _drawn(key, column, line):
    """Three numbers in [-1, 1) of a point: its value and its slopes along x and y."""
    bits = mixed(mixed(key ^ u64(column)) ^ u64(line))
    return (
        f64(bits >> _43) * _HALF_OF_21 - 1.0,
        f64((bits >> _22) & _LOW_21) * _HALF_OF_21 - 1.0,
        f64(bits & _LOW_22) * _HALF_OF_22 - 1.0,
    )


@inlined
def wavering(seed, serial, stream, steps):
    """A number in [-1, 1] that is drawn anew at every whole step and changes smoothly in between.

    Each serial is drawn at a moment of its own, so that not all change their minds at once.
    """
    key = random_bits(seed, 0, serial, stream)
    place = steps + f64(key >> _11) * _TO_UNIT
    step = np.floor(place)
    now, then = _signed(mixed(key ^ u64(i64(step)))), _signed(mixed(key ^ u64(i64(step) + 1)))
    return now + faded(place - step) * (then - now)


@inlined
def _signed(bits):
    """A float64 in [-1, 1) of 53 random bits."""
    return f64(bits >> _11) * (2.0 * _TO_UNIT) - 1.0
