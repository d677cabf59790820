"""Who lies in whose field of view."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from systems.engine.kernel import inlined
from systems.exact.vector import HALF, ZERO, cosine, unit

f32 = np.float32
ALL_ROUND = f32(-2)


class FieldOfView(NamedTuple):
    """Float32 each.

    Attributes:
        heading_x, heading_y: the unit vector it is centred on; 0, 0 at rest.
        cone: c * |c| of the cosine c of half its angle; ALL_ROUND where everything is seen.
    """

    heading_x: np.float32
    heading_y: np.float32
    cone: np.float32


@inlined
def field_of_view(row, velocity, perception):
    """The field of view of an entity; at rest it has no heading and sees all round."""
    heading_x, heading_y = unit(velocity[row].x, velocity[row].y)
    if perception[row].fov >= f32(360) or (heading_x == ZERO and heading_y == ZERO):
        return FieldOfView(heading_x, heading_y, ALL_ROUND)
    c = cosine(HALF * perception[row].fov)
    return FieldOfView(heading_x, heading_y, c * abs(c))


@inlined
def in_view(view, dx, dy, square):
    """Whether an offset, whose length has this square, lies in the field of view.

    dot(heading, offset) >= c * d, squared with its sign so that no root is needed.
    """
    dot = dx * view.heading_x + dy * view.heading_y
    return dot * abs(dot) >= view.cone * square
