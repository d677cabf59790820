"""The Looks panel: every colouring and overlay as a small picture of the shown world; a click chooses it."""

from __future__ import annotations

from weakref import ReferenceType, ref

from sandbox.app.gui.cards import card, in_rows
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.ui import Ui
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.action import Action
from sandbox.app.session.session import Session
from sandbox.language import translate
from sandbox.render.tints import TINTS
from sandbox.simulation import Simulation

CARD = 112.0  # pixels: the minimum width of a card


class LooksPanel(Panel):
    """Shows what colourings and overlays do before one is chosen."""

    name = "looks"
    title = "Colours and overlays"
    help = "pictures of all colourings and overlays, to choose from"
    keys, menu, section = ("Shift+B",), "Overlays", -1
    size = 520.0, 478.0

    def __init__(self) -> None:
        self._watched: tuple[ReferenceType[Simulation], int] | None = None  # until which tick overlays collected

    def draw(self, session: Session, ui: Ui) -> None:
        wide = CARD * ui.scale
        ui.heading("Colour by")
        for tint, width in in_rows(TINTS, wide, ui):
            action = session.actions[f"colour_{tint}"]
            self._card(session, ui, action, translate(tint).capitalize(), width, tint)
        ui.heading("Overlays")
        actions = [session.actions[each.name] for each in session.app.overlays if _can_be_chosen(each, session)]
        for action, width in in_rows(actions, wide, ui):
            self._card(session, ui, action, translate(action.title), width, session.document.coloured_by)

    def _card(self, session: Session, ui: Ui, action: Action, name: str, wide: float, tint: str) -> None:
        shown = card(f"look {action.name}", wide, ui)
        if shown.visible:
            overlay = "" if action.name.startswith("colour_") else action.name
            shown.fill(session.services.look(tint, overlay), ui, upside_down=True)
            is_on = action.is_on is not None and action.is_on(session)
            shown.finish(session.with_key(name, action.name), ui, chosen=is_on)
            if action.help:
                ui.tip(action.help)
        if shown.clicked:
            session.act(action.name)

    def update(self, session: Session) -> None:
        """Let overlays that show the past collect it, so that their pictures have something to show."""
        seen, self._watched = self._watched, (ref(session.simulation), session.simulation.tick)
        if seen == self._watched:
            return
        for overlay in session.app.overlays:
            if _can_be_chosen(overlay, session) and overlay.name not in session.shown:
                overlay.update(session)


def _can_be_chosen(overlay: Overlay, session: Session) -> bool:
    """Return whether an overlay is neither always shown nor without an action of its own name."""
    return not overlay.always and overlay.name in session.actions
