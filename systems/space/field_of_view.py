"""The test whether an offset lies in an entity's field of view."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from systems.engine.kernel import inlined
from systems.exact.angles import cosine
from systems.exact.vector import HALF, ZERO, read, unit

f32 = np.float32
ALL_ROUND = f32(-2)


class FieldOfView(NamedTuple):
    """A field of view, float32 values.

    Attributes:
        heading_x, heading_y: the unit vector on which it is centred; 0, 0 at rest.
        cone: c * |c|, with c the cosine of half its angle; ALL_ROUND if it has no blind angle.
    """

    heading_x: np.float32
    heading_y: np.float32
    cone: np.float32


@inlined
def field_of_view(row, velocity, perception):
    """Return the field of view of an entity; at rest it has no heading and sees all round."""
    heading_x, heading_y = unit(read(velocity[row]))
    if perception[row].fov >= f32(360) or (heading_x == ZERO and heading_y == ZERO):
        return FieldOfView(heading_x, heading_y, ALL_ROUND)
    c = cosine(HALF * perception[row].fov)
    return FieldOfView(heading_x, heading_y, c * abs(c))


@inlined
def in_view(view, dx, dy, square):
    """Return whether an offset, with the squared length `square`, lies in the field of view.

    This is dot(heading, offset) >= c * d, with both sides squared and their signs kept, which avoids a square root.
    """
    dot = dx * view.heading_x + dy * view.heading_y
    return dot * abs(dot) >= view.cone * square
