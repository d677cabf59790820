"""A combo box of prefabs: those in use first, each with its colour and its population."""

from __future__ import annotations

from imgui_bundle import imgui

from components.store.prefab import Prefab
from sandbox.app.drawing.colours import rgb_of
from sandbox.app.gui.theme import packed, u32
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.session.session import Session
from sandbox.language import counted
from systems.engine.measures import POPULATION


def counts_of(session: Session) -> dict[str, int]:
    """Return the population of each prefab; extinct ones are included with 0, so that lists keep their order."""
    living, measures = session.simulation.populations(), session.document.measures
    lived = (name for name in session.simulation.world.prefabs if measures.is_some(f"{POPULATION}{name}"))
    return dict.fromkeys(lived, 0) | living


def in_order(session: Session, counts: dict[str, int]) -> list[str]:
    """Return the names of all prefabs: first those in `counts`, then the others, both in the scene's order."""
    prefabs = session.simulation.world.prefabs
    return sorted(prefabs, key=lambda name: name not in counts)


def prefab_combo(label: str, session: Session, ui: Ui, chosen: str, counts: dict[str, int]) -> str:
    """Draw the combo box at full width; return the prefab that is chosen now."""
    prefabs = session.simulation.world.prefabs
    swatch(prefabs[chosen], ui)
    imgui.set_next_item_width(-1)
    shown = f"{as_label(chosen)}   {counted(counts.get(chosen, 0))}"
    if not imgui.begin_combo(label, shown, imgui.ComboFlags_.height_large):
        return chosen
    for name in in_order(session, counts):
        wide = imgui.get_cursor_pos_x() + ui.room[0]
        swatch(prefabs[name], ui)
        if imgui.selectable(f"{as_label(name)}{label}", name == chosen)[0]:
            chosen = name
        if prefabs[name].help:
            imgui.set_item_tooltip(prefabs[name].help)
        if name in counts:
            count = counted(counts[name])
            imgui.same_line(wide - imgui.calc_text_size(count).x)
            ui.verbatim(count, ui.theme.faint)
    imgui.end_combo()
    return chosen


def swatch(prefab: Prefab, ui: Ui) -> None:
    """Draw a dot in a prefab's colour, or a ring if it has none, and stay on the same line."""
    size, place = imgui.get_font_size(), imgui.get_cursor_screen_pos()
    in_list = imgui.internal.get_current_window().flags & imgui.WindowFlags_.popup
    middle = place + (0.45 * size, 0.5 * (size if in_list else imgui.get_frame_height()))
    draw, colour = imgui.get_window_draw_list(), prefab.components.get("Look", {}).get("colour")
    if colour is not None:
        draw.add_circle_filled(middle, 0.38 * size, packed(rgb_of(int(colour))))
    draw.add_circle(middle, 0.38 * size, u32(ui.theme.faint))
    imgui.dummy((0.9 * size, size))
    ui.beside()
