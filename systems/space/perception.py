"""What entities perceive: their field of view, the prefabs that they look for, and how far all of them see."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from systems.engine.kernel import inlined, kernel
from systems.exact.angles import cosine
from systems.exact.vector import HALF, dot, is_zero, read, unit

f32, i32, i64, u64 = np.float32, np.int32, np.int64, np.uint64
ALL_ROUND = f32(-2)
BUCKETS = 64  # quarter octaves of the radius, from 2**-4 u


FieldOfView = namedtuple("FieldOfView", "heading cone")
"""A field of view, float32 values.

Attributes:
    heading: the unit vector on which it is centred; 0 at rest.
    cone: c * |c|, with c the cosine of half its angle; ALL_ROUND if it has no blind angle.
"""


@inlined
def field_of_view(row, velocity, perception):
    """Return the field of view of an entity; at rest it has no heading and sees all round."""
    heading = unit(read(velocity[row]))
    if perception[row].fov >= f32(360) or is_zero(heading):
        return FieldOfView(heading, ALL_ROUND)
    c = cosine(HALF * perception[row].fov)
    return FieldOfView(heading, c * abs(c))


@inlined
def in_view(view, offset, square):
    """Return whether an offset, with the squared length `square`, lies in the field of view.

    This is dot(heading, offset) >= c * d, with both sides squared except for their signs, which avoids a square root.
    """
    ahead = dot(offset, view.heading)
    return ahead * abs(ahead) >= view.cone * square


@inlined
def includes(prefabs, prefab, when_empty):
    """Return whether a set of prefabs, a bit mask (uint64), contains this one; `when_empty` for the empty set."""
    return when_empty if prefabs == u64(0) else (prefabs >> u64(prefab)) & u64(1) == u64(1)


# ---- a histogram of radii, for a width of cells or a radius of circles


@kernel
def no_radii(portions: Any) -> Any:
    """Make an empty histogram by portion and bucket: the largest radius, float32, u, and the number of radii, int64."""
    return np.zeros((portions, BUCKETS), f32), np.zeros((portions, BUCKETS), i64)


@inlined
def count_radius(widest, counts, portion, radius, times=1):
    """Count a radius (float32) so many times; its quarter octave is taken from its bits."""
    quarter = (f32(radius).view(np.int32) >> i32(21)) - (123 << 2)
    bucket = min(max(quarter, 0), BUCKETS - 1)
    widest[portion, bucket] = max(widest[portion, bucket], radius)
    counts[portion, bucket] += times
