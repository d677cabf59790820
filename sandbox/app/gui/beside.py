"""Tips beside a panel: they hide none of its controls."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.language import said

GAP = 6.0  # pixels
WIDTH = 18.0  # times the size of text
TIPS = imgui.HoveredFlags_.for_tooltip | imgui.HoveredFlags_.allow_when_disabled


def tell_beside(text: str, more: str = "") -> None:
    """Say a text, and below it fainter one, to whoever rests on the last item: beside its window."""
    if not imgui.is_item_hovered(TIPS) or imgui.is_any_item_active():
        return
    corner, wide, middle = imgui.get_window_pos(), imgui.get_window_width(), imgui.get_io().display_size.x / 2
    at_the_left = corner.x + wide / 2 > middle
    x = corner.x - GAP if at_the_left else corner.x + wide + GAP
    place = x, imgui.get_item_rect_min().y
    imgui.set_next_window_pos(place, imgui.Cond_.always, (float(at_the_left), 0))
    imgui.begin_tooltip()
    imgui.push_text_wrap_pos(imgui.get_font_size() * WIDTH)
    imgui.text_unformatted(said(text))
    if more:
        imgui.text_disabled(said(more))
    imgui.pop_text_wrap_pos()
    imgui.end_tooltip()
