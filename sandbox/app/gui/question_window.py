"""Parts that all modal dialogs share, and the dialog of a question that must be answered first."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.gui.progress import draw_bar
from sandbox.app.gui.theme import TEXT, fixed_font
from sandbox.app.gui.ui import Ui
from sandbox.app.jobs.jobs import LONG
from sandbox.app.questions import Question
from sandbox.app.session.session import Session
from sandbox.files import as_text
from sandbox.language import capitalised, translate, translate_label

FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_saved_settings
)
WIDTH, LISTING_WIDTH = 460.0, 860.0  # pixels


def begin_modal(name: str, ui: Ui, size: tuple[float, float]) -> bool:
    """Begin a modal window in the middle; a height of 0 fits its contents. Return False if it is not shown."""
    if not imgui.is_popup_open(name):
        imgui.open_popup(name)
    scale = ui.scale
    imgui.set_next_window_pos(imgui.get_main_viewport().get_center(), imgui.Cond_.always, (0.5, 0.5))
    imgui.set_next_window_size(size)
    with ui.styled(window_padding=(18 * scale, 14 * scale)), ui.coloured(popup_bg=(*ui.theme.panel[:3], 1.0)):
        flags = FLAGS if size[1] else FLAGS | imgui.WindowFlags_.always_auto_resize
        shown, _ = imgui.begin_popup_modal(name, None, flags)
    return shown


def draw_title(text: str) -> None:
    """Draw a title in larger letters."""
    imgui.push_font(None, TEXT * 1.25)
    imgui.text_unformatted(translate(text))
    imgui.pop_font()
    imgui.dummy((0, 2 * imgui.get_style().font_scale_main))


def draw_answers(words: list[str], ui: Ui) -> int | None:
    """Draw buttons at the right, the first in the accent; return the index of the one that was pressed."""
    scale, pressed = ui.scale, None
    with ui.styled(frame_padding=(16 * scale, 5 * scale)):
        room = ui.room[0] - ui.width(*words)
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room, 0))
        for number, text in enumerate(words):
            if number:
                ui.beside()
            with ui.in_accent(number == 0):
                if imgui.button(translate_label(text)):
                    pressed = number
    return pressed


def draw_question(session: Session, ui: Ui) -> None:
    """Draw the open question, if there is one; a button, Enter or Escape answers it."""
    question = session.asking.question
    if question is None:
        return
    screen, scale = imgui.get_io().display_size, ui.scale
    wide = min((LISTING_WIDTH if question.listing else WIDTH) * scale, screen.x - 16)
    if not begin_modal("###question", ui, (wide, 0)):
        return
    draw_title(question.title)
    if question.listing:
        _draw_listing(question.text, screen.y - 160 * scale)
    else:
        ui.wrapped(question.text)
    imgui.dummy((0, 6 * scale))
    answer = draw_answers([words for words, _ in question.answers], ui)
    if answer is None:
        answer = _answered_by_key(question)
    if answer is not None and not imgui.is_window_appearing():
        imgui.close_current_popup()
        session.asking.answer(answer)
    imgui.end_popup()


def _draw_listing(text: str, most: float) -> None:
    """Draw lines unwrapped in a fixed-width font; they scroll."""
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


def draw_work(session: Session, ui: Ui) -> None:
    """Draw the job that is waited for, if there is one and no question is open; Cancel or Escape gives it up."""
    job, scale = session.asking.work, ui.scale
    if job is None or session.asking.question is not None or job.seconds < LONG:
        return
    wide = min(WIDTH * scale, imgui.get_io().display_size.x - 16)
    if not begin_modal("###work", ui, (wide, 0)):
        return
    imgui.text_wrapped(as_text(capitalised(job.words)))
    draw_bar(job, ui)
    imgui.dummy((0, 2 * scale))
    answer = draw_answers(["Cancel##work"], ui)
    if answer is not None or imgui.is_key_pressed(imgui.Key.escape, False):
        imgui.close_current_popup()
        session.asking.give_up()
    imgui.end_popup()


def _answered_by_key(question: Question) -> int | None:
    if imgui.is_key_pressed(imgui.Key.escape, False):
        return len(question.answers) - 1
    enter = imgui.is_key_pressed(imgui.Key.enter, False) or imgui.is_key_pressed(imgui.Key.keypad_enter, False)
    return 0 if enter and question.by_enter else None
