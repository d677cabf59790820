"""Smooth noise from the counter-based hash: it has no state, so it does not depend on order, or on saving and loading.

Eddies are the curl of a potential psi (Bridson, Hourihan and Nordenstam 2007: "Curl-noise for procedural fluid flow"),
computed from its exact derivative, so that the flow has no divergence. psi is noise over a lattice: each point has a
random value and a random slope; between points the four around are blended (Perlin's quintic fade, 2002). The points
need a slope, because with values alone all eddies would lie in the lines of the lattice. In time, successive
steps are blended by the same fade.

With depth the eddies are the curl of a vector whose three elements are such noises, over a lattice in space.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from components.store.world import World
from systems.engine.kernel import inlined
from systems.engine.settings import Settings
from systems.exact.on_each_axis import on_each_axis
from systems.exact.random import mixed, random_bits
from systems.exact.vector import add, cross, dot, product, scaled, sub
from systems.space.axis import Axis, Cells, DeepCells, axes_of, flat, from_origin

f64, i64, u64 = np.float64, np.int64, np.uint64
EDDY = 100.0  # u, from one point of the lattice to the next
CHANGE = 3.0  # s, from one layer to the next
USUAL, USUAL_IN_SPACE = 0.7, 0.447  # factors of the speed: make the mean square of the velocities 1
_43, _22, _11 = u64(43), u64(22), u64(11)
_16, _32, _48 = u64(16), u64(32), u64(48)
_TO_UNIT = 1.0 / (1 << 53)
_HALF_OF_21, _HALF_OF_22 = 1.0 / (1 << 20), 1.0 / (1 << 21)
_HALF_OF_16 = 1.0 / (1 << 15)
_LOW_21, _LOW_22, _LOW_16 = u64((1 << 21) - 1), u64((1 << 22) - 1), u64((1 << 16) - 1)


def lattice_over(torus: tuple[float, ...]) -> Any:
    """Return a lattice that repeats with the world: a whole number of points along each axis, about EDDY apart.

    The points are where cells begin. Without a torus, whose sizes are then 0, the lattice has no end, and says 0 cells.

    Returns:
        `Cells`, or `DeepCells` for three sizes.
    """
    kind: Any = Cells if len(torus) == 2 else DeepCells
    if not torus[0]:
        return kind(*flat([Axis(0.0, 1.0 / EDDY, 0, 0.0)] * len(torus)))
    points = [max(round(size / EDDY), 2) for size in torus]
    return kind(*flat(Axis(0.0, n / size, n, size) for n, size in zip(points, torus, strict=True)))


def time_of(world: World) -> float:
    """Return the time since the world began, s: the time coordinate of noise."""
    return world.tick / world.resource(Settings).tick_rate


@inlined
def faded(t):
    """Rise from 0 to 1 for t from 0 to 1, with first and second derivatives 0 at both ends."""
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


@inlined
def slope_of_faded(t):
    return 30.0 * t * t * (t - 1.0) * (t - 1.0)


@inlined
def smoothstep(t):
    """Rise from 0 to 1 for t from 0 to 1, with derivative 0 at both ends; 0 before and 1 after."""
    s = min(max(t, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


@inlined
def eddies(key, here, time, lattice):
    """Return the potential psi at a place, and its curl, the velocity of the eddies.

    Args:
        key: uint64, another one for each noise.
        here: float64, u; on a torus any place, in the world or not.
        time: float64, s.
    Returns:
        psi, with mean 0 and mean square about 1/4, with depth 1/5 (that of the potential's third element); and the
        velocity, with mean 0. The length of the velocity has the mean square 1 (0.99); its median is 0.8, its 99th
        percentile 2.3, and it is always below 8; with depth 0.9, 2, and 19.
    """
    step = np.floor(time / CHANGE)
    now, then = mixed(key ^ u64(i64(step))), mixed(key ^ u64(i64(step) + 1))
    blend = faded(time / CHANGE - step)
    lively = 1.0 / np.sqrt(blend * blend + (1.0 - blend) * (1.0 - blend))  # because blending reduces the variance
    if len(here) == 2:
        return _eddies_in_plane(now, then, blend, lively, axes_of(lattice), here)
    return _eddies_in_space(now, then, blend, lively, axes_of(lattice), here)


@inlined
def _eddies_in_plane(now, then, blend, lively, axes, here):
    x_axis, y_axis = axes
    (x, next_x, fx), (y, next_y, fy) = _points_around(axes, here)
    a, (ax, ay) = _point(now, then, blend, (x, y), (fx, fy))
    b, (bx, by) = _point(now, then, blend, (next_x, y), (fx - 1.0, fy))
    c, (cx, cy) = _point(now, then, blend, (x, next_y), (fx, fy - 1.0))
    d, (dx, dy) = _point(now, then, blend, (next_x, next_y), (fx - 1.0, fy - 1.0))
    sx, sy, slope_x, slope_y = faded(fx), faded(fy), slope_of_faded(fx), slope_of_faded(fy)
    low, high = a + sx * (b - a), c + sx * (d - c)
    along_low, along_high = ax + sx * (bx - ax) + slope_x * (b - a), cx + sx * (dx - cx) + slope_x * (d - c)
    up_low, up_high = ay + sx * (by - ay), cy + sx * (dy - cy)
    speed = lively * EDDY * USUAL
    along = along_low + sy * (along_high - along_low)
    up = up_low + sy * (up_high - up_low) + slope_y * (high - low)
    return lively * (low + sy * (high - low)), (up * y_axis.per_u * speed, -along * x_axis.per_u * speed)


@inlined
def _eddies_in_space(now, then, blend, lively, axes, here):
    around, per_u = _points_around(axes, here), _per_u(axes)
    psi, curl = 0.0, (0.0, 0.0, 0.0)
    for corner in range(8):
        side = i64(corner & 1), i64(corner >> 1 & 1), i64(corner >> 2)
        point, beyond = _point_at(side, around), _beyond_at(side, around)
        part, slope = _share(beyond), _slope_of_share(beyond, side, per_u)
        share = product(part)
        along = slope[0] * part[1] * part[2], part[0] * slope[1] * part[2], part[0] * part[1] * slope[2]
        first, last = _bits_of(now, point), _bits_of(then, point)
        x_value, x_slopes = _blended(first, last, u64(1), blend)
        y_value, y_slopes = _blended(first, last, u64(2), blend)
        z_value, z_slopes = _blended(first, last, u64(3), blend)
        potential = x_value + dot(x_slopes, beyond), y_value + dot(y_slopes, beyond), z_value + dot(z_slopes, beyond)
        psi += share * potential[2]
        own = _curl(_of_each(x_slopes, per_u), _of_each(y_slopes, per_u), _of_each(z_slopes, per_u))
        curl = add(curl, add(cross(along, potential), scaled(own, share)))
    return lively * psi, scaled(curl, lively * EDDY * USUAL_IN_SPACE)


@inlined
def _curl(x_slopes, y_slopes, z_slopes):
    """Return the curl of a vector whose elements have these slopes."""
    return z_slopes[1] - y_slopes[2], x_slopes[2] - z_slopes[0], y_slopes[0] - x_slopes[1]


@on_each_axis
def _of_each(a, b):
    return a * b


@on_each_axis
def _per_u(axis):
    return axis.per_u


@on_each_axis
def _point_at(side, around):
    return around[1] if side else around[0]


@on_each_axis
def _beyond_at(side, around):
    return around[2] - side


@on_each_axis
def _share(beyond):
    """Return the share that a lattice point has along each axis."""
    return faded(1.0 - abs(beyond))


@on_each_axis
def _slope_of_share(beyond, side, per_u):
    slope = slope_of_faded(abs(beyond)) * per_u
    return slope if side else -slope


@inlined
def _bits_of(key, point):
    return mixed(mixed(mixed(key ^ u64(point[0])) ^ u64(point[1])) ^ u64(point[2]))


@inlined
def _blended(now, then, which, blend):
    """Return value and slopes of one element of a lattice point's potential, in [-1, 1), blended in time."""
    value, slopes = _drawn_in_space(mixed(now ^ which))
    next_value, next_slopes = _drawn_in_space(mixed(then ^ which))
    return value + blend * (next_value - value), add(slopes, scaled(sub(next_slopes, slopes), blend))


@inlined
def _drawn_in_space(bits):
    slopes = _signed_of_16(bits >> _16), _signed_of_16(bits >> _32), _signed_of_16(bits >> _48)
    return _signed_of_16(bits), slopes


@inlined
def _signed_of_16(bits):
    """Convert the lowest 16 bits to a float64 in [-1, 1)."""
    return f64(bits & _LOW_16) * _HALF_OF_16 - 1.0


@on_each_axis
def _points_around(axis, x):
    """Return for each axis the points before and after a place, and how far it is from the first, in cells."""
    x = from_origin(axis, x)
    if axis.torus > 0.0:
        x -= np.floor(x / axis.cells) * axis.cells
    first = np.floor(x)
    beyond = x - first
    after = first + 1.0
    if axis.torus > 0.0:  # rounding may give a place at the end of the lattice, which is also its beginning
        first = first if first < axis.cells else 0.0
        after = after if after < axis.cells else after - axis.cells
    return i64(first), i64(after), beyond


@inlined
def _point(now, then, blend, point, beyond):
    """Return value and slopes that a lattice point contributes to a place `beyond` it, in cells, blended in time."""
    value, slopes = _drawn(now, point)
    next_value, next_slopes = _drawn(then, point)
    slopes = add(slopes, scaled(sub(next_slopes, slopes), blend))
    return value + blend * (next_value - value) + slopes[0] * beyond[0] + slopes[1] * beyond[1], slopes


@inlined
def _drawn(key, point):
    """Return three random numbers in [-1, 1) for a point: its value and its slopes along x and y."""
    bits = mixed(mixed(key ^ u64(point[0])) ^ u64(point[1]))
    slopes = f64((bits >> _22) & _LOW_21) * _HALF_OF_21 - 1.0, f64(bits & _LOW_22) * _HALF_OF_22 - 1.0
    return f64(bits >> _43) * _HALF_OF_21 - 1.0, slopes


@inlined
def wavering(seed, serial, stream, steps):
    """Return a number in [-1, 1] that is drawn at every whole step and changes smoothly in between.

    Each serial has other steps in time, so that not all are drawn at once.
    """
    key = random_bits(seed, 0, serial, stream)
    moment = steps + f64(key >> _11) * _TO_UNIT
    step = np.floor(moment)
    now, then = _signed(mixed(key ^ u64(i64(step)))), _signed(mixed(key ^ u64(i64(step) + 1)))
    return now + faded(moment - step) * (then - now)


@inlined
def _signed(bits):
    """Convert 53 of the random bits to a float64 in [-1, 1)."""
    return f64(bits >> _11) * (2.0 * _TO_UNIT) - 1.0
