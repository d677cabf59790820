"""Draws obstacles, walls, food, goals and wind in a world with depth: a mesh for each kind, many times."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from arcade import ArcadeContext
from numpy.typing import NDArray

from sandbox.app.drawing.buffers import Instances
from sandbox.app.drawing.space import solid_shaders
from sandbox.app.drawing.space.view import space_program
from sandbox.app.drawing.space.wind import WindDrawing
from sandbox.render.solids import AURA, BALL, CROWN, LEAVES, PETALS, PILLAR, SLAB, SOLID, Solids

AROUND, RINGS = 30, 30  # corners of a pillar, and its rings from end to end
PARTS = 18, 1, 24  # of a wall: along it, across, and through the depth
LEAVES_OF_TUFT = 7
FINENESS = 2  # how often the sides of an icosahedron are divided

Floats = NDArray[np.float32]


class SolidsDrawing:
    """The shader programs and buffers of the solids."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context, self._corners = context, corners_by_kind()
        made, nearest = table(self._corners), (context.NEAREST, context.NEAREST)
        size = made.shape[1], len(made)
        self._meshes = context.texture(size, components=4, dtype="f4", data=made.tobytes(), filter=nearest)
        self._instances = {kind: Instances(context, SOLID) for kind in self._corners}
        self._wind = WindDrawing(context)
        self._programs = {clear: space_program(context, *solid_shaders.variant(clear=clear)) for clear in (False, True)}

    def take(self, solids: Solids) -> None:
        """Set the solids to draw, dtype SOLID."""
        kinds = solids["kind_colour"] >> np.uint32(24)
        for kind, instances in self._instances.items():
            instances.upload(solids[kinds == kind])
        self._wind.take(solids)

    def draw(self, values: dict[str, Any], *, clear: bool) -> None:
        """Draw what is solid, or what is translucent, over it; `values`: what the shaders ask for, by name."""
        program, context = self._programs[clear], self._context
        if clear:
            self._wind.draw(values)
        self._meshes.use(0)
        for name, value in values.items():
            program.set_uniform_safe(name, value)
        context.enable_only(context.DEPTH_TEST, *((context.BLEND, context.CULL_FACE) if clear else ()))
        context.blend_func = context.BLEND_DEFAULT
        for kind, instances in self._instances.items():
            if (kind == AURA) == clear:
                program.set_uniform_safe("kind", kind)
                instances.draw(program, context.TRIANGLES, len(self._corners[kind]))
        context.enable_only()


def corners_by_kind() -> dict[int, Floats]:
    """Return the corners of the triangles of each kind of solid, float32 (n, 3)."""
    sphere, finer = _sphere(FINENESS), _sphere(FINENESS + 1)
    return {
        **{BALL: sphere, CROWN: sphere, AURA: finer, PETALS: finer},
        **{PILLAR: _pillar(), SLAB: _wall(), LEAVES: _leaves()},
    }


def table(corners: dict[int, Floats]) -> Floats:
    """Return the corners of all kinds, float32 (kinds, most, 4): x, y, z and 0; lines are padded with zeros."""
    made = np.zeros((len(corners), max(map(len, corners.values())), 4), np.float32)
    for kind, own in corners.items():
        made[kind, : len(own), :3] = own
    return made


def _sphere(times: int) -> Floats:
    """Return the corners of the triangles of an icosahedron whose sides are divided, on the unit sphere."""
    g = (1 + math.sqrt(5)) / 2
    corners = [(0.0, a, b * g) for a in (-1, 1) for b in (-1, 1)]
    p = np.array([corner[n:] + corner[:n] for n in range(3) for corner in corners])
    p /= np.linalg.norm(p, axis=1)[:, None]
    near = np.linalg.norm(p[:, None] - p, axis=2) < 1.2
    faces = [
        (i, j, k)
        for i in range(12) for j in range(i + 1, 12) for k in range(j + 1, 12)
        if near[i, j] and near[j, k] and near[i, k]
    ]  # fmt: skip
    made = np.array([[p[i], p[j], p[k]] for i, j, k in faces])
    outward = np.einsum("ni,ni->n", np.cross(made[:, 1] - made[:, 0], made[:, 2] - made[:, 0]), made.sum(axis=1)) > 0
    made[~outward] = made[~outward][:, ::-1]
    for _ in range(times):
        a, b, c = made[:, 0], made[:, 1], made[:, 2]
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        made = np.concatenate([np.stack(part, axis=1) for part in parts])
        made /= np.linalg.norm(made, axis=2)[..., None]
    return made.reshape(-1, 3).astype(np.float32)


def _leaves() -> Floats:
    """Return a tuft: pointed leaves that lean to all sides."""
    made = []
    for n in range(LEAVES_OF_TUFT):
        turn = 2.4 * n
        lean = 0.25 + 0.75 * n / LEAVES_OF_TUFT
        side = np.array([math.cos(turn), math.sin(turn), 0.0])
        tip = side * lean + np.array([0.0, 0.0, math.sqrt(1 - 0.9 * lean * lean)])
        across = 0.16 * np.array([-math.sin(turn), math.cos(turn), 0.0])
        middle = 0.5 * tip
        made += [np.zeros(3), middle - across, middle + across, middle - across, tip, middle + across]
    return np.array(made, np.float32)


def _pillar() -> Floats:
    """Return a cylinder of many rings: x and y on the unit circle, z 0 at one end and 1 at the other."""
    made: list[tuple[float, ...]] = []
    levels = np.linspace(0, 1, RINGS + 1).tolist()
    for one, other in pairwise((np.arange(AROUND + 1) * 2 * math.pi / AROUND).tolist()):
        a, b = ((math.cos(turn), math.sin(turn)) for turn in (one, other))
        for low, high in pairwise(levels):
            made += [(*a, low), (*b, low), (*b, high), (*a, low), (*b, high), (*a, high)]
        made += [(0, 0, 1), (*a, 1), (*b, 1), (0, 0, 0), (*b, 0), (*a, 0)]
    return np.array(made, np.float32)


def _wall() -> Floats:
    """Return a box whose sides are divided: x 0 at one end and 1 at the other, y -1 to 1 across, z 0 to 1."""
    made = []
    for axis in range(3):
        for end in (0.0, 1.0):
            one, other = (axis + 1) % 3, (axis + 2) % 3
            for i, j in np.ndindex(PARTS[one], PARTS[other]):
                for u, v in ((0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)):
                    corner = [0.0, 0.0, 0.0]
                    corner[axis], corner[one], corner[other] = end, (i + u) / PARTS[one], (j + v) / PARTS[other]
                    made.append((corner[0], 2 * corner[1] - 1, corner[2]))
    return np.array(made, np.float32)
