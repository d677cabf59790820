"""Draws the animals: 16 bytes per visible animal are uploaded after each tick, and whenever the view moves.

An upload may wait for the frame before, so it is made when a frame is drawn: the next tick has begun by then.
While a tick takes its time in another thread, animals in a wider region are uploaded: a view can move within it.

Looks are uploaded only when they change. Animals of only a few pixels are drawn with fewer triangles.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import Any

import numpy as np
from arcade import ArcadeContext

from components.look import OUTLINES
from components.store.words import ROOM
from sandbox.app.drawing import animal_shaders, look_shapes
from sandbox.app.drawing.buffers import Instances, Records
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.driver import draws_in_software
from sandbox.app.drawing.view_block import view_program
from sandbox.render.animals import Drawing, Looks
from sandbox.render.room import Room
from sandbox.render.seen import COARSE, DETAILED, FAR, INSTANCE, Collected, Region, seen

SMALLEST = 1.1  # pixels: half the shortest length drawn; in a crowd smaller animals are one triangle of this size
LEAST = 4.0  # pixels: half the shortest length drawn where animals are far apart
OF_SPACE = 0.15  # between these, half the shortest length as a share of the mean distance of evenly spread animals
PLENTY = 0.25  # animals per pixel, from which on those that are too small to be seen get fainter the more there are
RESTS = 10  # frames without a change, after which a view that moved has come to rest
DETAIL = 3.6  # pixels: half a length below which animals are drawn with the coarse shapes


class Animals:
    """The shader program and buffers of the animals.

    Attributes:
        still: whether wings, legs and tails keep still.
        soft: whether those too small to be seen are soft spots, and edges of shadows are soft; it is expensive if the
            driver draws with the processor.
        wanted: the region in which animals of the next tick should be collected, for a view that moves.
        collected: the animals to draw, if they were collected.
    """

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self.still = False
        self.soft = not draws_in_software(context)
        self._outlines: dict[str, Any] | None = None  # of mods, in the texture
        self._vertices = [0] * look_shapes.LEVELS
        self._looks, self._ramp = Records(context, 2), Records(context, 1)
        self._levels = [Instances(context, INSTANCE) for _ in range(look_shapes.LEVELS)]
        self._drawing: Drawing | None = None
        self._known: Looks | None = None
        self._light, self._shade = (0.0, 1.0), 0.0
        self.wanted: Region | None = None
        self._view: Region | None = None  # in the last frame of a view that moves
        self._unchanged = 0  # frames since it moved
        self.collected: Collected | None = None
        self._uploaded: Collected | None = None
        self._room = Room()

    @property
    def count(self) -> int:
        """The number of animals, visible or not."""
        return len(self._drawing.rows) if self._drawing else 0

    def take(
        self,
        drawing: Drawing,
        light: tuple[float, float],
        shade: float = 0.0,
        collected: Collected | None = None,
    ) -> None:
        """Set the animals to draw, the direction of light, and the opacity of shadows on the ground.

        Args:
            collected: those of the animals that were collected already.
        """
        self._drawing, self.collected = drawing, collected
        self._light, self._shade = light, shade

    def least(self, camera: Camera, pixel: float) -> float:
        """Return half the shortest length drawn, u; `pixel`: u per pixel of the framebuffer."""
        return min(max(OF_SPACE / math.sqrt(self._crowding(camera)), SMALLEST * pixel), LEAST * pixel)

    def _crowding(self, camera: Camera) -> float:
        """Return the mean number of animals per u²."""
        return max(self.count, 1) / (camera.world_size[0] * camera.world_size[1])

    def region(self, camera: Camera, pixel: float) -> Region:
        """Return what a camera sees of the world; `pixel`: u per pixel of the framebuffer."""
        least, far, coarse = self.least(camera, pixel), SMALLEST * pixel, DETAIL * pixel
        if least > far:  # even the smallest animals are drawn large enough for more than one triangle
            far, coarse = 0.0, coarse if least < coarse else 0.0
        repeats = camera.world_size if camera.tiles else (0.0, 0.0)
        across, up = (side / 2 / camera.zoom + look_shapes.EXTENT * least for side in camera.screen)
        if self._drawing is not None and self._drawing.drawn.torus_x and not camera.tiles:
            across = up = math.inf  # an animal that crosses an edge may appear at the opposite one
        values = camera.x, camera.y, across, up, *repeats, look_shapes.EXTENT, far, coarse
        return Region(*map(float, values))

    def look(self, camera: Camera, pixel: float, *, moves: bool = False) -> None:
        """Collect the animals that a camera sees, unless those that were collected will do, and upload them.

        Args:
            moves: whether the view may move within the region in which they were collected, until it comes to rest.
        """
        if self._drawing is None:
            return
        view, collected = self.region(camera, pixel), self.collected
        if moves:
            self._unchanged = self._unchanged + 1 if view == self._view else 0
            self._view, moves = view, self._unchanged < RESTS
            self.wanted = view.wider() if moves else view
        if collected is None or not (collected.region.covers if moves else collected.region.shows)(view):
            self.collected = collected = self.gather(view.wider() if moves else view)
        if collected is not self._uploaded or self._outlines != OUTLINES:  # a mod may bring others
            self.upload(collected)

    def gather(self, region: Region) -> Collected:
        """Collect the animals in a region."""
        assert self._drawing is not None
        return Collected(region, seen(self._drawing, region, self._room))

    def upload(self, collected: Collected) -> None:
        """Upload animals, and looks and colour ramp if these have changed."""
        assert self._drawing is not None
        self._uploaded = collected
        looks, legend = self._drawing.drawn.looks, self._drawing.legend
        if self._outlines != OUTLINES:
            self._make_shapes()
        if looks is not self._known:
            self._known = looks
            self._looks.hold(looks)
            shown = np.bincount(looks["shape_colour"] >> np.uint32(24), minlength=ROOM) > 0
            self._vertices = self._corners[:, shown].max(axis=1).tolist()
        if legend is not None:
            self._ramp.hold(legend.ramp)
        for level, instances in zip(self._levels, collected.seen, strict=True):
            level.upload(instances)

    def _make_shapes(self) -> None:
        """Upload all shapes."""
        corners, nearest = look_shapes.table(), (self._context.NEAREST, self._context.NEAREST)
        size = look_shapes.VERTICES + 1, len(corners)
        self._shapes = self._context.texture(size, components=4, dtype="f4", data=corners.tobytes(), filter=nearest)
        self._corners, self._outlines, self._known = look_shapes.vertices(), dict(OUTLINES), None

    def draw(
        self, camera: Camera, pixel: float, alpha: float, time: float, rate: float, *, blends: bool = True
    ) -> None:
        """Draw into the current framebuffer what `look` was called for; the first arguments are the same.

        Args:
            time: simulated time, s.
            rate: ticks per s.
            blends: whether those too small to be seen are translucent, so that their density is seen as tone, and
                shadows are drawn; if not, the blending of the context applies to all.
        """
        if self._drawing is None or self.collected is None:
            return
        context, drawn = self._context, self._drawing.drawn
        values = {
            "region_offset": self.collected.region.offset(self.region(camera, pixel)),
            "alpha": alpha,
            "torus": (0.0, 0.0) if camera.tiles else (float(drawn.torus_x), float(drawn.torus_y)),
            "smallest": self.least(camera, pixel),
            "ink": min(PLENTY / (self._crowding(camera) * pixel * pixel), 1.0) if blends else 1.0,
            "light": self._light,
            "time": time % animal_shaders.PERIOD,
            "rate": rate,
        }
        self._shapes.use(0)
        self._looks.use(1)
        self._ramp.use(2)
        before = context.blend_func
        if blends:
            context.blend_func = context.ONE, context.ONE_MINUS_SRC_ALPHA
        with context.enabled(context.BLEND) if blends else nullcontext():
            self._draw_level(FAR, FAR, values, "FAR", *(("SOFT",) if self.soft else ()))
            if self._shade and blends:
                layers = (1.0, 0.5, 0.0) if self.soft else (0.5,)
                shade = self._shade / (0.8 * len(layers))
                for blur in layers:
                    self._draw_level(DETAILED, COARSE, values | {"blur": blur, "shade": shade}, "SHADOW")
        context.blend_func = before
        self._draw_level(COARSE, COARSE, values)
        self._draw_level(DETAILED, DETAILED, values, *(() if self.still else ("ALIVE",)))

    def _draw_level(self, level: int, shapes_of: int, values: dict[str, Any], *variants: str) -> None:
        """Draw the animals of a level of detail with the shapes of this or another level, and variants of shaders."""
        if not self._levels[level].count:
            return
        if self._drawing is not None and self._drawing.legend is not None:
            variants = *variants, "TINTED"
        program = view_program(self._context, *animal_shaders.variant(*variants))
        textures = {"shapes": 0, "looks": 1, "ramp": 2}
        for name, value in {**textures, **values, "first_shape": shapes_of * ROOM}.items():
            program.set_uniform_safe(name, value)
        self._levels[level].draw(program, self._context.TRIANGLES, self._vertices[shapes_of])
