"""The window of the first start: pictures of the scenes, and how far the compilation of the kernels is."""

from __future__ import annotations

import time
from math import ceil

import arcade
import pyglet
from arcade import Texture

from sandbox.app.drawing.letters import FONTS
from sandbox.app.preferences import read_preferences
from sandbox.app.waiting import wait_for
from sandbox.app.window_size import usual_size
from sandbox.language import set_language, translate
from sandbox.scenes.bundled import bundled_scenes
from sandbox.terminal import compile_kernels
from sandbox.warm_up import steps

GROUND, INK, FAINT, LIT = (13, 20, 28, 255), (233, 238, 242, 255), (142, 158, 170, 255), (102, 178, 255, 255)
BAR = (38, 50, 62, 255)
COLUMNS, SHAPE, GAP = 4, 16 / 9, 8
FOOT = 110  # pixels below the pictures
SURE = 0.1  # share from which on the time left is estimated


class ClosedError(KeyboardInterrupt):
    """A person closed the window of the first start; the program ends without a word."""


class StartScreen(arcade.Window):
    """A window that only shows what is being done."""

    def __init__(self, size: tuple[int, int] | None = None) -> None:
        super().__init__(*(size or usual_size()), "boids", resizable=True, vsync=True)
        pyglet.font.add_file(str(FONTS / "Roboto" / "Roboto-Regular.ttf"))
        self.share, self.what, self.is_closing = 0.0, "", False
        pictures = (path.parent / "pictures" / f"{path.stem}.jpg" for path in bundled_scenes())
        self._pictures: list[Texture] = [arcade.load_texture(path) for path in pictures if path.is_file()]

    def on_close(self) -> None:
        self.is_closing = True

    def close(self) -> None:
        if self.closed:
            return  # pyglet closes a window again when it is freed, and arcade would forget the one that is open then
        super().close()
        pyglet.clock.unschedule(self._dispatch_frame)  # arcade 3.3 does not, and its clock would keep the window alive

    def show(self, seconds: float) -> None:
        """Answer the system, and draw a frame; `seconds`: since the work began."""
        self.dispatch_events()
        self.ctx.screen.use()
        self.default_camera.use()
        self.clear(GROUND)
        self._draw_pictures()
        self._draw_progress(seconds)
        self.flip()

    def _draw_pictures(self) -> None:
        """Draw the pictures in rows, as large as there is room for them."""
        rows = ceil(len(self._pictures) / COLUMNS)
        wide = min((self.width - GAP) / COLUMNS, (self.height - FOOT - GAP) / max(rows, 1) * SHAPE)
        left = (self.width - wide * COLUMNS) / 2
        for place, picture in enumerate(self._pictures):
            row, column = divmod(place, COLUMNS)
            x, y = left + (column + 0.5) * wide, self.height - GAP - (row + 0.5) * wide / SHAPE
            arcade.draw_texture_rect(picture, arcade.XYWH(x, y, wide - GAP, wide / SHAPE - GAP))

    def _draw_progress(self, seconds: float) -> None:
        x, wide = self.width / 2, min(0.6 * self.width, 640)
        title = translate("The first start: compiling for this computer. Later starts take two seconds.")
        arcade.Text(title, x, 74, INK, 15, font_name="Roboto", anchor_x="center").draw()
        arcade.draw_rect_filled(arcade.LBWH(x - wide / 2, 52, wide, 6), BAR)
        arcade.draw_rect_filled(arcade.LBWH(x - wide / 2, 52, max(wide * self.share, 1), 6), LIT)
        text = self.what
        if self.share > SURE:
            left = ceil(seconds / self.share * (1 - self.share))
            text = translate("{what}, about {seconds} s left", what=self.what, seconds=left)
        arcade.Text(text, x, 24, FAINT, 10, font_name="Roboto", anchor_x="center").draw()


def compile_in_window(scene: str, size: tuple[int, int] | None = None) -> None:
    """Compile what a scene needs, and show the progress in a window.

    Raises:
        ClosedError: the window was closed before.
    """
    set_language(read_preferences()[0].language)
    began = time.monotonic()
    try:
        window = StartScreen(size)
    except Exception:  # pyglet has many; the window of the world will say why there can be none
        compile_kernels(scene)
        return

    def work() -> None:
        for window.share, window.what in steps(scene):
            if window.is_closing:
                return

    try:
        wait_for(work, lambda seconds: window.show(time.monotonic() - began))
    finally:
        window.close()
    if window.is_closing:
        raise ClosedError
