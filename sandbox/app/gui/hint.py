"""What to do in a world in which nothing is yet: a hint in its middle."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.gui.side import Box
from sandbox.app.gui.theme import ONLY_SHOWS
from sandbox.app.session.session import Session
from sandbox.language import said

EMPTY = (
    "This world is empty.\nPick a tool at the left and click here to place something,\nor open one of File > Scenes."
)
WIDEST = 0.9  # of what panels leave free


def draw_hint(session: Session, middle: Box) -> None:
    """Draw it while the world is empty; `middle` is what panels leave free."""
    if session.simulation.world.table.size:
        return
    wrap = WIDEST * middle.width
    text, padding = imgui.calc_text_size(said(EMPTY), wrap_width=wrap), imgui.get_style().window_padding
    centre = middle.x + middle.width / 2, middle.y + middle.height / 2
    imgui.set_next_window_pos(centre, imgui.Cond_.always, (0.5, 0.5))
    imgui.set_next_window_size((text.x + 2 * padding.x + 1, text.y + 2 * padding.y))
    imgui.begin("##hint", None, ONLY_SHOWS)
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + wrap)
    imgui.text_unformatted(said(EMPTY))
    imgui.pop_text_wrap_pos()
    imgui.end()
