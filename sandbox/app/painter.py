"""Draws the world: a sky, and everything with a Look in one instanced draw call."""

from __future__ import annotations

import numpy as np
from arcade import ArcadeContext
from arcade.gl import BufferDescription
from numpy.typing import NDArray

from components.look import SHAPES
from sandbox.app import shaders, shapes
from sandbox.app.camera import Camera
from sandbox.simulation import Simulation
from systems.core.pipeline import Phase
from systems.core.settings import Settings
from systems.render import INSTANCE, Drawing

FIRST_CAPACITY = 1024  # entities
SMALLEST = 1.1  # pixels: half the length of the smallest thing that is drawn
DETAIL = 1.6  # pixels: where everything is shorter than twice this, two triangles each do


class Painter:
    """The programs and buffers of one graphics context.

    Attributes:
        count: how many entities the buffer holds.
    """

    def __init__(self, context: ArcadeContext) -> None:
        self.context = context
        self.count = 0
        self._largest = 0.0
        self._sky = context.program(vertex_shader=shaders.SKY_VERTEX, fragment_shader=shaders.SKY_FRAGMENT)
        self._screen = context.geometry(mode=context.TRIANGLES)
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
        self._buffer = context.buffer(reserve=FIRST_CAPACITY * INSTANCE.itemsize, usage="stream")
        names = ["previous", "position", "heading", "size", "shape_colour"]
        self._instances = context.geometry(
            [BufferDescription(self._buffer, "2f 2f 2f 1f 1u", names, instanced=True)], mode=context.TRIANGLES
        )

    def take(self, simulation: Simulation) -> None:
        """Have RENDER gather what is to be drawn, and upload it: after a tick or a command, not for every frame."""
        simulation.pipeline.run(simulation.world, [Phase.RENDER])
        drawing = simulation.world.resource(Drawing)
        self._boids["torus"] = simulation.world.resource(Settings).torus or (0.0, 0.0)
        self.upload(drawing.instances[: drawing.count])

    def upload(self, instances: NDArray[np.void]) -> None:
        """Send instances, dtype INSTANCE, to the graphics card as they are."""
        self.count = len(instances)
        if not self.count:
            return
        self._largest = float(instances["size"].max())
        # Orphaning lets the card keep the old data until it has drawn them.
        grown = self._buffer.size if instances.nbytes <= self._buffer.size else 2 * instances.nbytes
        self._buffer.orphan(size=grown)
        self._buffer.write(instances.view(np.uint8).data)

    def draw(self, camera: Camera, alpha: float, ratio: float = 1.0) -> None:
        """Draw into the framebuffer in use.

        Args:
            alpha: from the previous tick (0) to the current one (1).
            ratio: pixels of the framebuffer per pixel of the camera's screen.
        """
        scale = 2 * camera.zoom / camera.screen[0], 2 * camera.zoom / camera.screen[1]
        pixel = 1 / (camera.zoom * ratio)
        for program in (self._sky, self._boids):
            program["middle"] = camera.x, camera.y
            program["scale"] = scale
        self._sky["world"] = camera.world
        self._sky["pixel"] = pixel
        self.context.enable_only()  # all is opaque
        self._screen.render(self._sky, vertices=3)
        if self.count:
            coarse = self._largest < DETAIL * pixel
            self._boids["alpha"] = alpha
            self._boids["smallest"] = SMALLEST * pixel
            self._boids["first_shape"] = len(SHAPES) if coarse else 0
            self._shapes.use(0)
            vertices = shapes.COARSE_VERTICES if coarse else shapes.VERTICES
            self._instances.render(self._boids, vertices=vertices, instances=self.count)
        self.context.enable_only(self.context.BLEND)  # as text wants it
