"""Parts that all modal dialogs share, and the dialog of a question that must be answered first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from imgui_bundle import imgui

from sandbox.app.gui.blocks import Block
from sandbox.app.gui.progress import draw_bar
from sandbox.app.gui.theme import fixed_font
from sandbox.app.gui.ui import Ui
from sandbox.app.jobs.jobs import LONG
from sandbox.app.questions import Question
from sandbox.app.session.session import Session
from sandbox.files import as_text
from sandbox.language import capitalised, translate

FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_saved_settings
)
WIDTH, LISTING_WIDTH = 460.0, 860.0  # pixels
SMALL = 320.0, 240.0  # pixels: in so small a window, and in larger ones in proportion, large text has no wider margins
MARGIN, BUTTON = (18.0, 14.0), (16.0, 5.0)  # pixels around what is in a dialog, and around the words of a button
BETWEEN, ABOVE_ANSWERS = (8.0, 6.0), 12.0  # pixels between two parts of a dialog, and more above its buttons
TITLE = 1.25  # times the usual text size
OWN = imgui.WindowFlags_.child_window | imgui.WindowFlags_.popup | imgui.WindowFlags_.tooltip  # what may be above it
NO_KEYS: dict[str, int] = {}


def begin_modal(name: str, ui: Ui, size: tuple[float, float]) -> bool:
    """Begin a modal window in the middle; a height of 0 fits its contents. Return False if it is not shown."""
    if not imgui.is_popup_open(name):
        imgui.open_popup(name)
    imgui.set_next_window_pos(imgui.get_main_viewport().get_center(), imgui.Cond_.always, (0.5, 0.5))
    imgui.set_next_window_size(size)
    margin = _scale(ui) * MARGIN[0], _scale(ui) * MARGIN[1]
    with ui.styled(window_padding=margin), ui.coloured(popup_bg=(*ui.theme.panel[:3], 1.0)):
        flags = FLAGS if size[1] else FLAGS | imgui.WindowFlags_.always_auto_resize
        shown, _ = imgui.begin_popup_modal(name, None, flags)
    if shown:
        _bring_to_front()
    return shown


def _scale(ui: Ui) -> float:
    """Return the factor of pixels between things: the scale of text, but no more than the window has room for."""
    screen = imgui.get_io().display_size
    return min(ui.scale, *(max(side / small, 1.0) for side, small in zip(screen, SMALL, strict=True)))


def _bring_to_front() -> None:
    """Put this modal window above panels that have appeared since it did: Dear ImGui puts each new window in front."""
    own, windows = imgui.internal.get_current_window(), list(imgui.get_current_context().windows)
    above = windows[next(index for index, window in enumerate(windows) if window.id_ == own.id_) + 1 :]
    if any(window.active and not window.flags & OWN for window in above):
        imgui.internal.bring_window_to_display_front(own)


def draw_title(text: str, ui: Ui) -> None:
    """Draw a title in larger letters."""
    with ui.larger(TITLE):
        ui.wrapped(text)
    ui.space((0, 2 * _scale(ui)))


def draw_answers(words: Sequence[str], ui: Ui, keys: Mapping[str, int] = NO_KEYS) -> int | None:
    """Draw buttons at the right, the first in the accent; return the index of the one that was pressed.

    Args:
        keys: the index of the button that each of these keys presses.
    """
    pressed = next((number for key, number in keys.items() if ui.pressed(key, repeats=False)), None)
    number = 0
    with _as_answers(ui):
        for row in _rows(words, ui.room[0], ui):
            ui.to_the_right(ui.width(*row))
            for place, text in enumerate(row):
                if place:
                    ui.beside()
                with ui.in_accent(number == 0):
                    if ui.button(text):
                        pressed = number
                number += 1
    return pressed


def _as_answers(ui: Ui) -> Block:
    """Begin buttons that are larger than usual."""
    return ui.styled(frame_padding=(_scale(ui) * BUTTON[0], _scale(ui) * BUTTON[1]))


def _rows(words: Sequence[str], wide: float, ui: Ui) -> list[list[str]]:
    """Return the buttons of each row: as many as there is room for, `wide` pixels."""
    rows: list[list[str]] = [[]]
    for text in words:
        if rows[-1] and ui.width(*rows[-1], text) > wide:
            rows.append([])
        rows[-1].append(text)
    return rows


def draw_question(session: Session, ui: Ui) -> None:
    """Draw the open question, if there is one; a button, Enter or Escape answers it."""
    question = session.asking.question
    if question is None:
        return
    scale, screen = _scale(ui), imgui.get_io().display_size
    with ui.styled(item_spacing=(scale * BETWEEN[0], scale * BETWEEN[1])):
        words = [words for words, _ in question.answers]
        wide = min((LISTING_WIDTH if question.listing else WIDTH) * ui.scale, screen.x - 16)
        room = wide - 2 * scale * MARGIN[0]
        with _as_answers(ui):
            below = len(_rows(words, room, ui)) * ui.row + scale * (BETWEEN[1] + ABOVE_ANSWERS)
        around = 2 * scale * MARGIN[1] + below
        asked = max(min(_height(question, room, ui), screen.y - around), ui.line)
        if begin_modal("###question", ui, (wide, around + asked)):
            _draw_asked(question, asked, ui)
            keys = {"escape": len(question.answers) - 1} | ({"enter": 0} if question.by_enter else {})
            answer = draw_answers(words, ui, keys)
            if answer is not None and not imgui.is_window_appearing():
                imgui.close_current_popup()
                session.asking.answer(answer)
            imgui.end_popup()


def _height(question: Question, wide: float, ui: Ui) -> float:
    """Return the height of what stands above the answers, pixels, if it is so wide."""
    if not question.listing:
        return _title_height(question, wide, ui) + ui.size(translate(question.text), wide)[1]
    style = imgui.get_style()
    imgui.push_font(fixed_font(), 0.0)
    wanted, high = ui.size(question.text)
    imgui.pop_font()
    bar = style.scrollbar_size if wanted > wide - 2 * style.window_padding.x else 0.0
    return _title_height(question, wide, ui) + high + 2 * style.window_padding.y + bar


def _title_height(question: Question, wide: float, ui: Ui) -> float:
    with ui.larger(TITLE):
        title = ui.size(translate(question.title), wide)[1]
    return title + 2 * _scale(ui) * (1 + BETWEEN[1])


def _draw_asked(question: Question, high: float, ui: Ui) -> None:
    """Draw what stands above the answers in so many pixels: if it is higher, it scrolls."""
    rest = high - _title_height(question, ui.room[0], ui)
    with ui.child("asked", (0, high)):
        draw_title(question.title, ui)
        if question.listing:
            _draw_listing(question.text, max(rest, ui.line), ui)
        else:
            ui.wrapped(question.text)
    ui.lower(_scale(ui) * ABOVE_ANSWERS)


def _draw_listing(text: str, high: float, ui: Ui) -> None:
    """Draw lines unwrapped in a fixed-width font; they scroll."""
    flags = imgui.ChildFlags_.always_use_window_padding
    with ui.coloured(child_bg=ui.theme.well):
        imgui.begin_child("##listing", (0, high), flags, imgui.WindowFlags_.horizontal_scrollbar)
    imgui.push_font(fixed_font(), 0.0)
    ui.verbatim(text)
    imgui.pop_font()
    imgui.end_child()


def draw_work(session: Session, ui: Ui) -> None:
    """Draw the job that is waited for, if there is one and no question is open; Cancel or Escape gives it up."""
    job = session.asking.work
    if job is None or session.asking.question is not None or job.seconds < LONG:
        return
    wide = min(WIDTH * ui.scale, imgui.get_io().display_size.x - 16)
    if not begin_modal("###work", ui, (wide, 0)):
        return
    ui.verbatim(as_text(capitalised(job.words)), wraps=0.0)
    draw_bar(job, ui)
    ui.space((0, 2 * ui.scale))
    if draw_answers(["Cancel##work"], ui, {"escape": 0}) is not None:
        imgui.close_current_popup()
        session.asking.give_up()
    imgui.end_popup()
