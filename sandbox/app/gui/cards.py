"""Draws cards: pictures with a name below them that can be clicked, as in the gallery of scenes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from imgui_bundle import imgui

from sandbox.app.gui.blocks import Size
from sandbox.app.gui.theme import ROUNDING
from sandbox.app.gui.ui import Ui

T = TypeVar("T")
HEIGHT = 9 / 16  # height of a picture as a share of its width


@dataclass(frozen=True)
class Card:
    """The place of a card's picture on the screen, and what the mouse does there.

    Attributes:
        low, high: the upper left and the lower right corner, pixels.
        visible: whether any of it is seen; else it need not be drawn.
    """

    low: Size
    high: Size
    clicked: bool
    hovered: bool
    visible: bool

    def fill(self, picture: imgui.ImTextureRef | None, ui: Ui, *, upside_down: bool = False) -> None:
        """Draw the picture, or a plain ground while there is none."""
        if picture is None:
            ui.pen.box(self.low, self.high, ui.theme.well, ROUNDING * ui.scale)
        else:
            ui.pen.picture(picture, self.low, self.high, ROUNDING * ui.scale, upside_down=upside_down)

    def finish(self, name: str, ui: Ui, *, chosen: bool = False, mark: str = "") -> None:
        """Draw the edge, the name, and a mark at the right end of its line; a chosen card has a thick edge."""
        lit, (left, low), right = chosen or self.hovered, (self.low[0], self.high[1]), self.high[0]
        edge, thick = ui.theme.accent if lit else ui.theme.line, 2.0 if lit else 1.0
        ui.pen.border(self.low, self.high, edge, ROUNDING * ui.scale, thick)
        if mark:
            right -= ui.size(mark)[0] + 2
            ui.pen.text((right, low + 4), ui.theme.faint, mark)
            right -= ui.gap
        imgui.push_clip_rect(self.low, (right, low + ui.line + 6), True)
        ui.pen.text((left + 2, low + 4), ui.theme.accent if lit else ui.theme.ink, name)
        imgui.pop_clip_rect()


def card(label: str, wide: float, ui: Ui) -> Card:
    """Add a card as the next item; `label`: its id, unique in the panel."""
    (x, y), tall = ui.here, wide * HEIGHT
    clicked = ui.area(label, (wide, tall + ui.line + 12))
    return Card((x, y), (x + wide, y + tall), clicked, ui.hovered, bool(imgui.is_item_visible()))


def in_rows(things: Sequence[T], least: float, ui: Ui) -> Iterator[tuple[T, float]]:
    """Yield things with the width of a card for each, at least `least` pixels; place the cards in full rows."""
    room, _ = ui.room
    across = max(int((room + ui.gap) // (least + ui.gap)), 1)
    for number, thing in enumerate(things):
        if number % across:
            ui.beside()
        yield thing, (room - ui.gap * (across - 1)) / across
