"""The Systems tab of the inspector: each system with a switch and its parameters, in pipeline order."""

from __future__ import annotations

from itertools import groupby

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from components.store.records import by_type
from sandbox.app.fields.binding import of_system, reset_system
from sandbox.app.fields.lines import Lines, lines
from sandbox.app.fields.tips import cut
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.ring import spot
from sandbox.app.gui.ui import Ui
from sandbox.app.session.session import Session
from sandbox.edit import Switch
from sandbox.language import translate
from systems.engine.system import System


def draw_systems(session: Session, widgets: FieldWidgets, ui: Ui) -> None:
    """Draw all systems of the world by phase, and a button that resets them."""
    systems = session.simulation.pipeline.systems
    label = f"{icons.ICON_FA_ROTATE_LEFT} Reset##systems"
    if ui.button(label, "Reset every system to the state of the scene", (-1, 0)):
        joins = False
        for system in systems:
            joins = reset_system(session, system, joins)
    with ui.child("systems"):
        widgets.begin(session, ui)
        for phase, group in groupby(systems, lambda system: system.phase):
            ui.heading(phase.name.capitalize())
            for system in group:
                draw_switch(session, ui, system)
                if system.parameters:
                    widgets.lines(_lines(type(system)), of_system(session, system))


def draw_switch(session: Session, ui: Ui, system: System) -> None:
    """Draw a system's name and switch, with its description as a tooltip."""
    switch = imgui.get_frame_height() + imgui.get_style().item_inner_spacing.x
    words = cut(translate(system.name.replace("_", " ")), ui.room[0] - switch)
    with ui.group():
        if system.essential:
            _locked(ui, words)
        elif (on := ui.tick_box(f"{words}##{system.name}", system.enabled)) != system.enabled:
            session.submit(Switch(system.name, on))
    spot(session, system.name)
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        essential = "\nThe world needs it: it can't be switched off." if system.essential else ""
        imgui.set_tooltip(f"{translate(system.about)}{translate(essential)}")


def _locked(ui: Ui, words: str) -> None:
    """Draw the name of a system that cannot be switched off, with a lock in the place of the check box."""
    square = imgui.get_frame_height()
    begin = imgui.get_cursor_pos_x()
    ui.on_a_row()
    imgui.set_cursor_pos_x(begin + (square - imgui.calc_text_size(icons.ICON_FA_LOCK).x) / 2)
    ui.verbatim(icons.ICON_FA_LOCK, ui.theme.faint)
    imgui.same_line(begin + square + imgui.get_style().item_inner_spacing.x)
    ui.verbatim(words, ui.theme.faint)


@by_type
def _lines(system: type[System]) -> Lines:
    return lines(system.parameters.values())
