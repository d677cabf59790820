"""What a frame draws in a language: every text and tool tip, and which of them is cut off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from imgui_bundle import imgui

from sandbox.app.window import FlockWindow
from sandbox.language import bare_words

LABELLED = "button small_button menu_item begin_menu begin_tab_item collapsing_header selectable checkbox tree_node_ex"
TOLD = "text text_colored text_disabled text_unformatted separator_text text_wrapped"
TIPS = "set_item_tooltip set_tooltip"
OTHERS = "input_text_with_hint begin_combo progress_bar begin table_setup_column calc_text_size"
HELD = "button", "small_button", "checkbox"  # those whose label has only the room of the item


@dataclass
class Drawn:
    """What was drawn.

    Attributes:
        texts: as people read them, without symbols.
        cut: those that found no room.
    """

    texts: set[str] = field(default_factory=set)
    cut: set[str] = field(default_factory=set)


def drawn(window: FlockWindow, language: str, frames: int = 4) -> Drawn:
    """Switch to a language, draw frames, and tell what the last one shows."""
    window.session.preferences.language = language
    for _ in range(frames):
        found = Drawn()
        with _noting(found):
            window.gui.events.awake = 2
            window.on_draw()
    return found


@contextmanager
def _noting(found: Drawn) -> Iterator[None]:
    names = " ".join((LABELLED, TOLD, TIPS, OTHERS)).split()
    originals = {name: getattr(imgui, name) for name in names}

    def noted(name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            answer = originals[name](*arguments, **named)
            texts = [bare_words(text.split("##")[0]) for text in arguments if isinstance(text, str)]
            found.texts.update(texts)
            if name in HELD and texts[0] and imgui.is_item_visible():
                shown = originals["calc_text_size"](arguments[0].split("##")[0]).x
                room = imgui.get_item_rect_size().x
                edge = imgui.internal.get_current_window().clip_rect.max.x
                if shown > room + 1 or imgui.get_item_rect_max().x > edge + 1:
                    found.cut.add(texts[0])
            elif name == "begin_combo" and len(arguments) > 1 and imgui.is_item_visible():
                room = imgui.calc_item_width() - imgui.get_frame_height() - imgui.get_style().frame_padding.x
                if originals["calc_text_size"](arguments[1]).x > room + 1:
                    found.cut.add(arguments[1])
            elif name in TOLD.split()[:4] and texts and not _wraps():
                right = imgui.internal.get_current_window().clip_rect.max.x
                if imgui.is_item_visible() and imgui.get_item_rect_max().x > right + 1:
                    found.cut.add(texts[0])
            return answer

        return call

    try:
        for name in names:
            setattr(imgui, name, noted(name))
        yield
    finally:
        for name, original in originals.items():
            setattr(imgui, name, original)


def _wraps() -> bool:
    return bool(imgui.internal.get_current_window().dc.text_wrap_pos >= 0)
