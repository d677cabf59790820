"""What stands above the timeline where the mouse is: a time, the name of a mark, and a small picture of that moment."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.gui.moments import Moment

WIDEST = 0.4  # of the window: a picture
FADED = 0.3  # of one that is of another moment


def tell(words: str, moment: Moment | None, x: float, low: float) -> None:
    """A tooltip above the bar, where it hides no numbers, and within the window; over the words a picture, if any."""
    text, screen = imgui.calc_text_size(words).x, imgui.get_io().display_size.x
    wide, high = moment.size if moment else (0.0, 0.0)
    size = min(imgui.get_style().font_scale_main, WIDEST * screen / wide) if moment else 1.0
    room = max(text, wide * size)
    half = room / 2 + 2 * imgui.get_style().window_padding.x
    x = min(max(x, half), max(screen - half, half))
    imgui.set_next_window_pos((x, low), imgui.Cond_.always, (0.5, 1.0))
    if imgui.begin_tooltip():
        left = imgui.get_cursor_pos_x()
        if moment:
            shade = 1, 1, 1, 1 if moment.is_of_it else FADED
            imgui.set_cursor_pos_x(left + (room - wide * size) / 2)
            upper, lower = (0, 1), (1, 0)
            imgui.image_with_bg(moment.picture, (wide * size, high * size), upper, lower, tint_col=shade)
        imgui.set_cursor_pos_x(left + (room - text) / 2)
        imgui.text_unformatted(words)
        imgui.end_tooltip()
