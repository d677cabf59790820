"""The widget of each kind of field: it shows a reading, and returns the new value as files write it, or None."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from imgui_bundle import imgui

from components.store.fields import Field, Kind
from sandbox.app.fields import drags
from sandbox.app.fields.lines import Line
from sandbox.app.fields.subjects import Reading
from sandbox.app.gui.labels import as_label, tick_box
from sandbox.language import labelled, said

_colours = imgui.ColorEditFlags_
HEX = _colours.display_hex | _colours.no_options | _colours.no_drag_drop | _colours.no_tooltip
MIXED = "mixed"
EVERYONE = "everyone"  # what an empty set of prefabs means


@dataclass
class Hold:
    """What widgets have to know of the hand.

    Attributes:
        dragged: the number that is being dragged.
        twice: a double click in this frame; it must not begin to type.
        prefabs: the names of all prefabs: whom a set of them may name.
    """

    dragged: str = ""
    twice: bool = False
    prefabs: Sequence[str] = ()


def _number(hold: Hold, label: str, line: Line, reading: Reading) -> float | None:
    field: Field = line.field  # type: ignore[assignment]
    value = reading.value
    flags = imgui.SliderFlags_.no_input if hold.twice else 0
    if hold.dragged == label:
        form = drags.while_dragged(value, line.reference, line.unit)
    else:
        form = drags.at_rest(value, line.unit, line.rough)
        if reading.mixed:
            form = drags.between(value, reading.highest)
    low, high = max(field.low, -drags.FLOAT), min(field.high, drags.FLOAT)
    if field.above_low:
        low += drags.SHARE * line.reference
    if line.slides:
        changed, new = imgui.slider_float(label, value, low, high, form, flags)
    else:
        pace = drags.speed(value, line.reference)
        changed, new = imgui.drag_float(label, value, pace, low, high, form, flags)
    if imgui.is_item_active():
        hold.dragged = label
    return drags.as_typed(new) if changed else None


def _integer(hold: Hold, label: str, line: Line, reading: Reading) -> int | None:
    field: Field = line.field  # type: ignore[assignment]
    flags = imgui.SliderFlags_.no_input if hold.twice else 0
    form = said("{low} to {high}", low="%d", high=reading.highest) if reading.mixed else f"%d{line.unit}"
    low, high = int(field.low), int(field.high)
    if line.slides:
        changed, new = imgui.slider_int(label, reading.value, low, high, form, flags)
    else:
        pace = max(drags.speed(reading.value, line.reference), 0.1)
        changed, new = imgui.drag_int(label, reading.value, pace, low, high, form, flags)
    return new if changed else None


def _switch(hold: Hold, label: str, line: Line, reading: Reading) -> bool | None:
    imgui.push_item_flag(imgui.ItemFlags_.mixed_value, reading.mixed)
    changed, new = tick_box(label, reading.value)
    imgui.pop_item_flag()
    return new if changed else None


def _choice(hold: Hold, label: str, line: Line, reading: Reading) -> str | None:
    field: Field = line.field  # type: ignore[assignment]
    chosen = None
    if imgui.begin_combo(label, said(MIXED if reading.mixed else reading.value)):
        for name in field.choices:
            if imgui.selectable(labelled(name), name == reading.value and not reading.mixed)[0]:
                chosen = name
        imgui.end_combo()
    return chosen


def _colour(hold: Hold, label: str, line: Line, reading: Reading) -> str | None:
    red, green, blue = (int(reading.value[k : k + 2], 16) / 255 for k in (1, 3, 5))
    changed, new = imgui.color_edit3(label, [red, green, blue], HEX)
    if not changed:
        return None
    text = "#" + "".join(f"{round(255 * part):02x}" for part in new)
    return text if text != reading.value or reading.mixed else None


def _vector(hold: Hold, label: str, line: Line, reading: Reading) -> list[float] | None:
    field: Field = line.field  # type: ignore[assignment]
    pace = drags.speed(max(map(abs, reading.value)), line.reference)
    form = drags.at_rest(max(map(abs, reading.value)), line.unit)
    changed, new = imgui.drag_float2(label, reading.value, pace, field.low, field.high, form)
    return [drags.as_typed(part) for part in new] if changed else None


def _prefabs(hold: Hold, label: str, line: Line, reading: Reading) -> list[str] | None:
    chosen = None
    preview = said(MIXED) if reading.mixed else as_label(", ".join(reading.value)) or said(EVERYONE)
    if imgui.begin_combo(label, preview, imgui.ComboFlags_.height_large):
        for name in hold.prefabs:
            changed, on = tick_box(f"{as_label(name)}{label}", name in reading.value)
            if changed:
                chosen = [other for other in hold.prefabs if (on if other == name else other in reading.value)]
        imgui.end_combo()
    return chosen


def _count(hold: Hold, label: str, line: Line, reading: Reading) -> None:
    """What is counted is only to be read."""
    imgui.text(f"{reading.value:,}")


WIDGETS: dict[Kind, Callable[[Hold, str, Line, Reading], Any]] = {
    Kind.NUMBER: _number,
    Kind.INTEGER: _integer,
    Kind.AMOUNT: _number,
    Kind.SWITCH: _switch,
    Kind.CHOICE: _choice,
    Kind.COLOUR: _colour,
    Kind.VECTOR: _vector,
    Kind.PREFABS: _prefabs,
    Kind.COUNT: _count,
}
