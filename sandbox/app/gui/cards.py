"""Draws cards: pictures with a name below them that can be clicked, as in the gallery of scenes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from imgui_bundle import imgui

from sandbox.app.gui.theme import u32
from sandbox.app.gui.ui import Ui

T = TypeVar("T")
HEIGHT = 9 / 16  # height of a picture as a share of its width
WHITE = 0xFFFFFFFF


@dataclass(frozen=True)
class Card:
    """The place of a card's picture on the screen, and what the mouse does there.

    Attributes:
        low, high: the upper left and the lower right corner, pixels.
        visible: whether any of it is seen; else it need not be drawn.
    """

    low: imgui.ImVec2
    high: imgui.ImVec2
    clicked: bool
    hovered: bool
    visible: bool

    def fill(self, picture: imgui.ImTextureRef | None, *, upside_down: bool = False) -> None:
        """Draw the picture, or a plain ground while there is none."""
        rounding, drawn = imgui.get_style().frame_rounding, imgui.get_window_draw_list()
        if picture is None:
            drawn.add_rect_filled(self.low, self.high, imgui.get_color_u32(imgui.Col_.frame_bg), rounding)
        else:
            top, below = (1.0, 0.0) if upside_down else (0.0, 1.0)
            drawn.add_image_rounded(picture, self.low, self.high, (0, top), (1, below), WHITE, rounding)

    def finish(self, name: str, ui: Ui, *, chosen: bool = False) -> None:
        """Draw the edge and the name; a chosen card has a thick edge."""
        drawn, lit = imgui.get_window_draw_list(), chosen or self.hovered
        edge, thick = u32(ui.theme.accent if lit else ui.theme.line), 2.0 if lit else 1.0
        drawn.add_rect(self.low, self.high, edge, imgui.get_style().frame_rounding, thick)
        drawn.push_clip_rect(self.low, self.high + (0, ui.line + 6), True)
        drawn.add_text((self.low.x + 2, self.high.y + 4), u32(ui.theme.accent if lit else ui.theme.ink), name)
        drawn.pop_clip_rect()


def card(label: str, wide: float) -> Card:
    """Add a card as the next item; `label`: its id, unique in the panel."""
    corner = imgui.get_cursor_screen_pos()
    tall, line = wide * HEIGHT, imgui.get_text_line_height()
    clicked = imgui.invisible_button(label, (wide, tall + line + 12), imgui.ButtonFlags_.enable_nav)
    return Card(corner, corner + (wide, tall), clicked, imgui.is_item_hovered(), imgui.is_item_visible())


def in_rows(things: Sequence[T], least: float) -> Iterator[tuple[T, float]]:
    """Yield things with the width of a card for each, at least `least` pixels; place the cards in full rows."""
    room, gap = imgui.get_content_region_avail().x, imgui.get_style().item_spacing.x
    across = max(int((room + gap) // (least + gap)), 1)
    for number, thing in enumerate(things):
        if number % across:
            imgui.same_line()
        yield thing, (room - gap * (across - 1)) / across
