"""The labels and pictures of a world: each has a name that can be typed anew, values, and a button that removes it."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.fields.lines import Line, lines
from sandbox.app.fields.of_table import OfTable
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.buttons import button
from sandbox.app.session.session import Session
from sandbox.design.kept_tables import KeptTables
from sandbox.design.labels import Labels
from sandbox.design.pictures import Pictures
from sandbox.edit import SetTables
from sandbox.language import said

LETTERS = lines(Labels.fields[name] for name in ("size", "colour"))  # the tool Label moves them
EXPOSURE = lines(Pictures.fields.values())


def draw_labels(session: Session, widgets: FieldWidgets) -> None:
    """The words that stand in the world, if there are any."""
    if Labels.now(session.simulation.world):
        imgui.separator_text(said("Labels"))
        _draw(session, widgets, Labels, LETTERS)


def draw_pictures(session: Session, widgets: FieldWidgets) -> None:
    """The pictures behind the world, and a button to choose one."""
    _draw(session, widgets, Pictures, EXPOSURE)
    if button(f"{icons.ICON_FA_IMAGE} Own picture##world", "Choose a picture to stand behind the world", FULL):
        session.services.filing.ask_picture()


FULL = -1, 0


def _draw(session: Session, widgets: FieldWidgets, kind: type[KeptTables], values: Sequence[Line]) -> None:
    shown = kind.now(session.simulation.world)
    wide = 2 * imgui.get_frame_height()
    for number, name in enumerate(shown):
        imgui.set_next_item_width(-wide - imgui.get_style().item_spacing.x)
        imgui.push_item_flag(imgui.ItemFlags_.live_edit_on_input_text, False)
        changed, typed = imgui.input_text(f"##{kind.table} {number}", name)
        imgui.pop_item_flag()
        imgui.same_line()
        if button(f"{icons.ICON_FA_TRASH_CAN}##{kind.table} {number}", "Remove", (wide, 0)):
            rest = {other: own for other, own in shown.items() if other != name}
            session.submit(SetTables(kind.table, rest, f"remove {name}"))
        elif changed and typed.strip() and typed.strip() not in shown:
            named = {typed.strip() if other == name else other: own for other, own in shown.items()}
            session.submit(SetTables(kind.table, named, f"rename {name}"))
        else:
            widgets.lines(values, OfTable(session, kind, name))
