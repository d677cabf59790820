"""Draws the backdrop behind everything, by a shader program for each kind of backdrop.

Software renderers execute every branch that depends on a uniform, so what a kind lacks, and on such a renderer all
that costs much, is removed at compile time.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from arcade import ArcadeContext
from arcade.gl import Program
from numpy.typing import NDArray
from pyglet.gl import GL_PROGRAM_POINT_SIZE

from sandbox.app.drawing.backdrops import NUMBERS, BackdropValues, Kind
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.driver import draws_in_software
from sandbox.app.drawing.sky_shaders import shaders_of, stars_of
from sandbox.app.drawing.view_block import view_program

MOST_STARS = 1600  # in a part of the sky as large as the world is in the fitted view
COPIES = 9  # of these stars: far more than one view can show of the sky
DARKER = 0.45  # how much darker it is beyond edges that bounce, 0 to 1


class Sky:
    """The shader programs of one graphics context, each compiled when its kind of backdrop is first shown."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self._rich = not draws_in_software(context)
        self._values: dict[str, Any] = {}  # of the backdrop, by their names in the shaders
        self._points = context.geometry(mode=context.POINTS)
        self._mesh = (320, 180) if self._rich else (80, 45)
        corners = _triangles(*self._mesh)
        indices = context.buffer(data=corners.tobytes())
        self._screen = context.geometry(mode=context.TRIANGLES, index_buffer=indices, index_element_size=4)
        self._vertices = corners.size
        self._shown: list[Program] = []
        self._stars = 0

    def show(self, backdrop: BackdropValues, ends: bool = False) -> None:
        """Choose the backdrop to draw; `ends`: it is darker beyond the edges of the world."""
        self._stars = round(backdrop.stars * MOST_STARS)
        self._shown = [self._program(backdrop.kind, stars) for stars in ((False, True) if self._stars else (False,))]
        self._values = values = {name: getattr(backdrop, name) for name in ("glow_colour", "glow_at", *NUMBERS)}
        values["colours"] = [part for colour in backdrop.colours for part in colour]
        values["detail"] = values.pop("texture")  # GLSL has a function of that name
        values["ends"] = DARKER if ends else 0.0

    def draw(self, camera: Camera, pixel: float, time: float) -> None:
        """Draw it behind everything.

        Args:
            pixel: u per pixel of the framebuffer.
            time: simulated seconds.
        """
        x, y = (coordinate - moved for coordinate, moved in zip(camera.looks_at, camera.moved_by, strict=True))
        width, height = (side / camera.zoom for side in camera.free)
        self._set(
            self._values
            | {
                "view": (x - width / 2, y - height / 2, width, height),
                "world_size": camera.world_size,
                "pixel": pixel,
                "time": time,
                "depth": math.sqrt(camera.zoom / camera.fitting),
                "sharp": self._context.viewport[2] / camera.screen[0],
            }
        )
        self._screen.render(self._shown[0], vertices=self._vertices)
        if self._stars:
            self._context.enable_only(self._context.BLEND, GL_PROGRAM_POINT_SIZE)
            self._context.blend_func = self._context.BLEND_ADDITIVE
            self._points.render(self._shown[1], vertices=self._stars, instances=COPIES)
            self._context.enable_only()

    def _program(self, kind: Kind, stars: bool) -> Program:
        return view_program(self._context, *(stars_of(kind) if stars else shaders_of(kind, self._rich, self._mesh)))

    def _set(self, values: dict[str, Any]) -> None:
        for program in self._shown:
            for name, value in values.items():
                program.set_uniform_safe(name, value)


def _triangles(across: int, up: int) -> NDArray[np.uint32]:
    """Return the corners of the triangles of a mesh, whose corners are numbered line by line, shape (n, 3)."""
    corner = np.arange((up + 1) * (across + 1), dtype=np.uint32).reshape(up + 1, across + 1)
    low, right, above, beyond = corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:]
    triangles = np.stack([low, right, above, right, beyond, above], axis=-1)
    return np.ascontiguousarray(triangles.reshape(-1, 3))
