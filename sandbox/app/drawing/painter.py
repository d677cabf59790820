"""Draws the world: the sky or pictures, then the scenery in one instanced draw call, then the animals."""

from __future__ import annotations

from collections.abc import Callable

from arcade import ArcadeContext

from sandbox.app.drawing.animals import Animals
from sandbox.app.drawing.backdrops import place_of
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.own_pictures import OwnPictures
from sandbox.app.drawing.scenery import SceneryDrawing
from sandbox.app.drawing.sky import Sky
from sandbox.simulation import Simulation
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.view.render import Drawing
from systems.view.scenery import Landscape
from systems.view.tints import TINTS

Layer = Callable[[Camera, float, float], None]  # draws into the current framebuffer; gets camera, alpha and ratio
LONGEST = 3600.0  # s: period after which animated scenery starts again, so that float32 is precise enough for its time


class Painter:
    """The shader programs and buffers of one graphics context.

    Attributes:
        animals, scenery: draw the animals, and the things around them.
        colouring: one of TINTS, which overrides the colouring of the world; "": no override.
    """

    def __init__(self, context: ArcadeContext) -> None:
        self.context, self.colouring = context, ""
        self.animals = Animals(context)
        self._tick, self._tick_rate, self._torus = 0, 1, (0.0, 0.0)
        self._sky, self._pictures = Sky(context), OwnPictures(context)
        self.scenery = SceneryDrawing(context)

    def take(self, simulation: Simulation) -> None:
        """Run the phase RENDER and take its results; call it after ticks and commands, not in every frame."""
        world, render = simulation.world, simulation.pipeline.by_name["render"]
        before = render.stored
        if self.colouring:
            render.stored = {"colour": TINTS.index(self.colouring)}
        try:
            simulation.pipeline.run(world, [Phase.RENDER])
        finally:
            render.stored = before
        settings = world.resource(Settings)
        self._tick, self._tick_rate = simulation.tick, settings.tick_rate
        place = place_of(world)
        self._sky.show(place, settings.edges == "bounce")
        self._pictures.take(simulation)
        self.animals.take(world.resource(Drawing), place.light)
        self._torus = settings.torus or (0.0, 0.0)
        self.scenery.take(world.resource(Landscape).forms, place)

    def draw(
        self,
        camera: Camera,
        alpha: float,
        ratio: float = 1.0,
        under: Layer | None = None,
        over: Layer | None = None,
    ) -> None:
        """Draw into the current framebuffer.

        Args:
            alpha: position of the frame between the previous tick (0) and the current one (1).
            ratio: pixels of the framebuffer per pixel of the camera's screen.
            under, over: layers to be drawn below the animals, and over everything.
        """
        pixel = 1 / (camera.zoom * ratio)
        self.context.enable_only()  # the sky and animals are opaque
        time = (self._tick + alpha) / self._tick_rate % LONGEST
        self._sky.draw(camera, pixel, time)
        self._pictures.draw(camera)
        copies = [camera.moved(-x, -y) for x, y in camera.copies()]
        for copy in copies:
            self.scenery.draw(copy, pixel, alpha, time, self._torus)
            if under is not None:
                under(copy, alpha, ratio)
        self.context.enable_only()
        self.animals.draw(camera, pixel, alpha)
        for copy in copies:
            if over is not None:
                over(copy, alpha, ratio)
        self.context.enable_only(self.context.BLEND)  # arcade's text needs blending
