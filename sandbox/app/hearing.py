"""Defers the window's events during a long tick; they are dispatched afterwards."""

from __future__ import annotations

from typing import Any

from sandbox.app.input import Input
from sandbox.app.long_ticks import LongTicks

OF_PEOPLE = "on_key_", "on_text", "on_mouse_", "on_file_drop", "on_close", "on_activate", "on_deactivate"
FRAME_EVENTS = "on_update", "on_fixed_update", "on_draw", "on_refresh"
TYPED = "on_key_press", "on_text", "on_key_release"  # deferred until the field they are for has the keyboard


class Hearing:
    """Collects events that can't be dispatched now, because a long tick runs."""

    def __init__(self, input: Input, long_ticks: LongTicks) -> None:
        self._input, self._long_ticks = input, long_ticks
        self._missed: list[tuple[Any, ...]] = []

    def puts_off(self, event: tuple[Any, ...]) -> bool:
        """Return whether an event is deferred, and so must not be dispatched now."""
        if event[0] in TYPED and self._input.field_comes:
            self._missed.append(event)
            return True
        if not self._long_ticks.runs or not event[0].startswith((*OF_PEOPLE, *FRAME_EVENTS)):
            return False  # those of the system, as when the window is resized, are never deferred
        if any(name != "on_mouse_motion" for name, *_ in self._missed) or not self._input.menus_take(*event):
            # After a deferred event the menus get none either: an action chosen there would run before it.
            self._missed.append(event)
        elif event[0] in ("on_mouse_motion", "on_mouse_drag"):
            self._missed = [("on_mouse_motion", *event[1:5])]  # only the last position of the mouse matters
        return True

    def missed(self) -> list[tuple[Any, ...]]:
        """Return the deferred events in order, and clear the list."""
        missed, self._missed = self._missed, []
        return missed
