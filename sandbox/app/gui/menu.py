"""The menu bar: every action by its words, with its key; what is open, and what is shown."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.controls.actions import ACTIONS, keys_of
from sandbox.app.session import Session


def draw_menu(session: Session) -> float:
    """Draw it; returns its height, pixels."""
    if not imgui.begin_main_menu_bar():
        return 0.0
    for menu in dict.fromkeys(action.menu for action in ACTIONS if action.menu):
        if imgui.begin_menu(menu):
            for action in ACTIONS:
                if action.menu == menu:
                    shortcut = ", ".join(keys_of(action, session.preferences)[:1])
                    chosen = action.is_on(session) if action.is_on else False
                    if imgui.menu_item(action.words, shortcut, chosen)[0]:
                        session.act(action.name)
            imgui.end_menu()
    if imgui.begin_menu("Panels"):
        for panel in session.app.panels:
            opened = panel.name in session.preferences.open
            if imgui.menu_item(panel.title, "", opened)[0]:
                session.toggle_panel(panel.name)
        imgui.end_menu()
    height = imgui.get_window_height()
    imgui.end_main_menu_bar()
    return float(height)
