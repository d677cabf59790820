"""Draws widgets of fields from their declarations: range, unit, tooltip, and reset by a double click.

A panel calls `begin` in every frame, then `component` or `lines` with what binds their fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from imgui_bundle import imgui

from components.store.fields import Kind
from sandbox.app.fields.binding import Bind, Reading, is_number
from sandbox.app.fields.kinds import MIXED, WIDGETS, Hold
from sandbox.app.fields.lines import Line, lines_of
from sandbox.app.fields.tips import Typing, cut, field_menu, field_mistake, tip
from sandbox.app.gui.ring import spot
from sandbox.app.gui.theme import u32
from sandbox.app.gui.ui import TIPS, Ui
from sandbox.app.session.session import Session
from sandbox.language import translate, translate_label

CAPTIONS = 8.6  # times the font size: room for most captions
LEAST, MOST = 0.42, 0.54  # minimum and maximum share of the width for captions
GUTTER = 0.7  # times the font size: space before captions for the dot of a changed field
MORE = imgui.TreeNodeFlags_.no_tree_push_on_open | imgui.TreeNodeFlags_.frame_padding
JUMP = 0.6  # s: within it, a click that moved the slider and the reset by a double click are one undo step


class FieldWidgets:
    """The widgets of a panel; it remembers which of them is held, so that a whole drag is one undo step."""

    _ui: Ui  # of this frame
    _session: Session

    def __init__(self) -> None:
        self._held = ""  # the widget that was changed since the mouse button went down on it
        self._hold = Hold()
        self._typing = Typing()
        self._changed, self._changed_at = "", 0.0
        self._late: tuple[str, Any] = "", None  # label and value that is set soon after the mouse button is released
        self._late_at = 0.0  # when its widget was last active
        self._column = 0.0
        self._fitted: dict[str, str] = {}
        self._fits: tuple[float, float] | None = None

    def begin(self, session: Session, ui: Ui) -> None:
        """Begin a frame; must be called before the other methods. Widgets take the rest of the window's width."""
        self._session = self._hold.session = session
        self._ui = self._hold.ui = ui
        if not imgui.is_any_item_active():
            self._held = self._hold.dragged = ""
        self._hold.twice = imgui.is_mouse_double_clicked(0)
        wide = imgui.get_content_region_avail().x
        size = imgui.get_font_size()
        self._column = imgui.get_cursor_pos_x() + min(max(CAPTIONS * size, LEAST * wide), MOST * wide)
        if self._fits != (fits := (wide, size)):
            self._fits, self._fitted = fits, {}

    def lines(self, lines: Sequence[Line | str], bind: Bind) -> None:
        """Draw the lines that are visible."""
        gutter = GUTTER * imgui.get_font_size()
        imgui.indent(gutter)
        for _, line in self._ui.visible(lines, imgui.get_frame_height_with_spacing()):
            if isinstance(line, str):
                self._ui.heading(line)
            else:
                self.line(line, bind)
        imgui.unindent(gutter)

    def declared(
        self,
        component: type[Any],
        bind: Bind,
        *,
        own: bool = False,
        whole: bool = False,
        closed: bool = False,
    ) -> None:
        """Draw a component or a resource under a collapsible heading.

        Args:
            own: include the fields that each entity has for itself.
            whole: show all fields, none of them under More.
            closed: it is closed at first.
        """
        first, more = lines_of(component, self._session.simulation.world.table.axes, own)
        if whole:
            first, more = (*first, *more), ()
        if not first:
            return
        whose, _, _ = bind(next(field for field in component.fields.values() if field.settable)).key.partition("/")
        opened = self._ui.folds(f"{component.__name__}##{whose}", opened=not closed)
        if component.__doc__:
            self._ui.tip(component.__doc__)
        if not opened:
            return
        self.lines(first, bind)
        if more:
            self._more(f"More##{whose}/{component.__name__}", more, bind)

    def _more(self, label: str, more: Sequence[Line | str], bind: Bind) -> None:
        """Draw the lines under More, which is closed at first; a dot there means that one of its fields was changed."""
        gutter = GUTTER * imgui.get_font_size()
        imgui.indent(gutter)
        if any(isinstance(line, Line) and bind(line.field).changed for line in more):
            self._dot()
        with self._ui.coloured(text=self._ui.theme.faint):
            opened = imgui.tree_node_ex(translate_label(label), MORE)
        imgui.unindent(gutter)
        if opened:
            self.lines(more, bind)

    def line(self, line: Line, bind: Bind) -> None:
        """Draw a caption with its widget, and apply edits, resets and menus."""
        field = line.field
        binding = bind(field)
        reading, label = binding.get(), f"##{binding.key}"
        imgui.align_text_to_frame_padding()
        self._caption(line, reading, binding.changed)
        over, asks = imgui.is_item_hovered(), imgui.is_item_hovered(TIPS)
        imgui.same_line(self._column)
        imgui.set_next_item_width(-1)
        if self._late[0] == label:
            reading = Reading(self._late[1])
        value = WIDGETS[field.kind](self._hold, label, line, reading)
        if self._session.view.pointed:
            spot(self._session, field.key, binding.key.replace("/", "."), binding.path)
        typed = self._typing.ended() if is_number(field) else None
        if typed is not None and (wrong := field_mistake(field, typed, line.unit)):
            self._typing.refuse(self._session.messages, wrong)
            value = None
        if line.late:
            value = self._when_let_go(label, value)
        twice = self._hold.twice and (over or (is_number(field) and imgui.is_item_hovered()))
        if twice:
            imgui.internal.clear_active_id()
            self._late = "", None
            joins = self._changed == label and imgui.get_time() - self._changed_at < JUMP
            binding.reset(joins)
        elif value is not None:
            joins = self._held == label
            self._held = label if binding.set(value, joins) else ""
            self._changed, self._changed_at = label, imgui.get_time()
        elif (asks or imgui.is_item_hovered(TIPS)) and not self._ui.busy:
            tip(line, binding, self._session, self._ui)
        field_menu(label, over, field, binding, self._session)

    def caption(self, text: str, about: str) -> None:
        """Draw a caption for the caller's own widget, which comes next."""
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + GUTTER * imgui.get_font_size())
        imgui.align_text_to_frame_padding()
        self._ui.text(text, self._ui.theme.faint)
        self._ui.tip(about)
        imgui.same_line(self._column)

    def choice(
        self,
        panel: str,
        caption: str,
        about: str,
        options: Iterable[str],
        chosen: str,
        barred: Mapping[str, str] | None = None,
        tips: Mapping[str, str] | None = None,
    ) -> str:
        """Draw a list that opens, with a caption; return the option that is chosen now.

        Args:
            panel: the name of the panel, which makes the widget's id unique.
            barred, tips: see `Ui.choice`.
        """
        self.caption(caption, about)
        return self._ui.choice(f"##{panel} {caption}", options, chosen, barred, tips)

    def _when_let_go(self, label: str, value: Any) -> Any:
        """Hold a changed value back while its widget is active, and until no second click can follow; then return it.

        What moves when it is set would move away from the second click, which resets it.
        """
        if imgui.is_item_active():
            self._late_at = imgui.get_time()
            if value is not None:
                self._late = label, value
            return None
        waits = value is None and imgui.get_time() - self._late_at < imgui.get_io().mouse_double_click_time
        if self._late[0] == label and not waits:
            value, self._late = self._late[1] if value is None else value, ("", None)
        return value

    def _caption(self, line: Line, reading: Reading, changed: bool) -> None:
        if changed:
            self._dot()
        caption = translate(line.caption)
        if reading.mixed and line.field.kind is Kind.COLOUR:
            caption = f"{caption}, {translate(MIXED)}"  # the widget shows only one colour
        if caption not in self._fitted:
            self._fitted[caption] = cut(caption, self._column - imgui.get_cursor_pos_x() - 4)
        imgui.text_colored(self._ui.theme.ink if changed else self._ui.theme.faint, self._fitted[caption])

    def _dot(self) -> None:
        """Draw a dot left of the next item: its value differs from the usual one."""
        corner, size = imgui.get_cursor_screen_pos(), imgui.get_font_size()
        middle = corner.x - 0.36 * size, corner.y + 0.5 * imgui.get_frame_height()
        imgui.get_window_draw_list().add_circle_filled(middle, 0.16 * size, u32(self._ui.theme.accent))
