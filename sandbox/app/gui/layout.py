"""Sizes, places and text in a panel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from imgui_bundle import imgui

from sandbox.app.gui.blocks import Block, Blocks, Size
from sandbox.app.gui.markdown import draw_markdown
from sandbox.app.gui.theme import Rgba
from sandbox.language import translate, translate_label

Line = TypeVar("Line")


class Layout(Blocks):
    """Where the widgets of a panel stand, and the words between them."""

    # ---- sizes

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
    def button_height(self) -> float:
        """The height of a button, pixels."""
        return float(imgui.get_frame_height())

    @property
    def row(self) -> float:
        """The height of a button and the gap below it, pixels."""
        return float(imgui.get_frame_height_with_spacing())

    @property
    def gap(self) -> float:
        """The usual gap between two widgets of a line, pixels."""
        return float(imgui.get_style().item_spacing.x)

    @property
    def small_gap(self) -> float:
        """The gap between a check box and its words, pixels."""
        return float(imgui.get_style().item_inner_spacing.x)

    def width(self, *labels: str) -> float:
        """Return the width of buttons with these labels side by side, pixels."""
        words = (imgui.calc_text_size(translate_label(label), hide_text_after_double_hash=True).x for label in labels)
        padding = imgui.get_style().frame_padding.x
        return float(sum(words) + 2 * len(labels) * padding + (len(labels) - 1) * self.gap)

    def size(self, text: str, wraps: float = -1.0) -> Size:
        """Return width and height of a text, pixels; `wraps`: the width at which lines break, -1: they don't."""
        size = imgui.calc_text_size(text, wrap_width=wraps)
        return size.x, size.y

    # ---- places

    @property
    def here(self) -> Size:
        """The upper left corner of the next widget, pixels of the screen."""
        place = imgui.get_cursor_screen_pos()
        return place.x, place.y

    def at(self, place: Size) -> None:
        """Draw the next widget at a place: its upper left corner, pixels of the screen."""
        imgui.set_cursor_screen_pos(place)

    def leave(self, *labels: str) -> None:
        """Let the next text box, list or slider leave room for buttons with these labels; without, it takes all."""
        imgui.set_next_item_width(-(self.width(*labels) + self.gap) if labels else -1.0)

    def wide(self, width: float) -> None:
        """Let the next text box, list or slider have this width, pixels; less than 0 leaves so much of the room."""
        imgui.set_next_item_width(width)

    def beside(self, gap: float = -1.0) -> None:
        """Draw the next widget beside the last one, with a gap in pixels; -1: the usual gap."""
        imgui.same_line(0, gap)

    def beside_at(self, x: float) -> None:
        """Draw the next widget in the line of the last one, `x` pixels from the left edge of the panel or block."""
        imgui.same_line(x)

    def to_the_right(self, width: float) -> None:
        """Let something of this width, pixels, end at the right edge, if there is room for it."""
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(self.room[0] - width, 0))

    def at_the_right(self, *labels: str) -> None:
        """Let the next buttons, with these labels, end at the right edge: in the same line if there is room."""
        begin = imgui.get_window_width() - imgui.get_style().window_padding.x - self.width(*labels)
        if imgui.get_item_rect_max().x - imgui.get_window_pos().x < begin:
            imgui.same_line(begin)

    def lower(self, pixels: float) -> None:
        """Draw the next widget lower, or higher if `pixels` is less than 0."""
        imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() + pixels)

    def space(self, size: Size = (0, 0)) -> None:
        """Leave some space, or as much as a size, pixels."""
        imgui.dummy(size)

    def rule(self) -> None:
        """Draw a line across the panel."""
        imgui.separator()

    def on_a_row(self) -> None:
        """Let the next text be as high as the buttons in its line."""
        imgui.align_text_to_frame_padding()

    def in_sight(self, size: Size) -> bool:
        """Return whether a next widget of this size would be seen: else `space` may stand for it."""
        return bool(imgui.is_rect_visible(size))

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

    @property
    def at_end(self) -> bool:
        """Whether the panel, or this area of it, is scrolled to its end."""
        return bool(imgui.get_scroll_y() >= imgui.get_scroll_max_y() - 1)

    def to_here(self, share: float = 1.0) -> None:
        """Scroll until the end of what was drawn is in sight; `share`: of the height, 0 at the upper edge."""
        imgui.set_scroll_here_y(share)

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
        edge = -1.0 if wraps is None else imgui.get_cursor_pos_x() + wraps if wraps else 0.0
        with Block(lambda: imgui.push_text_wrap_pos(edge), imgui.pop_text_wrap_pos, always=True):
            if colour is None:
                imgui.text_unformatted(text)
            else:
                imgui.text_colored(colour, text)

    def text_at_the_right(self, text: str, colour: Rgba | None = None) -> None:
        """Write text, which is not translated, at the right end of the line; faint if it has no colour.

        If there is no room for it, it stands on a line of its own.
        """
        wide, _ = self.size(text)
        self.beside()
        if self.room[0] < wide:
            imgui.new_line()
        self.to_the_right(wide)
        self.verbatim(text, colour or self.theme.faint)

    def markdown(self, text: str) -> None:
        """Write paragraphs with lists, **bold**, *italic*, `code` and [links](https://...)."""
        draw_markdown(text, self.theme)

    def heading(self, words: str, **values: object) -> None:
        """Write words in a line across the panel."""
        imgui.separator_text(translate(words, **values))
