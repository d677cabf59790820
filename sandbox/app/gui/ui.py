"""What panels draw with: widgets that are translated, scaled and named, and blocks that always end.

Panels of the program, of extras and of mods get the same object. It is a thin layer over Dear ImGui: the program's own
panels may also call that directly, for what nobody else needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from imgui_bundle import imgui

from sandbox.app.gui.markdown import draw_markdown
from sandbox.app.gui.plots import Plot, draw_scale
from sandbox.app.gui.theme import TEXT, Rgba, Theme, bold_font, u32
from sandbox.files import as_text
from sandbox.language import translate, translate_label

Line = TypeVar("Line")
Size = tuple[float, float]
GAP = 6.0  # pixels between a panel and a tooltip beside it
WIDTH = 18.0  # of such a tooltip, times the font size
TIPS = imgui.HoveredFlags_.for_tooltip | imgui.HoveredFlags_.allow_when_disabled
AFTER = "ui is there for the `draw` of a panel alone: overlays and tools draw on their canvas"


class Block:
    """What begins and ends with a `with`, however its body ends; its value says whether it is shown."""

    __slots__ = ("_always", "_begin", "_end", "_shown")

    def __init__(self, begin: Callable[[], Any], end: Callable[[], Any], always: bool = False) -> None:
        """`always`: it must also be ended if it is not shown."""
        self._begin, self._end, self._always = begin, end, always

    def __enter__(self) -> bool:
        self._shown = self._begin()
        return bool(self._shown)

    def __exit__(self, *_: object) -> None:
        if self._shown or self._always:
            self._end()


class Ui:
    """The widgets of a panel, one below the other.

    Words are translated, and values in braces are filled in: `ui.text("{count:,} live here", count=3)`. What follows
    "##" in a label is not shown: it tells widgets with the same words apart. Colours are (red, green, blue, opacity),
    each 0 to 1.

    Attributes:
        theme: the colours of panels: `ink`, `faint`, `accent`, `good`, `wrong` and others.
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._plots: list[Plot] | None = None  # those begun, if it is lent

    # ---- sizes

    @property
    def scale(self) -> float:
        """The scale of text, by which sizes in pixels are multiplied; 1 by default."""
        return float(imgui.get_style().font_scale_main)

    @property
    def room(self) -> Size:
        """Width and height of what is left of the panel or block, pixels."""
        room = imgui.get_content_region_avail()
        return room.x, room.y

    @property
    def line(self) -> float:
        """The height of a line of text, pixels."""
        return float(imgui.get_text_line_height())

    @property
    def row(self) -> float:
        """The height of a button and the gap below it, pixels."""
        return float(imgui.get_frame_height_with_spacing())

    def width(self, *labels: str) -> float:
        """Return the width of buttons with these labels side by side, pixels."""
        style = imgui.get_style()
        words = sum(
            imgui.calc_text_size(translate_label(label), hide_text_after_double_hash=True).x for label in labels
        )
        return float(words + 2 * len(labels) * style.frame_padding.x + (len(labels) - 1) * style.item_spacing.x)

    # ---- text

    def text(self, words: str, colour: Rgba | None = None, **values: object) -> None:
        """Write words in one line."""
        self.verbatim(translate(words, **values), colour)

    def faint(self, words: str, **values: object) -> None:
        """Write less important words in one line."""
        imgui.text_disabled(translate(words, **values))

    def wrapped(self, words: str, colour: Rgba | None = None, **values: object) -> None:
        """Write words in lines that break at the panel's edge."""
        self.verbatim(translate(words, **values), colour, wraps=0.0)

    def verbatim(self, text: str, colour: Rgba | None = None, wraps: float | None = None) -> None:
        """Write a text that is not translated.

        Args:
            wraps: the width at which lines break, pixels; 0: at the panel's edge; None: they don't.
        """
        with self._wrapping(wraps):
            if colour is None:
                imgui.text_unformatted(text)
            else:
                imgui.text_colored(colour, text)

    def _wrapping(self, width: float | None) -> Block:
        edge = -1.0 if width is None else imgui.get_cursor_pos_x() + width if width else 0.0
        return Block(lambda: imgui.push_text_wrap_pos(edge), imgui.pop_text_wrap_pos, always=True)

    def markdown(self, text: str) -> None:
        """Write paragraphs with lists, **bold**, *italic*, `code` and [links](https://...)."""
        draw_markdown(text, self.theme)

    def heading(self, words: str, **values: object) -> None:
        """Write words in a line across the panel."""
        imgui.separator_text(translate(words, **values))

    def keys(self, keys: Sequence[str]) -> None:
        """Draw key caps in a row. They are slightly higher than a line of text: leave space above and below."""
        scale, line, inner = self.scale, self.line, 5 * self.scale
        place, drawing = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
        ground, edge, ink = u32(self.theme.raised), u32(self.theme.line), u32(self.theme.ink)
        x = place.x
        for key in keys:
            text = imgui.calc_text_size(key).x
            width = max(text + 2 * inner, line + 2 * scale)
            low, high = (x, place.y - scale), (x + width, place.y + line + 2 * scale)
            drawing.add_rect_filled(low, high, ground, 4 * scale)
            drawing.add_rect(low, high, edge, 4 * scale)
            drawing.add_text((x + (width - text) / 2, place.y), ink, key)
            x += width + 4 * scale
        imgui.dummy((max(x - place.x, 1), line))

    # ---- widgets

    def button(self, label: str, about: str = "", size: Size = (0, 0), *, enabled: bool = True) -> bool:
        """Draw a button and return whether it was pressed.

        Args:
            about: its tooltip.
            size: width and height, pixels; 0 fits the words, -1 fills the width.
        """
        with self.disabled(not enabled):
            pressed = imgui.button(translate_label(label), size)
        if about:
            self.tip(about)
        return pressed

    def buttons(self, count: int) -> Row:
        """Return a line of `count` buttons of equal width."""
        return Row(self, count)

    def tick_box(self, label: str, on: bool) -> bool:
        """Draw a check box and return whether it is ticked now."""
        with self.styled(frame_border_size=1):  # otherwise an empty one would be invisible
            return bool(imgui.checkbox(translate_label(label), on)[1])

    def drag(self, label: str, value: float, pace: float, low: float, high: float, form: str = "%.3g") -> float:
        """Draw a number that a drag changes; return what it is now.

        Args:
            pace: the change per pixel.
        """
        changed, new = imgui.drag_float(translate_label(label), value, pace, low, high, form)
        return float(new) if changed else value

    def slider(self, label: str, value: float, low: float, high: float, form: str = "") -> float:
        """Draw a slider and return the number that it stands at now: an int if `value` is one.

        Args:
            form: how the number is written: "%.2f s", "%d".
        """
        if isinstance(value, int):
            return int(imgui.slider_int(translate_label(label), value, int(low), int(high), form or "%d")[1])
        changed, new = imgui.slider_float(translate_label(label), value, low, high, form or "%.3g")
        return float(new) if changed else value

    def field(self, label: str, text: str, hint: str = "") -> str:
        """Draw a field for a line of text, which shows `hint` while it is empty; return its text now."""
        imgui.set_next_item_width(-1)
        return imgui.input_text_with_hint(translate_label(label), translate(hint), text)[1]

    def choice(self, label: str, options: Iterable[str], chosen: str, barred: Mapping[str, str] | None = None) -> str:
        """Draw a list that opens, and return the option that is chosen now.

        Args:
            barred: by disabled option, the reason, which is shown as its tooltip.
        """
        imgui.set_next_item_width(-1)
        with Block(
            lambda: imgui.begin_combo(label, translate(as_label(chosen.removeprefix(".")))), imgui.end_combo
        ) as on:
            for option in options if on else ():
                why = (barred or {}).get(option, "")
                with self.disabled(bool(why)):
                    if imgui.selectable(translate_label(as_label(option.removeprefix("."))), option == chosen)[0]:
                        chosen = option
                if why:
                    self.tip(why)
        return chosen

    def progress(self, share: float | None, words: str = "", **values: object) -> None:
        """Draw a bar that is full at a share of 1; None: it moves, because nobody knows how far it is."""
        with self.coloured(plot_histogram=self.theme.tinted(0.5)):  # pale, because the words are drawn over it
            imgui.progress_bar(-imgui.get_time() if share is None else share, (-1, 0), translate(words, **values))

    # ---- the last widget

    @property
    def hovered(self) -> bool:
        """Whether the mouse is on the last widget."""
        return bool(imgui.is_item_hovered())

    @property
    def appears(self) -> bool:
        """Whether the panel was not shown in the last frame."""
        return bool(imgui.is_window_appearing())

    @property
    def taken(self) -> bool:
        """Whether the mouse button went down on the last widget in this frame: a drag may begin."""
        return bool(imgui.is_item_activated())

    def tip(self, words: str, **values: object) -> None:
        """Explain the last widget while the mouse rests on it."""
        imgui.set_item_tooltip(translate(words, **values))

    def tip_beside(self, text: str, more: str = "") -> None:
        """Show a tooltip for the last widget beside its window; `more` is drawn fainter below the text."""
        if not imgui.is_item_hovered(TIPS) or imgui.is_any_item_active():
            return
        corner, wide, middle = imgui.get_window_pos(), imgui.get_window_width(), imgui.get_io().display_size.x / 2
        at_the_left = corner.x + wide / 2 > middle
        x = corner.x - GAP if at_the_left else corner.x + wide + GAP
        imgui.set_next_window_pos((x, imgui.get_item_rect_min().y), imgui.Cond_.always, (float(at_the_left), 0))
        with self.tooltip():
            self.verbatim(translate(text), wraps=imgui.get_font_size() * WIDTH)
            if more:
                self.verbatim(translate(more), self.theme.faint, wraps=imgui.get_font_size() * WIDTH)

    # ---- places

    def leave(self, *labels: str) -> None:
        """Let the next field or slider leave room for buttons with these labels beside it; without, it takes all."""
        room = self.width(*labels) + imgui.get_style().item_spacing.x if labels else 1.0
        imgui.set_next_item_width(-room)

    def text_at_the_right(self, text: str) -> None:
        """Write less important text, which is not translated, at the right end of the line."""
        imgui.same_line(imgui.get_window_width() - imgui.get_style().window_padding.x - imgui.calc_text_size(text).x)
        self.verbatim(text, self.theme.faint)

    def beside(self, gap: float = -1.0) -> None:
        """Draw the next widget beside the last one, with a gap in pixels; -1: the usual gap."""
        imgui.same_line(0, gap)

    def at_the_right(self, *labels: str) -> None:
        """Let the next buttons, with these labels, end at the right edge: in the same line if there is room."""
        begin = imgui.get_window_width() - imgui.get_style().window_padding.x - self.width(*labels)
        if imgui.get_item_rect_max().x - imgui.get_window_pos().x < begin:
            imgui.same_line(begin)

    def space(self) -> None:
        """Leave some space."""
        imgui.spacing()

    def rule(self) -> None:
        """Draw a line across the panel."""
        imgui.separator()

    def on_a_row(self) -> None:
        """Let the next text be as high as the buttons in its line."""
        imgui.align_text_to_frame_padding()

    def visible(self, lines: Sequence[Line], height: float = -1.0) -> Iterator[tuple[int, Line]]:
        """Yield the lines that are in sight, with their indices, of a list of any length.

        Args:
            height: that of a line, pixels; -1: that of the first one.
        """
        clipper = imgui.ListClipper()
        clipper.begin(len(lines), height)
        while clipper.step():
            for number in range(clipper.display_start, clipper.display_end):
                yield number, lines[number]

    def to_here(self) -> None:
        """Scroll until the end of what was drawn is in sight."""
        imgui.set_scroll_here_y(1.0)

    # ---- blocks

    def child(self, name: str, size: Size = (0, 0)) -> Block:
        """Begin a part that scrolls by itself; 0 fills the room, less than 0 leaves so much of it, pixels."""
        return Block(lambda: imgui.begin_child(f"##{name}", size), imgui.end_child, always=True)

    def table(self, name: str, widths: Sequence[float | None], size: Size = (0, 0), *, scrolls: bool = False) -> Block:
        """Begin a table, to be filled if it is shown: `next_row` and `next_cell` go on.

        Args:
            widths: those of the columns, pixels at the usual text size; 0 fits the contents, None takes what is left.
        """
        flags = imgui.TableFlags_.sizing_fixed_fit | imgui.TableFlags_.pad_outer_x
        flags |= imgui.TableFlags_.scroll_y if scrolls else 0

        def begin() -> bool:
            shown = imgui.begin_table(f"##{name}", len(widths), flags, size)
            for number, width in enumerate(widths if shown else ()):
                kind = imgui.TableColumnFlags_.width_stretch if width is None else imgui.TableColumnFlags_.width_fixed
                imgui.table_setup_column(f"##{number}", kind, (width or 0) * self.scale)
            return shown

        return Block(begin, imgui.end_table)

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
        return Block(lambda: imgui.begin_tab_bar(f"##{name}"), imgui.end_tab_bar)

    def tab(self, label: str) -> Block:
        """Begin the contents of a tab; it is shown if it is chosen."""
        return Block(lambda: imgui.begin_tab_item(translate_label(label))[0], imgui.end_tab_item)

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

    # ---- pictures

    def plot(self, name: str, size: Size) -> Plot:
        """Begin a plot; `size`: pixels, less than 0 leaves so much of the room."""
        plot = Plot(name, self.theme, self.scale, size)
        if self._plots is not None:
            self._plots.append(plot)
        return plot

    def colour_scale(self, low: float, high: float, size: Size, decimals: int) -> None:
        """Draw the scale of a map's colours."""
        draw_scale(low, high, size, decimals, self.theme, self.scale)

    def ring(self, colour: Rgba) -> None:
        """Draw an empty circle as high as a line, beside which text follows."""
        place, line = imgui.get_cursor_screen_pos(), self.line
        middle = place.x + 0.43 * line, place.y + 0.5 * line
        imgui.get_window_draw_list().add_circle(middle, 0.38 * line, u32(colour), 0, 0.1 * line)
        imgui.dummy((0.86 * line, line))
        self.beside()

    def bars(self, colours: Sequence[Rgba], height: float) -> None:
        """Draw bars side by side over the whole width; `height`: pixels at the usual text size."""
        place, wide, gap, tall = imgui.get_cursor_screen_pos(), self.room[0], 3 * self.scale, height * self.scale
        part = (wide - (len(colours) - 1) * gap) / max(len(colours), 1)
        for number, colour in enumerate(colours):
            x = place.x + number * (part + gap)
            corners = (x, place.y), (x + part, place.y + tall)
            imgui.get_window_draw_list().add_rect_filled(*corners, u32(colour), tall / 2)
        imgui.dummy((wide, tall + 2 * self.scale))


@contextmanager
def lent(theme: Theme) -> Iterator[Ui]:
    """Lend an object for one drawing of a mod's panel: what is left open is ended, and later uses are refused."""
    before, ui, io = imgui.internal.ErrorRecoveryState(), Ui(theme), imgui.get_io()
    plots: list[Plot] = []
    ui._plots = plots
    imgui.internal.error_recovery_store_state(before)
    try:
        yield ui
    finally:
        for plot in plots:
            plot.end()
        vars(ui).clear()
        ui.__class__ = _Returned  # type: ignore[assignment]
        io.config_error_recovery_enable_assert = False
        imgui.internal.error_recovery_try_to_recover_state(before)
        io.config_error_recovery_enable_assert = True


class _Returned:
    """A lent object after the drawing: between two frames Dear ImGui would crash the program."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(AFTER)


class Row:
    """A line of buttons of equal width."""

    def __init__(self, ui: Ui, count: int) -> None:
        gaps = (count - 1) * imgui.get_style().item_spacing.x
        self._ui, self._size, self._first = ui, ((ui.room[0] - gaps) / count, 0.0), True

    def button(self, label: str, about: str = "", *, enabled: bool = True) -> bool:
        """Draw the next button and return whether it was pressed."""
        if not self._first:
            self._ui.beside()
        self._first = False
        return self._ui.button(label, about, self._size, enabled=enabled)


def _check_table() -> None:
    """Raise RuntimeError outside of a table, where Dear ImGui would crash the program."""
    if imgui.internal.get_current_table() is None:
        raise RuntimeError("there is no table here, or it is not shown")


def as_label(text: str) -> str:
    """Return a name that a person chose as a label; "##" is split because Dear ImGui hides what follows it."""
    return re.sub("#(?=#)", "# ", as_text(text))
