"""The Systems tab of the inspector: each system with a check box and its parameters, in pipeline order."""

from __future__ import annotations

from itertools import groupby

from imgui_bundle import icons_fontawesome_6 as icons

from components.store.records import by_type
from sandbox.app.fields.binding import of_system, reset_system
from sandbox.app.fields.lines import Lines, lines
from sandbox.app.fields.tips import cut
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.ring import spot
from sandbox.app.gui.ui import Ui
from sandbox.app.session.session import Session
from sandbox.edit import SetEnabled
from sandbox.language import translate
from systems.engine.system import System


def draw_systems(session: Session, widgets: FieldWidgets, ui: Ui) -> None:
    """Draw all systems of the world by phase, and a button that resets them."""
    systems = session.simulation.pipeline.systems
    label = f"{icons.ICON_FA_ROTATE_LEFT} Reset##systems"
    if ui.button(label, "Reset every system to what the scene says", (-1, 0)):
        joins = False
        for system in systems:
            joins = reset_system(session, system, joins)
    with ui.child("systems"):
        widgets.begin(session, ui)
        for phase, group in groupby(systems, lambda system: system.phase):
            ui.heading(phase.name.capitalize())
            for system in group:
                draw_enabled(session, ui, system)
                if system.parameters:
                    widgets.lines(_lines(type(system)), of_system(session, system))


def draw_enabled(session: Session, ui: Ui, system: System) -> None:
    """Draw a system's name and the check box that enables it, with its description as a tooltip."""
    words = cut(translate(system.name.replace("_", " ")), ui.room[0] - ui.button_height - ui.small_gap)
    with ui.group():
        if system.essential:
            _locked(ui, words)
        elif (on := ui.check_box(f"{words}##{system.name}", system.enabled)) != system.enabled:
            session.submit(SetEnabled(system.name, on))
    spot(session, system.name)
    essential = "\nThe world needs it: it can't be disabled." if system.essential else ""
    ui.tip(f"{translate(system.about)}{translate(essential)}")


def _locked(ui: Ui, words: str) -> None:
    """Draw the name of a system that can't be disabled, with a lock in the place of the check box."""
    (x, y), square, (wide, high) = ui.here, ui.button_height, ui.size(icons.ICON_FA_LOCK)
    ui.pen.text((x + (square - wide) / 2, y + (square - high) / 2), ui.theme.faint, icons.ICON_FA_LOCK)
    ui.space((square, square))
    ui.beside(ui.small_gap)
    ui.on_a_row()
    ui.verbatim(words, ui.theme.faint)


@by_type
def _lines(system: type[System]) -> Lines:
    return lines(system.parameters.values())
