"""The initial size of the window."""

from __future__ import annotations

import sys

import arcade
from pyglet.display.base import Screen


def usual_size() -> tuple[int, int]:
    """Return the initial size: most of the screen, but at most 1600 x 1000, for which the panels' layout is made."""
    screens = [] if arcade.headless else arcade.get_screens()
    return fitting_size(screens[0], sys.platform) if screens else (1280, 720)


def fitting_size(screen: Screen, platform: str) -> tuple[int, int]:
    """Return the initial size for a screen, in arcade's pixels, each of which is several on a scaled display.

    macOS gives a screen's size in these pixels already, other operating systems in pixels of the display.
    """
    scale = 1.0 if platform == "darwin" else max(screen.get_scale(), 1.0)
    return min(round(0.9 * screen.width / scale), 1600), min(round(0.85 * screen.height / scale), 1000)
