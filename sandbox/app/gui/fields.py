"""A widget for every kind of field, made from its declaration: range, unit, help on hover, reset by a double click.

widgets.begin(theme)
widgets.lines(lines_of(Perception), subject)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from imgui_bundle import imgui

from components.store.fields import Component, Field, Kind
from sandbox.app.gui import drags
from sandbox.app.gui.lines import Line, lines_of
from sandbox.app.gui.theme import Theme
from sandbox.app.subjects import Reading, Subject, is_number

CAPTIONS = 8.6  # times the size of text: room for most captions
LEAST, MOST = 0.42, 0.54  # share of the width that captions take at least and at most
GUTTER = 0.7  # of the size of text: before captions, for the mark of what is not as usual
TIP_WIDTH = 300.0  # pixels
PAUSE = 0.35  # s: whoever rests on a line for so long wants to know more
JUMP = 0.6  # s: a click that moved a slider is undone together with the double click's reset
_colour = imgui.ColorEditFlags_
HEX = _colour.display_hex | _colour.no_options | _colour.no_drag_drop | _colour.no_tooltip
MIXED = "mixed"


class FieldWidgets:
    """The widgets of a panel; it remembers which of them is held, so that a drag is undone at once."""

    def __init__(self) -> None:
        self._held = ""  # the widget that was changed while the mouse is down on it
        self._dragged = ""  # the number that is being dragged
        self._changed, self._changed_at = "", 0.0
        self._over, self._over_since = "", 0.0  # the line under the mouse
        self._twice = False  # a double click in this frame
        self._late: tuple[str, Any] = "", None  # what is set once the mouse lets go
        self._column = 0.0
        self._fitted: dict[str, str] = {}
        self._fits: tuple[float, float] | None = None
        self._theme: Theme | None = None

    def begin(self, theme: Theme) -> None:
        """Begin a frame; the width is what is left in the window."""
        if not imgui.is_any_item_active():
            self._held = self._dragged = ""
        self._twice = imgui.is_mouse_double_clicked(0)
        wide = imgui.get_content_region_avail().x
        size = imgui.get_font_size()
        self._column = imgui.get_cursor_pos_x() + min(max(CAPTIONS * size, LEAST * wide), MOST * wide)
        if self._fits != (fits := (wide, size)):
            self._fits, self._fitted = fits, {}
        if self._theme is not theme:
            self._theme = theme
            self._ink, self._faint = imgui.ImVec4(*theme.ink), imgui.ImVec4(*theme.faint)
            self._accent = imgui.get_color_u32(imgui.ImVec4(*theme.accent))

    def lines(self, lines: Sequence[Line], subject: Subject) -> None:
        """Draw those of the lines that are in sight."""
        clipper = imgui.ListClipper()
        clipper.begin(len(lines), imgui.get_frame_height_with_spacing())
        gutter = GUTTER * imgui.get_font_size()
        imgui.indent(gutter)
        while clipper.step():
            for number in range(clipper.display_start, clipper.display_end):
                self.line(lines[number], subject)
        imgui.unindent(gutter)

    def component(self, component: type[Component], subject: Subject, *, places: bool) -> None:
        """Draw a component below its name, which opens and closes it.

        Args:
            places: also what each entity has for itself.
        """
        lines = lines_of(component, places)
        if not lines:
            return
        opened = imgui.collapsing_header(f"{component.__name__}##{subject.name}", imgui.TreeNodeFlags_.default_open)
        if component.__doc__:
            imgui.set_item_tooltip(component.__doc__.replace("%", "%%"))
        if opened:
            self.lines(lines, subject)

    def line(self, line: Line, subject: Subject) -> None:
        """Draw a caption with its widget, and do what is done to them."""
        field = line.field
        imgui.align_text_to_frame_padding()
        if field is None:
            self._heading(line.caption)
            return
        reading = subject.read(field)
        label = f"##{subject.name}/{field.key}"
        self._caption(line, reading)
        over = imgui.is_item_hovered()
        imgui.same_line(self._column)
        imgui.set_next_item_width(-1)
        if self._late[0] == label:
            reading = Reading(self._late[1], self._late[1], reading.marked)
        value = _WIDGETS[field.kind](self, label, line, reading)
        if line.late:
            value = self._when_let_go(label, value)
        twice = self._twice and (over or (is_number(field) and imgui.is_item_hovered()))
        if twice:
            imgui.internal.clear_active_id()
            joins = self._changed == label and imgui.get_time() - self._changed_at < JUMP
            subject.reset(field, joins)
        elif value is not None:
            joins = self._held == label
            self._held = label if subject.write(field, value, joins) else ""
            self._changed, self._changed_at = label, imgui.get_time()
        elif (over or imgui.is_item_hovered()) and not imgui.is_any_item_active() and self._rested(label):
            _tip(line, subject)

    def _heading(self, text: str) -> None:
        """A word above several lines, as high as a line."""
        place, tall = imgui.get_cursor_screen_pos(), imgui.get_frame_height()
        imgui.text_colored(self._ink, text)
        begin = imgui.get_item_rect_max().x + 0.5 * tall
        end = place.x + imgui.get_content_region_avail().x - 1
        middle = place.y + 0.5 * tall
        line = imgui.get_color_u32(imgui.Col_.separator)
        imgui.get_window_draw_list().add_line(imgui.ImVec2(begin, middle), imgui.ImVec2(end, middle), line)

    def caption(self, text: str, about: str) -> None:
        """A caption for a widget that is drawn otherwise, next to it."""
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + GUTTER * imgui.get_font_size())
        imgui.align_text_to_frame_padding()
        imgui.text_colored(self._faint, text)
        imgui.set_item_tooltip(about.replace("%", "%%"))
        imgui.same_line(self._column)

    def _rested(self, label: str) -> bool:
        """Whether the mouse has been on a line for a while."""
        now = imgui.get_time()
        if self._over != label:
            self._over, self._over_since = label, now
        return bool(now - self._over_since > PAUSE)

    def _when_let_go(self, label: str, value: Any) -> Any:
        """A changed value, once nobody drags any more."""
        if imgui.is_item_active():
            if value is not None:
                self._late = label, value
            return None
        if self._late[0] == label:
            value, self._late = self._late[1] if value is None else value, ("", None)
        return value

    def _caption(self, line: Line, reading: Reading) -> None:
        if reading.marked:
            place, size = imgui.get_cursor_screen_pos(), imgui.get_font_size()
            middle = imgui.ImVec2(place.x - 0.36 * size, place.y + 0.5 * imgui.get_frame_height())
            imgui.get_window_draw_list().add_circle_filled(middle, 0.16 * size, self._accent)
        caption = line.caption
        if reading.mixed and line.field is not None and line.field.kind is Kind.COLOUR:
            caption = f"{caption}, {MIXED}"  # the widget can show but one
        if caption not in self._fitted:
            self._fitted[caption] = cut(caption, self._column - imgui.get_cursor_pos_x() - 4)
        imgui.text_colored(self._ink if reading.marked else self._faint, self._fitted[caption])

    # ---- one for each kind: they return the new value as files write it, or None

    def _number(self, label: str, line: Line, reading: Reading) -> float | None:
        field: Field = line.field  # type: ignore[assignment]
        value = reading.value
        flags = imgui.SliderFlags_.no_input if self._twice else 0
        if self._dragged == label:
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
            self._dragged = label
        return drags.as_typed(new) if changed else None

    def _integer(self, label: str, line: Line, reading: Reading) -> int | None:
        field: Field = line.field  # type: ignore[assignment]
        flags = imgui.SliderFlags_.no_input if self._twice else 0
        form = f"%d to {reading.highest}" if reading.mixed else f"%d{line.unit}"
        low, high = int(field.low), int(field.high)
        if line.slides:
            changed, new = imgui.slider_int(label, reading.value, low, high, form, flags)
        else:
            pace = max(drags.speed(reading.value, line.reference), 0.1)
            changed, new = imgui.drag_int(label, reading.value, pace, low, high, form, flags)
        return new if changed else None

    def _switch(self, label: str, line: Line, reading: Reading) -> bool | None:
        imgui.push_item_flag(imgui.ItemFlags_.mixed_value, reading.mixed)
        changed, new = tick_box(label, reading.value)
        imgui.pop_item_flag()
        return new if changed else None

    def _choice(self, label: str, line: Line, reading: Reading) -> str | None:
        field: Field = line.field  # type: ignore[assignment]
        chosen = None
        if imgui.begin_combo(label, MIXED if reading.mixed else reading.value):
            for name in field.choices:
                if imgui.selectable(name, name == reading.value and not reading.mixed)[0]:
                    chosen = name
            imgui.end_combo()
        return chosen

    def _colour(self, label: str, line: Line, reading: Reading) -> str | None:
        red, green, blue = (int(reading.value[k : k + 2], 16) / 255 for k in (1, 3, 5))
        changed, new = imgui.color_edit3(label, [red, green, blue], HEX)
        if not changed:
            return None
        text = "#" + "".join(f"{round(255 * part):02x}" for part in new)
        return text if text != reading.value or reading.mixed else None

    def _vector(self, label: str, line: Line, reading: Reading) -> list[float] | None:
        field: Field = line.field  # type: ignore[assignment]
        pace = drags.speed(max(map(abs, reading.value)), line.reference)
        form = drags.at_rest(max(map(abs, reading.value)), line.unit)
        changed, new = imgui.drag_float2(label, reading.value, pace, field.low, field.high, form)
        return [drags.as_typed(part) for part in new] if changed else None

    def _prefabs(self, label: str, line: Line, reading: Reading) -> list[str] | None:
        chosen = None
        preview = MIXED if reading.mixed else ", ".join(reading.value) or "none named"
        if imgui.begin_combo(label, preview, imgui.ComboFlags_.height_large):
            for name in self.prefabs:
                changed, on = tick_box(f"{name}{label}", name in reading.value)
                if changed:
                    chosen = [other for other in self.prefabs if (on if other == name else other in reading.value)]
            imgui.end_combo()
        return chosen

    prefabs: Sequence[str] = ()
    """The names of all prefabs: whom a set of them may name."""


_WIDGETS: dict[Kind, Callable[[FieldWidgets, str, Line, Reading], Any]] = {
    Kind.NUMBER: FieldWidgets._number,
    Kind.INTEGER: FieldWidgets._integer,
    Kind.AMOUNT: FieldWidgets._number,
    Kind.SWITCH: FieldWidgets._switch,
    Kind.CHOICE: FieldWidgets._choice,
    Kind.COLOUR: FieldWidgets._colour,
    Kind.VECTOR: FieldWidgets._vector,
    Kind.PREFABS: FieldWidgets._prefabs,
}


def _tip(line: Line, subject: Subject) -> None:
    field: Field = line.field  # type: ignore[assignment]
    if not imgui.begin_tooltip():
        return
    imgui.push_text_wrap_pos(TIP_WIDTH * imgui.get_style().font_scale_main)
    imgui.text_unformatted(f"{field.owner} {field.name.replace('_', ' ')}")
    imgui.text_disabled(line.about)
    if (usual := subject.usual(field)) is not None:
        how = "its caption" if not is_number(field) else "it"
        unit = f" {field.unit}" if field.unit and is_number(field) else ""
        imgui.text_disabled(f"Double-click {how} for {_plain(usual)}{unit}.")
    if is_number(field):
        imgui.text_disabled("Ctrl+click types a number.")
    imgui.pop_text_wrap_pos()
    imgui.end_tooltip()


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none named"
    return f"{value:g}" if isinstance(value, float) else str(value)


def tick_box(label: str, on: bool) -> tuple[bool, bool]:
    """Draw a box to tick, with a border: empty it would hardly be seen; returns whether it changed, and what it is."""
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 1)
    answer = imgui.checkbox(label, on)
    imgui.pop_style_var()
    return answer


def cut(text: str, width: float) -> str:
    """A text, or as much of it as finds room."""
    if imgui.calc_text_size(text).x <= width:
        return text
    while text and imgui.calc_text_size(f"{text}…").x > width:
        text = text[:-1]
    return f"{text.rstrip()}…"
