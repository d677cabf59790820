"""A histogram of radii, from which the width of cells is chosen."""

from __future__ import annotations

from typing import Any

import numpy as np

from systems.engine.kernel import inlined, kernel

f32, i32, i64 = np.float32, np.int32, np.int64
BUCKETS = 64  # quarter octaves of the radius, from 2**-4 u


@kernel
def no_radii(parts: Any) -> Any:
    """Make an empty histogram by part and bucket: the largest radius, float32, u, and the number of radii, int64."""
    return np.zeros((parts, BUCKETS), f32), np.zeros((parts, BUCKETS), i64)


@inlined
def note_radius(widest, members, part, radius, count=1):
    """Count a radius (float32) `count` times; its quarter octave is taken from its bits."""
    quarter = (f32(radius).view(np.int32) >> i32(21)) - (123 << 2)
    bucket = min(max(quarter, 0), BUCKETS - 1)
    widest[part, bucket] = max(widest[part, bucket], radius)
    members[part, bucket] += count
