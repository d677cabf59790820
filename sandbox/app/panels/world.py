"""The world: its size, its edges, its seed; clear it; make, copy and rename prefabs."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.fields.lines import line
from sandbox.app.fields.subjects import WORLD_FIELDS, OfWorld
from sandbox.app.fields.typed import field_mistake
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.buttons import Row
from sandbox.app.gui.labels import as_label
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.prefab_combo import Census, in_order, prefab_combo
from sandbox.app.gui.theme import Theme
from sandbox.app.questions import Question, nothing
from sandbox.app.session.session import Session
from sandbox.edit import Clear, NewPrefab, RenamePrefab, SetWorld
from systems.engine.app import App
from systems.engine.settings import Settings

LATE = ("width", "height")  # a world that shrinks while one drags would push all together
SHAPE, TURN, MORE = (
    tuple(replace(line(WORLD_FIELDS[name]), late=name in LATE) for name in names)
    for names in (
        ("width", "height", "edges"),
        ("margin", "acceleration"),
        ("backdrop", "tick_rate", "population_limit"),
    )
)
MOST_SEED = int(WORLD_FIELDS["seed"].high)


class WorldPanel(Panel):
    """What belongs to nobody in the world."""

    name = "world"
    title = "World"
    size = 340.0, 480.0

    def __init__(self) -> None:
        self._widgets = FieldWidgets()
        self._census = Census()
        self._chosen = ""
        self._typed = ""  # a prefab's new name

    def begin(self, session: Session) -> None:
        self._census.begin()

    def draw(self, session: Session, theme: Theme) -> None:
        self._widgets.begin(theme)
        subject, edges = OfWorld(session), session.simulation.world.resource(Settings).edges
        self._widgets.lines(SHAPE, subject)
        imgui.begin_disabled(edges != "turn")
        self._widgets.lines(TURN, subject)
        imgui.end_disabled()
        self._widgets.lines(MORE, subject)
        self._draw_seed(session)
        imgui.separator_text("Prefabs")
        self._draw_prefabs(session, theme)

    def _draw_seed(self, session: Session) -> None:
        seed = session.simulation.world.seed
        dice = 2 * imgui.get_frame_height()
        self._widgets.caption("seed", WORLD_FIELDS["seed"].help)
        imgui.set_next_item_width(-dice - imgui.get_style().item_spacing.x)
        imgui.push_item_flag(imgui.ItemFlags_.live_edit_on_input_text, False)
        changed, text = imgui.input_text("##seed", str(seed))
        imgui.pop_item_flag()
        imgui.same_line()
        if imgui.button(f"{icons.ICON_FA_DICE}##new seed", imgui.ImVec2(dice, 0)):
            session.submit(SetWorld("seed", random.randrange(MOST_SEED)))
        imgui.set_item_tooltip("New seed")
        if changed and text.strip() not in ("", str(seed)):
            if wrong := field_mistake(WORLD_FIELDS["seed"], text):
                session.messages.warn(wrong)
            else:
                session.submit(SetWorld("seed", int(Decimal(text))))

    def _draw_prefabs(self, session: Session, theme: Theme) -> None:
        prefabs, counts = session.simulation.world.prefabs, self._census.counts(session)
        if prefabs:
            chosen = self._chosen if self._chosen in prefabs else in_order(session, counts)[0]
            now = prefab_combo("##kind", session, theme, chosen, counts)
            if now != chosen or not self._typed:
                self._chosen = self._typed = chosen = now
            imgui.set_next_item_width(-1)
            self._typed = imgui.input_text_with_hint("##name", "Name", self._typed)[1]
            buttons = Row(2)
            if buttons.button(
                f"{icons.ICON_FA_CLONE} Duplicate##kind", f"A new prefab that begins as a copy of {chosen}"
            ):
                self._make(session, chosen)
            if buttons.button(f"{icons.ICON_FA_PEN} Rename##kind", f"Give {chosen} the name above"):
                self._rename(session, chosen)
        buttons = Row(2)
        if prefabs and buttons.button(
            f"{icons.ICON_FA_ERASER} Clear {as_label(chosen)}##kind", f"Remove every {chosen}"
        ):
            _ask(session, f"all {counts.get(chosen, 0):,} of {chosen}", lambda: session.submit(Clear(chosen)))
        if buttons.button(f"{icons.ICON_FA_TRASH_CAN} Clear all##kind", "Remove everything"):
            size = session.simulation.world.table.size
            _ask(session, f"everything: {size:,} entities", lambda: session.submit(Clear()))

    def _make(self, session: Session, like: str) -> None:
        name = self._typed.strip()
        if name == like:
            name = free_prefab(like, session)
        if session.submit(NewPrefab(name, like)):
            self._chosen = self._typed = name
            session.messages.say(f"Created prefab {name}.")

    def _rename(self, session: Session, prefab: str) -> None:
        name = self._typed.strip()
        if session.submit(RenamePrefab(prefab, name)):
            self._chosen = self._typed = name


def free_prefab(like: str, session: Session) -> str:
    """A name that no prefab has: "boid 2", and of that "boid 3"."""
    stem, number = re.sub(r" \d+$", "", like), 2
    while (name := f"{stem} {number}") in session.simulation.world.prefabs:
        number += 1
    return name


def _ask(session: Session, what: str, do: Callable[[], object]) -> None:
    session.ask(Question("Clear", f"Remove {what}?", [("Remove", do), ("Keep", nothing)]))


def install(app: App) -> None:
    app.add_panel(WorldPanel())
