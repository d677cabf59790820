"""Draws words over the world: the welcome bar of the first start, the hint in an empty world, whom one rides on."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.document.view import ridden
from sandbox.app.gui.blocks import Size
from sandbox.app.gui.over_world import OFFERS, SHOWS, over_world
from sandbox.app.gui.panel import GAP, Box
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.icons import icon_of
from sandbox.app.session.action import WELCOME_BAR
from sandbox.app.session.session import Session
from sandbox.language import capitalised, translate

EMPTY = (
    "This world is empty.\nPick a tool at the left and click here to place something,\nor open one of File > Scenes."
)
WIDEST = 0.9  # of the area that panels leave free: the width of the hint's text


def draw_welcome(session: Session, ui: Ui, middle: Box) -> None:
    """Draw the welcome bar at the upper edge of the area that panels leave free, until a person accepts or closes it;
    there is none without an action to offer.

    It is hidden during Compare, whose bar has the same place.
    """
    view, offered = session.view, [action for action in session.actions.values() if action.bar == WELCOME_BAR]
    if not view.welcomes or not offered or session.document.comparison is not None:
        return
    place = middle.x + middle.width / 2, middle.y + GAP
    with over_world("##welcome", OFFERS, place, (0.5, 0)):
        ui.on_a_row()
        ui.text("New here?", ui.theme.ink)
        ui.beside()
        for action in offered:
            if ui.button(f"{icon_of(action.icon)}  {action.title}##welcome", capitalised(translate(action.help))):
                view.welcomes = False
                session.act(action.name)
            ui.beside()
        if ui.button(f"{icons.ICON_FA_XMARK}##welcome", "No, thanks"):
            view.welcomes = False


def draw_hint(session: Session, ui: Ui, middle: Box) -> None:
    """Draw the hint while the world is empty and no panel lies over it; `middle`: the area that panels leave free."""
    if session.simulation.world.table.size or session.view.over:
        return
    centre = middle.x + middle.width / 2, middle.y + middle.height / 2
    _tell("##hint", translate(EMPTY), ui, middle, centre, (0.5, 0.5))


def draw_ride(session: Session, ui: Ui, middle: Box) -> None:
    """Draw whom one rides on and how to get off; `middle`: the area that panels leave free."""
    world, rows = session.simulation.world, ridden(session.document)
    if session.view.riding and len(rows):
        prefab = list(world.prefabs)[int(world.table.prefab[rows[0]])]
        who = as_label(f"{prefab} {world.table.serial[rows[0]]}")
        corner = middle.x + GAP, middle.y + GAP  # the bars of the first start and of Compare are in the middle
        _tell("##ride", translate("Riding {who}. Esc gets off.", who=who), ui, middle, corner, (0.0, 0.0))


def _tell(name: str, text: str, ui: Ui, middle: Box, place: Size, pivot: Size) -> None:
    """Write a text in a box that fits it, whose point `pivot`, 0 to 1 from its upper left, stands at a place."""
    wrap = WIDEST * middle.width
    (wide, high), padding = ui.size(text, wrap), imgui.get_style().window_padding
    with over_world(name, SHOWS, place, pivot, (wide + 2 * padding.x + 1, high + 2 * padding.y)):
        ui.verbatim(text, wraps=wrap)
