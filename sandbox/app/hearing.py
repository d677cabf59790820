"""Defers what is typed until the text box that it is for has the keyboard."""

from __future__ import annotations

from typing import Any

from sandbox.app.input import Input

FRAME_EVENTS = "on_update", "on_fixed_update", "on_draw", "on_refresh"
TYPED = "on_key_press", "on_text", "on_key_release"


class Hearing:
    """Collects events that can't be dispatched now."""

    def __init__(self, input: Input) -> None:
        self._input = input
        self._missed: list[tuple[Any, ...]] = []

    def puts_off(self, event: tuple[Any, ...]) -> bool:
        """Return whether an event is deferred, and so must not be dispatched now."""
        defers = event[0] in TYPED and self._input.field_comes
        if defers:
            self._missed.append(event)
        return defers

    def missed(self) -> list[tuple[Any, ...]]:
        """Return the deferred events in order, and clear the list."""
        missed, self._missed = self._missed, []
        return missed
