"""The view of a simulation: camera, clock, and the overlays that are shown."""

from __future__ import annotations

from copy import copy

import numpy as np

from components.motion import Position, Velocity
from components.store.records import ComponentType
from components.store.world import World
from sandbox.app.document.document import Document
from sandbox.app.document.placed import Placed
from sandbox.app.document.pops import Pops
from sandbox.app.drawing.any_camera import AnyCamera, camera_for, suits
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.glide import Glide
from sandbox.app.drawing.places import LEAST, Rows, places, radii
from sandbox.app.drawing.smooth_heading import FOLLOWS, RIDES, SmoothHeading
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.measuring.frame_times import FrameTimes
from sandbox.clock import Clock
from sandbox.simulation import Simulation
from systems.engine.settings import Settings


def ridden(document: Document) -> Rows:
    """Return the row of the animal to ride on, the first one of the selection: one row, or none."""
    return _selected(document, Position, Velocity)[:1]


def _selected(document: Document, *components: ComponentType) -> Rows:
    """Return the rows of those selected that have these components."""
    table = document.simulation.world.table
    rows = table.living(document.selection.array)
    return rows[table.has(rows, *components)]


class View:
    """Camera, clock, and what else the window has that is not part of the document.

    Attributes:
        glide: eases the camera's jumps.
        pops: where a hand has just placed something; `placed`: what it has placed lately.
        shown: names of the overlays that are shown.
        panels: names of the visible panels; `over`: of those that float over the world; `to_front`: the panel to be
            brought to the front; `walked`: the panel that has the keyboard focus, or "".
        palette_open: whether the action palette is open.
        pointed: names of what a ring points at, the nearest first; `spots`: by name, the boxes of those that are
            visible, pixels from the upper left: low x and y, high x and y; `led`: whether one was scrolled into view.
        welcomes: whether the welcome bar is shown: at the first start, until a person accepts or closes it.
        resets_layout: whether the panels are to be put back to their default places.
        following: whether the camera follows the selection; `behind`: in a world with depth from behind, until a person
            looks from elsewhere.
        riding: whether it rides in the head of the first selected animal, in a world with depth.
        frames_per_second: moving average.
        frame_times: the cost of each stage of a frame.
    """

    def __init__(self, simulation: Simulation) -> None:
        self.camera: AnyCamera = Camera((1, 1), (1, 1))
        self._other: AnyCamera | None = None  # of the world as it was before it got depth, lost it, or was turned up
        self.glide, self.pops, self.placed = Glide(), Pops(), Placed()
        self.shown: set[str] = set()
        self.panels: set[str] = set()
        self.over: set[str] = set()
        self.to_front = self.walked = ""
        self.pointed: tuple[str, ...] = ()
        self.spots: dict[str, tuple[float, float, float, float]] = {}
        self.welcomes = self.led = False
        self.resets_layout = self.palette_open = False
        self.frames_per_second = 60.0
        self.frame_times = FrameTimes()
        self._before_ride: SpaceCamera | None = None
        self._heading = SmoothHeading()  # of whom it follows or rides on
        self.show(simulation)

    def show(self, simulation: Simulation) -> None:
        """Show another simulation, the whole world."""
        settings = simulation.world.resource(Settings)
        self.clock = Clock(settings.tick_rate)
        self.camera = camera_for(simulation.world, self.camera.screen, self.camera.insets)
        self._other = None
        self.glide.end()
        self.pops.shown.clear()
        self.placed.clear()
        self.following = self.behind = self.riding = False

    def suit(self, world: World) -> AnyCamera | None:
        """Look at a world that has got depth or lost it, or another way up, from where one looked before.

        Return the view from which to glide there: of one that has depth for the first time, the front. Return None if
        the camera suits the world already.
        """
        if suits(self.camera, world):
            return None
        before, camera = self.camera, self._other
        if camera is None or not suits(camera, world):
            camera = camera_for(world, before.screen, before.insets)
        camera.resize(*before.screen)
        camera.keep_clear(before.insets)
        begin = copy(camera)
        if isinstance(begin, SpaceCamera) and self._other is None and isinstance(before, Camera):
            begin.look_from(0.0, 0.0)
        self.camera, self._other, self.riding = camera, before, False
        self.pops.shown.clear()
        return begin

    def follow(self, document: Document, seconds: float) -> None:
        """Centre the camera on the mean position of the selection; on a torus, which has no mean, on the first one.

        It goes along out of the world.
        In a world with depth, look from behind along the mean heading, or if it rides, from the head of the first
        animal along its own; it is smoothed over the `seconds`.
        """
        world = document.simulation.world
        rows = ridden(document) if self.riding else _selected(document, Position)
        if not len(rows):
            self.following = self.riding = False
            return
        if self.riding and isinstance(self.camera, SpaceCamera):
            self._ride(world, rows, self.camera, seconds)
            return
        if world.resource(Settings).torus:
            rows = rows[:1]
        place = places(world, rows, self.clock.alpha).mean(axis=0, dtype=np.float64)
        if self.behind and isinstance(self.camera, SpaceCamera):
            self.camera.follow(place, self._heading.turn(world, rows, seconds, FOLLOWS))
        elif isinstance(self.camera, Camera):
            self.camera.centre(*place.tolist())
        else:
            self.camera.look_at(*place.tolist())

    def follow_selection(self, following: bool) -> None:
        """Follow the selection from now on, from behind, or no longer."""
        self.following = self.behind = following
        self.riding = self.riding and not following
        self._heading.forget()

    def ride(self, riding: bool) -> None:
        """Ride from now on in the head of the first selected animal, or no longer."""
        if riding and isinstance(self.camera, SpaceCamera):
            self._before_ride = copy(self.camera)
        self.riding, self.following = riding, False
        self._heading.forget()

    @property
    def has_dismounted(self) -> bool:
        """Whether a ride has ended and the camera is still where it ended."""
        return isinstance(self.camera, SpaceCamera) and self.camera.rides and not self.riding

    def dismount(self) -> None:
        """Look again from where one looked before the ride."""
        if isinstance(self.camera, SpaceCamera) and self._before_ride is not None:
            self.camera.dismount(self._before_ride)

    def _ride(self, world: World, rows: Rows, camera: SpaceCamera, seconds: float) -> None:
        size = float(radii(world, rows, LEAST)[0])
        ahead = self._heading.turn(world, rows, seconds, RIDES)
        camera.ride(places(world, rows, self.clock.alpha)[0], ahead, size)
