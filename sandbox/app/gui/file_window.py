"""Draws the dialog for choosing a file: the folder's path, its entries, the name box, and the buttons."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.files.dialog import FileDialog, FileType, Listed
from sandbox.app.gui.question_window import begin_modal, draw_answers, draw_question, draw_title, draw_work
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.session.session import Session
from sandbox.files import as_text
from sandbox.language import translate, translate_label

SIZE = 640.0, 480.0  # pixels
WAITING_WIDTH = 380.0


def draw_dialogs(session: Session, ui: Ui) -> None:
    """Draw what must end first: the file dialog, a question, which may lie over it, or the job that is waited for."""
    asking, dialog = session.asking, session.asking.dialog
    if dialog is not None:
        (_draw_dialog if dialog.native is None else _wait_for_native)(session, dialog, ui)
        return
    names = "###files", "###question", "###work"
    if asking.question is None and asking.work is None and any(map(imgui.is_popup_open, names)):
        imgui.internal.close_popup_to_level(0, False)  # it was answered from elsewhere, or has ended
    draw_question(session, ui)
    draw_work(session, ui)


def _draw_dialog(session: Session, dialog: FileDialog, ui: Ui) -> None:
    screen, scale = imgui.get_io().display_size, ui.scale
    wide, tall = (min(wanted * scale, most - 16) for wanted, most in zip(SIZE, screen, strict=True))
    if not begin_modal("###files", ui, (wide, tall)):
        return
    draw_title(dialog.title, ui)
    free = session.asking.question is None and not imgui.is_window_appearing()
    if ui.button(f"{icons.ICON_FA_ARROW_UP}##up", "Parent folder (Alt+Up)"):
        dialog.up()
    ui.beside()
    ui.verbatim(as_label(str(dialog.folder)))
    wrong = f"{icons.ICON_FA_TRIANGLE_EXCLAMATION} {as_text(translate(dialog.wrong))}" if dialog.wrong else ""
    (across, high), (_, told) = ui.room, ui.size(wrong, ui.room[0])
    kinds = _rows_of_kinds(dialog, ui, across)
    _draw_entries(dialog, ui, max(high - (2 + len(kinds)) * ui.row - told - 10 * scale, ui.row))
    ui.verbatim(wrong, ui.theme.wrong, wraps=0.0)
    _draw_kinds(dialog, kinds, ui)
    lists = imgui.is_popup_open("", imgui.PopupFlags_.any_popup_id)
    entered = _draw_name(dialog, ui)
    answer = draw_answers(["Save##file" if dialog.saves else "Open##file", "Cancel##file"], ui)
    if free:
        if entered or answer == 0:
            dialog.confirm()
        elif answer == 1 or (imgui.is_key_pressed(imgui.Key.escape, False) and not lists):
            session.document.folder, session.asking.dialog = dialog.folder, None
        else:
            _move_by_keys(dialog)
    if session.asking.dialog is dialog:
        draw_question(session, ui)
    else:
        imgui.close_current_popup()
    imgui.end_popup()


def _wait_for_native(session: Session, dialog: FileDialog, ui: Ui) -> None:
    """Draw a notice with a Cancel button while the desktop's own file dialog is open; take its answer."""
    if not begin_modal("###files", ui, (WAITING_WIDTH * ui.scale, 0)):
        return
    draw_title(dialog.title, ui)
    ui.wrapped("Choose a file in the dialog of the desktop.")
    if draw_answers(["Cancel##file"], ui, {"escape": 0}) == 0:
        session.asking.end_dialog()
    elif dialog.native is not None and dialog.native.answered():
        try:
            path = dialog.native.answer()
        except ValueError:
            dialog.native = None  # fall back to our own dialog
        else:
            session.asking.end_dialog() if path is None else dialog.take(path)
    imgui.end_popup()


def _draw_entries(dialog: FileDialog, ui: Ui, tall: float) -> None:
    entered = None
    with ui.child("entries", (0, tall), bordered=True):
        for number, entry in ui.visible(dialog.entries):
            if _draw_entry(dialog, number, entry, ui):
                entered = number
        if not dialog.entries and not dialog.wrong:
            ui.faint("No files of this kind here.")
    if entered is not None:
        dialog.enter(entered)


def _draw_entry(dialog: FileDialog, number: int, entry: Listed, ui: Ui) -> bool:
    """Draw an entry and return whether it was double-clicked."""
    flags = imgui.SelectableFlags_.allow_double_click | imgui.SelectableFlags_.no_auto_close_popups
    clicked = imgui.selectable(f"##{entry.name}", number == dialog.chosen, flags)[0]
    if clicked:
        dialog.choose(number)
    ui.beside(0)
    icon = icons.ICON_FA_FOLDER if entry.is_folder else icons.ICON_FA_FILE_LINES
    ui.verbatim(icon, ui.theme.accent if entry.is_folder else ui.theme.faint)
    ui.beside()
    ui.verbatim(entry.name)
    return clicked and ui.twice


def _rows_of_kinds(dialog: FileDialog, ui: Ui, across: float) -> list[list[FileType]]:
    """Return the kinds of files to save as, in one row if they fit; for opening, they are a list beside the name."""
    kinds = [*dialog.kinds] if dialog.saves and len(dialog.kinds) > 1 else []
    width = sum(ui.width(translate(kind.words)) + ui.button_height + 2 * ui.gap for kind in kinds)
    return [kinds] if kinds and width <= across else [[kind] for kind in kinds]


def _draw_kinds(dialog: FileDialog, rows: list[list[FileType]], ui: Ui) -> None:
    with ui.styled(frame_border_size=1.0):
        for row in rows:
            for kind in row:
                if kind is not row[0]:
                    ui.beside(2 * ui.gap)
                if imgui.radio_button(translate_label(kind.words), kind is dialog.kind):
                    dialog.show_kind(kind)


def _draw_name(dialog: FileDialog, ui: Ui) -> bool:
    """Draw the name box; return whether Enter was pressed."""
    words = max(ui.width(kind.words) for kind in dialog.kinds)
    listed = 0.0 if dialog.saves else min(words + ui.button_height, ui.room[0] / 2)
    ui.wide(-listed - ui.gap if listed else -1)
    here = imgui.FocusedFlags_.child_windows | imgui.FocusedFlags_.no_popup_hierarchy
    if imgui.is_window_focused(here) and not ui.busy:
        ui.focus()
    state: imgui.internal.InputTextState | None = imgui.internal.get_input_text_state(imgui.get_id("##name"))
    if state is not None and dialog.name_given:  # an active text box shows its own copy of the text
        state.reload_user_buf_and_select_all()
    dialog.name_given = False
    hint = "name of the file" if dialog.saves else "name of the file, or a folder to go to"
    typed = ui.text_box("##name", dialog.name, hint, whole=True)
    if typed != dialog.name:
        dialog.name, dialog.chosen, dialog.wrong = typed, None, ""
    entered = ui.entered
    if listed:
        ui.beside()
        ui.wide(listed)
        with ui.combo("##kind", translate(dialog.kind.words)) as on:
            for kind in dialog.kinds if on else ():
                if ui.entry(translate_label(kind.words), kind == dialog.kind):
                    dialog.show_kind(kind)
            if on and imgui.is_key_pressed(imgui.Key.escape, False):
                imgui.close_current_popup()
    return entered


def _move_by_keys(dialog: FileDialog) -> None:
    """Choose an entry with Up and Down, and go to the parent folder with Alt+Up."""
    if imgui.is_key_pressed(imgui.Key.up_arrow):
        if imgui.get_io().key_alt:
            dialog.up()
        else:
            dialog.choose(len(dialog.entries) - 1 if dialog.chosen is None else dialog.chosen - 1)
    elif imgui.is_key_pressed(imgui.Key.down_arrow):
        dialog.choose(0 if dialog.chosen is None else dialog.chosen + 1)
