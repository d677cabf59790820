"""Draws the animals: of those in view 16 bytes are sent after each tick, and whenever the view moves.

What they look like is sent when it changes. Who is only a few pixels long is drawn with fewer triangles.
"""

from __future__ import annotations

import math

import numpy as np
from arcade import ArcadeContext

from components.look import SHAPES
from sandbox.app.drawing import shaders, shapes
from sandbox.app.drawing.buffers import Instances, Records
from sandbox.app.drawing.camera import Camera
from systems.view.looks import Looks
from systems.view.render import Drawing
from systems.view.seen import INSTANCE, Room, Seen, Sight, seen

SMALLEST = 1.1  # pixels: half the length of the smallest thing that is drawn; for what is smaller one triangle does
DETAIL = 1.6  # pixels: for what is shorter than twice this two do


class Animals:
    """The program and buffers that they are drawn with.

    Attributes:
        seen: those whom the graphics card has been sent.
    """

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self._program = context.program(vertex_shader=shaders.BOIDS_VERTEX, fragment_shader=shaders.BOIDS_FRAGMENT)
        self._program["shapes"], self._program["looks"], self._program["ramp"] = 0, 1, 2
        corners, nearest = shapes.table(), (context.NEAREST, context.NEAREST)
        self._shapes = context.texture(
            (shapes.VERTICES, len(corners)), components=4, dtype="f4", data=corners.tobytes(), filter=nearest
        )
        self._corners, self._vertices = shapes.vertices(), [0] * len(shapes.LEVELS)
        self._looks, self._ramp = Records(context, 2), Records(context, 1)
        self._levels = [Instances(context, INSTANCE) for _ in shapes.LEVELS]
        self._drawing: Drawing | None = None
        self._known: Looks | None = None
        self._sight: Sight | None = None
        self.seen: Seen | None = None
        self._room = Room()

    @property
    def count(self) -> int:
        """How many there are, in view or not."""
        return len(self._drawing.rows) if self._drawing else 0

    def take(self, drawing: Drawing, light: tuple[float, float]) -> None:
        """Draw these from now on."""
        self._drawing, self._sight = drawing, None
        self._program["light"] = light

    def sight(self, camera: Camera, pixel: float) -> Sight:
        """What a camera shows of the world, where `pixel` u are one of the framebuffer."""
        repeats = camera.world if camera.tiles else (0.0, 0.0)
        across, up = (side / 2 / camera.zoom for side in camera.screen)
        if self._drawing is not None and self._drawing.drawn.torus[0] and not camera.tiles:
            across = up = math.inf  # whoever crosses the edge may come out at the other
        values = camera.x, camera.y, across, up, *repeats, shapes.REACH, SMALLEST * pixel, DETAIL * pixel
        return Sight(*map(float, values))

    def gather(self, sight: Sight) -> None:
        """Find those in view."""
        assert self._drawing is not None
        self.seen, self._sight = seen(self._drawing.drawn, sight, self._room), sight

    def upload(self) -> None:
        """Send them to the graphics card, and their looks if these have changed."""
        assert self._drawing is not None
        assert self.seen is not None
        looks, legend = self._drawing.drawn.looks, self._drawing.legend
        if looks is not self._known:
            self._known = looks
            self._looks.hold(looks)
            shown = np.bincount(looks["shape_colour"] >> np.uint32(24), minlength=len(SHAPES)) > 0
            self._vertices = self._corners[:, shown].max(axis=1).tolist()
        if legend is not None:
            self._ramp.hold(legend.ramp)
        for level, instances in zip(self._levels, self.seen, strict=True):
            level.upload(instances)

    def draw(self, camera: Camera, pixel: float, alpha: float) -> None:
        """Draw them into the framebuffer in use; the arguments are those of `Painter.draw` and `sight`."""
        if self._drawing is None:
            return
        sight, program = self.sight(camera, pixel), self._program
        if sight != self._sight:
            self.gather(sight)
            self.upload()
        program["middle"], program["scale"], program["alpha"] = (camera.x, camera.y), camera.scale, alpha
        program["torus"] = (0.0, 0.0) if camera.tiles else self._drawing.drawn.torus.tolist()
        program["smallest"] = sight.least
        self._shapes.use(0)
        self._looks.use(1)
        self._ramp.use(2)
        for number, (level, vertices) in enumerate(zip(self._levels, self._vertices, strict=True)):
            program["first_shape"] = number * len(SHAPES)
            level.draw(program, self._context.TRIANGLES, vertices)
