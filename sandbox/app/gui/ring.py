"""Draws a ring around the widget that is pointed at; what draws a widget, as a button of an action, tells its place."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.gui.theme import u32
from sandbox.app.gui.ui import Buttons, Ui
from sandbox.app.session.session import Session

GAP, LINE, ROUNDING = 3.0, 2.0, 7.0  # pixels at the usual text size


def spot(session: Session, *names: str) -> None:
    """Record the visible rectangle of the last item, if one of its names is pointed at.

    The item that is pointed at is scrolled into view once; after that people may scroll it away.
    """
    for name in names:
        if session.view.pointed[:1] == (name,) and not session.view.led:
            session.view.led = True
            if not _whole():
                imgui.set_scroll_here_y()
        if name in session.view.pointed and imgui.is_item_visible():
            low, high, clip = imgui.get_item_rect_min(), imgui.get_item_rect_max(), _clip()
            box = max(low.x, clip[0]), max(low.y, clip[1]), min(high.x, clip[2]), min(high.y, clip[3])
            if box[0] < box[2] and box[1] < box[3]:
                session.view.spots[name] = box


def action_button(
    session: Session, ui: Ui | Buttons, icon: str, name: str, words: str = "", *, enabled: bool = True
) -> None:
    """Draw a button that does an action; its tooltip is `words`, or the action's title, with the key."""
    if ui.button(icon, session.with_key(words or session.actions[name].title, name), enabled=enabled):
        session.act(name)
    spot(session, name)


def spot_window(session: Session, name: str, shown: bool) -> None:
    """Record the rectangle of the current window, or that of its tab if another window hides it."""
    window = imgui.internal.get_current_window()
    if name not in session.view.pointed:
        return
    if shown:
        low, size = imgui.get_window_pos(), imgui.get_window_size()
        session.view.spots[name] = low.x, low.y, low.x + size.x, low.y + size.y
    else:
        rect = window.dc.dock_tab_item_rect
        session.view.spots[name] = rect.min.x, rect.min.y, rect.max.x, rect.max.y


def draw_ring(session: Session, ui: Ui) -> None:
    """Draw the ring around the first item in `pointed` whose rectangle is known."""
    spots = session.view.spots
    name = next((name for name in session.view.pointed if name in spots), None)
    if name is None or session.asking.waits:
        return
    (left, top, right, bottom), scale = spots[name], ui.scale
    screen, drawing = imgui.get_io().display_size, imgui.get_foreground_draw_list()
    for beside, line, alpha in ((GAP + 2.5, 5.0, 0.25), (GAP, LINE, 1.0)):
        gap = beside * scale
        low = max(left - gap, line), max(top - gap, line)
        high = min(right + gap, screen.x - line), min(bottom + gap, screen.y - line)
        drawing.add_rect(low, high, u32(ui.theme.tinted(alpha)), ROUNDING * scale, line * scale)


def _whole() -> bool:
    """Return whether the last item is visible from top to bottom."""
    clip = _clip()
    return clip[1] <= imgui.get_item_rect_min().y and imgui.get_item_rect_max().y <= clip[3]


def _clip() -> tuple[float, float, float, float]:
    rect = imgui.internal.get_current_window().clip_rect
    return rect.min.x, rect.min.y, rect.max.x, rect.max.y
