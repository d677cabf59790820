"""Keys, drawn like the caps of a keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from sandbox.app.gui.theme import Theme, u32


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
