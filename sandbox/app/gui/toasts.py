"""Messages, over everything for a while."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.gui.theme import ONLY_SHOWS, Theme
from sandbox.app.session import Session

FADE = 0.6  # s


def draw_toasts(
    session: Session, theme: Theme, size: tuple[int, int], insets: tuple[float, float, float, float]
) -> None:
    """The latest messages, one above the other over the time bar."""
    left, low, right, _ = insets
    y = size[1] - low - 12.0
    middle = (left + size[0] - right) / 2
    for number, message in enumerate(reversed(session.messages.shown[-4:])):
        imgui.set_next_window_pos(imgui.ImVec2(middle, y), imgui.Cond_.always, imgui.ImVec2(0.5, 1.0))
        imgui.push_style_var(imgui.StyleVar_.alpha, min(message.left / FADE, 1.0))
        imgui.push_style_color(imgui.Col_.border, theme.wrong if message.wrong else theme.line)
        imgui.begin(f"##toast{number}", None, ONLY_SHOWS)
        if not imgui.is_popup_open("", imgui.PopupFlags_.any_popup):  # those are being used
            imgui.internal.bring_window_to_display_front(imgui.internal.get_current_window())
        symbol = icons.ICON_FA_TRIANGLE_EXCLAMATION if message.wrong else icons.ICON_FA_CIRCLE_INFO
        imgui.text_colored(theme.wrong if message.wrong else theme.accent, symbol)
        imgui.same_line()
        imgui.push_text_wrap_pos(max(min(size[0] - left - right - 60, 560), 200))
        imgui.text_unformatted(message.text)
        imgui.pop_text_wrap_pos()
        y -= imgui.get_window_height() + 6
        imgui.end()
        imgui.pop_style_color()
        imgui.pop_style_var()
