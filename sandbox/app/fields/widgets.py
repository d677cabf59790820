"""A widget for every kind of field, made from its declaration: range, unit, help on hover, reset by a double click.

A panel calls `begin` in every frame, then `component` or `lines` with a subject.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from imgui_bundle import imgui

from components.store.fields import Kind
from components.store.handles import Component
from components.store.world import World
from sandbox.app.fields.kinds import MIXED, WIDGETS, Hold
from sandbox.app.fields.lines import Line, lines_of
from sandbox.app.fields.subjects import Reading, Subject, is_number
from sandbox.app.fields.tips import Typing, cut, field_mistake, offer_to_vary, tip
from sandbox.app.gui.labels import in_sight
from sandbox.app.gui.ring import spot
from sandbox.app.gui.theme import Theme, u32
from sandbox.language import labelled, said

CAPTIONS = 8.6  # times the size of text: room for most captions
LEAST, MOST = 0.42, 0.54  # share of the width that captions take at least and at most
GUTTER = 0.7  # of the size of text: before captions, for the mark of what is not as usual
PAUSE = 0.35  # s: whoever rests on a line for so long wants to know more
MORE = imgui.TreeNodeFlags_.no_tree_push_on_open | imgui.TreeNodeFlags_.frame_padding
JUMP = 0.6  # s: a click that moved a slider is undone together with the double click's reset


class FieldWidgets:
    """The widgets of a panel; it remembers which of them is held, so that a drag is undone at once."""

    _theme: Theme  # of this frame

    def __init__(self) -> None:
        self._held = ""  # the widget that was changed while the mouse is down on it
        self._hold = Hold()
        self._typing = Typing()
        self._changed, self._changed_at = "", 0.0
        self._over, self._over_since = "", 0.0  # the line under the mouse
        self._late: tuple[str, Any] = "", None  # what is set once the mouse lets go
        self._column = 0.0
        self._fitted: dict[str, str] = {}
        self._fits: tuple[float, float] | None = None

    def begin(self, theme: Theme, world: World | None = None) -> None:
        """Begin a frame; the width is what is left in the window.

        Args:
            world: whose prefabs a set of them may name.
        """
        self._hold.prefabs = animals_first(world) if world else {}
        if not imgui.is_any_item_active():
            self._held = self._hold.dragged = ""
        self._hold.twice = imgui.is_mouse_double_clicked(0)
        wide = imgui.get_content_region_avail().x
        size = imgui.get_font_size()
        self._column = imgui.get_cursor_pos_x() + min(max(CAPTIONS * size, LEAST * wide), MOST * wide)
        if self._fits != (fits := (wide, size)):
            self._fits, self._fitted = fits, {}
        self._theme = theme

    def lines(self, lines: Sequence[Line | str], subject: Subject) -> None:
        """Draw those of the lines that are in sight."""
        gutter = GUTTER * imgui.get_font_size()
        imgui.indent(gutter)
        for _, line in in_sight(lines, imgui.get_frame_height_with_spacing()):
            if isinstance(line, str):
                self._heading(said(line))
            else:
                self.line(line, subject)
        imgui.unindent(gutter)

    def component(self, component: type[Any], subject: Subject, *, places: bool = False, whole: bool = False) -> None:
        """Draw a component, or a resource, below its name, which opens and closes it.

        Args:
            places: also what each entity has for itself.
            whole: nothing of it stands under More.
        """
        first, more = lines_of(component, places)
        if whole:
            first, more = (*first, *more), ()
        if not first:
            return
        opened = imgui.collapsing_header(
            labelled(f"{component.__name__}##{subject.name}"), imgui.TreeNodeFlags_.default_open
        )
        if component.__doc__:
            imgui.set_item_tooltip(said(component.__doc__))
        if not opened:
            return
        self.lines(first, subject)
        if more:
            self._more(component, more, subject)

    def _more(self, component: type[Component], more: Sequence[Line | str], subject: Subject) -> None:
        """What is seldom changed, below a line that opens it; a dot there says that something of it was."""
        gutter = GUTTER * imgui.get_font_size()
        imgui.indent(gutter)
        if any(isinstance(line, Line) and subject.read(line.field).marked for line in more):
            self._dot()
        imgui.push_style_color(imgui.Col_.text, self._theme.faint)
        opened = imgui.tree_node_ex(labelled(f"More##{subject.name}/{component.__name__}"), MORE)
        imgui.pop_style_color()
        imgui.unindent(gutter)
        if opened:
            self.lines(more, subject)

    def line(self, line: Line, subject: Subject) -> None:
        """Draw a caption with its widget, and do what is done to them."""
        field = line.field
        imgui.align_text_to_frame_padding()
        reading = subject.read(field)
        label = f"##{subject.name}/{field.key}"
        self._caption(line, reading)
        over = imgui.is_item_hovered()
        imgui.same_line(self._column)
        imgui.set_next_item_width(-1)
        if self._late[0] == label:
            reading = Reading(self._late[1], self._late[1], reading.marked)
        value = WIDGETS[field.kind](self._hold, label, line, reading)
        if subject.session.view.pointed:
            spot(subject.session, field.key, f"{subject.name}.{field.key}", f"{subject.name}.{field.name}")
        typed = self._typing.ended() if is_number(field) else None
        if typed is not None and (wrong := field_mistake(field, typed, line.unit)):
            self._typing.refuse(subject.session.messages, wrong)
            value = None
        if line.late:
            value = self._when_let_go(label, value)
        twice = self._hold.twice and (over or (is_number(field) and imgui.is_item_hovered()))
        if twice:
            imgui.internal.clear_active_id()
            joins = self._changed == label and imgui.get_time() - self._changed_at < JUMP
            subject.reset(field, joins)
        elif value is not None:
            joins = self._held == label
            self._held = label if subject.write(field, value, joins) else ""
            self._changed, self._changed_at = label, imgui.get_time()
        elif (over or imgui.is_item_hovered()) and not imgui.is_any_item_active() and self._rested(label):
            tip(line, subject)
        offer_to_vary(label, over, field, reading, subject)

    def _heading(self, text: str) -> None:
        """A word above several lines, as high as a line."""
        imgui.align_text_to_frame_padding()
        place, tall = imgui.get_cursor_screen_pos(), imgui.get_frame_height()
        imgui.text_colored(self._theme.ink, text)
        begin = imgui.get_item_rect_max().x + 0.5 * tall
        end = place.x + imgui.get_content_region_avail().x - 1
        middle = place.y + 0.5 * tall
        line = imgui.get_color_u32(imgui.Col_.separator)
        imgui.get_window_draw_list().add_line((begin, middle), (end, middle), line)

    def caption(self, text: str, about: str) -> None:
        """A caption for a widget that is drawn otherwise, next to it."""
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + GUTTER * imgui.get_font_size())
        imgui.align_text_to_frame_padding()
        imgui.text_colored(self._theme.faint, said(text))
        imgui.set_item_tooltip(said(about))
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
            self._dot()
        caption = said(line.caption)
        if reading.mixed and line.field.kind is Kind.COLOUR:
            caption = f"{caption}, {said(MIXED)}"  # the widget can show but one
        if caption not in self._fitted:
            self._fitted[caption] = cut(caption, self._column - imgui.get_cursor_pos_x() - 4)
        imgui.text_colored(self._theme.ink if reading.marked else self._theme.faint, self._fitted[caption])

    def _dot(self) -> None:
        """Left of what comes next: it is not as usual."""
        place, size = imgui.get_cursor_screen_pos(), imgui.get_font_size()
        middle = place.x - 0.36 * size, place.y + 0.5 * imgui.get_frame_height()
        imgui.get_window_draw_list().add_circle_filled(middle, 0.16 * size, u32(self._theme.accent))


def animals_first(world: World) -> dict[str, Collection[str]]:
    """The components of prefabs by their names: animals before all else, those that live here before others."""
    counts = world.population.tolist()
    places = {
        name: ("Velocity" not in prefab.components, not counts[n])
        for n, (name, prefab) in enumerate(world.prefabs.items())
    }
    return {name: world.prefabs[name].components for name in sorted(places, key=places.__getitem__)}
