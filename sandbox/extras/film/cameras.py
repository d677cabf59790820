"""The cameras of films."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import numpy as np

from components.motion import Position
from sandbox.app.drawing.any_camera import AnyCamera, camera_for
from sandbox.app.drawing.picture import camera_on
from sandbox.app.drawing.places import LEAST, Rows, places, radii
from sandbox.app.drawing.smooth_heading import FOLLOWS, RIDES, SmoothHeading
from sandbox.app.drawing.space.camera import CLOSER, Floats, SpaceCamera
from sandbox.edit import Redo, SetResource, Undo
from sandbox.edit.resources import DEPTH_KEY
from sandbox.past.timeline import Timeline
from sandbox.past.views import SeenInSpace, seen_at
from sandbox.simulation import Simulation
from systems.engine.settings import Settings

LEAST_ZOOM, MOST_ZOOM = 0.01, 64.0  # pixels per u
NUMBER = r"-?\d{1,9}(?:\.\d{1,9})?"


class View:
    """Makes the camera of each frame; this base class shows the whole world."""

    def begin(self, first: float, length: float) -> None:
        """Store at which tick the film begins and how many it shows; called before the first frame."""

    def take(self, simulation: Simulation) -> None:
        """Store what is needed of a tick; called after each tick, from the first frame on."""

    def camera(self, timeline: Timeline, size: tuple[int, int], alpha: float) -> AnyCamera:
        """Return the camera of a frame of `size` pixels; alpha: from the previous tick (0) to the current one (1)."""
        return camera_on(timeline.simulation, size)


@dataclass
class Fixed(View):
    """Looks at a fixed place (u) with a zoom in pixels per u."""

    x: float
    y: float
    zoom: float

    def camera(self, timeline: Timeline, size: tuple[int, int], alpha: float) -> AnyCamera:
        return _looking_at(timeline.simulation, size, (self.x, self.y), self.zoom)


@dataclass
class Follow(View):
    """Follows an entity, in a world with depth from behind; after its death the camera stays at its last place."""

    serial: int
    _last: tuple[float, ...] | None = field(default=None, init=False)
    _heading: SmoothHeading = field(default_factory=SmoothHeading, init=False)
    _time: float = field(default=0.0, init=False)  # s, of the frame before

    def take(self, simulation: Simulation) -> None:
        here = self._place(simulation, 1.0)
        if here is None and self._last is None:
            raise ValueError(
                f"--camera follow:{self.serial}: there is no entity {self.serial} with a position"
                f" at tick {simulation.tick:,}, where the film begins"
            )
        self._last = here or self._last

    def camera(self, timeline: Timeline, size: tuple[int, int], alpha: float) -> AnyCamera:
        simulation, camera = timeline.simulation, camera_on(timeline.simulation, size)
        place = self._place(simulation, alpha) or self._last
        assert place is not None
        if isinstance(camera, SpaceCamera):
            camera.follow(_place_before(camera, place), self._ahead(simulation, alpha, FOLLOWS))
        else:
            camera.zoom *= CLOSER
            camera.centre(*place[:2])
        return camera

    def _rows(self, simulation: Simulation) -> Rows:
        return simulation.world.table.living(np.array([self.serial], np.int64))

    def _ahead(self, simulation: Simulation, alpha: float, half_life: float) -> Floats:
        """Return the smoothed heading of the entity in a world with depth, (3,); zeros if it has not moved."""
        before, self._time = self._time, _time_at(simulation, alpha)
        return self._heading.turn(simulation.world, self._rows(simulation), self._time - before, half_life)

    def _place(self, simulation: Simulation, alpha: float) -> tuple[float, ...] | None:
        world, rows = simulation.world, self._rows(simulation)
        if not world.table.has(rows, Position).any():
            return None
        return tuple(places(world, rows, alpha)[0].tolist())


class Recorded(View):
    """Looks where the window looked when the recording was made.

    In a flat world it shows at least that part, whatever the film's size; with depth it looks from the same place in
    the same direction, in perspective.
    """

    def camera(self, timeline: Timeline, size: tuple[int, int], alpha: float) -> AnyCamera:
        simulation = timeline.simulation
        torus = simulation.world.resource(Settings).torus
        seen = seen_at(timeline.branch, simulation.tick - 1 + alpha, torus)
        if seen is None:
            raise ValueError(
                "--camera recorded: this recording holds no camera, only those that the window saves do: "
                "--camera fit shows the whole world"
            )
        whole = camera_on(simulation, size)
        if isinstance(whole, SpaceCamera) and isinstance(seen, SeenInSpace):
            whole.see(*seen)
            return whole
        if isinstance(whole, SpaceCamera) or isinstance(seen, SeenInSpace):  # it gets or loses depth in this tick
            return whole
        if all(math.isclose(*numbers, rel_tol=1e-6) for numbers in zip(seen, whole.sees, strict=True)):
            return whole
        whole.zoom = min(size[0] / seen.width, size[1] / seen.height)
        whole.centre(seen.x, seen.y)
        return whole


def may_have_depth(timeline: Timeline) -> bool:
    """Return whether the world has depth now, or may have it at other ticks of its branch."""
    return timeline.simulation.world.resource(Settings).depth > 0 or any(
        isinstance(command := done.command, Undo | Redo)
        or (isinstance(command, SetResource) and command.key == DEPTH_KEY)
        for done in timeline.branch.commands
    )


def _looking_at(simulation: Simulation, size: tuple[int, int], place: tuple[float, ...], zoom: float) -> AnyCamera:
    camera = camera_for(simulation.world, size)
    camera.zoom, camera.fitted = zoom, False
    camera.look_at(*_place_before(camera, place))
    return camera


def _time_at(simulation: Simulation, alpha: float) -> float:
    """Return the time of a frame, s of the world."""
    return (simulation.tick - 1 + alpha) / simulation.world.resource(Settings).tick_rate


def _place_before(camera: AnyCamera, place: tuple[float, ...]) -> tuple[float, ...]:
    """Return a place as flat or deep as what the camera shows; one of two numbers lies in the middle of the depth."""
    middle = camera.looks_at
    return (*place, *middle[len(place) :])[: len(middle)]


@dataclass
class Orbit(View):
    """Turns around a world with depth, once in the length of the film; shows all of it while it is flat."""

    _first: float = field(default=0.0, init=False)  # tick
    _length: float = field(default=1.0, init=False)

    def begin(self, first: float, length: float) -> None:
        self._first, self._length = first, length

    def camera(self, timeline: Timeline, size: tuple[int, int], alpha: float) -> AnyCamera:
        simulation = timeline.simulation
        camera = camera_on(simulation, size)
        if not may_have_depth(timeline):
            raise ValueError("--camera orbit: this world is flat; fit shows the whole of it")
        if not isinstance(camera, SpaceCamera):
            return camera
        share = (simulation.tick - 1 + alpha - self._first) / self._length
        camera.look_from(camera.yaw + math.tau * share, camera.pitch)
        camera.encircle()
        return camera


@dataclass
class Ride(Follow):
    """Looks from the head of an animal of a world with depth; after its death from its last place.

    While the world is flat, it follows the animal.
    """

    def camera(self, timeline: Timeline, size: tuple[int, int], alpha: float) -> AnyCamera:
        simulation, camera = timeline.simulation, camera_on(timeline.simulation, size)
        if not may_have_depth(timeline):
            raise ValueError(f"--camera ride:{self.serial}: this world is flat; follow:{self.serial} follows it")
        if not isinstance(camera, SpaceCamera):
            return super().camera(timeline, size, alpha)
        place, ahead = self._place(simulation, alpha) or self._last, self._ahead(simulation, alpha, RIDES)
        assert place is not None
        if not ahead.any():
            raise ValueError(f"--camera ride:{self.serial}: entity {self.serial} does not move")
        half = float(radii(simulation.world, self._rows(simulation), LEAST).max(initial=LEAST))
        camera.ride(_place_before(camera, place), ahead, half)
        return camera


def read_view(text: str) -> View:
    """Return the view for "fit", "recorded", "follow:SERIAL", "ride:SERIAL", "orbit" or "x,y,zoom".

    Raises:
        ValueError: the text is none of these.
    """
    if text == "fit":
        return View()
    if text == "recorded":
        return Recorded()
    if text == "orbit":
        return Orbit()
    if found := re.fullmatch(r"(follow|ride):(\d{1,18})", text, re.ASCII):
        return (Follow if found[1] == "follow" else Ride)(int(found[2]))
    if not re.fullmatch(rf"{NUMBER},{NUMBER},{NUMBER}", text, re.ASCII):
        raise ValueError(
            f"--camera {text}: must be fit, recorded, follow:SERIAL (follow:7)"
            " or x,y,zoom in u and pixels per u (640,360,2); in a world with depth also orbit or ride:SERIAL"
        )
    x, y, zoom = map(float, text.split(","))
    if not LEAST_ZOOM <= zoom <= MOST_ZOOM:
        raise ValueError(f"--camera {text}: its zoom must be {LEAST_ZOOM:g} to {MOST_ZOOM:g} pixels per u")
    return Fixed(x, y, zoom)
