"""Draws a border around the world while the past is shown."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.gui.panel import Box
from sandbox.app.gui.theme import u32
from sandbox.app.gui.ui import Ui

THICK = 3.0  # pixels


def draw_past_border(ui: Ui, half: Box) -> None:
    """Draw the border; `half`: the area of the active world."""
    thick, drawing = THICK * ui.scale, imgui.get_background_draw_list()
    for colour, inside in ((ui.theme.panel, thick), (ui.theme.accent, thick / 2)):  # a dark edge, for bright skies
        low = half.x + inside, half.y + inside
        high = half.x + half.width - inside, half.y + half.height - inside
        drawing.add_rect(low, high, u32(colour), 0.0, thick)
