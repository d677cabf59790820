"""Draws the file dialog: places, the path to the folder, its entries, the name field, and the buttons."""

from __future__ import annotations

import time

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.files.file_dialog import FileDialog, Listed
from sandbox.app.gui.question_window import begin_modal, draw_answers, draw_question, draw_title
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.session.session import Session
from sandbox.files import as_text
from sandbox.language import translate, translate_label

SIZE = 780.0, 520.0  # pixels
PLACES_WIDTH = 150.0
NARROW = 320.0  # a narrower list shows names only
WAITING_WIDTH = 380.0
PLACE_ICONS = {
    "My scenes": icons.ICON_FA_STAR,
    "Documents": icons.ICON_FA_FILE,
    "Home": icons.ICON_FA_HOUSE,
    "Bundled scenes": icons.ICON_FA_BOX_OPEN,
}


def draw_dialogs(session: Session, ui: Ui) -> None:
    """Draw the open file dialog or question, if there is one; a question may lie over the file dialog."""
    dialog = session.asking.dialog
    if dialog is not None:
        (_draw_dialog if dialog.system is None else _wait_for_system)(session, dialog, ui)
        return
    if session.asking.question is None and (imgui.is_popup_open("###files") or imgui.is_popup_open("###question")):
        imgui.internal.close_popup_to_level(0, False)  # it was answered from elsewhere
    draw_question(session, ui)


def _draw_dialog(session: Session, dialog: FileDialog, ui: Ui) -> None:
    screen, scale = imgui.get_io().display_size, ui.scale
    wide, tall = (min(wanted * scale, most - 16) for wanted, most in zip(SIZE, screen, strict=True))
    if not begin_modal("###files", ui, (wide, tall)):
        return
    draw_title(dialog.title)
    free = session.asking.question is None and not imgui.is_window_appearing()
    wrong = f"{icons.ICON_FA_TRIANGLE_EXCLAMATION} {as_text(translate(dialog.wrong))}" if dialog.wrong else ""
    told = imgui.calc_text_size(wrong, wrap_width=ui.room[0]).y
    below = 2 * ui.row + told + imgui.get_style().item_spacing.y + 4 * scale
    room = ui.room[1] - below
    if wide > 560 * scale:
        _draw_places(dialog, PLACES_WIDTH * scale, room)
        ui.beside()
    with ui.group():
        _draw_way(ui, dialog)
        _draw_entries(dialog, ui, room - ui.row)
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
    draw_title(dialog.title)
    ui.wrapped("Choose a file in the dialog of the system.")
    if draw_answers(["Cancel##file"], ui) == 0 or imgui.is_key_pressed(imgui.Key.escape, False):
        session.asking.end_dialog()
    elif dialog.system is not None and dialog.system.answered():
        try:
            path = dialog.system.answer()
        except ValueError:
            dialog.system = None  # fall back to our own dialog
        else:
            session.asking.end_dialog() if path is None else dialog.take(path)
    imgui.end_popup()


def _draw_places(dialog: FileDialog, wide: float, tall: float) -> None:
    imgui.begin_child("##places", (wide, tall))
    for name, folder in dialog.places:
        if imgui.selectable(f"##{name}", folder == dialog.folder)[0]:
            dialog.go(folder)
        imgui.same_line(4)
        imgui.text_disabled(PLACE_ICONS.get(name, icons.ICON_FA_HARD_DRIVE))
        imgui.same_line(28 * imgui.get_style().font_scale_main)
        imgui.text_unformatted(translate(name))
    imgui.end_child()


def _draw_way(ui: Ui, dialog: FileDialog) -> None:
    """Draw the path as buttons that open a folder; leave the first ones out if there is no room."""
    if ui.button(f"{icons.ICON_FA_ARROW_UP}##up", "Parent folder (Alt+Up)"):
        dialog.up()
    steps = [dialog.folder, *dialog.folder.parents][::-1]
    room = imgui.get_content_region_avail().x - imgui.get_item_rect_size().x - 40
    padding = 2 * imgui.get_style().frame_padding.x + 10
    widths = [imgui.calc_text_size(as_label(step.name or str(step))).x + padding for step in steps]
    first = 0
    while first < len(steps) - 1 and sum(widths[first:]) > room:
        first += 1
    imgui.push_style_color(imgui.Col_.button, (0, 0, 0, 0))
    for number, step in enumerate(steps[first:], first):
        imgui.same_line(0, 2 if number > first else 6)
        if number > first:
            imgui.align_text_to_frame_padding()
            imgui.text_disabled("/" if number > 1 or steps[0].name else "")
            imgui.same_line(0, 2)
        if imgui.button(f"{as_label(step.name or str(step))}##step{number}"):
            dialog.go(step)
    imgui.pop_style_color()


def _draw_entries(dialog: FileDialog, ui: Ui, tall: float) -> None:
    flags = imgui.TableFlags_.scroll_y | imgui.TableFlags_.row_bg | imgui.TableFlags_.borders_outer
    if not imgui.begin_table("##entries", 3, flags, (0, tall)):
        return
    scale = ui.scale
    more = imgui.TableColumnFlags_.width_fixed
    if ui.room[0] < NARROW * scale:
        more |= imgui.TableColumnFlags_.disabled  # names need the whole width
    imgui.table_setup_scroll_freeze(0, 1)
    imgui.table_setup_column(translate("Name"), imgui.TableColumnFlags_.width_stretch)
    imgui.table_setup_column(translate("Size"), more, 74 * scale)
    imgui.table_setup_column(translate("Changed"), more, 128 * scale)
    imgui.table_headers_row()
    entered = None
    for number, entry in ui.visible(dialog.entries):
        if _draw_entry(dialog, number, entry, ui):
            entered = number
    if not dialog.entries and not dialog.wrong:
        imgui.table_next_row()
        imgui.table_next_column()
        ui.faint("No files of this kind here.")
    imgui.end_table()
    if entered is not None:
        dialog.enter(entered)


def _draw_entry(dialog: FileDialog, number: int, entry: Listed, ui: Ui) -> bool:
    """Draw an entry and return whether it was double-clicked."""
    imgui.table_next_row()
    imgui.table_next_column()
    flags = (
        imgui.SelectableFlags_.span_all_columns
        | imgui.SelectableFlags_.allow_double_click
        | imgui.SelectableFlags_.no_auto_close_popups
    )
    icon = icons.ICON_FA_FOLDER if entry.is_folder else icons.ICON_FA_FILE_LINES
    colour = ui.theme.accent if entry.is_folder else ui.theme.faint
    clicked = imgui.selectable(f"##{entry.name}", number == dialog.chosen, flags)[0]
    twice = clicked and imgui.is_mouse_double_clicked(0)
    if clicked:
        dialog.choose(number)
    ui.beside(0)
    ui.verbatim(icon, colour)
    ui.beside()
    ui.verbatim(entry.name)
    imgui.table_next_column()
    if not entry.is_folder:
        ui.verbatim(size_in_words(entry.size), ui.theme.faint)
    imgui.table_next_column()
    ui.verbatim(date_in_words(entry), ui.theme.faint)
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
    entered = imgui.is_item_deactivated() and any(
        imgui.is_key_pressed(key, False) for key in (imgui.Key.enter, imgui.Key.keypad_enter)
    )
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


def size_in_words(size: int) -> str:
    """Return a file size as text: "812 B", "14 KB", "3.1 MB"."""
    if size < 1000:
        return f"{size} B"
    if size < 1_000_000:
        return f"{size / 1000:.0f} KB"
    return f"{size / 1e6:.1f} MB"


def date_in_words(entry: Listed) -> str:
    """Return the time of the entry's last change as text, in local time."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.changed))
