"""The inspector panel, with tabs for all animals, the selected entities, prefabs, and systems."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from imgui_bundle import imgui

from sandbox.app.fields.selected_entities import Members
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.prefab_combo import counts_of
from sandbox.app.gui.ring import spot
from sandbox.app.gui.ui import Ui
from sandbox.app.panels.inspected import PrefabsView, draw_selection
from sandbox.app.panels.inspected_everybody import EverybodyView
from sandbox.app.panels.inspected_systems import draw_systems
from sandbox.app.panels.search import SearchView
from sandbox.app.session.session import Session
from sandbox.language import translate_label


class Inspector(Panel):
    """Shows and edits values of entities, prefabs and systems while the world runs."""

    name = "inspector"
    title = "Inspector"
    help = "values of prefabs, systems and the selection; rules for all animals"
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
        with _narrow():
            opened = imgui.begin_tab_bar("##inspected", imgui.TabBarFlags_.fitting_policy_shrink)
        if not opened:
            return
        wants_more, self._wants_more = self._wants_more, False
        if _tab(session, "Everybody"):
            self._wants_more = self._everybody.draw(session, ui)
            imgui.end_tab_item()
        if members is not None and _tab(session, "Selected", chosen_now):
            draw_selection(members, self._widgets, ui)
            imgui.end_tab_item()
        if _tab(session, "Prefabs", wants_more):
            self._prefabs.draw(session, ui, counts)
            imgui.end_tab_item()
        if _tab(session, "Systems"):
            draw_systems(session, self._widgets, ui)
            imgui.end_tab_item()
        imgui.end_tab_bar()

    def _look(self, session: Session) -> Members | None:
        """Return the selected entities; None if there are none or they no longer exist."""
        if not session.selection.serials:
            self._members = None
            return None
        if self._members is None or not self._members.is_current():
            self._members = Members(session)
        return self._members if self._members.is_current() else None


def _tab(session: Session, title: str, front: bool = False) -> bool:
    """Begin a tab; return whether it is open. `front`: bring it to the front."""
    flags = imgui.TabItemFlags_.set_selected if front else imgui.TabItemFlags_.none
    with _narrow():
        opened: bool = imgui.begin_tab_item(translate_label(title), None, flags)[0]
    if not opened:
        spot(session, title)
    return opened


@contextmanager
def _narrow() -> Iterator[None]:
    """Reduce the padding beside the labels of the tabs in this block."""
    style = imgui.get_style()
    padding, gap = style.frame_padding, style.item_inner_spacing
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (0.5 * padding.x, padding.y))
    imgui.push_style_var(imgui.StyleVar_.item_inner_spacing, (0.5 * gap.x, gap.y))
    yield
    imgui.pop_style_var(2)
