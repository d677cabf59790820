"""The shapes of `Look` as small solids, which head along +x with +y to the left and +z up; half a length is 1.

A body is a spindle: rings of points around its long axis, closed by a point at either end. Wings and fins are thin.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.look import OUTLINES, SHAPES
from components.store.words import ROOM
from sandbox.app.drawing.designs import FLAME, KIND, ROLL, STRIDE, SWAY, WING


class Corner(NamedTuple):
    """A corner of a triangle.

    Attributes:
        x, y, z: half lengths.
        tone: 0: black, 1: the entity's colour, 2: white.
        motion: as of a `designs.Corner`.
    """

    x: float
    y: float
    z: float
    tone: float
    motion: float = 0.0


class Ring(NamedTuple):
    """A ring of a spindle: where it is along it, half its width and height, and how far it lies above the axis."""

    x: float
    wide: float
    high: float
    z: float = 0.0


Triangle = tuple[Corner, Corner, Corner]
Mesh = list[Triangle]
Place = tuple[float, float, float]
BACK, BELLY = 0.78, 1.35  # tones of what is above and below, in the water
SIDES = 6


def spindle(
    front: Place, rings: Sequence[Ring], back: Place, above: float = 1.0, below: float = 1.0, sides: int = SIDES
) -> Mesh:
    """Return a body; `above`, `below`: the tones of its back and its belly."""
    turns = [2 * math.pi * (n + 0.5) / sides for n in range(sides)]

    def toned(x: float, y: float, z: float, share: float) -> Corner:
        return Corner(x, y, z, below + (above - below) * (share + 1) / 2)

    around = [[toned(r.x, r.wide * math.cos(t), r.z + r.high * math.sin(t), math.sin(t)) for t in turns] for r in rings]
    mesh: Mesh = []
    first, last = toned(*front, 0.0), toned(*back, 0.0)
    for n in range(sides):
        m = (n + 1) % sides
        mesh.append((first, around[0][n], around[0][m]))
        mesh.append((last, around[-1][m], around[-1][n]))
        for one, other in pairwise(around):
            mesh += [(one[n], other[n], other[m]), (one[n], other[m], one[m])]
    return mesh


def fin(tone: float, *corners: Place, motion: float = 0.0) -> Mesh:
    """Return a thin flat piece, a fan from its first corner."""
    made = [Corner(*corner, tone, motion) for corner in corners]
    return [(made[0], one, other) for one, other in pairwise(made[1:])]


def both(mesh: Mesh) -> Mesh:
    """Return a mesh and its mirror image, left and right."""

    def flipped(corner: Corner) -> Corner:
        return corner._replace(y=-corner.y)

    return mesh + [(flipped(three), flipped(two), flipped(one)) for one, two, three in mesh]


def moving(kind: int, mesh: Mesh, share: float = 1.0, root: float = 0.1) -> Mesh:
    """Let wings move, the more the farther out, or bodies sway, the more the nearer to the tail."""

    def moved(corner: Corner) -> Corner:
        far = max(abs(corner.y) - root, 0.0) if kind in (WING, ROLL) else share * ((1 - corner.x) / 2) ** 2
        return corner._replace(motion=KIND * kind + far)

    return [(moved(one), moved(two), moved(three)) for one, two, three in mesh]


def _bird(span: float, swept: float, broad: float, tail: float) -> Mesh:
    body = spindle(
        (1.0, 0.0, 0.02), [Ring(0.55, 0.15, 0.16), Ring(-0.1, 0.19, 0.18)], (-0.72, 0.0, 0.03), 0.85, 1.15, 5
    )
    front = 0.42 - swept
    arm = fin(0.9, (0.4, 0.1, 0.06), (-0.34, 0.1, 0.06), (-0.1, 0.45 * span, 0.08), (0.5, 0.4 * span, 0.08))
    tip = (front - broad, span, 0.04), (front, 0.93 * span, 0.04)
    hand = fin(0.78, (0.5, 0.4 * span, 0.08), (-0.1, 0.45 * span, 0.08), *tip)
    wings = moving(WING, both(arm + hand))
    feathers = fin(0.72, (-0.5, 0.0, 0.03), (-1.0, tail, 0.02), (-1.0, -tail, 0.02))
    return body + wings + feathers


def _fish(wide: float, high: float, tail: float, back: float, top: float) -> Mesh:
    body = spindle(
        (1.0, 0.0, 0.0),
        [Ring(0.45, wide, high), Ring(-0.1, 0.85 * wide, 0.9 * high), Ring(-0.6, 0.25 * wide, 0.3 * high)],
        (-0.72, 0.0, 0.0),
        BACK,
        BELLY,
    )
    caudal = fin(0.8, (-0.62, 0.0, 0.0), (-1.0, 0.0, tail), (-0.84, 0.0, 0.0), (-1.0, 0.0, -0.8 * tail))
    dorsal = fin(0.66, (back, 0.0, 0.8 * high), (back - 0.42, 0.0, high + top), (back - 0.5, 0.0, 0.7 * high))
    pectoral = both(fin(0.8, (0.3, 0.8 * wide, -0.1), (-0.1, wide + 0.3, -0.24), (0.04, 0.8 * wide, -0.12)))
    return moving(SWAY, body + caudal + dorsal + pectoral, 0.3)


def _walker(body: Mesh, reach: float, foot: float) -> Mesh:
    """Return a body on four legs; `foot`: how far below the middle they end."""
    legs: Mesh = []
    for n, (x, y) in enumerate(((0.45, 0.22), (0.45, -0.22), (-0.5, 0.22), (-0.5, -0.22))):
        way = reach * (-1) ** n
        for side in (-0.07, 0.07):
            hip = Corner(x + side, y, -0.1, 0.5)
            legs.append((hip, Corner(x - side, y, -0.1, 0.5), Corner(x + way, y, foot, 0.3, KIND * STRIDE + way)))
    return body + legs


def _ball(radius: float, tone: float = 1.0) -> Mesh:
    rings = [Ring(radius * c, radius * s, radius * s) for c, s in ((0.62, 0.78), (0.0, 1.0), (-0.62, 0.78))]
    return spindle((radius, 0.0, 0.0), rings, (-radius, 0.0, 0.0), tone, tone)


def _flat(outline: Sequence[tuple[float, float]]) -> Mesh:
    """Return an outline with a ridge above and below, as mods' shapes are given."""
    middle = np.mean(outline, axis=0)
    made: Mesh = []
    for height in (0.22, -0.22):
        top = Corner(float(middle[0]), float(middle[1]), height, 1.1)
        edge = [Corner(x, y, 0.0, 0.95) for x, y in outline]
        made += [(top, one, other) for one, other in pairwise([*edge, edge[0]])]
    return made


def _dart() -> Mesh:
    nose, keel, ridge = Corner(1.0, 0.0, 0.0, 1.15), Corner(-0.5, 0.0, -0.24, 0.8), Corner(-0.46, 0.0, 0.26, 1.1)
    tip = Corner(-0.85, 0.68, 0.0, 0.85)
    return both([(nose, tip, ridge), (nose, keel, tip), (tip, keel, ridge)])


def _ship() -> Mesh:
    hull = spindle((1.0, 0.0, 0.0), [Ring(0.3, 0.16, 0.13), Ring(-0.5, 0.2, 0.17)], (-0.66, 0.0, 0.0), 1.1, 0.85, 6)
    wing = fin(0.72, (0.34, 0.12, 0.0), (-0.5, 0.86, -0.06), (-0.84, 0.8, -0.06), (-0.6, 0.12, 0.0))
    wings = moving(ROLL, both(wing))
    keel = fin(0.6, (-0.1, 0.0, 0.12), (-0.8, 0.0, 0.5), (-0.62, 0.0, 0.08))
    flame = KIND * FLAME - 0.4
    blaze = fin(1.9, (-0.6, 0.14, 0.0), (-1.05, 0.0, 0.0), (-0.6, -0.14, 0.0))
    return hull + wings + keel + [(a, b._replace(motion=flame), c) for a, b, c in blaze]


def _car() -> Mesh:
    body = spindle((0.98, 0.0, 0.0), [Ring(0.94, 0.44, 0.2), Ring(-0.94, 0.44, 0.22)], (-0.98, 0.0, 0.0), 1.05, 0.5, 4)
    glass = [Ring(0.2, 0.36, 0.22, 0.2), Ring(-0.5, 0.36, 0.22, 0.2)]
    cabin = spindle((0.5, 0.0, 0.15), glass, (-0.8, 0.0, 0.15), 1.2, 0.3, 4)
    return body + cabin


def _person() -> Mesh:
    body = spindle((0.25, 0.0, 0.0), [Ring(0.1, 0.5, 0.7), Ring(-0.15, 0.5, 0.7)], (-0.3, 0.0, 0.0), 1.1, 0.6)

    def lifted(corner: Corner) -> Corner:
        return corner._replace(z=corner.z + 0.95)

    head = [(lifted(one), lifted(two), lifted(three)) for one, two, three in _ball(0.32, 1.5)]
    return _walker(body + head, 0.3, -1.4)


def _sheep() -> Mesh:
    face = spindle((1.0, 0.0, 0.1), [Ring(0.7, 0.2, 0.2, 0.1)], (0.4, 0.0, 0.1), 0.2, 0.2)
    return _walker(_ball(0.62, 1.4) + face, 0.14, -0.9)


def _wolf() -> Mesh:
    body = spindle((1.0, 0.0, 0.05), [Ring(0.55, 0.17, 0.2), Ring(-0.2, 0.24, 0.24)], (-1.1, 0.0, 0.0), 0.9, 1.1)
    return _walker(body, 0.16, -0.7)


def mesh_of(name: str) -> Mesh:
    """Return the solid of a shape, by its name."""
    if name in OUTLINES:
        return _flat(OUTLINES[name])
    return _MESHES[name]()


_MESHES: dict[str, Callable[[], Mesh]] = {
    "triangle": _dart,
    "bird": partial(_bird, 1.55, 0.45, 0.34, 0.2),
    "hawk": partial(_bird, 1.8, 0.16, 0.3, 0.36),
    "fish": partial(_fish, 0.2, 0.36, 0.42, 0.2, 0.1),
    "shark": partial(_fish, 0.22, 0.24, 0.46, 0.1, 0.32),
    "person": _person,
    "car": _car,
    "ship": _ship,
    "dot": partial(_ball, 0.9),
    "sheep": _sheep,
    "wolf": _wolf,
    "coral": partial(_ball, 1.0),
    "tree": partial(_ball, 1.0),
}

VERTICES = 3 * 64  # the most corners of a mesh


def table() -> NDArray[np.float32]:
    """Return all meshes by number of `Look.shape`, float32 (ROOM, VERTICES, 2, 4): x, y, z and tone; and motion.

    Lines are padded with corners at one point, whose triangles are empty.
    """
    lines = np.zeros((ROOM, VERTICES, 2, 4), np.float32)
    for number, name in zip(SHAPES.numbers, SHAPES, strict=True):
        corners = np.array([corner for triangle in mesh_of(name) for corner in triangle][:VERTICES], np.float32)
        lines[number, : len(corners), 0] = corners[:, :4]
        lines[number, : len(corners), 1, 0] = corners[:, 4]
    return lines


def vertices() -> NDArray[np.int64]:
    """Return the number of corners of each mesh, (ROOM,), by number of `Look.shape`."""
    found = np.zeros(ROOM, np.int64)
    for number, name in zip(SHAPES.numbers, SHAPES, strict=True):
        found[number] = 3 * len(mesh_of(name))
    return found
