"""Two tabs of the inspector: the selected entities, and the prefabs. Editing a prefab changes its living members."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.fields.binding import of_prefab, reset_all, shared_fields
from sandbox.app.fields.lines import in_play_order
from sandbox.app.fields.selected_entities import Members
from sandbox.app.fields.tips import cut
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.prefab_combo import in_order, prefab_combo, swatch
from sandbox.app.gui.ring import action_button
from sandbox.app.gui.ui import Ui
from sandbox.app.session.session import Session
from sandbox.language import capitalised, counted, translate

MOST_KINDS = 3  # the number of prefabs named in a title


class PrefabsView:
    """The Prefabs tab, which shows one prefab at a time.

    Attributes:
        chosen: its name. If there is no such prefab, `draw` chooses the most numerous animal, else the first in use.
            When another one is taken into the hand, it is that one.
    """

    def __init__(self, widgets: FieldWidgets) -> None:
        self._widgets = widgets
        self.chosen = ""
        self._in_hand: str | None = None

    def reset(self, session: Session) -> None:
        """Forget the chosen prefab because another world is shown."""
        self.chosen, self._in_hand = "", _in_hand(session)

    def draw(self, session: Session, ui: Ui, counts: dict[str, int]) -> None:
        world = session.simulation.world
        if not world.prefabs:
            ui.faint("This world has no prefabs.")
            return
        if (taken := _in_hand(session)) not in (None, self._in_hand):
            self.chosen = self._in_hand = taken
        if self.chosen not in world.prefabs:
            animals = [name for name in counts if "Velocity" in world.prefabs[name].components]
            self.chosen = max(animals or in_order(session, counts)[:1], key=lambda name: counts.get(name, 0))
        self.chosen = chosen = prefab_combo("##prefab", session, ui, self.chosen, counts)
        prefab = world.prefabs[chosen]
        if prefab.help:
            ui.verbatim(f"{capitalised(prefab.help)}.", ui.theme.faint, wraps=0.0)
        self._buttons(session, ui, chosen, counts.get(chosen, 0))
        with ui.child("components"):
            self._widgets.begin(session, ui)
            for name in in_play_order(prefab.components):
                self._widgets.declared(world.table.components[name], of_prefab(session, chosen))

    def _buttons(self, session: Session, ui: Ui, prefab: str, count: int) -> None:
        row = ui.buttons(2)
        if row.button(f"{icons.ICON_FA_OBJECT_GROUP} Select all##prefab", enabled=bool(count)):
            table = session.simulation.world.table
            index = session.simulation.world.prefab_index(prefab)
            session.selection.choose(table.serial[: table.size][table.prefab[: table.size] == index])
        known = prefab in session.simulation.scene.prefabs
        if row.button(
            f"{icons.ICON_FA_ROTATE_LEFT} Reset##prefab", "Reset every field to the value of the scene", enabled=known
        ):
            world = session.simulation.world
            own, axes = map(world.table.components.get, world.prefabs[prefab].components), world.table.axes
            fields = (field for component in own if component for field in shared_fields(component, axes))
            reset_all(map(of_prefab(session, prefab), fields))


def _in_hand(session: Session) -> str | None:
    """Return the prefab that a click would place, or None."""
    return session.hand.prefab(session, session.hand.tool)


def draw_selection(members: Members, widgets: FieldWidgets, ui: Ui) -> None:
    """Draw the Selected tab: the title, buttons, and the components that all selected entities have."""
    session = members.session
    prefab = session.simulation.world.prefabs.get(next(iter(members.counts), ""))
    ui.on_a_row()
    if prefab is not None and len(members.counts) == 1:
        swatch(prefab, ui, ui.button_height)
    words = title(members)
    shown = cut(words, ui.room[0])
    ui.verbatim(shown)
    about = words if shown != words else prefab.help if prefab is not None and len(members.counts) == 1 else ""
    if about:
        ui.tip(about)
    _buttons(session, ui)
    with ui.child("components"):
        widgets.begin(session, ui)
        with ui.named(members.key):
            components = {component.__name__: component for component in members.components}
            for name in in_play_order(components):
                widgets.declared(components[name], members.bind, own=True)


def title(members: Members) -> str:
    """Return a title for the selected entities: "boid 17", "12 boid", "12: 8 boid, 4 predator"."""
    if len(members.serials) == 1:
        return f"{next(iter(members.counts), '')} {members.serials[0]}"
    kinds = [f"{counted(count)} {name}" for name, count in members.counts.items()]
    if len(kinds) == 1:
        return kinds[0]
    more = translate(", {count} more", count=len(kinds) - MOST_KINDS) if len(kinds) > MOST_KINDS else ""
    return f"{counted(len(members.serials))}: {', '.join(kinds[:MOST_KINDS])}{more}"


def _buttons(session: Session, ui: Ui) -> None:
    deep, view = isinstance(session.camera, SpaceCamera), session.view
    row = ui.buttons(4 + deep)
    cameras = [("follow", icons.ICON_FA_CROSSHAIRS, view.following, "Stop following", "Follow with the camera")]
    if deep:
        cameras.append(("ride", icons.ICON_FA_HORSE, view.riding, "Stop riding", "Ride on the selection"))
    for name, icon, is_on, stop, begin in cameras:
        with ui.coloured(**{"button": ui.theme.tinted(0.45)} if is_on else {}):
            action_button(session, row, f"{icon}##{name}", name, stop if is_on else begin)
    action_button(session, row, f"{icons.ICON_FA_COPY}##copy", "copy", "Copy")
    action_button(session, row, f"{icons.ICON_FA_TRASH_CAN}##delete", "remove", "Remove")
    if row.button(f"{icons.ICON_FA_LIGHTBULB}##explain", session.with_key("Explain why it turns", "explain")):
        session.front("explain")
