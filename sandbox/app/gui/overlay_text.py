"""What lies over everything: messages, and the question that must be answered first."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.gui.theme import Theme
from sandbox.app.session import Session

FADE = 0.6  # s
TOAST = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_inputs
    | imgui.WindowFlags_.no_nav
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.always_auto_resize
)


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
        imgui.begin(f"##toast{number}", None, TOAST)
        symbol = icons.ICON_FA_TRIANGLE_EXCLAMATION if message.wrong else icons.ICON_FA_CIRCLE_INFO
        imgui.text_colored(imgui.ImVec4(*(theme.wrong if message.wrong else theme.accent)), symbol)
        imgui.same_line()
        imgui.push_text_wrap_pos(max(min(size[0] - left - right - 60, 560), 200))
        imgui.text_unformatted(message.text)
        imgui.pop_text_wrap_pos()
        y -= imgui.get_window_height() + 6
        imgui.end()
        imgui.pop_style_color()
        imgui.pop_style_var()


def draw_question(session: Session) -> None:
    """What must be answered before all else."""
    question = session.question
    if question is None:
        return
    name = f"{question.title}###question"
    if not imgui.is_popup_open("###question"):
        imgui.open_popup("###question")
    centre = imgui.get_main_viewport().get_center()
    imgui.set_next_window_pos(centre, imgui.Cond_.always, imgui.ImVec2(0.5, 0.5))
    imgui.set_next_window_size(imgui.ImVec2(min(460, imgui.get_io().display_size.x - 20), 0))
    shown, _ = imgui.begin_popup_modal(name, None, imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_move)
    if not shown:
        return
    imgui.push_text_wrap_pos(0)
    imgui.text_unformatted(question.text)
    imgui.pop_text_wrap_pos()
    imgui.spacing()
    chosen = None
    for words, do in question.answers:
        if imgui.button(words):
            chosen = do
        imgui.same_line()
    if imgui.is_key_pressed(imgui.Key.escape):
        chosen = question.answers[-1][1]
    if chosen is not None:
        imgui.close_current_popup()
        session.question = None
        chosen()
    imgui.end_popup()
