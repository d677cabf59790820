"""The cameras of films."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import numpy as np

from components.motion import Position
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.picture import camera_on
from sandbox.app.drawing.places import places
from sandbox.past.timeline import Timeline
from sandbox.past.views import seen_at
from sandbox.simulation import Simulation
from systems.engine.settings import Settings

LEAST_ZOOM, MOST_ZOOM = 0.01, 64.0  # pixels per u
NUMBER = r"-?\d{1,9}(?:\.\d{1,9})?"
CLOSER = 3.0  # the zoom when following an entity, relative to that at which the world fits


class View:
    """Makes the camera of each frame; this base class shows the whole world."""

    def take(self, simulation: Simulation) -> None:
        """Store what is needed of a tick; called after each tick, from the first frame on."""

    def camera(self, timeline: Timeline, size: tuple[int, int], alpha: float) -> Camera:
        """Return the camera of a frame of `size` pixels; alpha: from the previous tick (0) to the current one (1)."""
        return camera_on(timeline.simulation, size)


@dataclass
class Fixed(View):
    """Looks at a fixed place (u) with a zoom in pixels per u."""

    x: float
    y: float
    zoom: float

    def camera(self, timeline: Timeline, size: tuple[int, int], alpha: float) -> Camera:
        return _looking_at(timeline.simulation, size, (self.x, self.y), self.zoom)


@dataclass
class Follow(View):
    """Follows an entity; after its death the camera stays at its last place."""

    serial: int
    _last: tuple[float, float] | None = field(default=None, init=False)

    def take(self, simulation: Simulation) -> None:
        here = self._place(simulation, 1.0)
        if here is None and self._last is None:
            raise ValueError(
                f"--camera follow:{self.serial}: there is no entity {self.serial} with a position"
                f" at tick {simulation.tick:,}, where the film begins"
            )
        self._last = here or self._last

    def camera(self, timeline: Timeline, size: tuple[int, int], alpha: float) -> Camera:
        simulation = timeline.simulation
        place = self._place(simulation, alpha) or self._last
        assert place is not None
        return _looking_at(simulation, size, place, CLOSER * camera_on(simulation, size).zoom)

    def _place(self, simulation: Simulation, alpha: float) -> tuple[float, float] | None:
        world = simulation.world
        rows = world.table.living(np.array([self.serial], np.int64))
        if not world.table.has(rows, Position).any():
            return None
        x, y = places(world, rows, alpha)[0]
        return float(x), float(y)


class Recorded(View):
    """Looks where the window looked when the recording was made; shows at least that part, whatever the film's size."""

    def camera(self, timeline: Timeline, size: tuple[int, int], alpha: float) -> Camera:
        simulation = timeline.simulation
        torus = simulation.world.resource(Settings).torus
        seen = seen_at(timeline.branch, simulation.tick - 1 + alpha, torus)
        if seen is None:
            raise ValueError(
                "--camera recorded: this recording holds no camera, only those that the window saves do: "
                "--camera fit shows the whole world"
            )
        whole = camera_on(simulation, size)
        if all(math.isclose(*sides, rel_tol=1e-6) for sides in zip(seen[2:], whole.world_size, strict=True)):
            return whole
        return _looking_at(simulation, size, (seen.x, seen.y), min(size[0] / seen.width, size[1] / seen.height))


def _looking_at(simulation: Simulation, size: tuple[int, int], place: tuple[float, float], zoom: float) -> Camera:
    settings = simulation.world.resource(Settings)
    camera = Camera((settings.width, settings.height), size, wraps=settings.torus is not None)
    camera.zoom, camera.fitted = zoom, False
    camera.look_at(*place)
    return camera


def read_view(text: str) -> View:
    """Return the view for "fit", "recorded", "follow:SERIAL" or "x,y,zoom".

    Raises:
        ValueError: the text is none of these.
    """
    if text == "fit":
        return View()
    if text == "recorded":
        return Recorded()
    if found := re.fullmatch(r"follow:(\d{1,18})", text, re.ASCII):
        return Follow(int(found[1]))
    if not re.fullmatch(rf"{NUMBER},{NUMBER},{NUMBER}", text, re.ASCII):
        raise ValueError(
            f"--camera {text}: must be fit, recorded, follow:SERIAL (follow:7)"
            " or x,y,zoom in u and pixels per u (640,360,2)"
        )
    x, y, zoom = map(float, text.split(","))
    if not LEAST_ZOOM <= zoom <= MOST_ZOOM:
        raise ValueError(f"--camera {text}: its zoom must be {LEAST_ZOOM:g} to {MOST_ZOOM:g} pixels per u")
    return Fixed(x, y, zoom)
