"""The shapes of `Look` as triangles, heading along +x, from -1 to 1: half a length is one unit.

A shape consists of convex polygons, each with a tone, a factor of the entity's colour. Entities of only a few pixels
are drawn with two triangles, still smaller ones with one.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from components.look import OUTLINES, SHAPES
from components.store.open_choice import ROOM

Point = tuple[float, float]
Polygon = tuple[float, list[Point]]  # tone, corners

VERTICES = 36  # of the most detailed shape


def _mirrored(tone: float, corners: list[Point]) -> list[Polygon]:
    return [(tone, corners), (tone, [(x, -y) for x, y in reversed(corners)])]


def _ellipse(tone: float, x: float, y: float, width: float, height: float, corners: int, first: float = 0.5) -> Polygon:
    """Return an ellipse; `first`: the angle of the first corner, in steps between corners."""
    turns = [2 * math.pi * (n + first) / corners for n in range(corners)]
    return tone, [(x + width * math.cos(turn), y + height * math.sin(turn)) for turn in turns]


DETAILED: dict[str, list[Polygon]] = {
    "triangle": _mirrored(1.0, [(1, 0), (-0.85, 0.68), (-0.5, 0)]),
    "bird": [
        *_mirrored(0.94, [(0.48, 0.1), (0.46, 0.62), (-0.12, 0.56), (-0.26, 0.08)]),  # arm
        *_mirrored(0.82, [(0.46, 0.62), (-0.42, 1.42), (-0.12, 0.56)]),  # hand, swept back
        (1.0, [(1, 0), (0.5, 0.17), (-0.55, 0.12), (-0.55, -0.12), (0.5, -0.17)]),
        (0.92, [(-0.5, 0.1), (-1, 0.24), (-1, -0.24), (-0.5, -0.1)]),
    ],
    "fish": [
        (1.0, [(1, 0), (0.55, 0.27), (0, 0.32), (-0.6, 0.07), (-0.6, -0.07), (0, -0.32), (0.55, -0.27)]),
        *_mirrored(0.78, [(-0.5, 0), (-1, 0.34), (-0.82, 0)]),
        *_mirrored(0.78, [(0.3, 0.3), (-0.08, 0.52), (-0.12, 0.28)]),
    ],
    "person": [
        (0.5, [(0.95, 0.2), (0.95, 0.5), (0, 0.4)]),  # one foot ahead, the other behind
        (0.5, [(-0.95, -0.2), (0, -0.4), (-0.95, -0.5)]),
        _ellipse(1.0, 0, 0, 0.48, 1, 7, first=0.25),  # shoulders
        _ellipse(0.3, 0.1, 0, 0.42, 0.42, 7),  # hair
    ],
    "car": [
        (
            1.0,
            [(1, 0.3), (0.88, 0.44), (-0.92, 0.44), (-1, 0.36), (-1, -0.36), (-0.92, -0.44), (0.88, -0.44), (1, -0.3)],
        ),
        (0.35, [(0.42, 0.36), (0.12, 0.3), (0.12, -0.3), (0.42, -0.36)]),
        (0.45, [(-0.5, 0.3), (-0.72, 0.34), (-0.72, -0.34), (-0.5, -0.3)]),
    ],
    "ship": [
        (1.7, [(-0.6, 0.13), (-1, 0.06), (-1, -0.06), (-0.6, -0.13)]),  # flame
        *_mirrored(0.66, [(0.3, 0.1), (-0.56, 0.82), (-0.8, 0.78), (-0.62, 0.1)]),  # wings
        (1.0, [(1, 0), (0.6, 0.16), (0, 0.2), (-0.66, 0.16), (-0.66, -0.16), (0, -0.2), (0.6, -0.16)]),
        (0.3, [(0.6, 0), (0.16, 0.1), (0.16, -0.1)]),  # cockpit
    ],
    "dot": [_ellipse(1.0, 0, 0, 1, 1, 14)],
    "hawk": [
        *_mirrored(0.92, [(0.5, 0.1), (0.6, 0.66), (-0.16, 0.7), (-0.24, 0.08)]),  # arm
        *_mirrored(0.7, [(0.6, 0.66), (0.42, 1.3), (-0.02, 1.46), (-0.16, 0.7)]),  # hand, broad to its end
        (0.8, [(-0.4, 0.08), (-1, 0.46), (-1, -0.46), (-0.4, -0.08)]),  # tail, fanned out
        (1.1, [(0.92, 0), (0.46, 0.2), (-0.62, 0), (0.46, -0.2)]),
    ],
    "shark": [
        *_mirrored(0.76, [(0.36, 0.14), (-0.1, 0.62), (0.02, 0.16)]),
        *_mirrored(0.76, [(-0.66, 0), (-1, 0.42), (-0.84, 0)]),
        (
            1.0,
            [
                (1, 0),
                (0.74, 0.16),
                (0.3, 0.23),
                (-0.3, 0.13),
                (-0.8, 0.03),
                (-0.8, -0.03),
                (-0.3, -0.13),
                (0.3, -0.23),
                (0.74, -0.16),
            ],
        ),
        (0.5, [(0.24, 0), (-0.16, 0.055), (-0.16, -0.055)]),  # the fin on its back
    ],
    "sheep": [
        (0.34, [(0.5, 0.2), (1, 0.13), (1, -0.13), (0.5, -0.2)]),
        *_mirrored(0.34, [(0.74, 0.1), (0.6, 0.4), (0.52, 0.1)]),
        _ellipse(0.88, -0.18, 0, 0.82, 0.66, 6),
        _ellipse(1.05, -0.18, 0, 0.78, 0.64, 6, first=0.0),
    ],
    "wolf": [
        (0.66, [(-0.38, 0), (-0.76, 0.2), (-1, 0), (-0.76, -0.2)]),
        (0.95, [(0.52, 0.24), (0.14, 0.42), (-0.5, 0.28), (-0.5, -0.28), (0.14, -0.42), (0.52, -0.24)]),
        (0.68, [(0.36, 0), (-0.46, 0.18), (-0.46, -0.18)]),  # its dark back
        *_mirrored(0.5, [(0.62, 0.16), (0.4, 0.48), (0.44, 0.06)]),
        (1.12, [(1, 0.06), (0.64, 0.27), (0.4, 0), (0.64, -0.27), (1, -0.06)]),
    ],
    "coral": [_ellipse(1.0, 0, 0, 1, 0.3, 6), _ellipse(0.9, 0, 0, 0.3, 1, 6)],
    "tree": [_ellipse(0.8, 0, 0, 1, 1, 7), _ellipse(1.0, 0, 0, 0.6, 0.6, 7, first=0.0)],
}

COARSE: dict[str, list[Polygon]] = {
    "triangle": DETAILED["triangle"],
    "bird": _mirrored(0.92, [(1, 0), (-0.3, 1.1), (-0.7, 0)]),
    "fish": _mirrored(1.0, [(1, 0), (-0.1, 0.42), (-1, 0)]),
    "person": [(0.9, [(0.4, -0.8), (0.4, 0.8), (-0.45, 0.8), (-0.45, -0.8)])],
    "car": [(0.9, [(1, -0.44), (1, 0.44), (-1, 0.44), (-1, -0.44)])],
    "ship": _mirrored(0.9, [(1, 0), (-0.75, 0.6), (-0.66, 0)]),
    "dot": [(1.0, [(0.88, -0.88), (0.88, 0.88), (-0.88, 0.88), (-0.88, -0.88)])],
    "hawk": _mirrored(0.9, [(0.7, 0), (0.2, 1.4), (-0.9, 0)]),
    "shark": _mirrored(0.95, [(1, 0), (-0.1, 0.3), (-1, 0)]),
    "sheep": [(0.95, [(0.7, -0.5), (0.7, 0.5), (-0.95, 0.5), (-0.95, -0.5)])],
    "wolf": _mirrored(0.9, [(1, 0), (0, 0.42), (-1, 0)]),
    "coral": [_ellipse(0.95, 0, 0, 1, 1, 4)],
    "tree": [_ellipse(0.9, 0, 0, 1, 1, 4)],
}


def _triangle(polygons: list[Polygon]) -> list[Polygon]:
    """Return a triangle with the length, area and centroid of a shape, and the tone of its first polygon."""
    area, middle = 0.0, 0.0
    for _, corners in polygons:
        for (x, y), (other_x, other_y) in pairwise([*corners, corners[0]]):
            part = (x * other_y - other_x * y) / 2
            area, middle = area + part, middle + part * (x + other_x) / 3
    along = [x for _, corners in polygons for x, _ in corners]
    length, middle = max(along) - min(along), middle / area
    back, half = middle - length / 3, abs(area) / length
    return [(polygons[0][0], [(middle + 2 * length / 3, 0), (back, half), (back, -half)])]


LEVELS = 3  # of detail: `seen.FAR`, `seen.COARSE`, `seen.DETAILED`


def levels_of(name: str) -> tuple[list[Polygon], list[Polygon], list[Polygon]]:
    """Return the polygons of a shape, by level of detail."""
    if name in OUTLINES:
        own = [(1.0, [*OUTLINES[name]])]
        return _triangle(own), own, own
    return _triangle(COARSE[name]), COARSE[name], DETAILED[name]


def triangles(polygons: list[Polygon]) -> NDArray[np.float32]:
    """Return the corners of the polygons' triangles, float32 (3 n, 4): x, y, tone, 0."""
    corners = [
        (*corner, tone, 0)
        for tone, polygon in polygons
        for second, third in pairwise(polygon[1:])
        for corner in (polygon[0], second, third)
    ]
    return np.array(corners, np.float32)


def table() -> NDArray[np.float32]:
    """Return all shapes by level and by number of `Look.shape`, float32 (3 ROOM, VERTICES, 4).

    Lines are padded with corners at one point, whose triangles are empty.
    """
    lines = np.zeros((LEVELS, ROOM, VERTICES, 4), np.float32)
    for number, name in zip(SHAPES.numbers, SHAPES, strict=True):
        for level, shape in enumerate(levels_of(name)):
            corners = triangles(shape)
            lines[level, number, : len(corners)] = corners
    return lines.reshape(-1, VERTICES, 4)


def vertices() -> NDArray[np.int64]:
    """Return the number of corners of each shape, (3, ROOM), by level and by number of `Look.shape`."""
    found = np.zeros((LEVELS, ROOM), np.int64)
    for number, name in zip(SHAPES.numbers, SHAPES, strict=True):
        found[:, number] = [len(triangles(level)) for level in levels_of(name)]
    return found


REACH = max(math.hypot(x, y) for x, y, _, _ in table().reshape(-1, 4).tolist())
"""The largest distance of a corner from the middle, in half lengths; also of mods' shapes, which end at (1, 1)."""
