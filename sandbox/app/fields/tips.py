"""What a field's line says to whoever rests on it, and offers to a right click; and texts that find room."""

from __future__ import annotations

import re
from typing import Any

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from components.store.fields import Field
from components.store.words import plain
from sandbox.app.fields.lines import Line
from sandbox.app.fields.subjects import Reading, Subject, is_number
from sandbox.language import labelled, said

TIP_WIDTH = 300.0  # pixels
GENERATED = re.compile(r"-?\d|Above \d|One of ")
VARY = f"{icons.ICON_FA_TABLE_CELLS}  Vary in a study"


def tip(line: Line, subject: Subject) -> None:
    """Draw all there is to know of a field."""
    field = line.field
    if not imgui.begin_tooltip():
        return
    imgui.push_text_wrap_pos(TIP_WIDTH * imgui.get_style().font_scale_main)
    imgui.text_unformatted(f"{said(field.owner)} {said(field.name.replace('_', ' '))}")
    imgui.text_disabled("\n".join(map(_in_language, line.about.split("\n"))))
    if (usual := subject.usual(field)) is not None:
        how = "Double-click it for {usual}." if is_number(field) else "Double-click its caption for {usual}."
        unit = f" {field.unit}" if field.unit and is_number(field) else ""
        imgui.text_disabled(said(how, usual=f"{_plain(usual)}{unit}"))
    if is_number(field):
        imgui.text_disabled(said("Ctrl+click types a number."))
        if subject.study_key(field):
            imgui.text_disabled(said("Right-click varies it in a study."))
    imgui.pop_text_wrap_pos()
    imgui.end_tooltip()


def _in_language(sentence: str) -> str:
    """A sentence of a tip: bounds and choices are said word by word."""
    if GENERATED.match(sentence):
        for part in ("Above ", ", at most ", " to ", "One of "):
            sentence = sentence.replace(part, said(part))
    return said(sentence)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return said("on" if value else "off")
    if isinstance(value, list):
        return ", ".join(map(str, value)) or said("everyone")
    return plain(float(f"{value:g}")) if isinstance(value, float) else str(value)


def cut(text: str, width: float) -> str:
    """A text, or as much of it as finds room."""
    if imgui.calc_text_size(text).x <= width:
        return text
    while text and imgui.calc_text_size(f"{text}…").x > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def offer_to_vary(label: str, over: bool, field: Field, reading: Reading, subject: Subject) -> None:
    """Offer it, right after the widget of a field; `over`: the mouse is on its caption."""
    is_clicked = (over or imgui.is_item_hovered()) and imgui.is_mouse_released(1)
    if is_clicked and is_number(field) and subject.study_key(field):
        imgui.open_popup(label)
    if imgui.begin_popup(label):
        if imgui.menu_item(labelled(VARY), "", False)[0]:
            key = subject.study_key(field)
            words = f"{key.split('.')[0]} {said(field.name.replace('_', ' '))}"
            subject.session.services.studying.vary(subject.session, key, words, field, reading.value)
        imgui.end_popup()
