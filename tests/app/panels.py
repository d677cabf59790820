"""Finds a window's panels for tests."""

from __future__ import annotations

from typing import Any

from sandbox.app.window import FlockWindow

from .conftest import send
from .widgets import look


def panel(window: FlockWindow, name: str) -> Any:
    """The panel of a name."""
    return next(panel for panel in window.session.app.panels if panel.name == name)


def scroll_to(window: FlockWindow, label: str, over: str) -> None:
    """Turn the wheel over where a widget is, until another, or a text, is seen."""
    place = look(window).places[over]
    for _ in range(60):
        seen = look(window)
        found = label in seen.places or label in seen.texts
        send(window, ("on_mouse_scroll", *place, 0, -1.0))  # once more where it is found: it may be seen in part
        window.on_update(0.02)
        if found:
            return
    raise AssertionError(f"{label} is nowhere")
