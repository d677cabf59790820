"""A panel that follows from declarations: it edits parameters of systems and fields of prefabs' components."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sandbox.app.gui.panel import Panel, Side

if TYPE_CHECKING:
    from sandbox.app.gui.ui import Ui
    from sandbox.app.session.session import Session


class FieldsPanel(Panel):
    """Shows a widget for each parameter of some systems, and for each field of components of some prefabs.

    All changes are commands, so they can be undone; a change of a prefab also applies to its living members. If a
    world has none of the systems and prefabs, the panel says so.

    Attributes:
        systems: names of systems.
        prefabs: names of prefabs, each with the names of the components to show.
    """

    def __init__(
        self,
        name: str,
        title: str,
        *,
        systems: Sequence[str] = (),
        prefabs: Mapping[str, Sequence[str]] | None = None,
        side: Side = Side.FLOATING,
        size: tuple[float, float] = (320.0, 220.0),
        help: str = "",
    ) -> None:
        self.name, self.title, self.side, self.size, self.help = name, title, side, size, help
        self.systems = systems
        self.prefabs = prefabs or {}
        self._widgets: Any = None

    def refers_to(self) -> Iterable[tuple[str, str]]:
        components = (name for names in self.prefabs.values() for name in names)
        return [
            *(("system", name) for name in self.systems),
            *(("prefab", name) for name in self.prefabs),
            *(("component", name) for name in components),
        ]

    def draw(self, session: Session, ui: Ui) -> None:
        # Imported late: a mod's panel is also created without a window and a graphics library.
        from sandbox.app.fields.binding import of_prefab, of_system
        from sandbox.app.fields.lines import lines
        from sandbox.app.fields.widgets import FieldWidgets

        world, by_name = session.simulation.world, session.simulation.pipeline.by_name
        self._widgets = self._widgets or FieldWidgets()
        self._widgets.begin(session, ui)
        found = False
        for name in (name for name in self.systems if name in by_name):
            found = True
            self._widgets.lines(lines(by_name[name].parameters.values()), of_system(session, by_name[name]))
        for prefab, components in self.prefabs.items():
            own = world.prefabs[prefab].components if prefab in world.prefabs else {}
            for name in (name for name in components if name in own):
                found = True
                self._widgets.declared(world.table.components[name], of_prefab(session, prefab), whole=True)
        if not found:
            ui.faint("This world has none of these.")
