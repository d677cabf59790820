"""What all dialogs have: they stand in the middle, with a title at the head and buttons at the foot."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.gui.buttons import in_accent
from sandbox.app.gui.theme import TEXT, Theme
from sandbox.language import labelled, said

FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_saved_settings
)


def begin_modal(name: str, theme: Theme, size: tuple[float, float]) -> bool:
    """Begin a window that lies over all else; a height of 0: as tall as what it holds. False: there is none."""
    if not imgui.is_popup_open(name):
        imgui.open_popup(name)
    scale = imgui.get_style().font_scale_main
    imgui.set_next_window_pos(imgui.get_main_viewport().get_center(), imgui.Cond_.always, (0.5, 0.5))
    imgui.set_next_window_size(size)
    imgui.push_style_var(imgui.StyleVar_.window_padding, (18 * scale, 14 * scale))
    imgui.push_style_color(imgui.Col_.popup_bg, (*theme.panel[:3], 1.0))
    flags = FLAGS if size[1] else FLAGS | imgui.WindowFlags_.always_auto_resize
    shown, _ = imgui.begin_popup_modal(name, None, flags)
    imgui.pop_style_color()
    imgui.pop_style_var()
    return shown


def draw_title(text: str) -> None:
    """In larger letters."""
    imgui.push_font(None, TEXT * 1.25)
    imgui.text_unformatted(said(text))
    imgui.pop_font()
    imgui.dummy((0, 2 * imgui.get_style().font_scale_main))


def draw_answers(words: list[str], theme: Theme) -> int | None:
    """Buttons at the right, the first in the accent; returns which was pressed."""
    style, pressed, words = imgui.get_style(), None, [labelled(text) for text in words]
    padding = imgui.ImVec2(16 * style.font_scale_main, 5 * style.font_scale_main)
    widths = [imgui.calc_text_size(text.split("##")[0]).x + 2 * padding.x for text in words]
    room = imgui.get_content_region_avail().x - sum(widths) - style.item_spacing.x * (len(words) - 1)
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room, 0))
    imgui.push_style_var(imgui.StyleVar_.frame_padding, padding)
    for number, text in enumerate(words):
        if number:
            imgui.same_line()
        with in_accent(theme, number == 0):
            if imgui.button(text):
                pressed = number
    imgui.pop_style_var()
    return pressed
