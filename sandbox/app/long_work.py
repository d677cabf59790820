"""Runs long work in a thread while the window shows a progress card."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from math import cos, pi
from threading import Thread
from typing import TypeVar

import arcade
import pyglet

from sandbox.app.drawing.letters import FONTS
from sandbox.app.gui.theme import TEXT, Theme
from sandbox.language import capitalised

T = TypeVar("T")
MOMENT = 0.2  # s: for shorter work nothing is shown
FRAME = 0.03  # s between two frames of the card
WIDTH, HEIGHT = 240, 4  # of the bar, pixels at the usual size of text
ROUND = 2.0  # s: period of the moving light


def wait_for(work: Callable[[], T], frame: Callable[[float], object]) -> T:
    """Run work that may take long in a thread, and return its result.

    Args:
        frame: is called repeatedly while the work runs, with the seconds since it began.
    Raises:
        Exception: any exception of the work.
    """
    began, begun = time.monotonic(), Future[T]()

    def run() -> None:
        try:
            begun.set_result(work())
        except BaseException as error:
            begun.set_exception(error)

    Thread(target=run, name="waited for", daemon=True).start()  # daemon, so that Ctrl+C does not wait for its end
    wait([begun], MOMENT)
    while not begun.done():
        frame(time.monotonic() - began)
        wait([begun], FRAME)
    return begun.result()


def draw_card(window: arcade.Window, words: str, seconds: float, theme: Theme, scale: float) -> None:
    """Draw an empty window with some words in the middle, and under them a bar with a light that moves to and fro."""
    ink, ground, line, lit = (_bytes(colour) for colour in (theme.ink, theme.panel, theme.line, theme.accent))
    pyglet.font.add_file(str(FONTS / "Roboto" / "Roboto-Regular.ttf"))
    window.ctx.screen.use()
    window.ctx.screen.scissor = None
    window.default_camera.use()
    window.clear(ground)
    x, y, wide, high = window.width / 2, window.height / 2, WIDTH * scale, HEIGHT * scale
    size = 0.75 * TEXT * scale  # points, at 96 dots per inch
    arcade.Text(capitalised(words), x, y + 2 * high, ink, size, font_name="Roboto", anchor_x="center").draw()
    arcade.draw_rect_filled(arcade.XYWH(x, y - 2 * high, wide, high), line)
    to_and_fro = -cos(2 * pi * seconds / ROUND)
    arcade.draw_rect_filled(arcade.XYWH(x + 0.4 * wide * to_and_fro, y - 2 * high, 0.2 * wide, high), lit)


def _bytes(colour: tuple[float, float, float, float]) -> tuple[int, int, int, int]:
    red, green, blue, _ = (round(255 * part) for part in colour)
    return red, green, blue, 255
