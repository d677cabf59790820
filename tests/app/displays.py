"""Displays of any kind, as pyglet describes them."""

from __future__ import annotations

from pyglet import display
from pyglet.display.base import Screen, ScreenMode


class Display(Screen):
    """One of so many pixels, that shows so many frames a second, on which everything is so much larger."""

    def __init__(self, width: int = 1280, height: int = 720, rate: float | None = 60, scale: float = 1.0) -> None:
        super().__init__(display.get_display(), 0, 0, width, height)
        self._mode, self._scale = ScreenMode(self), scale
        self._mode.rate = rate

    def get_mode(self) -> ScreenMode:
        return self._mode

    def get_scale(self) -> float:
        return self._scale

    get_modes = get_matching_configs = get_display_id = get_monitor_name = set_mode = restore_mode = get_mode
