"""The noise of wind and wandering as its page says it: Python's whole numbers and floats, one place at a time."""

from __future__ import annotations

import math

from systems.space.noise import CHANGE, EDDY, USUAL

MASK = (1 << 64) - 1


def mixed(value: int) -> int:
    """The finaliser of SplitMix64."""
    z = (value + 0x9E3779B97F4A7C15) & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def random_bits(*parts: int) -> int:
    """The hash of seed, tick, serial and stream."""
    value = 0
    for part in parts:
        value = mixed(value ^ (part & MASK))
    return value


def faded(t: float) -> float:
    return 6 * t**5 - 15 * t**4 + 10 * t**3


def points_along(torus: tuple[float, float] | None) -> tuple[int, int]:
    """How many points of the lattice lie along each axis of a torus."""
    return (0, 0) if torus is None else tuple(max(round(size / EDDY), 2) for size in torus)  # type: ignore[return-value]


def potential(key: int, x: float, y: float, time: float, torus: tuple[float, float] | None) -> float:
    """psi at a place."""
    columns, lines = points_along(torus)
    u, v = (x / EDDY, y / EDDY) if torus is None else (x * columns / torus[0], y * lines / torus[1])
    step = math.floor(time / CHANGE)
    blend = faded(time / CHANGE - step)
    total = 0.0
    for column in (math.floor(u), math.floor(u) + 1):
        for line in (math.floor(v), math.floor(v) + 1):
            dx, dy = u - column, v - line
            weight = faded(1 - abs(dx)) * faded(1 - abs(dy))
            place = (column % columns, line % lines) if torus else (column, line)
            for when, share in ((step, 1 - blend), (step + 1, blend)):
                value, along, up = drawn(key, when, *place)
                total += weight * share * (value + along * dx + up * dy)
    return total / math.hypot(blend, 1 - blend)


def drawn(key: int, step: int, column: int, line: int) -> tuple[float, float, float]:
    """Value and slopes of a point."""
    bits = mixed(mixed(mixed(key ^ (step & MASK)) ^ (column & MASK)) ^ (line & MASK))
    return ((bits >> 43) / 2**20 - 1, (bits >> 22 & 2**21 - 1) / 2**20 - 1, (bits & 2**22 - 1) / 2**21 - 1)


def eddy(
    key: int, x: float, y: float, time: float, torus: tuple[float, float] | None, h: float = 1e-3
) -> tuple[float, float]:
    """The curl of psi by differences."""
    up = potential(key, x, y + h, time, torus) - potential(key, x, y - h, time, torus)
    along = potential(key, x + h, y, time, torus) - potential(key, x - h, y, time, torus)
    return up / (2 * h) * EDDY * USUAL, -along / (2 * h) * EDDY * USUAL


def wavering(seed: int, serial: int, stream: int, steps: float) -> float:
    """The noise of one serial over time."""
    key = random_bits(seed, 0, serial, stream)
    place = steps + (key >> 11) / 2**53
    step = math.floor(place)
    now, then = ((mixed(key ^ (n & MASK)) >> 11) / 2**52 - 1 for n in (step, step + 1))
    return now + faded(place - step) * (then - now)
