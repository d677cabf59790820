"""Draws messages over everything else for a few seconds."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.gui.over_world import SHOWS, over_world
from sandbox.app.gui.panel import Box
from sandbox.app.gui.ui import Ui
from sandbox.app.messages import Message
from sandbox.app.session.session import Session

FADE = 0.6  # s
NARROWEST, WIDEST = 200.0, 560.0  # pixels: the width of a line


def draw_toasts(session: Session, ui: Ui, middle: Box, legend: Box | None) -> None:
    """Draw the latest messages, stacked at the lower edge of the area that panels leave free, clear of the legend."""
    x, y = middle.x + middle.width / 2, middle.y + middle.height - 12.0
    wrap = max(min(middle.width - 60, WIDEST), NARROWEST)
    for number, message in enumerate(reversed(session.messages.shown[-4:])):
        y = _draw(f"##toast{number}", message, ui, x, y, wrap, legend) - 6


def _draw(name: str, message: Message, ui: Ui, x: float, y: float, wrap: float, legend: Box | None) -> float:
    """Draw a message centred above a point; return the y of its upper edge.

    The window's size is computed from the text, because Dear ImGui knows it only after the first frame.
    """
    style, (wide, high) = imgui.get_style(), ui.size(message.sentence, wrap)
    symbol = icons.ICON_FA_TRIANGLE_EXCLAMATION if message.wrong else icons.ICON_FA_CIRCLE_INFO
    wide += ui.size(symbol)[0] + ui.gap + 1 + 2 * style.window_padding.x
    high += 2 * style.window_padding.y
    if legend is not None and abs(x - legend.x - legend.width / 2) < (wide + legend.width) / 2:
        y = min(y, legend.y - 6)  # above it
    border = ui.theme.wrong if message.wrong else ui.theme.line
    box = over_world(name, SHOWS, (x, y), (0.5, 1), (wide, high))
    with ui.styled(alpha=min(message.left / FADE, 1.0)), ui.coloured(border=border), box:
        if not imgui.is_popup_open("", imgui.PopupFlags_.any_popup):  # an open list or menu must stay in front
            imgui.internal.bring_window_to_display_front(imgui.internal.get_current_window())
        ui.verbatim(symbol, ui.theme.wrong if message.wrong else ui.theme.accent)
        ui.beside()
        ui.verbatim(message.sentence, ui.theme.ink, wraps=wrap)
    return y - high
