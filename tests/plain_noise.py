"""The noise of wind and wandering as its page says it: Python's whole numbers and floats, one place at a time."""

from __future__ import annotations

import itertools
import math

import numpy as np

from systems.space.noise import CHANGE, EDDY, USUAL, USUAL_IN_SPACE

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


Place = tuple[float, ...]
SPEEDS = {2: EDDY * USUAL, 3: EDDY * USUAL_IN_SPACE}


def lattice_place(here: Place, torus: Place | None) -> tuple[Place, tuple[int, ...]]:
    """A place in units of the lattice; and how many points lie along each axis of a torus, else 0."""
    if torus is None:
        return tuple(x / EDDY for x in here), (0,) * len(here)
    points = tuple(max(round(size / EDDY), 2) for size in torus)
    return tuple(x * n / size for x, n, size in zip(here, points, torus, strict=True)), points


def potential(key: int, here: Place, time: float, torus: Place | None) -> np.ndarray:
    """psi at a place, (1,); with depth the three elements of the vector potential, of which the last is psi."""
    place, points = lattice_place(here, torus)
    step = math.floor(time / CHANGE)
    blend = faded(time / CHANGE - step)
    total = np.zeros(2 * len(here) - 3)
    for side in itertools.product((0, 1), repeat=len(here)):
        corner = [math.floor(x) + n for x, n in zip(place, side, strict=True)]
        beyond = np.array(place) - corner
        weight = math.prod(faded(1 - abs(x)) for x in beyond)
        point = [x % n if n else x for x, n in zip(corner, points, strict=True)]
        for when, share in ((step, 1 - blend), (step + 1, blend)):
            total += weight * share * np.array([value + slopes @ beyond for value, slopes in drawn(key, when, point)])
    return total / math.hypot(blend, 1 - blend)


def drawn(key: int, step: int, point: list[int]) -> list[tuple[float, np.ndarray]]:
    """Value and slopes of each element of a point's potential."""
    bits = mixed(key ^ (step & MASK))
    for number in point:
        bits = mixed(bits ^ (number & MASK))
    if len(point) == 2:
        slopes = np.array([(bits >> 22 & 2**21 - 1) / 2**20 - 1, (bits & 2**22 - 1) / 2**21 - 1])
        return [((bits >> 43) / 2**20 - 1, slopes)]
    own = [mixed(bits ^ element) for element in (1, 2, 3)]
    numbers = [[(each >> shift & 2**16 - 1) / 2**15 - 1 for shift in (0, 16, 32, 48)] for each in own]
    return [(value, np.array(slopes)) for value, *slopes in numbers]


def eddy(key: int, here: Place, time: float, torus: Place | None, h: float = 1e-3) -> np.ndarray:
    """The curl of the potential by differences, (2,) or (3,)."""
    slopes = np.empty((2 * len(here) - 3, len(here)))
    for axis in range(len(here)):
        before, after = (tuple(x + way * (n == axis) for n, x in enumerate(here)) for way in (-h, h))
        slopes[:, axis] = (potential(key, after, time, torus) - potential(key, before, time, torus)) / (2 * h)
    if len(here) == 2:
        return np.array([slopes[0, 1], -slopes[0, 0]]) * SPEEDS[2]
    (_, xy, xz), (yx, _, yz), (zx, zy, _) = slopes
    return np.array([zy - yz, xz - zx, yx - xy]) * SPEEDS[3]


def wavering(seed: int, serial: int, stream: int, steps: float) -> float:
    """The noise of one serial over time."""
    key = random_bits(seed, 0, serial, stream)
    place = steps + (key >> 11) / 2**53
    step = math.floor(place)
    now, then = ((mixed(key ^ (n & MASK)) >> 11) / 2**52 - 1 for n in (step, step + 1))
    return now + faded(place - step) * (then - now)
