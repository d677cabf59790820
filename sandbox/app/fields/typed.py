"""Numbers that people type: what is wrong with one, said in a sentence."""

from __future__ import annotations

import re

from imgui_bundle import imgui

from components.store.fields import LARGEST, Field, Kind
from components.store.words import plain
from sandbox.app.messages import SECONDS, Messages
from sandbox.language import said

WIDEST = 260.0  # pixels, of a line
NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(.*?)\s*", re.IGNORECASE)


class Typing:
    """Notes what is typed into sliders and drags: Dear ImGui drops a text that is no number without a word."""

    def __init__(self) -> None:
        self._id, self._text = 0, ""
        self._wrong = 0, "", 0.0  # the widget in which something wrong was typed, why, and until when that is said

    def ended(self) -> str | None:
        """What was typed into the widget just drawn, in the frame in which typing ends; else None."""
        id = imgui.get_item_id()
        if self._wrong[0] == id and imgui.get_time() < self._wrong[2]:
            _say_below(self._wrong[1])
        state: imgui.internal.InputTextState | None = imgui.internal.get_input_text_state(id)
        if imgui.internal.temp_input_is_active(id):
            self._id, self._text = id, state.get_text() if state else ""
            return None
        if self._id != id:
            return None
        self._id = 0
        if imgui.is_key_pressed(imgui.Key.escape):
            return None
        return state.get_text() if state else self._text

    def tell(
        self, messages: Messages, name: str, low: float, high: float, *, whole: bool = False, unit: str = ""
    ) -> None:
        """Say what is wrong with a number that was typed into the widget just drawn."""
        typed = self.ended()
        if typed is not None and (wrong := mistake(name, typed, low, high, whole=whole, unit=unit)):
            self.refuse(messages, wrong)

    def refuse(self, messages: Messages, wrong: str) -> None:
        """Say what is wrong below the widget just drawn, for a while, and in the log."""
        self._wrong = imgui.get_item_id(), wrong, imgui.get_time() + SECONDS
        messages.warn(wrong, 0.0)


def _say_below(text: str) -> None:
    """A sentence below the widget just drawn, within the window."""
    low, high, style = imgui.get_item_rect_min(), imgui.get_item_rect_max(), imgui.get_style()
    wrap = WIDEST * style.font_scale_main
    wide = imgui.calc_text_size(text, wrap_width=wrap).x + 2 * style.window_padding.x + 1
    x = max(min(low.x, imgui.get_io().display_size.x - wide - style.item_spacing.x), 0.0)
    imgui.set_next_window_pos((x, high.y + style.item_inner_spacing.y))
    if imgui.begin_tooltip():
        imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + wrap)
        imgui.text_unformatted(text)
        imgui.pop_text_wrap_pos()
        imgui.end_tooltip()


def mistake(
    name: str, text: str, low: float, high: float, *, whole: bool = False, above_low: bool = False, unit: str = ""
) -> str | None:
    """What is wrong with a typed number, or None: "Count must be at most 1,000."."""
    if not text.strip():
        return None
    found = NUMBER.fullmatch(text)
    if found is None or found[2] not in ("", unit.strip()):
        return said("“{text}” is not a number.", text=text.strip())
    value, words = float(found[1]), said(name)[:1].upper() + said(name)[1:]
    if above_low and value <= low:
        return said("{words} must be above {low}.", words=words, low=plain(low))
    if value < low:
        return said("{words} must be at least {low}.", words=words, low=plain(low))
    if value > high:
        return said("{words} must be at most {high}.", words=words, high=plain(high))
    return said("{words} must be a whole number.", words=words) if whole and not value.is_integer() else None


def field_mistake(field: Field, text: str, unit: str = "") -> str | None:
    """What is wrong with a number that was typed for a field, or None."""
    return mistake(
        field.name.replace("_", " "),
        text,
        max(field.low, -LARGEST),
        min(field.high, LARGEST),
        whole=field.kind is Kind.INTEGER,
        above_low=field.above_low,
        unit=unit.replace("%%", "%"),
    )
