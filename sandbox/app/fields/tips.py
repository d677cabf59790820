"""Tooltips and context menus of fields, and messages about invalid numbers that were typed."""

from __future__ import annotations

import re
from typing import Any

from imgui_bundle import imgui

from components.store.fields import LARGEST, Field, Kind
from components.store.words import plain
from sandbox.app.fields.binding import Binding, is_number
from sandbox.app.fields.lines import Line
from sandbox.app.gui.ui import Ui
from sandbox.app.messages import SECONDS, Messages
from sandbox.app.session.session import Session
from sandbox.language import capitalised, grouped, translate, translate_label

TIP_WIDTH = 300.0  # pixels
GENERATED = re.compile(r"-?\d|Above \d|One of ")
WIDEST = 260.0  # pixels: the width of a message about a typed number
NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(.*?)\s*", re.IGNORECASE)


def tip(line: Line, binding: Binding, session: Session, ui: Ui) -> None:
    """Draw the tooltip of a field: help, bounds, the usual value, and what the mouse can do."""
    field = line.field
    name, about = translate(field.name.replace("_", " ")), line.about.split("\n")
    if field.choices and not line.in_scenes:  # the last sentence names them
        about = about[:-1]
    head = f"{translate(field.owner)} {name}" if line.in_scenes else translate(line.caption)
    more = [*map(_in_language, about)]
    if (usual := binding.usual) is not None:
        how = "Double-click it for {usual}." if is_number(field) else "Double-click its caption for {usual}."
        unit = f" {field.unit}" if field.unit and is_number(field) else ""
        words = _plain(usual) if line.in_scenes else translate(_plain(usual))
        more.append(translate(how, usual=f"{words}{unit}"))
    if is_number(field):
        more.append(translate("Ctrl+click types a number." if line.slides else "A click types a number."))
        choices = session.services.field_menu.values() if binding.path else ()
        more += [translate(choice.help) for choice in choices]
    with ui.tooltip():
        ui.verbatim(head, wraps=TIP_WIDTH * ui.scale)
        ui.verbatim("\n".join(more), ui.theme.faint, wraps=TIP_WIDTH * ui.scale)


def _in_language(sentence: str) -> str:
    """Translate a sentence of a tooltip; generated ones about bounds and choices are translated part by part."""
    if GENERATED.match(sentence):
        for part in ("Above ", ", at most ", " to ", "One of "):
            sentence = sentence.replace(part, translate(part))
    return grouped(translate(sentence))


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return translate("on" if value else "off")
    if isinstance(value, list):
        return ", ".join(map(str, value)) or translate("everyone")
    return plain(float(f"{value:g}")) if isinstance(value, float) else str(value)


def cut(text: str, width: float) -> str:
    """Return a text, shortened with an ellipsis if it is wider than `width`."""
    if imgui.calc_text_size(text).x <= width:
        return text
    while text and imgui.calc_text_size(f"{text}…").x > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def field_menu(label: str, over: bool, field: Field, binding: Binding, session: Session) -> None:
    """Show the menu of the last widget's field at a right click; `over`: the mouse is on its caption."""
    is_clicked = (over or imgui.is_item_hovered()) and imgui.is_mouse_released(1)
    if is_clicked and is_number(field) and session.services.field_menu and binding.path:
        imgui.open_popup(label)
    if imgui.begin_popup(label):
        for name, choice in session.services.field_menu.items():
            if imgui.menu_item(translate_label(name), "", False)[0]:
                words = f"{binding.path.split('.')[0]} {translate(field.name.replace('_', ' '))}"
                choice.do(session, binding.path, words, field, binding.get().value)
        imgui.end_popup()


class Typing:
    """Keeps track of text typed into sliders and drags, because Dear ImGui silently drops invalid numbers."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}  # by id of the widgets that are typed into: Tab goes from one to the next
        self._wrong = 0, "", 0.0  # the id of the widget with an invalid text, the message, and until when it is shown

    def ended(self) -> str | None:
        """Return what was typed into the last widget, in the frame in which typing ends; else None."""
        id = imgui.get_item_id()
        if self._wrong[0] == id and imgui.get_time() < self._wrong[2]:
            _say_below(self._wrong[1])
        state: imgui.internal.InputTextState | None = imgui.internal.get_input_text_state(id)
        if imgui.internal.temp_input_is_active(id):
            self._texts[id] = state.get_text() if state else ""
            return None
        text = self._texts.pop(id, None)
        if text is None:
            return None
        self._wrong = 0, "", 0.0
        if imgui.is_key_pressed(imgui.Key.escape):
            return None
        return state.get_text() if state else text

    def tell(
        self, messages: Messages, name: str, low: float, high: float, *, whole: bool = False, unit: str = ""
    ) -> bool:
        """Show a message if an invalid number was typed into the last widget; return whether it was invalid."""
        typed = self.ended()
        wrong = None if typed is None else mistake(name, typed, low, high, whole=whole, unit=unit)
        if wrong:
            self.refuse(messages, wrong)
        return bool(wrong)

    def refuse(self, messages: Messages, wrong: str) -> None:
        """Show a message below the last widget for SECONDS, and add it to the log."""
        self._wrong = imgui.get_item_id(), wrong, imgui.get_time() + SECONDS
        messages.warn(wrong, 0.0)


def _say_below(text: str) -> None:
    """Draw a message below the last widget, clamped to the window."""
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
    """Return what is wrong with a typed number ("Count must be at most 1,000."), or None if it is valid."""
    if not text.strip():
        return None
    found = NUMBER.fullmatch(text)
    if found is None or found[2] not in ("", unit.strip()):
        return translate("“{text}” is not a number.", text=text.strip())
    value, words = float(found[1]), capitalised(translate(name))
    if above_low and value <= low:
        return translate("{words} must be above {low}.", words=words, low=plain(low))
    if value < low:
        return translate("{words} must be at least {low}.", words=words, low=plain(low))
    if value > high:
        return translate("{words} must be at most {high}.", words=words, high=plain(high))
    return translate("{words} must be a whole number.", words=words) if whole and not value.is_integer() else None


def field_mistake(field: Field, text: str, unit: str = "") -> str | None:
    """Return what is wrong with a number that was typed for a field, or None if it is valid."""
    return mistake(
        field.name.replace("_", " "),
        text,
        max(field.low, -LARGEST),
        min(field.high, LARGEST),
        whole=field.kind is Kind.INTEGER,
        above_low=field.above_low,
        unit=unit.replace("%%", "%"),
    )
