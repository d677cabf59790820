"""The World panel: settings, seed, pictures, labels and resources of mods; duplicates, renames and clears prefabs."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from itertools import groupby

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.fields.binding import of_resource
from sandbox.app.fields.lines import line
from sandbox.app.fields.tips import field_mistake
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.prefab_combo import counts_of, in_order, prefab_combo
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.panels.world_tables import draw_labels, draw_pictures
from sandbox.app.questions import Question, nothing
from sandbox.app.session.session import Session
from sandbox.design.resource_tables import SETTINGS, SIZE, TURN
from sandbox.edit import Clear, NewPrefab, RenamePrefab, SetSeed, SetSetting
from sandbox.edit.resources import SEED
from sandbox.language import translate, translate_label
from sandbox.render.backdrop import Backdrop

LINES = [  # late: a world that shrank during a drag would push all entities together
    (field.name in TURN, replace(line(field), late=field.name in SIZE))
    for field in sorted(SETTINGS.fields.values(), key=lambda field: field.name not in SIZE)
]


class WorldPanel(Panel):
    """Edits the settings of the world, resources that mods declare, and its prefabs."""

    name = "world"
    title = "World"
    help = "size, edges, background and prefabs of the world"
    side = Side.LOWER_RIGHT
    size = 340.0, 480.0

    def __init__(self) -> None:
        self._widgets = FieldWidgets()
        self._chosen = ""
        self._typed = ""  # a prefab's new name

    def reset(self, session: Session) -> None:
        self._chosen = ""

    def draw(self, session: Session, ui: Ui) -> None:
        world = session.simulation.world
        self._widgets.begin(session, ui)
        settings = world.resource(SETTINGS)
        shown = (each for each in LINES if settings.depth or not each[1].field.deep)
        for is_of_turn, group in groupby(shown, lambda each: each[0]):
            with ui.disabled(is_of_turn and settings.edges != "turn"):
                self._widgets.lines([line for _, line in group], of_resource(session, SETTINGS))
        self._draw_depth(session, ui)
        self._widgets.declared(Backdrop, of_resource(session, Backdrop), whole=True, closed=True)
        draw_pictures(session, ui, self._widgets)
        self._draw_seed(session, ui)
        for kind in (kind for brought in session.simulation.mods.parts.values() for kind in brought.resources):
            self._widgets.declared(kind, of_resource(session, kind), whole=True)
        draw_labels(session, ui, self._widgets)
        ui.heading("Prefabs")
        self._draw_prefabs(session, ui)

    def _draw_depth(self, session: Session, ui: Ui) -> None:
        settings = session.simulation.world.resource(SETTINGS)
        if settings.depth:
            if ui.button("Make it flat", "Take the third dimension away from this world"):
                session.submit(SetSetting("depth", 0))
        elif ui.button("Give it depth", "Give this world a third dimension, as deep as it is high or wide"):
            session.submit(SetSetting("depth", min(settings.size)))

    def _draw_seed(self, session: Session, ui: Ui) -> None:
        seed = session.simulation.world.seed
        dice = f"{icons.ICON_FA_DICE}##new seed"
        self._widgets.caption("seed", SEED.help)
        ui.leave(dice)
        text = ui.text_box("##seed", str(seed), live=False)
        ui.beside()
        if ui.button(dice, "New seed"):
            session.submit(SetSeed(random.randrange(int(SEED.high))))
        if text.strip() not in ("", str(seed)):
            if wrong := field_mistake(SEED, text):
                session.messages.warn(wrong)
            else:
                session.submit(SetSeed(int(Decimal(text))))

    def _draw_prefabs(self, session: Session, ui: Ui) -> None:
        prefabs, counts = session.simulation.world.prefabs, counts_of(session)
        if prefabs:
            if self._chosen not in prefabs:
                self._chosen = self._typed = in_order(session, counts)[0]
            chosen = prefab_combo("##kind", session, ui, self._chosen, counts)
            if chosen != self._chosen or not self._typed:
                self._chosen = self._typed = chosen
            self._typed = ui.text_box("##name", self._typed, "Name")
            buttons = ui.buttons(2)
            if buttons.button(
                f"{icons.ICON_FA_CLONE} Duplicate##kind",
                translate("Create a new prefab as a copy of {chosen}", chosen=chosen),
            ):
                self._make(session, chosen)
            if buttons.button(
                f"{icons.ICON_FA_PEN} Rename##kind", translate("Rename {chosen} to the name above", chosen=chosen)
            ):
                self._rename(session, chosen)
        buttons = ui.buttons(2)
        if prefabs and buttons.button(
            translate_label(f"{icons.ICON_FA_ERASER} Clear {{prefab}}##kind", prefab=as_label(chosen)),
            translate("Remove every {chosen}", chosen=chosen),
        ):
            _ask(
                session,
                translate("all {count:,} of {prefab}", count=counts.get(chosen, 0), prefab=chosen),
                lambda: session.submit(Clear(chosen)),
            )
        if buttons.button(f"{icons.ICON_FA_TRASH_CAN} Clear all##kind", "Remove everything"):
            size = session.simulation.world.table.size
            _ask(session, translate("everything: {size:,} entities", size=size), lambda: session.submit(Clear()))

    def _make(self, session: Session, like: str) -> None:
        name = self._typed.strip()
        if name == like:
            name = free_prefab(like, session)
        if session.submit(NewPrefab(name, like)):
            self._chosen = self._typed = name
            session.messages.say(translate("Created prefab {name}.", name=name))

    def _rename(self, session: Session, prefab: str) -> None:
        name = self._typed.strip()
        if session.submit(RenamePrefab(prefab, name)):
            self._chosen = self._typed = name


def free_prefab(like: str, session: Session) -> str:
    """Return an unused prefab name: "boid 2" for "boid", and "boid 3" for "boid 2"."""
    stem, number = re.sub(r" \d+$", "", like), 2
    while (name := f"{stem} {number}") in session.simulation.world.prefabs:
        number += 1
    return name


def _ask(session: Session, what: str, do: Callable[[], object]) -> None:
    session.ask(Question("Clear", translate("Remove {what}?", what=what), [("Remove", do), ("Keep", nothing)]))
