"""Compare: draws the line between the two worlds, and a bar to choose the active world and list the differences."""

from __future__ import annotations

from itertools import islice

from imgui_bundle import imgui

from sandbox.app.document.comparison import Comparison, named_differences
from sandbox.app.gui.over_world import OFFERS, over_world
from sandbox.app.gui.panel import GAP, Box
from sandbox.app.gui.ring import action_button
from sandbox.app.gui.theme import u32
from sandbox.app.gui.ui import Ui
from sandbox.app.session.session import Session
from sandbox.language import translate

ROOMY = 460.0  # pixels: in a narrower area, the buttons that end Compare have a row of their own
LISTED = 4  # differences; if there are more, the bar ends with "and more"
BESIDE = (
    ("Left", "Work on the left world, like a click on it"),
    ("Right", "Work on the right world, like a click on it"),
)
STACKED = (
    ("Upper", "Work on the upper world, like a click on it"),
    ("Lower", "Work on the lower world, like a click on it"),
)
BESIDE_ENDS = (
    ("compare", "Keep left", "End Compare with the left world; the other one is kept as a branch of the past"),
    ("keep_second", "Keep right", "End Compare with the right world; the other one is kept as a branch of the past"),
)
STACKED_ENDS = (
    ("compare", "Keep upper", "End Compare with the upper world; the other one is kept as a branch of the past"),
    ("keep_second", "Keep lower", "End Compare with the lower world; the other one is kept as a branch of the past"),
)


def stacks(middle: Box, world_size: tuple[float, ...]) -> bool:
    """Return whether two worlds of this size, u, are larger one above the other than side by side.

    Args:
        middle: the area that panels leave free.
    """
    beside, stacked = (middle.half(False, stacked) for stacked in (False, True))
    return min(stacked.width / world_size[0], stacked.height / world_size[1]) > min(
        beside.width / world_size[0], beside.height / world_size[1]
    )


def draw_seam(ui: Ui, middle: Box, stacked: bool) -> None:
    """Draw the line between the worlds; `middle`: the area that panels leave free."""
    wide, half = 2 * ui.scale, middle.half(True, stacked)
    end = (half.x + half.width, half.y) if stacked else (half.x, half.y + half.height)
    imgui.get_background_draw_list().add_line((half.x, half.y), end, u32(ui.theme.line), wide)


def draw_comparison(session: Session, comparison: Comparison, ui: Ui, middle: Box) -> None:
    """Draw the bar at the upper end of the area that the worlds share; `middle`: the area that panels leave free."""
    corner = middle.x + middle.width / 2, middle.y + GAP * ui.scale
    with over_world("###comparison", OFFERS, corner, (0.5, 0)):
        for right, (words, about) in enumerate(STACKED if comparison.stacked else BESIDE):
            chosen = comparison.works_right == right
            with ui.in_accent(chosen):
                pressed = ui.button(f"{words}##side", about)
            if pressed and not chosen:
                session.work_on(bool(right))
            ui.beside()
        comparison.both = ui.check_box("Change both##comparison", comparison.both)
        ui.tip("Apply your changes to both worlds from now on")
        end = imgui.get_item_rect_max().x
        for number, (name, words, about) in enumerate(STACKED_ENDS if comparison.stacked else BESIDE_ENDS):
            if number or middle.width > ROOMY * ui.scale:
                ui.beside()
            action_button(session, ui, f"{words}##comparison", name, about)
        end = max(end, imgui.get_item_rect_max().x)
        width = end - imgui.get_cursor_screen_pos().x  # of the buttons, which thus stay in place
        _list_differences(session, comparison, ui, width)


def _list_differences(session: Session, comparison: Comparison, ui: Ui, width: float) -> None:
    worlds = session.simulation.world, comparison.simulation.world
    left, right = reversed(worlds) if comparison.works_right else worlds
    found = list(islice(named_differences(left, right, stacked=comparison.stacked), LISTED + 1))
    for words in found[:LISTED]:
        ui.verbatim(words, wraps=width)
    if len(found) > LISTED:
        ui.faint("and more")
    elif not found:
        ui.verbatim(
            translate("The same rules so far: change something in one of the worlds."), ui.theme.faint, wraps=width
        )
