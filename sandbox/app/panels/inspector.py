"""The inspector: the components of those who are selected, prefabs, and systems, each in a tab."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.fields.members import Members
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.prefab_combo import Census
from sandbox.app.gui.side import Side
from sandbox.app.gui.theme import Theme
from sandbox.app.panels.inspected_prefabs import PrefabsView
from sandbox.app.panels.inspected_selection import draw_selection
from sandbox.app.panels.inspected_systems import draw_systems
from sandbox.app.panels.search import SearchView
from sandbox.app.session.session import Session


class Inspector(Panel):
    """Looks into whatever is selected, and lets everything be changed while the world runs."""

    name = "inspector"
    title = "Inspector"
    side = Side.RIGHT
    size = 320.0, 0.0

    def __init__(self) -> None:
        self._widgets = FieldWidgets()
        self._members: Members | None = None
        self._choices = 0  # how often someone had chosen when it looked last
        self._census = Census()
        self._prefabs = PrefabsView(self._widgets)
        self._search = SearchView(self._widgets)

    def begin(self, session: Session) -> None:
        self._census.begin()
        self._members = None
        self._prefabs.begin()
        self._search.begin()

    def draw(self, session: Session, theme: Theme) -> None:
        members = self._look(session)
        counts = self._census.counts(session)
        chosen_now = session.selection.choices != self._choices
        self._choices = session.selection.choices
        if self._search.draw(session, theme, counts) or not imgui.begin_tab_bar("##inspected"):
            return
        if members is not None:
            flags = imgui.TabItemFlags_.set_selected if chosen_now else imgui.TabItemFlags_.none
            if imgui.begin_tab_item("Selected", None, flags)[0]:
                draw_selection(members, self._widgets, theme)
                imgui.end_tab_item()
        if imgui.begin_tab_item("Prefabs")[0]:
            self._prefabs.draw(session, theme, counts)
            imgui.end_tab_item()
        if imgui.begin_tab_item("Systems")[0]:
            draw_systems(session, self._widgets, theme)
            imgui.end_tab_item()
        imgui.end_tab_bar()

    def _look(self, session: Session) -> Members | None:
        """Those who are selected; None where nobody is, or they have just died."""
        if not session.selection.serials:
            self._members = None
            return None
        if self._members is None or not self._members.is_current():
            self._members = Members(session)
        return self._members if self._members.is_current() else None
