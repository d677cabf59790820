"""The edges of a world with depth, drawn lightly: the twelve lines of its box."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

EDGES_VERTEX = """
#version 330
in vec3 corner;  // u

void main() {
    gl_Position = in_clip(corner - focus.xyz);
}
"""
EDGES_FRAGMENT = """
#version 330
uniform float opacity;
out vec4 painted;

void main() {
    painted = vec4(vec3(0.96, 0.94, 0.9), opacity);
}
"""


def edges_of(size: ArrayLike) -> NDArray[np.float32]:
    """Return the ends of the edges of a world, float32 (24, 3), u."""
    lines = []
    for axis in range(3):
        for one, other in product((0, 1), repeat=2):
            for end in (0, 1):
                corner = [0, 0, 0]
                corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3] = end, one, other
                lines.append(corner)
    made: NDArray[np.float32] = (np.array(lines) * np.asarray(size)).astype(np.float32)
    return made
