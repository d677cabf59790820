"""A combo box of prefabs: those in use first, each with its colour and its population."""

from __future__ import annotations

from components.store.prefab import Prefab
from sandbox.app.drawing.colours import rgb_of
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
    swatch(prefabs[chosen], ui, ui.button_height)
    ui.leave()
    with ui.combo(label, f"{as_label(chosen)}   {counted(counts.get(chosen, 0))}", long=True) as on:
        for name in in_order(session, counts) if on else ():
            swatch(prefabs[name], ui, ui.line)
            if ui.entry(f"{as_label(name)}{label}", name == chosen):
                chosen = name
            if prefabs[name].help:
                ui.tip(prefabs[name].help)
            if name in counts:
                ui.text_at_the_right(counted(counts[name]))
    return chosen


def swatch(prefab: Prefab, ui: Ui, high: float) -> None:
    """Draw a dot in a prefab's colour, or a ring if it has none, in a line of this height, pixels, and stay there."""
    (x, y), size = ui.here, ui.line
    middle, colour = (x + 0.45 * size, y + 0.5 * high), prefab.components.get("Look", {}).get("colour")
    if colour is not None:
        red, green, blue = rgb_of(int(colour))
        ui.pen.disc(middle, 0.38 * size, (red / 255, green / 255, blue / 255, 1.0))
    ui.pen.circle(middle, 0.38 * size, ui.theme.faint)
    ui.space((0.9 * size, size))
    ui.beside()
