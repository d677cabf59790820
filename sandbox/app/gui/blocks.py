"""What begins and ends in a panel with a `with`: parts that scroll, tables, tabs, other colours and sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from imgui_bundle import imgui

from sandbox.app.gui.theme import TEXT, Rgba, Theme, bold_font
from sandbox.language import translate_label

Size = tuple[float, float]


class Block:
    """What begins and ends with a `with`, however its body ends; its value says whether it is shown."""

    __slots__ = ("_always", "_around", "_begin", "_end", "_shown")

    def __init__(
        self, begin: Callable[[], Any], end: Callable[[], Any], always: bool = False, around: Block | None = None
    ) -> None:
        """`always`: it must also be ended if it is not shown; `around`: begins before it and ends after it."""
        self._begin, self._end, self._always, self._around = begin, end, always, around

    def __enter__(self) -> bool:
        if self._around:
            self._around.__enter__()
        self._shown = self._begin()
        return bool(self._shown)

    def __exit__(self, *error: object) -> None:
        if self._shown or self._always:
            self._end()
        if self._around:
            self._around.__exit__(*error)


class Blocks:
    """The blocks of a panel.

    Attributes:
        theme: the colours of panels: `ink`, `faint`, `accent`, `good`, `wrong` and others.
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    @property
    def scale(self) -> float:
        """The scale of text, by which sizes in pixels are multiplied; 1 by default."""
        return float(imgui.get_style().font_scale_main)

    def child(self, name: str, size: Size = (0, 0), *, bordered: bool = False, padded: bool = False) -> Block:
        """Begin an area that scrolls by itself.

        Args:
            size: 0 fills the room, less than 0 leaves so much of it, pixels.
            bordered: it has a border; `padded`: it has a margin.
        """
        flags = (imgui.ChildFlags_.borders if bordered else 0) | (
            imgui.ChildFlags_.always_use_window_padding if padded else 0
        )
        return Block(lambda: imgui.begin_child(f"##{name}", size, flags), imgui.end_child, always=True)

    def table(
        self,
        name: str,
        widths: Sequence[float | None],
        size: Size = (0, 0),
        *,
        scrolls: bool = False,
        lines: bool = False,
    ) -> Block:
        """Begin a table, to be filled if it is shown: `next_row` and `next_cell` go on.

        Args:
            widths: those of the columns, pixels at the usual text size; 0 fits the contents, None takes what is left.
            scrolls: it stands in an area of this size, which scrolls; Dear ImGui's own tables that scroll may take
                themselves for visible where they are hidden, which ends the frame.
            lines: draw lines between the rows.
        """
        flags = imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.pad_outer_x
        flags |= imgui.TableFlags_.borders_inner_h if lines else 0

        def begin() -> bool:
            shown = imgui.begin_table(f"##{name}", len(widths), flags, (0, 0) if scrolls else size)
            for number, width in enumerate(widths if shown else ()):
                kind = imgui.TableColumnFlags_.width_stretch if width is None else imgui.TableColumnFlags_.width_fixed
                imgui.table_setup_column(f"##{number}", kind, (width or 0) * self.scale)
            return shown

        return Block(begin, imgui.end_table, around=self.child(name, size) if scrolls else None)

    def next_row(self, height: float = 0.0) -> None:
        """Begin a row of the table, in its first cell; `height`: at least so many pixels."""
        _check_table()
        imgui.table_next_row(imgui.TableRowFlags_.none, height)
        imgui.table_next_column()

    def next_cell(self) -> None:
        """Go to the next cell of the row."""
        _check_table()
        imgui.table_next_column()

    def tabs(self, name: str) -> Block:
        """Begin a row of tabs."""
        begin = lambda: imgui.begin_tab_bar(f"##{name}", imgui.TabBarFlags_.fitting_policy_shrink)  # noqa: E731
        return Block(lambda: self._narrow(begin), imgui.end_tab_bar)

    def tab(self, label: str, *, front: bool = False) -> Block:
        """Begin the contents of a tab, which are shown if it is chosen; `front`: choose it now."""
        flags = imgui.TabItemFlags_.set_selected if front else 0
        begin = lambda: imgui.begin_tab_item(translate_label(label), None, flags)[0]  # noqa: E731
        return Block(lambda: self._narrow(begin), imgui.end_tab_item)

    def _narrow(self, begin: Callable[[], Any]) -> Any:
        with narrow_tabs(self):
            return begin()

    def folds(self, label: str, *, opened: bool = True, closes: bool = False) -> bool:
        """Draw a heading that a click opens and closes; return whether it is open.

        Args:
            opened: it is open at first.
            closes: close it now.
        """
        if closes:
            imgui.set_next_item_open(False)
        flags = imgui.TreeNodeFlags_.default_open if opened else 0
        return imgui.collapsing_header(translate_label(label), flags)

    def combo(self, label: str, shown: str, *, long: bool = False) -> Block:
        """Begin a list that opens at a click, to be filled with entries if it is open.

        Args:
            shown: what is chosen; `long`: it may be as high as 20 entries, not 8.
        """
        flags = imgui.ComboFlags_.height_large if long else 0
        return Block(lambda: imgui.begin_combo(label, shown, flags), imgui.end_combo)

    def tooltip(self) -> Block:
        """Begin a tooltip beside the mouse."""
        return Block(imgui.begin_tooltip, imgui.end_tooltip)

    def group(self) -> Block:
        """Begin a group that `tip` and `beside` take for one widget."""
        return Block(imgui.begin_group, imgui.end_group, always=True)

    def disabled(self, on: bool = True) -> Block:
        """Begin widgets that are faint and can't be used if `on`."""
        return Block(lambda: imgui.begin_disabled(on), imgui.end_disabled, always=True)

    def named(self, name: str | int) -> Block:
        """Begin widgets that may have the labels of others."""
        return Block(lambda: imgui.push_id(name), imgui.pop_id, always=True)

    def bold(self) -> Block:
        """Begin bold text."""
        return Block(lambda: imgui.push_font(bold_font(), 0), imgui.pop_font, always=True)

    def larger(self, times: float) -> Block:
        """Begin text that is larger than usual."""
        return Block(lambda: imgui.push_font(None, TEXT * times), imgui.pop_font, always=True)

    def in_accent(self, on: bool = True) -> Block:
        """Begin buttons in the accent colour, also while hovered; nothing changes if not `on`."""
        theme = self.theme
        over = theme.accent_hovered
        colours = {"button": theme.accent, "button_hovered": over, "button_active": over, "text": theme.accent_ink}
        return self.coloured(**colours if on else {})

    def coloured(self, **colours: Rgba) -> Block:
        """Begin widgets in other colours, by Dear ImGui's names: `text`, `button`, `frame_bg`."""

        def begin() -> None:
            for name, colour in colours.items():
                imgui.push_style_color(imgui.Col_[name], colour)

        return Block(begin, lambda: imgui.pop_style_color(len(colours)), always=True)

    def styled(self, **values: float | Size) -> Block:
        """Begin widgets with other sizes in pixels, by Dear ImGui's names: `frame_padding`, `item_spacing`."""

        def begin() -> None:
            for name, value in values.items():
                imgui.push_style_var(imgui.StyleVar_[name], value)

        return Block(begin, lambda: imgui.pop_style_var(len(values)), always=True)


def narrow_tabs(blocks: Blocks) -> Block:
    """Begin tabs with less room beside their words, so that four fit into a panel, or into a dock, at the side."""
    style = imgui.get_style()
    padding, inner = style.frame_padding, style.item_inner_spacing
    return blocks.styled(frame_padding=(0.5 * padding.x, padding.y), item_inner_spacing=(0.5 * inner.x, inner.y))


def _check_table() -> None:
    """Raise RuntimeError outside of a table, where Dear ImGui would crash the program."""
    if imgui.internal.get_current_table() is None:
        raise RuntimeError("there is no table here, or it is not shown")
