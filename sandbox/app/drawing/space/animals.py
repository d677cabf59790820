"""Draws the animals of a world with depth."""

from __future__ import annotations

from typing import Any

import numpy as np
from arcade import ArcadeContext
from pyglet import gl

from components.look import OUTLINES
from components.store.words import ROOM
from sandbox.app.drawing.buffers import Instances, Records
from sandbox.app.drawing.driver import draws_in_software
from sandbox.app.drawing.space import animal_shaders, meshes
from sandbox.app.drawing.space.camera import SpaceCamera, vector
from sandbox.app.drawing.space.view import ABOVE, space_program
from sandbox.render.animals import Drawing, Looks
from sandbox.render.seen_in_space import FLYING, Eye, seen_in_space

SMALLEST = 1.2  # pixels: half the shortest length drawn
DETAIL = 3.2  # pixels: half a length below which animals are spots
EXTENT = 2.2  # half lengths: how far a mesh goes from its middle


class SpaceAnimals:
    """The shader programs and buffers of the animals in a world with depth."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self._near, self._far = Instances(context, FLYING), Instances(context, FLYING)
        self._looks, self._ramp = Records(context, 2), Records(context, 1)
        self._drawing: Drawing | None = None
        self._known: Looks | None = None
        self._outlines: dict[str, Any] | None = None
        self._shown: tuple[object, ...] = ()
        self._soft = not draws_in_software(context)

    def take(self, drawing: Drawing) -> None:
        """Set the animals to draw."""
        self._drawing, self._shown = drawing, ()

    def look(self, camera: SpaceCamera) -> None:
        """Collect the animals that a camera sees, and upload them, unless they are those of the last frame."""
        if self._drawing is None or self._shown == (eye := _eye(camera)):
            return
        self._shown = eye
        far, near = seen_in_space(self._drawing, eye)
        self._far.upload(far)
        self._near.upload(near)
        looks = self._drawing.drawn.looks
        if self._outlines != OUTLINES:
            self._make_meshes()
        if looks is not self._known:
            self._known = looks
            self._looks.hold(looks)
            shown = np.bincount(looks["shape_colour"] >> np.uint32(24), minlength=ROOM) > 0
            self._vertices = int(self._corners[shown].max(initial=0))
        if self._drawing.legend is not None:
            self._ramp.hold(self._drawing.legend.ramp)

    def draw(self, values: dict[str, Any], shade: float) -> None:
        """Draw into the current framebuffer what `look` was called for.

        Args:
            values: what the shaders ask for, by name.
            shade: opacity of shadows; 0: there are none.
        """
        if self._drawing is None:
            return
        drawn: Any = self._drawing.drawn
        values = values | {"torus": (drawn.torus_x, drawn.torus_y, drawn.torus_z), "smallest": SMALLEST, "shade": shade}
        self._meshes.use(0)
        self._looks.use(1)
        self._ramp.use(2)
        context = self._context
        if shade:
            context.enable_only(context.BLEND, context.DEPTH_TEST)
            context.blend_func = context.BLEND_DEFAULT
            gl.glDepthMask(False)
            self._draw(self._near, self._vertices, values, "mesh", "SHADOW")
            gl.glDepthMask(True)
        context.enable_only(context.DEPTH_TEST)
        self._draw(self._near, self._vertices, values, "mesh")
        context.enable_only(context.DEPTH_TEST, context.BLEND)
        context.blend_func = context.BLEND_DEFAULT
        self._draw(self._far, 3, values, "spot")
        context.enable_only()

    def _make_meshes(self) -> None:
        made, nearest = meshes.table(), (self._context.NEAREST, self._context.NEAREST)
        size = 2 * meshes.VERTICES, len(made)
        self._meshes = self._context.texture(size, components=4, dtype="f4", data=made.tobytes(), filter=nearest)
        self._corners, self._outlines, self._known = meshes.vertices(), dict(OUTLINES), None

    def _draw(self, instances: Instances, vertices: int, values: dict[str, Any], *variant: str) -> None:
        if not instances.count:
            return
        program = space_program(self._context, *animal_shaders.variant(*variant))
        for name, value in {"meshes": 0, "looks": 1, "ramp": 2, **values}.items():
            program.set_uniform_safe(name, value)
        instances.draw(program, self._context.TRIANGLES, vertices)


def _eye(camera: SpaceCamera) -> Eye:
    """Return the view of a camera, with half a screen more where it is not centred."""
    (left, low, right, top), (width, height) = camera.insets, camera.screen
    parallel = camera.is_parallel
    per_u = camera.zoom if parallel else camera.focal
    off = abs(left - right) / 2 + abs(camera.shifted[0]), abs(low - top) / 2 + abs(camera.shifted[1])
    across, upward = (width / 2 + off[0]) / per_u, (height / 2 + off[1]) / per_u
    x, y, z = map(vector, camera.axes)
    bounds = across, upward, per_u, float(parallel), DETAIL, EXTENT, SMALLEST
    return Eye(camera.focus, x, y, z, ABOVE[camera.up], camera.back, *bounds)
