"""Parts that all modal dialogs share, and the dialog of a question that must be answered first."""

from __future__ import annotations

from collections.abc import Mapping

from imgui_bundle import imgui

from sandbox.app.gui.progress import draw_bar
from sandbox.app.gui.theme import fixed_font
from sandbox.app.gui.ui import Ui
from sandbox.app.jobs.jobs import LONG
from sandbox.app.session.session import Session
from sandbox.files import as_text
from sandbox.language import capitalised

FLAGS = (
    imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_saved_settings
)
WIDTH, LISTING_WIDTH = 460.0, 860.0  # pixels
OWN = imgui.WindowFlags_.child_window | imgui.WindowFlags_.popup | imgui.WindowFlags_.tooltip  # what may be above it
NO_KEYS: dict[str, int] = {}


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
    if shown:
        _bring_to_front()
    return shown


def _bring_to_front() -> None:
    """Put this modal window above panels that have appeared since it did: Dear ImGui puts each new window in front."""
    own, windows = imgui.internal.get_current_window(), list(imgui.get_current_context().windows)
    above = windows[next(index for index, window in enumerate(windows) if window.id_ == own.id_) + 1 :]
    if any(window.active and not window.flags & OWN for window in above):
        imgui.internal.bring_window_to_display_front(own)


def draw_title(text: str, ui: Ui) -> None:
    """Draw a title in larger letters."""
    with ui.larger(1.25):
        ui.text(text)
    ui.space((0, 2 * ui.scale))


def draw_answers(words: list[str], ui: Ui, keys: Mapping[str, int] = NO_KEYS) -> int | None:
    """Draw buttons at the right, the first in the accent; return the index of the one that was pressed.

    Args:
        keys: the index of the button that each of these keys presses.
    """
    scale, pressed = ui.scale, next((number for key, number in keys.items() if ui.pressed(key, repeats=False)), None)
    with ui.styled(frame_padding=(16 * scale, 5 * scale)):
        ui.to_the_right(ui.width(*words))
        for number, text in enumerate(words):
            if number:
                ui.beside()
            with ui.in_accent(number == 0):
                if ui.button(text):
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
    draw_title(question.title, ui)
    if question.listing:
        _draw_listing(question.text, screen.y - 160 * scale, ui)
    else:
        ui.wrapped(question.text)
    ui.space((0, 6 * scale))
    keys = {"escape": len(question.answers) - 1} | ({"enter": 0} if question.by_enter else {})
    answer = draw_answers([words for words, _ in question.answers], ui, keys)
    if answer is not None and not imgui.is_window_appearing():
        imgui.close_current_popup()
        session.asking.answer(answer)
    imgui.end_popup()


def _draw_listing(text: str, most: float, ui: Ui) -> None:
    """Draw lines unwrapped in a fixed-width font; they scroll."""
    imgui.set_next_window_size_constraints((0, 60), (LISTING_WIDTH * ui.scale, max(most, 60)))
    flags = imgui.ChildFlags_.always_use_window_padding | imgui.ChildFlags_.auto_resize_y
    with ui.coloured(child_bg=ui.theme.well):
        imgui.begin_child("##listing", (0, 0), flags, imgui.WindowFlags_.horizontal_scrollbar)
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
