"""Drops the window's events during work that blocks it, and defers what is typed until its field has the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sandbox.app.input import Input

OF_PEOPLE = "on_key_", "on_text", "on_mouse_", "on_file_drop", "on_close", "on_activate", "on_deactivate"
FRAME_EVENTS = "on_update", "on_fixed_update", "on_draw", "on_refresh"
TYPED = "on_key_press", "on_text", "on_key_release"  # deferred until the field they are for has the keyboard
AFTER_WAITING = "on_key_release", "on_mouse_release", "on_deactivate", "on_close"  # other input is dropped


class Hearing:
    """Collects events that can't be dispatched now."""

    def __init__(self, input: Input) -> None:
        self._input = input
        self._waits = False
        self._missed: list[tuple[Any, ...]] = []

    def puts_off(self, event: tuple[Any, ...]) -> bool:
        """Return whether an event is deferred or dropped, and so must not be dispatched now."""
        if event[0] in TYPED and self._input.field_comes:
            self._missed.append(event)
            return True
        if not self._waits or not event[0].startswith((*OF_PEOPLE, *FRAME_EVENTS)):
            return False  # those of the system, as when the window is resized, are never deferred
        self._missed += [event] if event[0] in AFTER_WAITING else []
        return True

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Defer or drop people's events inside this context, because no world can be edited meanwhile."""
        self._waits = True
        try:
            yield
        finally:
            self._waits = False

    def missed(self) -> list[tuple[Any, ...]]:
        """Return the deferred events in order, and clear the list."""
        missed, self._missed = self._missed, []
        return missed
