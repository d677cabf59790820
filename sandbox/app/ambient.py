"""Ambient mode: the scenes one after another over the whole screen, without panels, seen by a slowly moving camera.

It runs worlds of its own. The world that a person has open stands still meanwhile, and any key brings it back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import arcade
from arcade.gl import geometry

from sandbox.app.drawing.any_camera import AnyCamera, camera_for
from sandbox.app.drawing.driver import draws_in_software
from sandbox.app.drawing.offscreen import Offscreen
from sandbox.app.drawing.painter import Painter
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.jobs.job import Job
from sandbox.app.jobs.jobs import Jobs
from sandbox.app.viewer import Viewer
from sandbox.clock import SECOND, Clock
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.opening import load
from sandbox.scenes.bundled import bundled_scenes, is_model
from sandbox.scenes.headline import headline
from sandbox.simulation import Simulation
from sandbox.warm_up import prepare
from systems.engine.settings import Settings

SECONDS = 40.0  # of simulated time that a scene is shown
FADE = 2.5  # s, from one scene to the next
PERIOD = 60.0  # s of simulated time after which the camera is where it was
CLOSER = 0.35  # of the zoom at which the world fills the screen
MOST = 20_000  # entities: larger scenes are left out, which would not run smoothly everywhere

VERTEX = """
#version 330
in vec2 in_vert;
in vec2 in_uv;
out vec2 uv;
void main() { uv = in_uv; gl_Position = vec4(in_vert, 0.0, 1.0); }
"""
FRAGMENT = """
#version 330
in vec2 uv;
uniform sampler2D picture;
uniform float left;
out vec4 painted;
void main() { painted = vec4(texture(picture, uv).rgb, left); }
"""


class Ambient:
    """Shows scenes in a window; while it does, it takes the window's events before the window does.

    Attributes:
        simulation: the world that is shown.
    """

    simulation: Simulation

    def __init__(
        self, window: arcade.Window, painter: Painter, still: bool, jobs: Jobs, done: Callable[[], None]
    ) -> None:
        """Begin.

        Args:
            painter: that of the window.
            still: whether the camera does not move.
            jobs: those of the window; one of them opens the next scene.
            done: called when it has ended, to show what was there before.
        """
        self._window, self._painter, self._still, self._jobs, self._done = window, painter, still, jobs, done
        self._opening: Job | None = None
        context, smooth = window.ctx, not draws_in_software(window.ctx)
        self._now, self._before = Offscreen(context, smooth=smooth), Offscreen(context, smooth=False)
        self._fade = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        self._quad = geometry.quad_2d_fs()
        self._scenes: Iterator[Path] = cycle(scenes_shown())
        self._faded, self._ends = FADE, False
        self._full_screen = window.fullscreen
        self._show(_loaded(next(self._scenes)))
        self._fill(on=True)
        window.push_handlers(self)

    # ---- frames

    def on_update(self, seconds: float) -> bool | None:
        """Let the world go on, and after a while the next one."""
        if self._ends:
            self.end()
            return None
        simulation = self.simulation
        self._clock.frame(round(seconds * SECOND), simulation.step)
        self._faded += seconds
        if simulation.tick > SECONDS * self._clock.tick_rate and self._opening is None:
            work = partial(_loaded, next(self._scenes))
            self._opening = self._jobs.begin("", work, self._go_on_with, lane="ambient", drop=Simulation.close)
        self._jobs.frame()
        self._viewer.take()
        return True

    def on_draw(self) -> bool:
        """Draw the world, and over it what fades of the one before."""
        context, ratio = self._window.ctx, self._window.get_pixel_ratio()
        context.screen.use()
        size = context.screen.size
        with self._now.drawn_into(size):
            self._painter.draw(self._camera(), self._clock.alpha, ratio, *self._viewer.layers())
        self._now.show()
        if self._faded < FADE and self._before.size == size:
            left = 1 - self._faded / FADE
            self._fade["left"] = left * left * (3 - 2 * left)
            self._before.texture.use(0)
            context.enable_only(context.BLEND)
            context.blend_func = context.BLEND_DEFAULT
            self._quad.render(self._fade)
        return True

    def _go_on_with(self, simulation: Simulation) -> None:
        """Fade from the scene that is shown to the next one."""
        with self._before.drawn_into(self._now.size):
            self._now.show()
        self._opening = None
        self.simulation.close()
        self._show(simulation)

    def _show(self, simulation: Simulation) -> None:
        self.simulation = simulation
        settings = self.simulation.world.resource(Settings)
        self._painter.colouring, self._faded = "", 0.0
        self._clock = Clock(settings.tick_rate)
        self._viewer = Viewer(self.simulation, ["trails"] if settings.trails else [], self._painter)

    def _camera(self) -> AnyCamera:
        camera = camera_for(self.simulation.world, self._window.get_size())
        seconds = (self.simulation.tick + self._clock.alpha) / self._clock.tick_rate
        turn = 0.0 if self._still else math.tau * seconds / PERIOD
        if isinstance(camera, SpaceCamera):
            camera.look_from(camera.yaw + turn, camera.pitch)
            camera.fill()
            return camera
        size = camera.world_size
        camera.zoom = max(side / whole for side, whole in zip(camera.screen, size, strict=True))
        camera.zoom *= 1 + CLOSER * (1 - math.cos(turn)) / 2
        rooms = (whole - side / camera.zoom for side, whole in zip(camera.screen, size, strict=True))
        aside = math.sin(2 * turn), math.sin(turn)
        camera.look_at(*((whole + room * way) / 2 for whole, room, way in zip(size, rooms, aside, strict=True)))
        return camera

    # ---- events

    def end_soon(self) -> None:
        """End with the next frame."""
        self._ends = True

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """End with the next frame, so that the text of this key goes nowhere either."""
        self.end_soon()
        return True

    def on_mouse_press(self, *_: Any) -> bool:
        self.end_soon()
        return True

    def _swallow(self, *_: Any) -> bool:
        return True

    on_text = on_mouse_motion = on_mouse_drag = on_mouse_release = on_mouse_scroll = _swallow

    def on_close(self) -> None:
        """End at once, so that a question about unsaved changes can be seen."""
        self.end()

    def on_file_drop(self, *_: Any) -> None:
        self.end()

    def end(self) -> None:
        """Give the window back."""
        self._window.remove_handlers(self)
        if self._opening is not None:
            self._jobs.cancel(self._opening)
        self.simulation.close()
        self._fill(on=False)
        self._done()

    def _fill(self, *, on: bool) -> None:
        """Fill the screen and hide the mouse, or give both back."""
        window = self._window
        if not window.headless:
            window.set_mouse_visible(not on)
            window.set_fullscreen(on or self._full_screen)


def _loaded(path: Path) -> Simulation:
    """Open a scene, whose kernels are compiled before, so that frames don't wait for them."""
    prepare(path)
    return load(path, mods=NO_MODS)


def scenes_shown() -> list[Path]:
    """Return the bundled scenes that are shown, in the order of the gallery."""
    return [path for path in bundled_scenes() if not is_model(path) and headline(path).population <= MOST]
