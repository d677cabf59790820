"""The test whether an offset lies in an entity's field of view."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from systems.engine.kernel import inlined
from systems.exact.angles import cosine
from systems.exact.vector import HALF, dot, is_zero, read, unit

f32 = np.float32
ALL_ROUND = f32(-2)


class FieldOfView(NamedTuple):
    """A field of view, float32 values.

    Attributes:
        heading: the unit vector on which it is centred; 0 at rest.
        cone: c * |c|, with c the cosine of half its angle; ALL_ROUND if it has no blind angle.
    """

    heading: tuple[np.float32, ...]
    cone: np.float32


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

    This is dot(heading, offset) >= c * d, with both sides squared and their signs kept, which avoids a square root.
    """
    ahead = dot(offset, view.heading)
    return ahead * abs(ahead) >= view.cone * square
