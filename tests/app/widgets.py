"""Finds what a frame's panels show: where each widget stands, and every text. Events then go there like a hand's.

Dear ImGui keeps no list of widgets, so for one frame each of its functions that makes one also notes where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from arcade import MOUSE_BUTTON_LEFT as LEFT
from imgui_bundle import imgui

from sandbox.app.window import FlockWindow

from .conftest import send

WIDGETS = """
    arrow_button begin_combo begin_menu begin_tab_item button checkbox collapsing_header color_button color_edit3
    drag_float drag_float2 drag_int image_button input_float input_int input_text input_text_multiline
    input_text_with_hint invisible_button menu_item radio_button selectable slider_float slider_int small_button
    tab_item_button tree_node_ex
"""
TEXTS = (
    "progress_bar set_tooltip bullet_text separator_text text text_colored text_disabled text_unformatted text_wrapped"
)


@dataclass
class Seen:
    """What a frame showed.

    Attributes:
        places: the middle of each widget by its label, pixels from the lower left.
        boxes: left, lower, right and upper edge of each.
        texts: every text, in order.
    """

    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    boxes: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All texts in one line."""
        return " ".join(self.texts)


def look(window: FlockWindow, frames: int = 3) -> Seen:
    """Draw frames, the first ones so that panels take their places, and tell what the last shows."""
    for _ in range(frames):
        seen = Seen()
        with _noting(seen, window.gui.events.height):
            window.on_draw()
    return seen


def click(window: FlockWindow, label: str, button: int = LEFT, times: int = 1) -> None:
    """Click a widget as a hand does: over it, press, a frame, release, a frame."""
    place = look(window).places[label]
    for _ in range(times):
        send(window, ("on_mouse_motion", *place, 0, 0), ("on_mouse_press", *place, button, 0))
        window.on_draw()
        send(window, ("on_mouse_release", *place, button, 0))
        window.on_draw()
    window.on_draw()


@contextmanager
def _noting(seen: Seen, height: int) -> Iterator[None]:
    originals = {name: getattr(imgui, name) for name in [*WIDGETS.split(), *TEXTS.split()]}

    def widget(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(label: str, *arguments: Any, **named: Any) -> Any:
            answer = original(label, *arguments, **named)
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            seen.boxes[label] = low.x, height - high.y, high.x, height - low.y
            seen.places[label] = round((low.x + high.x) / 2), round(height - (low.y + high.y) / 2)
            if original is originals["begin_combo"]:
                seen.texts.append(arguments[0])  # what is chosen
            return answer

        return call

    def text(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            seen.texts += [argument for argument in arguments if isinstance(argument, str)]
            return original(*arguments, **named)

        return call

    try:
        for name, original in originals.items():
            setattr(imgui, name, widget(original) if name in WIDGETS.split() else text(original))
        yield
    finally:
        for name, original in originals.items():
            setattr(imgui, name, original)
