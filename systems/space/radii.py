"""How many see how far: what the width of cells is chosen by."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import inlined

f32, i32, i64 = np.float32, np.int32, np.int64
PARTS = 16  # of a survey, made side by side
BUCKETS = 64  # quarter octaves of the radius, from 2**-4 u


class Radii(NamedTuple):
    """A histogram of radii, by part of the survey and by bucket, shape (PARTS, BUCKETS) each.

    Attributes:
        widest: float32, the largest radius, u.
        members: int64, how many have one.
    """

    widest: NDArray[np.float32]
    members: NDArray[np.int64]


def no_radii() -> Radii:
    """A histogram of none."""
    return Radii(np.zeros((PARTS, BUCKETS), f32), np.zeros((PARTS, BUCKETS), i64))


@inlined
def part_of(part, count):
    """The stretch of `count` that belongs to a part."""
    return count * part // PARTS, count * (part + 1) // PARTS


@inlined
def note_radius(radii, part, radius):
    """Count a radius (float32); its quarter octave is read off its bits."""
    quarter = (f32(radius).view(np.int32) >> i32(21)) - (123 << 2)
    bucket = min(max(quarter, 0), BUCKETS - 1)
    radii.widest[part, bucket] = max(radii.widest[part, bucket], radius)
    radii.members[part, bucket] += 1
