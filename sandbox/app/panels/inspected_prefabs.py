"""What the inspector shows of prefabs: change one, and all its living members change."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.fields.lines import in_play_order
from sandbox.app.fields.subjects import OfPrefab, shared_fields
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.buttons import Row
from sandbox.app.gui.prefab_combo import in_order, prefab_combo
from sandbox.app.gui.theme import Theme
from sandbox.app.session.session import Session
from sandbox.language import said


class PrefabsView:
    """One prefab at a time.

    Attributes:
        chosen: which one; while there is none of that name, the animal of which there are most, else the first in use.
    """

    def __init__(self, widgets: FieldWidgets) -> None:
        self._widgets = widgets
        self.chosen = ""

    def begin(self) -> None:
        """Another world is shown."""
        self.chosen = ""

    def draw(self, session: Session, theme: Theme, counts: dict[str, int]) -> None:
        world = session.simulation.world
        if not world.prefabs:
            imgui.text_disabled(said("This scene has no prefabs."))
            return
        if self.chosen not in world.prefabs:
            animals = [name for name in counts if "Velocity" in world.prefabs[name].components]
            self.chosen = max(animals or in_order(session, counts)[:1], key=lambda name: counts.get(name, 0))
        self.chosen = chosen = prefab_combo("##prefab", session, theme, self.chosen, counts)
        prefab, subject = world.prefabs[chosen], OfPrefab(session, chosen)
        if prefab.help:
            imgui.push_text_wrap_pos(0)
            imgui.text_disabled(f"{prefab.help[:1].upper()}{prefab.help[1:]}.")
            imgui.pop_text_wrap_pos()
        self._buttons(session, subject, counts.get(chosen, 0))
        imgui.begin_child("##components")
        self._widgets.begin(theme, world)
        for name in in_play_order(prefab.components):
            self._widgets.component(world.table.components[name], subject, places=False)
        imgui.end_child()

    def _buttons(self, session: Session, subject: OfPrefab, count: int) -> None:
        row = Row(2)
        if row.button(f"{icons.ICON_FA_OBJECT_GROUP} Select all##prefab", enabled=bool(count)):
            table = session.simulation.world.table
            index = session.simulation.world.prefab_index(subject.name)
            session.selection.choose(table.serial[: table.size][table.prefab[: table.size] == index])
        known = subject.name in session.simulation.scene.prefabs
        if row.button(f"{icons.ICON_FA_ROTATE_LEFT} Reset##prefab", "Every field as the scene has it", enabled=known):
            world = session.simulation.world
            own = map(world.table.components.get, world.prefabs[subject.name].components)
            subject.reset_all(field for component in own if component for field in shared_fields(component))
