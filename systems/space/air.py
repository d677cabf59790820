"""How the zones of wind act at a place, only for the system `wind`; the equations: docs/equations.md."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.fields import DEEP, FLAT
from components.store.table import EntityTable
from components.store.world import World
from components.wind import GUST, SOURCE, UNIFORM, VORTEX, Wind, X, Y, Z
from systems.engine.cached import cached
from systems.engine.kernel import inlined, kernel
from systems.engine.settings import Settings
from systems.exact.angles import direction
from systems.exact.fixed_point import fixed, fixed_vector
from systems.exact.items import reading_of, writing_of
from systems.exact.random import random_bits
from systems.exact.vector import add, cross, dot, filled, left_of, length, put, read, scaled, sub, to_f64
from systems.space.axis import torus_in
from systems.space.capsule_index import Capsules, build_capsule_index, listed_at
from systems.space.noise import eddies, lattice_over, smoothstep
from systems.space.torus import in_world, minimum_image

f64, i64 = np.float64, np.int64
STREAM = 2
CORE = 0.15  # of the radius
GUSTY = 0.5  # the lowest turbulence of a gust
PULL_SCALE = float(1 << 36)  # a million zones with the strongest coupling fit an int64 sum
CARRY_SCALE = float(1 << 24)  # and a hundred thousand with the strongest wind, with depth 70,000


def _zone(vectors: tuple[str, ...], axes: str) -> np.dtype[Any]:
    numbers = [*(prefix + axis for prefix in vectors for axis in axes), *("radius", "still", "core")]
    floats = [(name, np.float64) for name in [*numbers, "strength", "coupling", "turbulence"]]
    return np.dtype([*floats, ("key", np.uint64), ("kind", np.int64)])


ZONES = {FLAT: _zone(("", "u", "drift_"), FLAT), DEEP: _zone(("", "u", "drift_", "axis_"), DEEP)}
read_way, put_way = reading_of("u"), writing_of("u")
read_drift, put_drift = reading_of("drift_"), writing_of("drift_")
read_axis, put_axis = reading_of("axis_"), writing_of("axis_")


class Air(NamedTuple):
    """The zones of wind.

    Attributes:
        zones: of the dtype in ZONES, (n,), by serial. u: the unit vector along which uniform wind and gusts blow;
            still: the radius within which the wind has its full strength; core: the radius within which it decreases to
            0 at the centre of a source or the axis of a vortex; drift: the velocity of its noise, u/s; axis: the unit
            vector of that axis, only with depth.
        circles: the zones by cell; a cell of a torus may list a zone twice in succession.
        lattice: the lattice of the noise.
    """

    zones: NDArray[np.void]
    circles: Any
    lattice: Any


def air_of(world: World) -> Air:
    """Return the present air; the same object as before, if the zones have not changed."""
    table = world.table
    rows = table.rows_by_serial(Position, Wind)
    zones = np.empty(len(rows), ZONES[table.axes])
    _fill(zones, rows, table.records(Position), table.records(Wind), table.serial, world.seed)
    return _air(table, zones, world.resource(Settings).torus)


@cached
def _air(table: EntityTable, zones: NDArray[np.void], torus: tuple[float, ...] | None) -> Air:
    ends = np.stack([zones[axis] for axis in table.axes * 2], axis=1)
    circles = build_capsule_index(Capsules(ends, zones["radius"].copy(), torus), 0.0)
    return Air(zones, circles, lattice_over(torus or (0.0,) * len(table.axes)))


@kernel
def _fill(zones, rows, position, wind, serial, seed):
    for k in range(len(rows)):
        zone, it, row = zones[k], wind[rows[k]], rows[k]
        here = read(position[row])
        way = _way(it, here)
        strength, radius = f64(it.strength), f64(it.radius)
        carried = strength if it.kind == UNIFORM or it.kind == GUST else 0.0
        turbulence = max(f64(it.turbulence), GUSTY) if it.kind == GUST else f64(it.turbulence)
        put(zone, here)
        put_way(zone, way)
        put_drift(zone, scaled(to_f64(way), carried))
        _put_axis(zone, it, here)
        zone.radius, zone.strength, zone.coupling, zone.turbulence = radius, strength, it.coupling, turbulence
        zone.still, zone.core = radius * (1.0 - f64(it.softness)), radius * CORE
        zone.key, zone.kind = random_bits(seed, 0, serial[row], STREAM), it.kind


@inlined
def _way(wind, like):
    """Return the unit vector along which uniform wind and gusts blow, float32."""
    level = direction(f64(wind.direction) / 360.0)
    if len(like) == 2:
        return level
    share, out = direction(f64(wind.tilt) / 360.0)
    return level[0] * share, level[1] * share, out


@inlined
def _put_axis(zone, wind, like):
    if len(like) == 2:
        return
    put_axis(zone, (f64(wind.axis == X), f64(wind.axis == Y), f64(wind.axis == Z)))


@inlined
def air_at(here, zones, circles, lattice, time):
    """Return the effect of all zones together at a place (float64, u).

    Returns:
        pull, carry, float64: an entity with velocity v is accelerated by carry - pull * v, the sum over the zones of
        coupling * edge * (air - v). Its terminal velocity would be carry / pull; pull 0: no wind.
    """
    torus = torus_in(circles)
    here = in_world(here, torus)
    pull, carry = i64(0), filled(here, i64(0))
    first, last = listed_at(circles, here)
    for k in range(first, last):
        if k > first and circles.which[k] == circles.which[k - 1]:
            continue
        zone = zones[circles.which[k]]
        offset = minimum_image(sub(here, read(zone)), torus)
        square = dot(offset, offset)
        if not square < zone.radius * zone.radius:
            continue
        d = np.sqrt(square)
        hold = zone.coupling * edge(d, zone.radius, zone.still)
        pull += fixed(hold, PULL_SCALE)
        carry = add(carry, fixed_vector(scaled(blowing(zone, offset, d, here, lattice, time), hold), CARRY_SCALE))
    return f64(pull) * (1.0 / PULL_SCALE), scaled(to_f64(carry), 1.0 / CARRY_SCALE)


@inlined
def edge(d, radius, still):
    """Return the share of a zone's wind that acts at distance d from its centre: 1, falling to 0 over the soft edge."""
    return smoothstep((radius - d) / (radius - still)) if d > still else 1.0


@inlined
def blowing(zone, offset, d, here, lattice, time):
    """Return the velocity of the air in a zone, u/s, at a place; `offset`, of length d, leads there from its centre."""
    air = read_way(zone)
    if zone.kind == SOURCE:
        air = scaled(offset, 1.0 / max(d, zone.core))
    if zone.kind == VORTEX:
        air = _whirl(zone, offset, d)
    if zone.turbulence > 0.0:
        drifted = sub(here, scaled(read_drift(zone), time))
        psi, eddy = eddies(zone.key, drifted, time, lattice)
        pulse = smoothstep(0.5 + psi) if zone.kind == GUST else 1.0
        air = add(scaled(air, pulse), scaled(eddy, zone.turbulence))
    return scaled(air, zone.strength)


@inlined
def _whirl(zone, offset, d):
    """Return the air of a vortex of strength 1."""
    if len(offset) == 2:
        return scaled(left_of(offset), 1.0 / max(d, zone.core))
    turn = cross(read_axis(zone), offset)
    return scaled(turn, 1.0 / max(length(turn), zone.core))
