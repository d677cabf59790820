"""The menu bar: lists every action with its title and key."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.gui.ring import spot
from sandbox.app.gui.ui import as_label
from sandbox.app.session.action import FILE, MENUS, PANELS, key_of
from sandbox.app.session.session import Session
from sandbox.language import capitalised, translate, translate_label


def draw_menu(session: Session) -> None:
    """Draw the menu bar at the window's upper edge."""
    if not imgui.begin_main_menu_bar():
        return
    for menu in MENUS:
        opened = imgui.begin_menu(translate_label(menu))
        spot(session, f"menu {menu}")
        if opened:
            _draw(menu, session)
            imgui.end_menu()
    imgui.end_main_menu_bar()


def _draw(menu: str, session: Session) -> None:
    """Draw a menu's actions by section; the menu Panels lists every panel, also those of other menus."""
    found = [(action.section if action.menu == menu else 0, action) for action in session.actions.values()]
    found = [each for each in found if each[1].menu == menu or each[1].group == menu == PANELS]
    found.sort(key=lambda each: each[0])
    before = found[0][0] if found else 0
    for section, action in found:
        if section != before:
            imgui.separator()
        before = section
        chosen = action.is_on is not None and action.is_on(session)
        possible = action.available(session)
        imgui.push_id(action.name)
        if imgui.menu_item(translate_label(action.title), key_of(action, session.preferences), chosen, possible)[0]:
            session.act(action.name)
        spot(session, f"item {action.name}")
        imgui.pop_id()
        if action.help:
            imgui.set_item_tooltip(capitalised(translate(action.help)))
        if action.name == "open" and menu == FILE:
            _draw_recent(session)


def _draw_recent(session: Session) -> None:
    """Draw the submenu of the files that were opened or saved last."""
    recent = session.services.filing.recent
    if imgui.is_window_appearing():
        recent.look()
    if not imgui.begin_menu(translate_label("Recent files"), bool(recent.files)):
        return
    for number, path in enumerate(recent.files):
        if imgui.menu_item(f"{as_label(path.name)}##recent {number}", "", path == session.document.file)[0]:
            session.services.filing.open(path)
        imgui.set_item_tooltip(as_label(str(path)))
    imgui.end_menu()
