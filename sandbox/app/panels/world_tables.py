"""Lists the labels and pictures of a world, each with an editable name, its fields, and a button to remove it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from imgui_bundle import icons_fontawesome_6 as icons

from components.store.fields import Field
from sandbox.app.fields.binding import Bind, Binding, Reading
from sandbox.app.fields.lines import Line, lines
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.ui import Ui
from sandbox.app.session.session import Session
from sandbox.design.kept_tables import KeptTables
from sandbox.design.labels import Labels
from sandbox.design.pictures import Pictures
from sandbox.edit import SetTables

LETTERS = lines(Labels.fields[name] for name in ("size", "colour"))  # the Label tool sets where they stand
EXPOSURE = lines(Pictures.fields.values())
FULL = -1, 0


def draw_labels(session: Session, ui: Ui, widgets: FieldWidgets) -> None:
    """Draw the list of labels, if there are any."""
    if Labels.now(session.simulation.world):
        ui.heading("Labels")
        _draw(session, ui, widgets, Labels, LETTERS)


def draw_pictures(session: Session, ui: Ui, widgets: FieldWidgets) -> None:
    """Draw the list of pictures behind the world, and a button to choose one."""
    _draw(session, ui, widgets, Pictures, EXPOSURE)
    if ui.button(f"{icons.ICON_FA_IMAGE} Own picture##world", "Choose a background picture for the world", FULL):
        session.services.filing.ask_picture()


def _draw(
    session: Session, ui: Ui, widgets: FieldWidgets, kind: type[KeptTables], values: Sequence[Line | str]
) -> None:
    shown = kind.now(session.simulation.world)
    for number, name in enumerate(shown):
        remove = f"{icons.ICON_FA_TRASH_CAN}##{kind.table} {number}"
        ui.leave(remove)
        typed = ui.text_box(f"##{kind.table} {number}", name, live=False).strip()
        ui.beside()
        if ui.button(remove, "Remove"):
            rest = {other: own for other, own in shown.items() if other != name}
            session.submit(SetTables(kind.table, rest, f"remove {name}"))
        elif typed and typed not in shown:
            named = {typed if other == name else other: own for other, own in shown.items()}
            session.submit(SetTables(kind.table, named, f"rename {name}"))
        else:
            widgets.lines(values, _of_table(session, kind, name))


def _of_table(session: Session, kind: type[KeptTables], table: str) -> Bind:
    """Bind fields of one label or picture; the usual value is that of the scene, else the declared one."""

    def shown(field: Field, kept: Any) -> Any:
        return field.show(kept.get(table, {}).get(field.name, field.default))

    def bind(field: Field) -> Binding:
        def set(value: Any, joins: bool) -> bool:
            tables = kind.now(session.simulation.world)
            tables = {**tables, table: {**tables[table], field.name: value}}
            return session.submit(SetTables(kind.table, tables, f"set {field.name} of {table}"), joins=joins)

        return Binding(
            lambda: Reading(shown(field, session.simulation.world.resource(kind).kept)),
            set,
            shown(field, session.simulation.scene.tables.get(kind.table, {})),
            f"{kind.table}/{table}/{field.key}",
        )

    return bind
