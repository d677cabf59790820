"""The buttons at the foot of a dialog."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.gui.theme import Theme


def draw_answers(words: list[str], theme: Theme) -> int | None:
    """Buttons at the right, the first in the accent; returns which was pressed."""
    style, pressed = imgui.get_style(), None
    padding = imgui.ImVec2(16 * style.font_scale_main, 5 * style.font_scale_main)
    widths = [imgui.calc_text_size(text.split("##")[0]).x + 2 * padding.x for text in words]
    room = imgui.get_content_region_avail().x - sum(widths) - style.item_spacing.x * (len(words) - 1)
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room, 0))
    imgui.push_style_var(imgui.StyleVar_.frame_padding, padding)
    for number, text in enumerate(words):
        if number:
            imgui.same_line()
        if number == 0:
            imgui.push_style_color(imgui.Col_.button, theme.accent)
            imgui.push_style_color(imgui.Col_.button_hovered, theme.tinted(0.8))
            imgui.push_style_color(imgui.Col_.text, theme.accent_ink)
        if imgui.button(text):
            pressed = number
        if number == 0:
            imgui.pop_style_color(3)
    imgui.pop_style_var()
    return pressed
