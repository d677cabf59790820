"""How a simulation is looked at: from where, how fast, and which overlays are shown."""

from __future__ import annotations

import numpy as np

from components.motion import Position
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.places import places
from sandbox.app.measuring.frame_times import FrameTimes
from sandbox.app.session.document import Document
from sandbox.clock import Clock
from sandbox.simulation import Simulation
from systems.engine.settings import Settings


class View:
    """The camera and the clock of what is shown.

    Attributes:
        shown: names of the overlays that are switched on.
        panels: names of the panels that are seen; `to_front`: that of one that is to come before its neighbours;
            `walked`: that of the one that has the keyboard, or "".
        seeks_action: the command palette is open.
        pointed: what a lesson points at, the nearest first; `spots`: where what of it is seen stands, pixels from the
            upper left: low x and y, high x and y; `led`: what it points at was brought into sight.
        welcomes: somebody is here for the first time.
        resets_layout: panels are to stand again where they came up for the first time.
        following: the camera goes with what is selected.
        frames_per_second: of late.
        frame_times: what each part of a frame costs.
    """

    def __init__(self, simulation: Simulation) -> None:
        self.camera = Camera((1, 1), (1, 1))
        self.shown: set[str] = set()
        self.panels: set[str] = set()
        self.to_front = self.walked = ""
        self.pointed: tuple[str, ...] = ()
        self.spots: dict[str, tuple[float, float, float, float]] = {}
        self.welcomes = self.led = False
        self.resets_layout = self.seeks_action = False
        self.frames_per_second = 60.0
        self.frame_times = FrameTimes()
        self.show(simulation)

    def show(self, simulation: Simulation) -> None:
        """Look at another simulation from now on, at all of it."""
        settings = simulation.world.resource(Settings)
        self.clock = Clock(settings.tick_rate)
        world, torus = (settings.width, settings.height), settings.torus is not None
        self.camera = Camera(world, self.camera.screen, self.camera.insets, wraps=torus)
        self.following = False

    def follow(self, document: Document) -> None:
        """Have the camera look at the middle of what is selected; on a torus, which has no middle, at the first one."""
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
