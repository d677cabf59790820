"""The inspector panel, with tabs for all animals, the selected entities, and prefabs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sandbox.app.fields.selected_entities import Members
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.prefab_combo import counts_of
from sandbox.app.gui.ring import spot
from sandbox.app.gui.ui import Ui
from sandbox.app.panels.inspected import PrefabsView, draw_selection
from sandbox.app.panels.inspected_everybody import EverybodyView
from sandbox.app.panels.search import SearchView
from sandbox.app.session.session import Session


class Inspector(Panel):
    """Shows and edits values of entities and prefabs while the world runs."""

    name = "inspector"
    title = "Inspector"
    help = "values of prefabs and the selection; rules for all animals"
    side = Side.RIGHT
    size = 320.0, 0.0

    def __init__(self) -> None:
        self._widgets = FieldWidgets()
        self._members: Members | None = None
        self._choices = 0  # `session.selection.choices` in the last frame
        self._everybody = EverybodyView()
        self._wants_more = False  # bring the tab Prefabs to the front in the next frame
        self._prefabs = PrefabsView(self._widgets)
        self._search = SearchView(self._widgets)

    def reset(self, session: Session) -> None:
        self._members = None
        self._everybody.reset()
        self._prefabs.reset(session)
        self._search.reset()

    def draw(self, session: Session, ui: Ui) -> None:
        members = self._look(session)
        counts = counts_of(session)
        chosen_now = session.selection.choices != self._choices
        self._choices = session.selection.choices
        if self._search.draw(session, ui, counts):
            return
        wants_more, self._wants_more = self._wants_more, False
        with ui.tabs("inspected") as shown:
            if not shown:
                return
            with _tab(session, ui, "Everybody") as on:
                if on:
                    self._wants_more = self._everybody.draw(session, ui)
            if members is not None:
                with _tab(session, ui, "Selected", front=chosen_now) as on:
                    if on:
                        draw_selection(members, self._widgets, ui)
            with _tab(session, ui, "Prefabs", front=wants_more) as on:
                if on:
                    self._prefabs.draw(session, ui, counts)

    def _look(self, session: Session) -> Members | None:
        """Return the selected entities; None if there are none or they no longer exist."""
        if not session.selection.serials:
            self._members = None
            return None
        if self._members is None or not self._members.is_current():
            self._members = Members(session)
        return self._members if self._members.is_current() else None


@contextmanager
def _tab(session: Session, ui: Ui, title: str, *, front: bool = False) -> Iterator[bool]:
    """Begin a tab; a lesson can point at its title while another one is chosen."""
    with ui.tab(title, front=front) as shown:
        if not shown:
            spot(session, title)
        yield shown
