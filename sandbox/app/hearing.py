"""Which events the window hears while it waits for something; the others come afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sandbox.app.input import Input
from sandbox.app.long_ticks import LongTicks

AT_ONCE = "on_resize", "on_expose", "on_hide", "on_show"  # the system's
AFTER_WAITING = "on_key_release", "on_mouse_release", "on_deactivate", "on_close"  # of people's: the rest is dropped


class Hearing:
    """Keeps events for later."""

    def __init__(self, input: Input, long_ticks: LongTicks) -> None:
        self._input, self._long_ticks = input, long_ticks
        self._waits = False
        self._missed: list[tuple[Any, ...]] = []

    def puts_off(self, event: tuple[Any, ...]) -> bool:
        """Whether an event is not to be dispatched now."""
        if event[0] in AT_ONCE or not (self._waits or self._long_ticks.runs):
            return False
        if self._waits:
            self._missed += [event] if event[0] in AFTER_WAITING else []
        elif any(name != "on_mouse_motion" for name, *_ in self._missed) or not self._input.menus_take(*event):
            self._missed.append(event)  # the menus hear nothing more either: what is chosen there is done before
        elif event[0] in ("on_mouse_motion", "on_mouse_drag"):
            self._missed = [("on_mouse_motion", *event[1:5])]  # there it is afterwards, wherever it was before
        return True

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Within, there is no world that people could do something to."""
        self._waits = True
        try:
            yield
        finally:
            self._waits = False

    def missed(self) -> list[tuple[Any, ...]]:
        """What was kept, in order; it is kept no longer."""
        missed, self._missed = self._missed, []
        return missed
