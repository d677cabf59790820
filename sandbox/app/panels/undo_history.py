"""The Undo history panel: all steps that can be undone or redone; a click goes there."""

from __future__ import annotations

from sandbox.app.document.document import in_language
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.session.session import Session
from sandbox.clock import time_in_words
from sandbox.language import translate
from sandbox.undo.history import History
from systems.engine.settings import Settings


class UndoHistory(Panel):
    """Lists the steps, the newest last; those that were undone are faint."""

    name = "history"
    title = "Undo history"
    help = "every step that can be undone or redone; a click goes there"
    menu = "Edit"
    size = 300.0, 360.0

    def __init__(self) -> None:
        self._shown: tuple[int, int] = (0, 0)  # steps before and after the present state in the last frame

    def draw(self, session: Session, ui: Ui) -> None:
        world = session.simulation.world
        history, rate = world.resource(History), world.resource(Settings).tick_rate
        undoable, redoable = [*history.undoable], [*reversed(history.redoable)]
        at, shown = len(undoable), (len(undoable), len(redoable))
        moved, self._shown = shown != self._shown, shown
        if not undoable and not redoable:
            ui.wrapped("What you change is listed here, to go back to any step.")
            return
        goes_to = None
        for index, step in enumerate([None, *undoable, *redoable]):
            words = in_language(step.label) if step else translate("before all these")
            with ui.coloured(text=ui.theme.faint if index > at else ui.theme.ink):
                if ui.entry(f"{as_label(words)}##step {index}", index == at):
                    goes_to = index
            if index == at and (moved or ui.appears):
                ui.to_here(0.5)
            if step:
                ui.text_at_the_right(time_in_words(step.tick, rate))
        if goes_to is not None:
            session.document.undo_many(at - goes_to)
