"""Draws a world with depth: what surrounds it, solids, animals with their shadows, and the edges of the world."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from arcade import ArcadeContext
from arcade.gl import BufferDescription, Program
from pyglet import gl

from sandbox.app.drawing import rock_shaders
from sandbox.app.drawing.animal_shaders import PERIOD
from sandbox.app.drawing.backdrops import BackdropValues
from sandbox.app.drawing.colours import shares_of
from sandbox.app.drawing.driver import draws_in_software
from sandbox.app.drawing.rendered import Rendered
from sandbox.app.drawing.space.animals import SpaceAnimals
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.drawing.space.depth_buffer import DepthBuffer
from sandbox.app.drawing.space.dome_shaders import shaders_of
from sandbox.app.drawing.space.edges import EDGES_FRAGMENT, EDGES_VERTEX, edges_of
from sandbox.app.drawing.space.solids import SolidsDrawing
from sandbox.app.drawing.space.view import ABOVE, SpaceView, space_program

HAZE = {"sky": 0.3, "water": 0.6, "ground": 0.25, "space": 0.0}
"""How much haze lies over what is as far away as the world is large, by kind of backdrop."""
SHADE = 0.30  # opacity of shadows
EDGE = 0.16  # opacity of the edges of the world
RISEN, BEHIND = 0.7, 0.35  # the light comes from the sun, and so much from above and from the viewer


class SpaceDrawing:
    """The shader programs and buffers of a graphics context for worlds with depth."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context, self._rich = context, not draws_in_software(context)
        self._view, self._depth = SpaceView(context), DepthBuffer()
        self._whole = context.geometry(mode=context.TRIANGLES)
        self.animals, self._solids = SpaceAnimals(context), SolidsDrawing(context)
        self._edges = space_program(context, EDGES_VERTEX, EDGES_FRAGMENT)
        self._lines = context.buffer(reserve=edges_of((1.0, 1.0, 1.0)).nbytes)
        self._frame = context.geometry([BufferDescription(self._lines, "3f", ["corner"])])

    def take(self, rendered: Rendered) -> None:
        """Set what is drawn."""
        self._backdrop, self._size = rendered.backdrop, rendered.size
        self.animals.take(rendered.drawing)
        self._solids.take(rendered.forms)
        self._lines.write(edges_of(rendered.size).tobytes())

    def draw(
        self, camera: SpaceCamera, alpha: float, time: float, rate: float, under: Callable[[], object] = lambda: None
    ) -> None:
        """Draw into the current framebuffer.

        Args:
            alpha: position of the frame between the previous tick (0) and the current one (1).
            time: simulated time, s.
            rate: ticks per s.
            under: draws what lies under the animals in a flat world; here solid things hide it.
        """
        context, backdrop = self._context, self._backdrop
        self.animals.look(camera)
        self._view.show(camera)
        values = self._lighting(camera) | {"alpha": alpha, "time": time % PERIOD, "rate": rate}
        self._draw_dome(camera, values | {"time": time})
        with self._depth.lent_to(context.active_framebuffer.size):
            self._solids.draw(values, clear=False)
            self.animals.draw(values, 0.0 if backdrop.kind.name == "space" else SHADE)
            self._solids.draw(values, clear=True)
            context.enable_only(context.DEPTH_TEST, context.BLEND)
            context.blend_func = context.BLEND_DEFAULT
            self._set(self._edges, {"opacity": EDGE})
            self._frame.render(self._edges, mode=context.LINES)
            gl.glDepthMask(False)
            under()
        context.enable_only()

    def _draw_dome(self, camera: SpaceCamera, values: dict[str, Any]) -> None:
        backdrop = self._backdrop
        dome = space_program(self._context, *shaders_of(backdrop.kind, self._rich))
        width, height = camera.screen
        corners = (0.0, 0.0), (2.0 * width, 0.0), (0.0, 2.0 * height)
        own = {
            "rays": [part for corner in corners for part in camera.way(*corner)],
            "colours": [part for colour in backdrop.colours for part in colour],
            "detail": backdrop.texture,
            "world_size": self._size,
            **{name: getattr(backdrop, name) for name in ("glow_colour", "glow", "clouds", "stars")},
        }
        self._context.enable_only()
        self._set(dome, values | own)
        self._whole.render(dome, vertices=3)

    def _set(self, program: Program, values: dict[str, Any]) -> None:
        for name, value in values.items():
            program.set_uniform_safe(name, value)

    def _lighting(self, camera: SpaceCamera) -> dict[str, Any]:
        """Return the values of light and air."""
        values, above = air_of(self._backdrop, self._size, camera.up), np.array(ABOVE[camera.up])
        light = np.array(values["sun"]) + above * RISEN + camera.axes[2] * BEHIND
        floor = -float(np.dot(camera.focus, above))
        return values | {"light": tuple(light / np.linalg.norm(light)), "floor_at": floor}


def air_of(backdrop: BackdropValues, size: tuple[float, ...], up: str) -> dict[str, Any]:
    """Return the values of light and air that don't depend on where one looks from."""
    top, *_, low = map(np.array, backdrop.colours)
    middle = backdrop.colours[3] if backdrop.kind.name == "water" else backdrop.colours[-1]
    return {
        "sun": tuple(sun_of(backdrop, up)),
        "sunlight": tuple(0.95 * _toward_white(np.array(backdrop.glow_colour), 0.45)),
        "skylight": tuple(0.60 * _toward_white(top, 0.55)),
        "groundlight": tuple(0.48 * _toward_white(low, 0.5)),
        "stone": shares_of(rock_shaders.of(backdrop.kind)[1]),
        "haze": middle if backdrop.kind.name != "ground" else (0.78, 0.84, 0.88),
        "thickness": HAZE[backdrop.kind.name] / math.hypot(*size),
    }


def sun_of(backdrop: BackdropValues, up: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the way to the sun, a unit vector: behind the world, as high as in a flat one."""
    x, y = backdrop.glow_at
    way = np.array([1.6 * (x - 0.5), 0.06 + 0.75 * max(y, 0.0), -0.8])
    if backdrop.kind.name in ("water", "ground"):
        way = np.array([1.2 * (x - 0.5), 1.0, -0.35])
    way /= np.linalg.norm(way)
    return way if up == "y" else np.array([way[0], -way[2], way[1]])


def _toward_white(colour: Any, share: float) -> Any:
    return colour + (1.0 - colour) * share
