"""Draws the backdrop behind everything, by a shader program for each kind of place.

Software renderers execute every branch that depends on a uniform, so what a kind lacks, and on such a renderer all
that costs much, is removed at compile time.
"""

from __future__ import annotations

import math

from arcade import ArcadeContext
from arcade.gl import Program

from sandbox.app.drawing import shaders, sky_shaders
from sandbox.app.drawing.backdrops import BACKDROPS, NUMBERS, Kind, Place
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.driver import draws_in_software


class Sky:
    """The shader programs of one graphics context, each compiled when its kind of place is first shown."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self._screen = context.geometry(mode=context.TRIANGLES)
        self._rich = not draws_in_software(context)
        self._programs: dict[Kind, Program] = {}
        self.show(BACKDROPS["dusk"])

    def show(self, place: Place) -> None:
        """Choose the place to draw."""
        if place.kind not in self._programs:
            self._programs[place.kind] = self._context.program(
                vertex_shader=shaders.SCREEN_VERTEX, fragment_shader=sky_shaders.fragment(place.kind, self._rich)
            )
        program = self._program = self._programs[place.kind]
        values = {name: getattr(place, name) for name in ("glow_colour", "glow_at", *NUMBERS)}
        values["colours"] = [part for colour in place.colours for part in colour]
        values["detail"] = values.pop("texture")  # GLSL has a function of that name
        for name, value in values.items():
            program.set_uniform_safe(name, value)

    def draw(self, camera: Camera, pixel: float, time: float) -> None:
        """Draw the backdrop behind everything.

        Args:
            pixel: u per pixel of the framebuffer.
            time: simulated seconds.
        """
        program = self._program
        (x, y), (width, height) = camera.looks_at, camera.free
        width, height = width / camera.zoom, height / camera.zoom
        program["middle"], program["scale"] = (camera.x, camera.y), camera.scale
        program["view"] = x - width / 2, y - height / 2, width, height
        for name, value in (
            ("world", camera.world),
            ("pixel", pixel),
            ("time", time),
            ("depth", math.sqrt(camera.zoom / camera.fitting)),
        ):
            program.set_uniform_safe(name, value)
        self._screen.render(program, vertices=3)
