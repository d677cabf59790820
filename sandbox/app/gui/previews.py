"""Animates a scene of the gallery while the mouse rests on it, from a simulation of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from arcade import ArcadeContext
from imgui_bundle import imgui

from sandbox.app.drawing.any_camera import camera_for
from sandbox.app.drawing.driver import draws_in_software
from sandbox.app.drawing.offscreen import Offscreen
from sandbox.app.drawing.painter import Painter
from sandbox.app.gui.renderer import Renderer
from sandbox.app.jobs.job import Job
from sandbox.app.jobs.jobs import Jobs
from sandbox.files import is_recording
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.opening import load
from sandbox.scenes.headline import headline
from sandbox.simulation import Simulation

SIZE = 640, 360  # pixels
REST = 0.25  # s: how long the mouse must rest on a scene before it moves
GONE = 1.0  # s after the last request: the preview has ended
TICKS = 2  # between two pictures
MOST = 200_000  # entities: a larger scene takes too long to open
DEAR, OFTEN = 0.01, 3  # s of processor time, and how often in a row ticks may take longer before the picture stops


class Previews:
    """Animates one scene at a time; it is opened, and its ticks run, in a thread."""

    def __init__(self, context: ArcadeContext, renderer: Renderer, glow: Callable[[], bool], jobs: Jobs) -> None:
        self._context, self._glow, self._jobs = context, glow, jobs
        self._path: Path | None = None
        self._since = self._asked = 0.0
        self._simulation: Simulation | None = None  # None also while it is in the hands of the job
        self._job: Job | None = None
        self._painter: Painter | None = None
        self._target = Offscreen(context, smooth=not draws_in_software(context))
        self._picture = renderer.picture(self._target.texture)
        self._is_drawn = False
        self._dear = 0  # how many times in a row ticks took longer than DEAR

    @property
    def moves(self) -> bool:
        """Whether a preview was requested within the last GONE seconds."""
        return self._path is not None and time.perf_counter() - self._asked < GONE

    def of(self, path: Path, shown: Simulation) -> imgui.ImTextureRef | None:
        """Return the newest picture of a scene, upside down; None if there is none yet or the scene needs a mod.

        Args:
            shown: the simulation in the window, whose world is made esper's current one again.
        """
        now = self._asked = time.perf_counter()
        if path != self._path:
            self.forget()
            self._path, self._since, self._asked = path, now, now
        if self._simulation is not None and self._dear < OFTEN:
            self._draw(self._simulation)
            shown.world.enter()
        if now - self._since >= REST and self._job is None and self._dear < OFTEN:
            self._begin(path)
        return self._picture if self._is_drawn else None

    def forget(self) -> None:
        """Free the simulation and forget its scene."""
        if self._job is not None:
            self._jobs.cancel(self._job)
        if self._simulation is not None:
            self._simulation.close()
        self._simulation = self._job = self._path = None
        self._dear, self._is_drawn = 0, False

    def _begin(self, path: Path) -> None:
        """Begin to open a scene, or to run its next ticks."""
        if self._simulation is None and (is_recording(path) or headline(path).population > MOST):
            self._dear = OFTEN
            return
        before, self._simulation = self._simulation, None

        def go_on() -> tuple[Simulation, bool]:
            simulation, begin = before or load(path, mods=NO_MODS), time.thread_time()
            simulation.step(TICKS)
            return simulation, time.thread_time() - begin > DEAR

        def take(found: tuple[Simulation, bool]) -> None:
            self._job = None
            self._simulation, is_dear = found
            self._dear = self._dear + 1 if is_dear else 0

        def give_up(_: str) -> None:
            self._job, self._dear = None, OFTEN

        drop = lambda found: found[0].close()  # noqa: E731
        self._job = self._jobs.begin("", go_on, take, give_up, lane="pictures", drop=drop)

    def _draw(self, simulation: Simulation) -> None:
        self._painter = self._painter or Painter(self._context, self._glow)
        camera = camera_for(simulation.world, SIZE)
        camera.fill()  # as in the still pictures
        self._painter.take(simulation)
        with self._target.drawn_into(SIZE):
            self._painter.draw(camera, 1.0)
        self._is_drawn = True
