"""Labels, boxes, texts, long lists, keys and tips as Dear ImGui would not draw them by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

from imgui_bundle import imgui

from sandbox.app.gui.theme import Rgba, Theme, u32
from sandbox.files import as_text
from sandbox.language import labelled, said

Line = TypeVar("Line")
GAP = 6.0  # pixels between a panel and a tip beside it
WIDTH = 18.0  # of such a tip, times the size of text
TIPS = imgui.HoveredFlags_.for_tooltip | imgui.HoveredFlags_.allow_when_disabled


def as_label(text: str) -> str:
    """A name that a person gave, as the label of a widget: Dear ImGui shows none of it from "##" on."""
    return re.sub("#(?=#)", "# ", as_text(text))


def tick_box(label: str, on: bool) -> tuple[bool, bool]:
    """Draw a box to tick, with a border: empty it would hardly be seen; returns whether it changed, and what it is."""
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 1)
    answer = imgui.checkbox(labelled(label), on)
    imgui.pop_style_var()
    return answer


def wrapped(text: str, colour: Rgba | None = None, width: float = 0.0) -> None:
    """Text on as many lines as it needs; `width`: of each, pixels, else as much as there is room for."""
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + width if width else 0.0)
    imgui.text_colored(colour or imgui.get_style_color_vec4(imgui.Col_.text), text)
    imgui.pop_text_wrap_pos()


def in_sight(lines: Sequence[Line], height: float = -1.0) -> Iterator[tuple[int, Line]]:
    """Those of the lines, each with its number, that must be drawn; `height`: of each, pixels, else of the first."""
    clipper = imgui.ListClipper()
    clipper.begin(len(lines), height)
    while clipper.step():
        for number in range(clipper.display_start, clipper.display_end):
            yield number, lines[number]


def draw_keys(keys: Sequence[str], theme: Theme) -> None:
    """Caps beside each other, as high as a line of text; keep them clear of what stands above and below."""
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
