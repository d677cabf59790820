"""The view of a simulation: camera, clock, and the overlays that are shown."""

from __future__ import annotations

import numpy as np

from components.motion import Position
from sandbox.app.document.document import Document
from sandbox.app.document.placed import Placed
from sandbox.app.document.pops import Pops
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.glide import Glide
from sandbox.app.drawing.places import places
from sandbox.app.measuring.frame_times import FrameTimes
from sandbox.clock import Clock
from sandbox.simulation import Simulation
from systems.engine.settings import Settings


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
        following: whether the camera follows the selection.
        frames_per_second: moving average.
        frame_times: the cost of each stage of a frame.
    """

    def __init__(self, simulation: Simulation) -> None:
        self.camera, self.glide, self.pops, self.placed = Camera((1, 1), (1, 1)), Glide(), Pops(), Placed()
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
        self.show(simulation)

    def show(self, simulation: Simulation) -> None:
        """Show another simulation, the whole world."""
        settings = simulation.world.resource(Settings)
        self.clock = Clock(settings.tick_rate)
        world, torus = (settings.width, settings.height), settings.torus is not None
        self.camera = Camera(world, self.camera.screen, self.camera.insets, wraps=torus)
        self.glide.end()
        self.pops.shown.clear()
        self.placed.clear()
        self.following = False

    def follow(self, document: Document) -> None:
        """Centre the camera on the mean position of the selection; on a torus, which has no mean, on the first one."""
        world, table = document.simulation.world, document.simulation.world.table
        rows = table.living(document.selection.array)
        rows = rows[table.has(rows, Position)]
        if not len(rows):
            self.following = False
            return
        if world.resource(Settings).torus:
            rows = rows[:1]
        x, y = places(world, rows, self.clock.alpha).mean(axis=0, dtype=np.float64)
        self.camera.look_at(float(x), float(y))
