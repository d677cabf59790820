"""The shapes of `Look` as triangles, heading along +x, from -1 to 1: half a length is one unit.

`designs.py` says what each looks like. Entities of only a few pixels are drawn with fewer triangles, still smaller ones
with one.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from components.look import OUTLINES, SHAPES
from components.store.words import ROOM
from sandbox.app.drawing.designs import COARSE, DETAILED, HEIGHTS, STANDING, Corner, Piece

VERTICES = 105  # of the most detailed shape


def _triangle(pieces: list[Piece]) -> list[Piece]:
    """Return a triangle with the length, area, centroid and mean tone of a shape."""
    area = middle = tones = 0.0
    for piece in pieces:
        share = tone = 0.0
        for one, other in pairwise([*piece, piece[0]]):
            signed = (one.x * other.y - other.x * one.y) / 2
            share, middle = share + signed, middle + signed * (one.x + other.x) / 3
            tone += one.tone / len(piece)
        area, tones = area + share, tones + share * tone
    along = [corner.x for piece in pieces for corner in piece]
    length, middle, tone = max(along) - min(along), middle / area, tones / area
    back, half = middle - length / 3, abs(area) / length
    return [[Corner(middle + 2 * length / 3, 0, tone), Corner(back, half, tone), Corner(back, -half, tone)]]


LEVELS = 3  # of detail: `seen.FAR`, `seen.COARSE`, `seen.DETAILED`


def levels_of(name: str) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """Return the pieces of a shape, by level of detail."""
    if name in OUTLINES:
        own = [[Corner(x, y, 1.0) for x, y in OUTLINES[name]]]
        return _triangle(own), own, own
    return _triangle(COARSE[name]), COARSE[name], DETAILED[name]


def triangles(pieces: list[Piece]) -> NDArray[np.float32]:
    """Return the corners of the pieces' triangles, float32 (3 n, 4): those of a `Corner`."""
    corners = [
        corner for piece in pieces for second, third in pairwise(piece[1:]) for corner in (piece[0], second, third)
    ]
    return np.array(corners, np.float32)


def table() -> NDArray[np.float32]:
    """Return all shapes by level and by number of `Look.shape`, float32 (3 ROOM, VERTICES + 1, 4).

    Lines are padded with corners at one point, whose triangles are empty. Their last element is the height of the shape
    above the ground, half lengths.
    """
    lines = np.zeros((LEVELS, ROOM, VERTICES + 1, 4), np.float32)
    for number, name in zip(SHAPES.numbers, SHAPES, strict=True):
        for level, shape in enumerate(levels_of(name)):
            corners = triangles(shape)
            lines[level, number, : len(corners)] = corners
            lines[level, number, VERTICES, 0] = HEIGHTS.get(name, STANDING)
    return lines.reshape(-1, VERTICES + 1, 4)


def vertices() -> NDArray[np.int64]:
    """Return the number of corners of each shape, (3, ROOM), by level and by number of `Look.shape`."""
    found = np.zeros((LEVELS, ROOM), np.int64)
    for number, name in zip(SHAPES.numbers, SHAPES, strict=True):
        found[:, number] = [len(triangles(level)) for level in levels_of(name)]
    return found


EXTENT = max(math.hypot(x, y) for x, y, _, _ in table()[:, :VERTICES].reshape(-1, 4).tolist())
"""The largest distance of a corner from the middle, in half lengths; also of mods' shapes, which end at (1, 1)."""
