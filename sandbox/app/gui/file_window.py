"""Draws the dialog for choosing a file: the folder's path, its entries, the name field, and the buttons."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.files.dialog import FileDialog, Listed
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
        (_draw_dialog if dialog.system is None else _wait_for_system)(session, dialog, ui)
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
    imgui.same_line()
    ui.verbatim(as_label(str(dialog.folder)))
    wrong = f"{icons.ICON_FA_TRIANGLE_EXCLAMATION} {as_text(translate(dialog.wrong))}" if dialog.wrong else ""
    told = imgui.calc_text_size(wrong, wrap_width=imgui.get_content_region_avail().x).y
    below = 2 * imgui.get_frame_height_with_spacing() + told + imgui.get_style().item_spacing.y + 4 * scale
    _draw_entries(dialog, ui, imgui.get_content_region_avail().y - below)
    ui.verbatim(wrong, ui.theme.wrong, wraps=0.0)
    lists = imgui.is_popup_open("", imgui.PopupFlags_.any_popup_id)
    entered = _draw_name(dialog)
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


def _wait_for_system(session: Session, dialog: FileDialog, ui: Ui) -> None:
    """Draw a notice with a Cancel button while the system's own file dialog is open; take its answer."""
    if not begin_modal("###files", ui, (WAITING_WIDTH * ui.scale, 0)):
        return
    draw_title(dialog.title, ui)
    ui.wrapped("Choose a file in the dialog of the system.")
    if draw_answers(["Cancel##file"], ui, {0: imgui.Key.escape}) == 0:
        session.asking.end_dialog()
    elif dialog.system is not None and dialog.system.answered():
        try:
            path = dialog.system.answer()
        except ValueError:
            dialog.system = None  # fall back to our own dialog
        else:
            session.asking.end_dialog() if path is None else dialog.take(path)
    imgui.end_popup()


def _draw_entries(dialog: FileDialog, ui: Ui, tall: float) -> None:
    imgui.begin_child("##entries", (0, tall), imgui.ChildFlags_.borders)
    entered = None
    for number, entry in ui.visible(dialog.entries):
        if _draw_entry(dialog, number, entry, ui):
            entered = number
    if not dialog.entries and not dialog.wrong:
        ui.faint("No files of this kind here.")
    imgui.end_child()
    if entered is not None:
        dialog.enter(entered)


def _draw_entry(dialog: FileDialog, number: int, entry: Listed, ui: Ui) -> bool:
    """Draw an entry and return whether it was double-clicked."""
    flags = imgui.SelectableFlags_.allow_double_click | imgui.SelectableFlags_.no_auto_close_popups
    clicked = imgui.selectable(f"##{entry.name}", number == dialog.chosen, flags)[0]
    twice = clicked and imgui.is_mouse_double_clicked(0)
    if clicked:
        dialog.choose(number)
    imgui.same_line(0, 0)
    colour = ui.theme.accent if entry.is_folder else ui.theme.faint
    imgui.text_colored(colour, icons.ICON_FA_FOLDER if entry.is_folder else icons.ICON_FA_FILE_LINES)
    imgui.same_line()
    imgui.text_unformatted(entry.name)
    return twice


def _draw_name(dialog: FileDialog) -> bool:
    """Draw the name field and the list of file kinds; return whether Enter was pressed."""
    words = max(imgui.calc_text_size(translate(kind.words)).x for kind in dialog.kinds)
    kinds_width = words + imgui.get_frame_height() + 2 * imgui.get_style().frame_padding.x
    kinds_width = min(kinds_width, imgui.get_content_region_avail().x / 2)
    imgui.set_next_item_width(-kinds_width - imgui.get_style().item_spacing.x)
    here = imgui.FocusedFlags_.child_windows | imgui.FocusedFlags_.no_popup_hierarchy
    if imgui.is_window_focused(here) and not imgui.is_any_item_active():
        imgui.set_keyboard_focus_here()
    state: imgui.internal.InputTextState | None = imgui.internal.get_input_text_state(imgui.get_id("##name"))
    if state is not None and dialog.name_given:  # an active field shows its own copy of the text
        state.reload_user_buf_and_select_all()
    dialog.name_given = False
    hint = "name of the file" if dialog.saves else "name of the file, or a folder to go to"
    changed, typed = imgui.input_text_with_hint(
        "##name", translate(hint), dialog.name, imgui.InputTextFlags_.auto_select_all
    )
    if changed:
        dialog.name, dialog.chosen, dialog.wrong = typed, None, ""
    entered = imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.enter, False)
    imgui.same_line()
    imgui.set_next_item_width(kinds_width)
    if imgui.begin_combo("##kind", translate(dialog.kind.words)):
        for kind in dialog.kinds:
            if imgui.selectable(translate_label(kind.words), kind == dialog.kind)[0]:
                dialog.show_kind(kind)
        if imgui.is_key_pressed(imgui.Key.escape, False):
            imgui.close_current_popup()
        imgui.end_combo()
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
