"""Small widgets that Dear ImGui lacks: safe labels, tick boxes, wrapped text, long lists, key caps and tooltips."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from imgui_bundle import imgui

from sandbox.app.gui.theme import Rgba, Theme, u32
from sandbox.files import as_text
from sandbox.language import translate, translate_label

Line = TypeVar("Line")
GAP = 6.0  # pixels between a panel and a tooltip beside it
WIDTH = 18.0  # of such a tooltip, times the font size
TIPS = imgui.HoveredFlags_.for_tooltip | imgui.HoveredFlags_.allow_when_disabled


def as_label(text: str) -> str:
    """Return a name that a person chose as a label; "##" is split because Dear ImGui hides what follows it."""
    return re.sub("#(?=#)", "# ", as_text(text))


def tick_box(label: str, on: bool) -> tuple[bool, bool]:
    """Draw a check box with a border, so that an empty one is visible; return (changed, value)."""
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 1)
    answer = imgui.checkbox(translate_label(label), on)
    imgui.pop_style_var()
    return answer


def wrapped(text: str, colour: Rgba | None = None, width: float = 0.0) -> None:
    """Draw text that wraps at a width in pixels, or at the window's edge if that is 0."""
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + width if width else 0.0)
    imgui.text_colored(colour or imgui.get_style_color_vec4(imgui.Col_.text), text)
    imgui.pop_text_wrap_pos()


def in_sight(lines: Sequence[Line], height: float = -1.0) -> Iterator[tuple[int, Line]]:
    """Yield the visible lines with their indices; `height`: that of a line in pixels, by default that of the first."""
    clipper = imgui.ListClipper()
    clipper.begin(len(lines), height)
    while clipper.step():
        for number in range(clipper.display_start, clipper.display_end):
            yield number, lines[number]


def draw_keys(keys: Sequence[str], theme: Theme) -> None:
    """Draw key caps in a row. They are slightly higher than a line of text: leave space above and below."""
    style = imgui.get_style()
    scale, line, inner = style.font_scale_main, imgui.get_text_line_height(), 5 * style.font_scale_main
    place, drawing = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    ground, edge, ink = u32(theme.raised), u32(theme.line), u32(theme.ink)
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


def tell_beside(text: str, more: str = "") -> None:
    """Show a tooltip for the last item beside its window; `more` is drawn fainter below the text."""
    if not imgui.is_item_hovered(TIPS) or imgui.is_any_item_active():
        return
    corner, wide, middle = imgui.get_window_pos(), imgui.get_window_width(), imgui.get_io().display_size.x / 2
    at_the_left = corner.x + wide / 2 > middle
    x = corner.x - GAP if at_the_left else corner.x + wide + GAP
    place = x, imgui.get_item_rect_min().y
    imgui.set_next_window_pos(place, imgui.Cond_.always, (float(at_the_left), 0))
    imgui.begin_tooltip()
    imgui.push_text_wrap_pos(imgui.get_font_size() * WIDTH)
    imgui.text_unformatted(translate(text))
    if more:
        imgui.text_disabled(translate(more))
    imgui.pop_text_wrap_pos()
    imgui.end_tooltip()
