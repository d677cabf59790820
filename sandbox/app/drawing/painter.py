"""Draws the world: the sky or pictures, then the scenery in one instanced draw call, then the animals."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial

import numpy as np
from arcade import ArcadeContext
from pyglet import gl

from components.store.fields import FLAT
from components.store.table import MOST_PREFABS
from components.store.world import World
from sandbox.app.drawing.animals import Animals
from sandbox.app.drawing.any_camera import AnyCamera
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.driver import draws_in_software
from sandbox.app.drawing.glow import Glow
from sandbox.app.drawing.own_pictures import OwnPictures
from sandbox.app.drawing.rendered import Rendered, mark_of
from sandbox.app.drawing.scenery import SceneryDrawing
from sandbox.app.drawing.sky import Sky
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.drawing.space.drawing import SpaceDrawing
from sandbox.app.drawing.view_block import ViewBlock
from sandbox.render.room import Room
from sandbox.simulation import Simulation

Layer = Callable[[AnyCamera, float, float], None]  # draws into the current framebuffer; gets camera, alpha and ratio
ADDS, SOLID = 2.0, 5.0  # pixels: half a length up to which animals add their light, and from which they are solid
LIGHT = 0.24  # how many animals may cover a pixel on average before each gives less light: they form dense crowds
LONGEST = 3600.0  # s: period after which animated scenery starts again, so that float32 is precise enough for its time


def _nothing(camera: AnyCamera, alpha: float, ratio: float) -> None:
    """Draw nothing."""


def glows(context: ArcadeContext, wanted: str = "by itself") -> bool:
    """Return whether backdrops of night and space glow, which is expensive if the driver draws with the processor."""
    return wanted == "on" or (wanted == "by itself" and not draws_in_software(context))


class Painter:
    """The shader programs and buffers of one graphics context.

    Attributes:
        animals, scenery: draw the animals, and the things around them.
        colouring: one of TINTS, which overrides the colouring of the world; "": no override.
        glow: returns whether backdrops of night and space glow; by default, `glows`.
    """

    def __init__(self, context: ArcadeContext, glow: Callable[[], bool] | None = None) -> None:
        self.context, self.colouring = context, ""
        self.glow = glow or partial(glows, context)
        self._light: Glow | None = None
        self._by_night, self._half_length = False, 1.0
        self.animals = Animals(context)
        self._tick, self._tick_rate = 0, 1
        self._torus: tuple[float, ...] = (0.0, 0.0)
        self._space: SpaceDrawing | None = None  # made when a world with depth is first drawn
        self._is_deep = False
        self._prepared: Rendered | None = None
        self._rooms = Room(), Room()
        self._view = ViewBlock(context)
        self._sky, self._pictures = Sky(context), OwnPictures(context)
        self.scenery = SceneryDrawing(context)

    def choose_glow(self, glow: bool | None) -> None:
        """Let backdrops of night and space glow, or not; None: unless the driver draws with the processor."""
        self.glow = partial(glows, self.context) if glow is None else partial(bool, glow)

    def prepare(self, simulation: Simulation, world: World) -> None:
        """Render a world that `take` will be called for, in the thread that has run its tick.

        The animals in the view of the last frame are collected. They stay until the tick after the next one.

        Args:
            world: a copy of the simulation's world, which it will show.
        """
        rendered = Rendered.of(simulation, world, self.colouring)
        if self.animals.wanted is not None and len(rendered.size) == len(FLAT):
            rendered = rendered.collecting(self.animals.wanted, self._rooms[0])
            self._rooms = self._rooms[::-1]
        self._prepared = rendered

    def forget(self) -> None:
        """Forget what was prepared of a world that is no longer shown."""
        self._prepared = None

    def take(self, simulation: Simulation) -> None:
        """Show the present state: what was prepared, if it is of it. Call it after ticks and commands."""
        rendered, self._prepared = self._prepared, None
        if rendered is None or rendered.mark != mark_of(simulation, simulation.world, self.colouring):
            rendered = Rendered.of(simulation, simulation.world, self.colouring)
        backdrop, self._torus = rendered.backdrop, rendered.torus
        self._tick, self._tick_rate = rendered.tick, rendered.tick_rate
        self._is_deep = len(rendered.size) > len(FLAT)
        if self._is_deep:
            self._space = self._space or SpaceDrawing(self.context)
            self._space.take(rendered)
            return
        self._sky.show(backdrop, rendered.bounces)
        self._by_night = backdrop.glows
        self._pictures.take(rendered.pictures, rendered.folder)
        self.animals.take(rendered.drawing, backdrop.light, backdrop.shade, rendered.collected)
        self.scenery.take(rendered.forms, backdrop)
        lengths = rendered.drawing.drawn.looks["size"][:MOST_PREFABS]
        self._half_length = float(np.median(lengths[lengths > 0])) if lengths.any() else 1.0

    def draw(
        self,
        camera: AnyCamera,
        alpha: float,
        ratio: float = 1.0,
        under: Layer | None = None,
        over: Layer | None = None,
        *,
        moves: bool = False,
    ) -> None:
        """Draw into the current framebuffer.

        Args:
            alpha: position of the frame between the previous tick (0) and the current one (1).
            ratio: pixels of the framebuffer per pixel of the camera's screen.
            under, over: layers to be drawn below the animals, and over everything.
            moves: whether this is a view that moves, which is exact when it comes to rest.
        """
        if isinstance(camera, SpaceCamera):
            self._draw_space(camera, alpha, ratio, under, over)
            return
        if self._is_deep:
            return  # what was taken had depth, which its world has lost since
        pixel = 1 / (camera.zoom * ratio)
        self.animals.look(camera, pixel, moves=moves)
        copies = [camera.moved(-x, -y) for x, y in camera.copies()]
        time = (self._tick + alpha) / self._tick_rate % LONGEST
        moving = 0.0 if self.animals.still else time
        with self._collected_light():
            self.context.enable_only()  # the sky and animals are opaque
            gl.glColorMask(True, True, True, not self.glowing)  # alpha marks what shines
            self._view.show(camera)
            self._sky.draw(camera, pixel, moving)
            self._pictures.draw(camera)
            for copy in copies:
                self._view.show(copy)
                self.scenery.draw(copy, pixel, alpha, moving, self._torus)
            gl.glColorMask(True, True, True, True)
            if under is not None:
                for copy in copies:
                    under(copy, alpha, ratio)
            self.context.enable_only()
            self._view.show(camera)
            if self.glowing:
                self._blend_light(camera, pixel)
            self.animals.draw(camera, pixel, alpha, time, self._tick_rate, blends=not self.glowing)
        for copy in copies:
            if over is not None:
                over(copy, alpha, ratio)
        self.context.enable_only(self.context.BLEND)  # arcade's text needs blending

    def _draw_space(
        self, camera: SpaceCamera, alpha: float, ratio: float, under: Layer | None, over: Layer | None
    ) -> None:
        time = (self._tick + alpha) / self._tick_rate % LONGEST
        if self._space is not None and self._is_deep:
            drawn = partial(under or _nothing, camera, alpha, ratio)
            self._space.draw(camera, alpha, 0.0 if self.animals.still else time, self._tick_rate, drawn)
        if over is not None:
            over(camera, alpha, ratio)
        self.context.enable_only(self.context.BLEND)

    @property
    def glowing(self) -> bool:
        """Whether this world is drawn as light."""
        return self._by_night and self.glow()

    def _collected_light(self) -> AbstractContextManager[None]:
        if not self.glowing:
            return nullcontext()
        self._light = self._light or Glow(self.context)
        return self._light.over(self.context.active_framebuffer)

    def _blend_light(self, camera: Camera, pixel: float) -> None:
        """Let far animals add their light, the less the more of them there are per pixel; near ones are solid."""
        half = max(self._half_length, self.animals.least(camera, pixel)) / pixel
        solid = min(max((half - ADDS) / (SOLID - ADDS), 0.0), 1.0)
        per_pixel = self.animals.count * pixel * pixel / (camera.world_size[0] * camera.world_size[1])
        covered = per_pixel * half * half
        light = solid + (1 - solid) * min(LIGHT / max(covered, 1e-6), 1.0) ** 1.5
        self.context.enable_only(self.context.BLEND)
        self.context.blend_func = gl.GL_CONSTANT_COLOR, gl.GL_ONE_MINUS_CONSTANT_ALPHA, gl.GL_ONE, gl.GL_ONE
        gl.glBlendColor(light, light, light, solid)
