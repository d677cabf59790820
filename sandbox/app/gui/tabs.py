"""The tabs of a side on which several panels are open."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.gui.buttons import to_the_right
from sandbox.app.gui.theme import Theme
from sandbox.app.panels.panel import Panel
from sandbox.app.session import Session


def draw_tabs(session: Session, panels: list[Panel], theme: Theme) -> None:
    """Each by its title, the last one chosen; a click brings another to the front, the cross closes the chosen one."""
    for number, panel in enumerate(sorted(panels, key=session.app.panels.index)):
        chosen = panel is panels[-1]
        if number:
            imgui.same_line()
        imgui.push_style_color(imgui.Col_.button, theme.raised if chosen else (0.0, 0.0, 0.0, 0.0))
        imgui.push_style_color(imgui.Col_.text, theme.ink if chosen else theme.faint)
        if imgui.button(f"{panel.title}##tab"):
            session.front(panel.name)
        imgui.pop_style_color(2)
    close = f"{icons.ICON_FA_XMARK}##tab"
    to_the_right(close)
    if imgui.button(close):
        session.toggle_panel(panels[-1].name)
    imgui.set_item_tooltip(f"Close {panels[-1].title}")
    imgui.separator()
