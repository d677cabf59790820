"""The menu bar: every action by its words, with its key; what is open, and what is shown."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.controls.actions import ACTIONS, BY_NAME, EDIT, FILE, HELP, PANELS, TIME, VIEW, Action, keys_of
from sandbox.app.session import Session

MENUS = FILE, EDIT, TIME, VIEW, PANELS, HELP
SPELT = {",": "Comma", ".": "Full stop", "/": "Slash", "[": "Left bracket", "]": "Right bracket", "-": "Minus"}
BELOW_A_LINE = {"save", "restart", "screenshot", "quit", "select_all", "settings", "grid", "full_screen"}


def draw_menu(session: Session) -> float:
    """Draw it; returns its height, pixels."""
    if not imgui.begin_main_menu_bar():
        return 0.0
    for menu in MENUS:
        if imgui.begin_menu(menu):
            if menu == PANELS:
                _draw_panels(session)
            for action in ACTIONS:
                if action.menu == menu:
                    _draw_action(action, session)
            if menu == VIEW:
                _draw_overlays_of_mods(session)
            imgui.end_menu()
    height = imgui.get_window_height()
    imgui.end_main_menu_bar()
    return float(height)


def _draw_action(action: Action, session: Session) -> None:
    if action.name in BELOW_A_LINE:
        imgui.separator()
    chosen = action.is_on(session) if action.is_on else False
    if imgui.menu_item(action.words, _key(action, session), chosen)[0]:
        session.act(action.name)


def _draw_overlays_of_mods(session: Session) -> None:
    """Those that no action is for."""
    others = [overlay for overlay in session.app.overlays if not overlay.always and overlay.name not in BY_NAME]
    if others:
        imgui.separator()
    for overlay in others:
        if imgui.menu_item(f"{overlay.title}##overlay", "", overlay.name in session.shown)[0]:
            session.toggle_overlay(overlay.name)
        imgui.set_item_tooltip(overlay.help)


def _draw_panels(session: Session) -> None:
    for panel in session.app.panels:
        action, opened = BY_NAME.get(panel.name), panel.name in session.preferences.open
        if imgui.menu_item(panel.title, _key(action, session) if action else "", opened)[0]:
            session.toggle_panel(panel.name)


def _key(action: Action, session: Session) -> str:
    """What to press for it; a lone comma or full stop would hardly be seen."""
    return "".join(SPELT.get(key, key) for key in keys_of(action, session.preferences)[:1])
