"""What must be answered before all else: the dialog for files, and the question, which may lie over it."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.gui.file_window import draw_file_dialog
from sandbox.app.gui.modal import begin_modal, draw_answers, draw_title
from sandbox.app.gui.theme import Theme, fixed_font
from sandbox.app.questions import Question
from sandbox.app.session.session import Session
from sandbox.language import said

WIDTH, LISTING_WIDTH = 460.0, 860.0  # pixels


def draw_dialogs(session: Session, theme: Theme) -> None:
    """Draw what is asked, if anything is."""
    if session.asking.dialog is None:
        if session.asking.question is None and (imgui.is_popup_open("###files") or imgui.is_popup_open("###question")):
            imgui.internal.close_popup_to_level(0, False)  # it was answered otherwise
        draw_question(session, theme)
    else:
        draw_file_dialog(session, theme, lambda: draw_question(session, theme))


def draw_question(session: Session, theme: Theme) -> None:
    """The question, and what answers it: a button, Enter or Escape."""
    question = session.asking.question
    if question is None:
        return
    if not imgui.is_popup_open("###question"):
        imgui.open_popup("###question")
    screen, scale = imgui.get_io().display_size, imgui.get_style().font_scale_main
    wide = min((LISTING_WIDTH if question.listing else WIDTH) * scale, screen.x - 16)
    if not begin_modal("###question", theme, (wide, 0)):
        return
    draw_title(question.title)
    if question.listing:
        _draw_listing(question.text, screen.y - 160 * scale)
    else:
        imgui.text_wrapped(said(question.text))
    imgui.dummy((0, 6 * scale))
    answer = draw_answers([words for words, _ in question.answers], theme)
    if answer is None:
        answer = _answered_by_key(question)
    if answer is not None and not imgui.is_window_appearing():
        imgui.close_current_popup()
        session.asking.answer(answer)
    imgui.end_popup()


def _draw_listing(text: str, most: float) -> None:
    """Lines as they are, in letters that are all as wide; they scroll."""
    lines = text.splitlines()
    style = imgui.get_style()
    tall = len(lines) * imgui.get_text_line_height() + 2 * style.window_padding.y + style.scrollbar_size
    imgui.push_style_color(imgui.Col_.child_bg, imgui.get_style_color_vec4(imgui.Col_.frame_bg))
    imgui.begin_child(
        "##listing",
        (0, max(min(tall, most), 60)),
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
