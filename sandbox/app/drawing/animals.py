"""Draws the animals: 16 bytes per visible animal are uploaded after each tick, and whenever the view moves.

Looks are uploaded only when they change. Animals of only a few pixels are drawn with fewer triangles.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from arcade import ArcadeContext

from components.look import OUTLINES
from components.store.open_choice import ROOM
from sandbox.app.drawing import shaders, shapes
from sandbox.app.drawing.buffers import Instances, Records
from sandbox.app.drawing.camera import Camera
from systems.view.looks import Looks
from systems.view.render import Drawing
from systems.view.seen import INSTANCE, Room, Seen, Sight, seen

SMALLEST = 1.1  # pixels: half the shortest length drawn; in a crowd smaller animals are one triangle of this size
LEAST = 4.0  # pixels: half the shortest length drawn where animals are far apart
OF_SPACE = 0.15  # between these, half the shortest length as a share of the mean distance of evenly spread animals
DETAIL = 4.5  # pixels: half a length below which animals are drawn with the coarse shapes


class Animals:
    """The shader program and buffers of the animals.

    Attributes:
        seen: the visible animals, as they were last gathered.
    """

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self._program = context.program(vertex_shader=shaders.BOIDS_VERTEX, fragment_shader=shaders.BOIDS_FRAGMENT)
        self._program["shapes"], self._program["looks"], self._program["ramp"] = 0, 1, 2
        self._outlines: dict[str, Any] | None = None  # of mods, in the texture
        self._vertices = [0] * shapes.LEVELS
        self._looks, self._ramp = Records(context, 2), Records(context, 1)
        self._levels = [Instances(context, INSTANCE) for _ in range(shapes.LEVELS)]
        self._drawing: Drawing | None = None
        self._known: Looks | None = None
        self._sight: Sight | None = None
        self.seen: Seen | None = None
        self._room = Room()

    @property
    def count(self) -> int:
        """The number of animals, visible or not."""
        return len(self._drawing.rows) if self._drawing else 0

    def take(self, drawing: Drawing, light: tuple[float, float]) -> None:
        """Set the animals to draw, and the direction of light."""
        self._drawing, self._sight = drawing, None
        self._program["light"] = light

    def least(self, camera: Camera, pixel: float) -> float:
        """Return half the shortest length drawn, u; `pixel`: u per pixel of the framebuffer."""
        space = math.sqrt(camera.world[0] * camera.world[1] / max(self.count, 1))
        return min(max(OF_SPACE * space, SMALLEST * pixel), LEAST * pixel)

    def sight(self, camera: Camera, pixel: float) -> Sight:
        """Return what a camera sees of the world; `pixel`: u per pixel of the framebuffer."""
        least, far, coarse = self.least(camera, pixel), SMALLEST * pixel, DETAIL * pixel
        if least > far:  # even the smallest animals are drawn large enough for more than one triangle
            far, coarse = 0.0, coarse if least < coarse else 0.0
        repeats = camera.world if camera.tiles else (0.0, 0.0)
        across, up = (side / 2 / camera.zoom + shapes.REACH * least for side in camera.screen)
        if self._drawing is not None and self._drawing.drawn.torus[0] and not camera.tiles:
            across = up = math.inf  # an animal that crosses an edge may appear at the opposite one
        values = camera.x, camera.y, across, up, *repeats, shapes.REACH, far, coarse
        return Sight(*map(float, values))

    def gather(self, sight: Sight) -> None:
        """Collect the visible animals."""
        assert self._drawing is not None
        self.seen, self._sight = seen(self._drawing.drawn, sight, self._room), sight

    def upload(self) -> None:
        """Upload the visible animals, and looks and colour ramp if these have changed."""
        assert self._drawing is not None
        assert self.seen is not None
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
        for level, instances in zip(self._levels, self.seen, strict=True):
            level.upload(instances)

    def _make_shapes(self) -> None:
        """Upload all shapes."""
        corners, nearest = shapes.table(), (self._context.NEAREST, self._context.NEAREST)
        size = shapes.VERTICES, len(corners)
        self._shapes = self._context.texture(size, components=4, dtype="f4", data=corners.tobytes(), filter=nearest)
        self._corners, self._outlines, self._known = shapes.vertices(), dict(OUTLINES), None

    def draw(self, camera: Camera, pixel: float, alpha: float) -> None:
        """Draw into the current framebuffer; the arguments are those of `Painter.draw` and `sight`."""
        if self._drawing is None:
            return
        sight, program = self.sight(camera, pixel), self._program
        if sight != self._sight or self._outlines != OUTLINES:  # a mod may bring others
            self.gather(sight)
            self.upload()
        program["middle"], program["scale"], program["alpha"] = (camera.x, camera.y), camera.scale, alpha
        program["torus"] = (0.0, 0.0) if camera.tiles else self._drawing.drawn.torus.tolist()
        program["smallest"] = self.least(camera, pixel)
        self._shapes.use(0)
        self._looks.use(1)
        self._ramp.use(2)
        for number, (level, vertices) in enumerate(zip(self._levels, self._vertices, strict=True)):
            program["first_shape"] = number * ROOM
            level.draw(program, self._context.TRIANGLES, vertices)
