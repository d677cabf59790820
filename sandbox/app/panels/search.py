"""The inspector's search: finds fields by name in all prefabs, those in use first, and all systems."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from imgui_bundle import icons_fontawesome_6 as icons

from components.store.fields import Field
from sandbox.app.fields.binding import Bind, of_prefab, of_system, shared_fields
from sandbox.app.fields.lines import Line, line
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.prefab_combo import in_order
from sandbox.app.gui.ui import Ui
from sandbox.app.session.session import Session
from sandbox.language import translate

Found = tuple[str, Bind, list[Line]]


@dataclass
class SearchView:
    """The search box and the fields found.

    Attributes:
        text: the search text; all its words must occur.
    """

    widgets: FieldWidgets
    text: str = ""
    _found: list[Found] = field(default_factory=list)
    _of: tuple[object, ...] = ()  # the cache key of `_found`

    def reset(self) -> None:
        """Search again in the next frame because another world is shown."""
        self._of = ()

    def draw(self, session: Session, ui: Ui, counts: dict[str, int]) -> bool:
        """Draw the search box and the results; return whether there is a search text."""
        square = ui.button_height if self.text else 0.0
        ui.wide(-1 - square)
        hint = f"{icons.ICON_FA_MAGNIFYING_GLASS}  {translate('Search all fields')}"
        self.text = ui.text_box("##search", self.text, hint)
        if square:
            ui.beside(0)
            if ui.button(f"{icons.ICON_FA_XMARK}##search", size=(square, 0)):
                self.text = ""
        words = self.text.lower().split()
        if not words:
            return False
        world = session.simulation.world
        of = words, set(counts), tuple(world.prefabs), world.table.axes
        if of != self._of:
            self._of, self._found = of, find(session, words, counts)
        with ui.child("found"):
            self.widgets.begin(session, ui)
            for heading, bind, lines in self._found:
                ui.heading(heading)
                self.widgets.lines(lines, bind)
            if not self._found:
                ui.faint("No matches.")
        return True


def find(session: Session, words: list[str], counts: dict[str, int]) -> list[Found]:
    """Return the matching fields, grouped by prefab and component, then by system."""
    simulation = session.simulation
    found: list[Found] = []
    for name in in_order(session, counts):
        for component in simulation.world.prefabs[name].components:
            table = simulation.world.table
            fields = shared_fields(table.components[component], table.axes)
            found.append((f"{name}  {translate(component)}", of_prefab(session, name), _matching(fields, name, words)))
    for system in simulation.pipeline.systems:
        lines = _matching(system.parameters.values(), system.name, words)
        found.append((system.name.replace("_", " "), of_system(session, system), lines))
    return [one for one in found if one[2]]


def _matching(fields: Iterable[Field], name: str, words: list[str]) -> list[Line]:
    known = map(line, fields)
    return [one for one in known if _has(f"{name} {one.field.owner} {one.field.name} {translate(one.caption)}", words)]


def _has(text: str, words: list[str]) -> bool:
    text = text.lower().replace("_", " ")
    return all(word.replace("_", " ") in text for word in words)
