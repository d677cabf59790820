"""Random numbers as a function of (seed, tick, serial, stream): without state, so they don't depend on any order.

The mixing step is the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.world import World
from systems.engine.kernel import inlined, kernel
from systems.exact.angles import direction
from systems.exact.vector import negated

f32, u64 = np.float32, np.uint64
_STEP, _FIRST, _SECOND = u64(0x9E3779B97F4A7C15), u64(0xBF58476D1CE4E5B9), u64(0x94D049BB133111EB)
_30, _27, _31, _11 = u64(30), u64(27), u64(31), u64(11)
_TO_UNIT, _TO_UNIT_OF_21 = 1.0 / (1 << 53), 1.0 / (1 << 21)
_21_BITS, _42 = u64((1 << 21) - 1), u64(42)


def stream(name: str) -> int:
    """Return the number of the random stream of a name ("vicsek noise"); it differs for every name, and from the
    built-in streams.

    Returns:
        An integer from 2**62 to 2**63 - 1, always the same for a name: compute it once, outside of kernels.
    Raises:
        ValueError: the name is no text.
    """
    given: object = name
    if not isinstance(given, str):
        raise ValueError(f"stream({given!r:.60}): must be a name, like stream('vicsek noise')")
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") >> 2 | 1 << 62


def randoms(world: World, rows: NDArray[np.integer[Any]], stream: int) -> NDArray[np.float64]:
    """Return a random number in [0, 1) for each row, float64 (n,); it differs in every tick and every stream.

    Raises:
        ValueError: `stream` is no whole number, 0 or more.
    """
    given: object = stream
    if not (isinstance(given, int | np.integer) and given >= 0):
        raise ValueError(
            f"stream = {given!r:.60}: must be the number of a stream, as stream('vicsek noise') returns it"
        )
    numbers: NDArray[np.float64] = random_numbers(world.seed, world.tick, world.table.serial[rows], stream)
    return numbers


@inlined
def mixed(value):
    """Return a uint64 of which every bit depends on every bit of `value`."""
    z = u64(value) + _STEP
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@inlined
def random_bits(seed, tick, serial, stream):
    """Return 64 random bits, uint64; all arguments are integers."""
    return mixed(mixed(mixed(mixed(u64(seed)) ^ u64(tick)) ^ u64(serial)) ^ u64(stream))


@inlined
def random_unit(seed, tick, serial, stream):
    """Return a random float64 in [0, 1); all arguments are integers."""
    return np.float64(random_bits(seed, tick, serial, stream) >> _11) * _TO_UNIT


@inlined
def random_normal(seed, tick, serial, stream):
    """Return a random float64 in [-6, 6) with mean 0 and standard deviation 1: a sum of twelve uniform numbers.

    The distribution is nearly normal: 0.19 % lie beyond ±3, instead of 0.27 %. All arguments are integers.
    """
    bits, total = random_bits(seed, tick, serial, stream), u64(0)
    for _ in range(4):
        total += (bits & _21_BITS) + ((bits >> u64(21)) & _21_BITS) + (bits >> _42 & _21_BITS)
        bits = mixed(bits)
    return np.float64(total) * _TO_UNIT_OF_21 - 6.0


@inlined
def direction_between(serial, other, like):
    """Return the direction in which `serial` leaves `other` if both are at the same point; opposite for `other`.

    `like`: any vector of the world.
    """
    low, high = u64(min(serial, other)), u64(max(serial, other))
    away = direction_like(like, random_unit(low, high, u64(0), u64(0)), random_unit(low, high, u64(0), u64(1)))
    return away if serial == low else negated(away)


@inlined
def direction_like(like, turn, upward):
    """Return the unit vector, float32, for two random numbers in [0, 1): uniform on a circle, with depth on a sphere.

    `turn`: of a turn about the z axis, from the x axis; `upward`: along the z axis, without use in a flat world.
    """
    level = direction(turn)
    if len(like) == 2:
        return level
    z = 2.0 * upward - 1.0
    radius = np.sqrt(1.0 - z * z)
    return f32(level[0] * radius), f32(level[1] * radius), f32(z)


def random_units(seed: int, serials: NDArray[np.int64], stream: int) -> NDArray[np.float64]:
    """Return a random float64 in [0, 1) for each serial, shape (n,); the same in every tick."""
    numbers: NDArray[np.float64] = random_numbers(seed, 0, serials, stream)
    return numbers


@kernel
def random_numbers(seed, tick, serials, stream):
    """Return a random float64 in [0, 1) for each serial, shape (n,)."""
    values = np.empty(len(serials))
    for k in range(len(serials)):
        values[k] = random_unit(seed, tick, serials[k], stream)
    return values


@kernel
def directions(turns):
    """Return the unit vectors at these angles (float64, in turns from the x axis), float32 (n, 2)."""
    vectors = np.empty((len(turns), 2), np.float32)
    for k in range(len(turns)):
        vectors[k, 0], vectors[k, 1] = direction(turns[k])
    return vectors
