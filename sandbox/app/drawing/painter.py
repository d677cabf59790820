"""Draws the world: a sky, the scenery in one instanced draw call, and everything with a Look in another."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from arcade import ArcadeContext
from numpy.typing import NDArray

from components.look import SHAPES
from sandbox.app.drawing import scenery_shaders, shaders, shapes
from sandbox.app.drawing.backdrops import BACKDROPS
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.instances import Instances
from sandbox.app.drawing.sky import Sky
from sandbox.simulation import Simulation
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.view.render import INSTANCE, Drawing
from systems.view.scenery import FORM, Landscape

SMALLEST = 1.1  # pixels: half the length of the smallest thing that is drawn
DETAIL = 1.6  # pixels: where everything is shorter than twice this, two triangles each do
Layer = Callable[[Camera, float, float], None]  # draws what `Painter.draw` is given into the framebuffer in use
LONGEST = 3600.0  # s: after which what moves of itself begins again, so that float32 can tell its time


class Painter:
    """The programs and buffers of one graphics context."""

    def __init__(self, context: ArcadeContext) -> None:
        self.context = context
        self._largest = 0.0
        self._tick, self._tick_rate = 0, 1
        self._sky = Sky(context)
        self._scenery = context.program(vertex_shader=scenery_shaders.VERTEX, fragment_shader=scenery_shaders.FRAGMENT)
        self._forms = Instances(context, FORM, "2f 2f 1f 4f 1f 1u")
        self._boids = context.program(vertex_shader=shaders.BOIDS_VERTEX, fragment_shader=shaders.BOIDS_FRAGMENT)
        corners = shapes.table()
        self._shapes = context.texture(
            (shapes.VERTICES, len(corners)),
            components=4,
            dtype="f4",
            data=corners.tobytes(),
            filter=(context.NEAREST, context.NEAREST),
        )
        self._boids["shapes"] = 0
        self._instances = Instances(context, INSTANCE, "2f 2f 2f 1f 1u")

    @property
    def count(self) -> int:
        """How many animals there are to draw."""
        return self._instances.count

    def take(self, simulation: Simulation) -> None:
        """Have RENDER gather what is to be drawn, and upload it: after a tick or a command, not for every frame."""
        world = simulation.world
        simulation.pipeline.run(world, [Phase.RENDER])
        drawing, settings = world.resource(Drawing), world.resource(Settings)
        self._tick, self._tick_rate = simulation.tick, settings.tick_rate
        backdrop = BACKDROPS[settings.backdrop]
        self._sky.show(settings.backdrop)
        self._boids["light"] = self._scenery["light"] = backdrop.light
        self._scenery["light_turn"] = math.atan2(backdrop.light[1], backdrop.light[0]) / math.tau
        self._scenery["glow"] = backdrop.glow
        self._boids["torus"] = self._scenery["torus"] = settings.torus or (0.0, 0.0)
        self.upload(drawing.instances[: drawing.count])
        self._forms.upload(world.resource(Landscape).forms)

    def upload(self, instances: NDArray[np.void]) -> None:
        """Send animals, dtype INSTANCE, to the graphics card as they are."""
        self._instances.upload(instances)
        self._largest = float(instances["size"].max(initial=0))

    def draw(
        self,
        camera: Camera,
        alpha: float,
        ratio: float = 1.0,
        under: Layer | None = None,
        over: Layer | None = None,
    ) -> None:
        """Draw into the framebuffer in use.

        Args:
            alpha: from the previous tick (0) to the current one (1).
            ratio: pixels of the framebuffer per pixel of the camera's screen.
            under, over: draw what lies under the animals and over everything.
        """
        pixel = 1 / (camera.zoom * ratio)
        self.context.enable_only()  # the sky and animals are opaque
        self._sky.draw(camera, pixel)
        for x, y in camera.copies():
            self._draw_world(camera.moved(-x, -y), pixel, alpha, ratio, under, over)
        self.context.enable_only(self.context.BLEND)  # as text wants it

    def _draw_world(
        self, camera: Camera, pixel: float, alpha: float, ratio: float, under: Layer | None, over: Layer | None
    ) -> None:
        for program in (self._scenery, self._boids):
            program["middle"] = camera.x, camera.y
            program["scale"] = camera.scale
        self._scenery["pixel"] = pixel
        self._boids["alpha"] = self._scenery["alpha"] = alpha
        self._draw_scenery(alpha)
        if under is not None:
            under(camera, alpha, ratio)
        self.context.enable_only()
        self._draw_animals(pixel)
        if over is not None:
            over(camera, alpha, ratio)

    def _draw_scenery(self, alpha: float) -> None:
        self._scenery["time"] = (self._tick + alpha) / self._tick_rate % LONGEST
        self.context.enable_only(self.context.BLEND)
        self.context.blend_func = self.context.BLEND_DEFAULT
        self._forms.draw(self._scenery, self.context.TRIANGLE_STRIP, 4)
        self.context.enable_only()

    def _draw_animals(self, pixel: float) -> None:
        coarse = self._largest < DETAIL * pixel
        self._boids["smallest"] = SMALLEST * pixel
        self._boids["first_shape"] = len(SHAPES) if coarse else 0
        self._shapes.use(0)
        vertices = shapes.COARSE_VERTICES if coarse else shapes.VERTICES
        self._instances.draw(self._boids, self.context.TRIANGLES, vertices)
