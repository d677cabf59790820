"""The widget of each kind of field: shows a `Reading` and returns the new value as files write it, or None."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from imgui_bundle import imgui

from components.store.fields import Kind
from components.store.world import World
from sandbox.app.drawing.colours import shares_of
from sandbox.app.fields.binding import Reading
from sandbox.app.fields.lines import Line
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.session.session import Session
from sandbox.language import counted, translate

FLOAT = float(np.finfo(np.float32).max)
SHARE = 0.01  # of a number: the change per pixel of dragging
SLOWEST = 0.25  # share of the usual size: dragging gets no slower below it
PLAIN, ROUGH = "%.6g", "%.1f"
LARGE = 1e6  # numbers from here on are written without an exponent
_colours = imgui.ColorEditFlags_
HEX = _colours.display_hex | _colours.no_options | _colours.no_drag_drop | _colours.no_tooltip
MIXED = "mixed"
MOST_LINES = 6  # of a list that is seen without scrolling
EVERYONE = "everyone"  # what an empty set of prefabs means


def speed(value: float, usual: float) -> float:
    """Return how much a pixel of dragging changes a number with this usual size."""
    return SHARE * max(abs(value), SLOWEST * usual)


def while_dragged(value: float, usual: float, unit: str) -> str:
    """Return the format of a number that is being dragged: with just enough decimals for one pixel's change."""
    decimals = max(0, -math.floor(math.log10(speed(value, usual))))
    return f"%.{min(decimals, 6)}f{unit}"


def at_rest(value: float, unit: str, rough: bool = False) -> str:
    """Return the format of a number that is not being dragged: in full, or with one decimal if `rough`."""
    return f"{ROUGH if rough else PLAIN if abs(value) < LARGE else '%.0f'}{unit}"


def between(low: float, high: float) -> str:
    """Return the format of several numbers that differ: it shows the lowest and the highest."""
    form = "%.0f" if max(abs(low), abs(high)) >= 100 else "%.3g"
    return translate("{low} to {high}", low=form, high=form % high)


def as_typed(value: float) -> float:
    """Return a float32 of Dear ImGui as the shortest decimal: 0.1, not 0.10000000149."""
    return float(str(np.float32(value)))


@dataclass
class Hold:
    """What widgets need to know of the mouse and the world.

    Attributes:
        ui: what they are drawn with; `session`: sets of prefabs offer those of its world.
        dragged: the label of the number that is being dragged.
        twice: there was a double click in this frame, which resets a field and must not start typing.
    """

    ui: Ui = field(init=False)
    session: Session = field(init=False)
    dragged: str = ""
    twice: bool = False


def _number(hold: Hold, label: str, line: Line, reading: Reading) -> float | None:
    field = line.field
    value = reading.value
    flags = imgui.SliderFlags_.no_input if hold.twice else 0
    if hold.dragged == label:
        form = while_dragged(value, line.reference, line.unit)
    else:
        form = at_rest(value, line.unit, line.rough)
        if reading.mixed:
            form = between(value, reading.highest)
    low, high = max(field.low, -FLOAT), min(field.high, FLOAT)
    if field.above_low:
        low += SHARE * line.reference
    if line.slides:
        changed, new = imgui.slider_float(label, value, low, high, form, flags)
    else:
        pace = speed(value, line.reference)
        changed, new = imgui.drag_float(label, value, pace, low, high, form, flags)
    if imgui.is_item_active():
        hold.dragged = label
    return as_typed(new) if changed else None


def _integer(hold: Hold, label: str, line: Line, reading: Reading) -> int | None:
    field = line.field
    flags = imgui.SliderFlags_.no_input if hold.twice else 0
    form = translate("{low} to {high}", low="%d", high=reading.highest) if reading.mixed else f"%d{line.unit}"
    low, high = int(field.low), int(field.high)
    if line.slides:
        changed, new = imgui.slider_int(label, reading.value, low, high, form, flags)
    else:
        pace = max(speed(reading.value, line.reference), 0.1)
        changed, new = imgui.drag_int(label, reading.value, pace, low, high, form, flags)
    return new if changed else None


def _switch(hold: Hold, label: str, line: Line, reading: Reading) -> bool | None:
    imgui.push_item_flag(imgui.ItemFlags_.mixed_value, reading.mixed)
    new = hold.ui.check_box(label, reading.value)
    imgui.pop_item_flag()
    return new if new != reading.value else None


def _choice(hold: Hold, label: str, line: Line, reading: Reading) -> str | None:
    field = line.field
    chosen, words = None, as_label if line.in_scenes else translate
    with hold.ui.combo(label, translate(MIXED) if reading.mixed else words(reading.value)) as on:
        for name in field.choices if on else ():
            if hold.ui.entry(words(name), name == reading.value and not reading.mixed):
                chosen = name
    return chosen


def _colour(hold: Hold, label: str, line: Line, reading: Reading) -> str | None:
    changed, new = imgui.color_edit3(label, [*shares_of(reading.value)], HEX)
    if not changed:
        return None
    text = "#" + "".join(f"{round(255 * part):02x}" for part in new)
    return text if text != reading.value or reading.mixed else None


def _vector(hold: Hold, label: str, line: Line, reading: Reading) -> list[float] | None:
    field = line.field
    pace = speed(max(map(abs, reading.value)), line.reference)
    form = at_rest(max(map(abs, reading.value)), line.unit)
    drag = imgui.drag_float2 if len(reading.value) == 2 else imgui.drag_float3
    changed, new = drag(label, reading.value, pace, field.low, field.high, form)
    return [as_typed(part) for part in new] if changed else None


def _prefabs(hold: Hold, label: str, line: Line, reading: Reading) -> list[str] | None:
    chosen = None
    preview = translate(MIXED) if reading.mixed else as_label(", ".join(reading.value)) or translate(EVERYONE)
    with hold.ui.combo(label, preview, long=True) as opened:
        if not opened:
            return None
        having, prefabs = line.field.having, animals_first(hold.session.simulation.world)
        offered = [name for name, own in prefabs.items() if name in reading.value or having in ("", *own)]
        for name in offered:
            on = hold.ui.check_box(f"{as_label(name)}{label}", name in reading.value)
            if on != (name in reading.value):
                chosen = [other for other in offered if (on if other == name else other in reading.value)]
        if not offered:
            hold.ui.faint("Nobody here has {component}.", component=translate(having))
    return chosen


def animals_first(world: World) -> dict[str, Collection[str]]:
    """Return the components of each prefab by name: animals before others, those with living members first."""
    counts = world.population.tolist()
    order = {
        name: ("Velocity" not in prefab.components, not counts[n])
        for n, (name, prefab) in enumerate(world.prefabs.items())
    }
    return {name: world.prefabs[name].components for name in sorted(order, key=order.__getitem__)}


def _count(hold: Hold, label: str, line: Line, reading: Reading) -> None:
    """Show a count, which cannot be edited."""
    imgui.text(counted(reading.value))


def _text(hold: Hold, label: str, line: Line, reading: Reading) -> str | None:
    _, new = imgui.input_text(label, reading.value)
    return new if imgui.is_item_deactivated_after_edit() else None


def _list(hold: Hold, label: str, line: Line, reading: Reading) -> list[Any] | None:
    """An entry in each line."""
    each = line.field.each
    assert each is not None
    lines = [entry if isinstance(entry, str) else json.dumps(entry) for entry in reading.value]
    height = imgui.get_text_line_height() * (min(max(len(lines), 1), MOST_LINES) + 1)
    _, new = imgui.input_text_multiline(label, "\n".join(lines), (-1, height))
    if not imgui.is_item_deactivated_after_edit():
        return None
    written = new.rstrip("\n").split("\n") if new.strip("\n") else []
    return written if isinstance(each.show(each.default), str) else [_read(entry) for entry in written]


def _read(entry: str) -> Any:
    """Return a number or switch that was typed; text that is none is refused by the field."""
    try:
        return json.loads(entry)
    except ValueError:
        return entry


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
    Kind.TEXT: _text,
    Kind.LIST: _list,
}
