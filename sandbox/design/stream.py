"""Streams: areas along a curve, densest in its middle, in which entities begin on their way."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from systems.exact.random import random_units

ALONG, ACROSS = 201, 202  # streams of random numbers; ACROSS and the following ones
SUMMED = 3  # the sum of so many uniform numbers is bell-shaped: only +, so the same bits everywhere
STEPS = 12  # straight pieces between two points
Vectors: TypeAlias = NDArray[np.float64]  # (n, 2)


@dataclass(frozen=True)
class Stream:
    """An area along a smooth curve: its points, each x, y and how far the stream reaches to all sides there, u."""

    points: tuple[tuple[float, float, float], ...]


def strewn(stream: Stream, seed: int, serials: NDArray[np.int64]) -> tuple[Vectors, Vectors]:
    """Return a place for each of these, and the unit vector along the stream there; (0, 0) if it is one point."""
    curve = _curve(np.array(stream.points, np.float64))
    ways = np.diff(curve[:, :2], axis=0)
    lengths = np.sqrt(np.square(ways[:, 0]) + np.square(ways[:, 1]))
    weights = lengths * (curve[1:, 2] + curve[:-1, 2]) + 1e-9  # as dense where it is narrow as where it is wide
    ends = np.array([*accumulate(weights.tolist())])
    luck = random_units(seed, serials, ALONG) * ends[-1]
    piece = np.minimum(np.searchsorted(ends, luck, side="right"), len(ends) - 1)
    share = 1 - (ends[piece] - luck) / weights[piece]
    middle = curve[piece] + (curve[piece + 1] - curve[piece]) * share[:, None]
    bells = (_bell(seed, serials, ACROSS + SUMMED * axis) for axis in (0, 1))
    directions = ways / np.maximum(lengths, 1e-9)[:, None]
    return middle[:, :2] + middle[:, 2:] * np.stack([*bells], axis=1), directions[piece]


def _curve(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points of a curve through these (Catmull and Rom's), (m, 3); two equal ones for a single point."""
    if len(points) == 1:
        return np.repeat(points, 2, axis=0)
    first, second, third, fourth = (
        points[np.clip(np.arange(len(points) - 1) + shift, 0, len(points) - 1), None] for shift in (-1, 0, 1, 2)
    )
    t = np.arange(STEPS)[None, :, None] / STEPS
    bent = (2 * first - 5 * second + 4 * third - fourth) * t + (3 * (second - third) + fourth - first) * t * t
    pieces = second + (third - first + bent) * t / 2
    pieces[..., 2] = (second + (third - second) * t)[..., 2]
    return np.concatenate([pieces.reshape(-1, 3), points[-1:]])


def _bell(seed: int, serials: NDArray[np.int64], first: int) -> NDArray[np.float64]:
    """Return bell-shaped random numbers between -1 and 1."""
    total = np.zeros(len(serials))
    for n in range(SUMMED):
        total += random_units(seed, serials, first + n)
    return total * (2 / SUMMED) - 1
