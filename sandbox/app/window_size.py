"""How large a window is at first, and its text."""

from __future__ import annotations

import sys

import arcade
from pyglet.display.base import Screen


def usual_size() -> tuple[int, int]:
    """Most of the screen, but no more than a picture of 16 : 10 for which panels are laid out well."""
    screens = [] if arcade.headless else arcade.get_screens()
    return fitting_size(screens[0], sys.platform) if screens else (1280, 720)


def fitting_size(screen: Screen, platform: str) -> tuple[int, int]:
    """The size that a window is asked for, in pixels of arcade; on a display that is scaled each is several.

    macOS tells a screen's size in these already, other systems in pixels of the display.
    """
    scale = 1.0 if platform == "darwin" else max(screen.get_scale(), 1.0)
    return min(round(0.9 * screen.width / scale), 1600), min(round(0.85 * screen.height / scale), 1000)
