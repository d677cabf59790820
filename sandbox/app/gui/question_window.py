"""What must be answered before all else: the dialog for files, and the question, which may lie over it."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from sandbox.app.gui.answers import draw_answers
from sandbox.app.gui.file_window import draw_file_dialog
from sandbox.app.gui.theme import Theme, fixed_font
from sandbox.app.questions import Question
from sandbox.app.session import Session

WIDTH, LISTING_WIDTH = 460.0, 860.0  # pixels
FIXED = imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_saved_settings


def draw_dialogs(session: Session, theme: Theme) -> None:
    """Draw what is asked, if anything is."""
    if session.dialog is None:
        draw_question(session, theme)
    else:
        draw_file_dialog(session, theme, lambda: draw_question(session, theme))


def draw_question(session: Session, theme: Theme) -> None:
    """The question, and what answers it: a button, Enter or Escape."""
    question = session.question
    if question is None:
        return
    if not imgui.is_popup_open("###question"):
        imgui.open_popup("###question")
    screen, scale = imgui.get_io().display_size, imgui.get_style().font_scale_main
    wide = min((LISTING_WIDTH if question.listing else WIDTH) * scale, screen.x - 16)
    imgui.set_next_window_pos(imgui.get_main_viewport().get_center(), imgui.Cond_.always, imgui.ImVec2(0.5, 0.5))
    imgui.set_next_window_size(imgui.ImVec2(wide, 0))
    imgui.push_style_var(imgui.StyleVar_.window_padding, imgui.ImVec2(18 * scale, 14 * scale))
    shown, _ = imgui.begin_popup_modal(
        f"{question.title}###question", None, FIXED | imgui.WindowFlags_.always_auto_resize
    )
    imgui.pop_style_var()
    if not shown:
        return
    if question.listing:
        _draw_listing(question.text, screen.y - 150 * scale)
    else:
        imgui.push_text_wrap_pos(0)
        imgui.text_unformatted(question.text)
        imgui.pop_text_wrap_pos()
    imgui.dummy(imgui.ImVec2(0, 4 * scale))
    answer = draw_answers([words for words, _ in question.answers], theme)
    if answer is None:
        answer = _answered_by_key(question)
    if answer is not None and not imgui.is_window_appearing():
        imgui.close_current_popup()
        session.question = None
        do: Callable[[], None] = question.answers[answer][1]
        do()
    imgui.end_popup()


def _draw_listing(text: str, most: float) -> None:
    """Lines as they are, in letters that are all as wide; they scroll."""
    lines = text.splitlines()
    style = imgui.get_style()
    tall = (len(lines) + 1) * imgui.get_text_line_height_with_spacing() + 2 * style.window_padding.y
    imgui.push_style_color(imgui.Col_.child_bg, imgui.get_style_color_vec4(imgui.Col_.frame_bg))
    imgui.begin_child(
        "##listing",
        imgui.ImVec2(0, max(min(tall, most), 60)),
        imgui.ChildFlags_.always_use_window_padding,
        imgui.WindowFlags_.horizontal_scrollbar,
    )
    imgui.push_font(fixed_font(), 0.0)
    imgui.text_unformatted(text)
    imgui.pop_font()
    imgui.end_child()
    imgui.pop_style_color()


def _answered_by_key(question: Question) -> int | None:
    if imgui.is_key_pressed(imgui.Key.escape, False):
        return len(question.answers) - 1
    enter = imgui.is_key_pressed(imgui.Key.enter, False) or imgui.is_key_pressed(imgui.Key.keypad_enter, False)
    return 0 if enter and question.by_enter else None
