"""The tabs of a side, or of a window, in which several panels are open."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.gui.buttons import button, to_the_right, width_of
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.theme import Theme
from sandbox.app.session.session import Session

CLOSE = f"{icons.ICON_FA_XMARK}##tab"


def draw_tabs(session: Session, panels: list[Panel], theme: Theme, *, closes: bool = True) -> None:
    """Each by its title, the last one chosen; a click brings another to the front.

    Where they find no room beside each other, they are a list to choose from.

    Args:
        closes: a cross closes the chosen one.
    """
    tabs = sorted(panels, key=session.app.panels.index)
    room = imgui.get_content_region_avail().x
    cross = width_of(CLOSE) + imgui.get_style().item_spacing.x if closes else 0.0
    if width_of(*(panel.title for panel in tabs)) + cross <= room:
        _draw_buttons(session, tabs, panels[-1], theme)
    else:
        _draw_list(session, tabs, panels[-1], room - cross)
    if closes:
        to_the_right(CLOSE)
        if button(CLOSE, f"Close {panels[-1].title}"):
            session.toggle_panel(panels[-1].name)
    imgui.separator()


def _draw_buttons(session: Session, tabs: list[Panel], chosen: Panel, theme: Theme) -> None:
    for number, panel in enumerate(tabs):
        if number:
            imgui.same_line()
        imgui.push_style_color(imgui.Col_.button, theme.raised if panel is chosen else (0.0, 0.0, 0.0, 0.0))
        imgui.push_style_color(imgui.Col_.text, theme.ink if panel is chosen else theme.faint)
        if imgui.button(f"{panel.title}##tab"):
            session.front(panel.name)
        imgui.pop_style_color(2)


def _draw_list(session: Session, tabs: list[Panel], chosen: Panel, wide: float) -> None:
    imgui.set_next_item_width(wide)
    if imgui.begin_combo("##tabs", chosen.title, imgui.ComboFlags_.height_large):
        for panel in tabs:
            if imgui.selectable(f"{panel.title}##tab", panel is chosen)[0]:
                session.front(panel.name)
        imgui.end_combo()
