"""The window: shows a simulation, and turns keys and mouse into commands.

events ── commands ── clock ── whole ticks ── painter.take ── every frame: painter.draw, in between two ticks
"""

from __future__ import annotations

import re
from pathlib import Path

import arcade
from arcade import key
from platformdirs import user_pictures_path

from sandbox.app.camera import Camera
from sandbox.app.hand import Hand
from sandbox.app.hud import INK, Hud, status
from sandbox.app.painter import Painter
from sandbox.app.picture import render
from sandbox.app.restart import Make, maker
from sandbox.app.tools import TOOLS
from sandbox.clock import SECOND, Clock
from sandbox.commands import CommandQueue
from sandbox.files import free_name, write_atomically
from sandbox.simulation import Simulation
from systems.core.kernel import is_cold
from systems.core.settings import Settings

SMALLEST = 320, 240  # pixels
PAN_SPEED = 900.0  # pixels per second, with a key
ZOOM_STEP = 1.15  # for a notch of the wheel
LINE_SECONDS = 0.25  # between two changes of the numbers
DIGITS = tuple(str(number) for number, _ in enumerate(TOOLS, 1))
FRAMES_REMEMBERED = 0.9  # share that stays of the old mean of the time a frame takes


class FlockWindow(arcade.Window):
    """A window on one simulation at a time."""

    # arcade.Window has no such argument, but without it pyglet lets no file be dropped.
    _file_drops = property(lambda self: True, lambda self, value: None)

    def __init__(
        self,
        simulation: Simulation,
        again: Make,
        size: tuple[int, int] = (1280, 720),
        antialiasing: bool = True,
    ) -> None:
        """Open on a simulation; `again` makes it anew, for restarting."""
        super().__init__(*size, "boids", resizable=True, vsync=True, antialiasing=antialiasing)
        self.set_minimum_size(*SMALLEST)
        self.pictures = user_pictures_path() / "boids"
        self.painter = Painter(self.ctx)
        self.hud = Hud()
        self.hand = Hand(self.hud.say)
        if is_cold():
            self._tell_at_once("Compiling, only at the first start: about a minute")
        self.show(simulation, again)
        self.hud.say("F1 shows the keys")

    def show(self, simulation: Simulation, again: Make) -> None:
        """Show another simulation from now on."""
        settings = simulation.world.resource(Settings)
        self.simulation, self.again = simulation, again
        self.clock = Clock(settings.tick_rate)
        self.camera = Camera((settings.width, settings.height), self.get_size())
        self.painter.take(simulation)
        self.set_caption(f"{simulation.scene.name} – boids")
        self._frame_seconds = 1 / 60
        self._line_age = LINE_SECONDS
        self.hand.wall = None

    # ---- frames

    def on_update(self, delta_time: float) -> None:
        ticks = self.clock.frame(round(delta_time * SECOND), self.simulation.step)
        if ticks:
            self.painter.take(self.simulation)
        elif self.clock.paused and self.simulation.world.resource(CommandQueue).waiting:
            self.simulation.settle_commands()
            self.painter.take(self.simulation)
        self._pan_with_keys(delta_time)
        self.hud.pass_time(delta_time)
        self._frame_seconds += (1 - FRAMES_REMEMBERED) * (delta_time - self._frame_seconds)
        self._line_age += delta_time
        if self._line_age >= LINE_SECONDS and not self.hud.hidden:
            frames_per_second = 1 / max(self._frame_seconds, 1e-6)
            self.hud.set_line(status(self.simulation, self.clock, frames_per_second, self.hand.in_words()))
            self._line_age = 0.0

    def on_draw(self) -> None:
        self.ctx.screen.use()
        self.painter.draw(self.camera, self.clock.alpha, self.get_pixel_ratio())
        self.default_camera.use()
        if self.hand.wall is not None:
            begin, end = (self.camera.to_screen(*place) for place in self.hand.wall)
            arcade.draw_line(*begin, *end, INK, 2)
        self.hud.draw(self.width, self.height)

    def on_resize(self, width: int, height: int) -> None:
        self.camera.resize(width, height)

    def on_deactivate(self) -> None:
        if self.keyboard is not None:
            self.keyboard.data.clear()  # a key let go while another window listens would stay pressed

    def _tell_at_once(self, message: str) -> None:
        """For work after which the next frame will be long in coming."""
        self.hud.say(message)
        self.clear()
        self.hud.draw(self.width, self.height)
        self.flip()

    # ---- mouse

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        self.hand.press(self.simulation, self.camera, x, y, button)

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        if buttons & arcade.MOUSE_BUTTON_MIDDLE:
            self.camera.pan(dx, dy)
        else:
            self.hand.drag(self.simulation, self.camera, x, y, buttons)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        self.hand.release(self.simulation, self.camera, button)

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        self.camera.zoom_at(x, y, ZOOM_STEP**scroll_y)

    # ---- keys

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        if symbol == key.SPACE:
            self.clock.paused = not self.clock.paused
        elif symbol == key.HOME:
            self.camera.fit()
        elif symbol == key.R:
            self.restart()
        elif symbol == key.ESCAPE:
            self.hud.hidden = not self.hud.hidden
        elif symbol == key.TAB:
            self._take_tool(self.hand.number + (-1 if modifiers & key.MOD_SHIFT else 1))
        elif symbol == key.F1:
            self.hud.help = self.hud.hidden or not self.hud.help
            self.hud.hidden = False
        elif symbol == key.F2:
            self.save_picture()
        elif symbol == key.F11:
            self.set_fullscreen(not self.fullscreen)
        self._line_age = LINE_SECONDS

    def on_text(self, text: str) -> None:
        # Characters, not keys: on many keyboards `/` stands elsewhere, or needs Shift.
        if text == ".":
            self.clock.one_tick(self.simulation.step)
            self.painter.take(self.simulation)
        elif text in (",", "/"):
            self.clock.faster(1 if text == "/" else -1)
        elif text in DIGITS:
            self._take_tool(int(text))
        self._line_age = LINE_SECONDS

    def _take_tool(self, number: int) -> None:
        self.hand.choose(number)
        if self.hud.hidden:
            self.hud.say(self.hand.in_words())

    def _pan_with_keys(self, seconds: float) -> None:
        if self.keyboard is None:
            return
        right = int(self.keyboard[key.D]) - int(self.keyboard[key.A])
        up = int(self.keyboard[key.W]) - int(self.keyboard[key.S])
        if right or up:
            self.camera.pan(-right * PAN_SPEED * seconds, -up * PAN_SPEED * seconds)

    # ---- what takes longer

    def restart(self) -> None:
        """Begin again, with the same seed."""
        self._change(self.again, "restarted")

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        path = paths[0]

        def load() -> Simulation:
            import sandbox

            return sandbox.load(path)

        self._change(load, f"opened {Path(path).name}")

    def _change(self, make: Make, done: str) -> None:
        """Show a newly made simulation; when it can't be made, the running one stays as it was."""
        again = self.again
        try:
            simulation = make()
        except (ValueError, OSError) as error:
            self.hud.say(str(error), 15)
            return
        old, camera, clock = self.simulation, self.camera, self.clock
        self.show(simulation, make)
        self.clock.speed, self.clock.paused = clock.speed, clock.paused
        if make is again:
            self.camera = camera
        old.close()
        self.hud.say(done)

    def save_picture(self) -> None:
        """Write what is seen, without the text, as a PNG into the pictures folder."""
        name = re.sub(r"[^\w-]+", "-", self.simulation.scene.name).strip("-").lower() or "boids"
        path = free_name(self.pictures / f"{name}-{self.simulation.tick}.png")
        try:
            self.pictures.mkdir(parents=True, exist_ok=True)
            write_atomically(path, render(self.painter, self.camera, self.clock.alpha, self.get_pixel_ratio()))
        except OSError as error:
            self.hud.say(f"no screenshot: {error}")
        else:
            self.hud.say(f"saved screenshot {path}")


def open_window(simulation: Simulation, again: Make | None = None) -> None:
    """Show a simulation until its window is closed.

    Args:
        again: makes the same simulation anew, for restarting; see `restart.maker` for what happens without it.
    Raises:
        OSError: no window can be opened.
    """
    try:
        FlockWindow(simulation, again or maker(simulation))
    except (ValueError, OSError):
        raise
    except Exception as error:  # pyglet has many: no display, no suitable configuration, no context
        raise OSError(f"no window can be opened: {error}; it needs a display and OpenGL 3.3") from None
    arcade.run()
