"""The Help panel: lists every key and mouse gesture."""

from __future__ import annotations

from sandbox.app.controls.help_lines import HelpLine, help_groups
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.ui import Ui
from sandbox.app.session.session import Session
from sandbox.language import translate


class Help(Panel):
    """A table of two columns: the key or gesture, and what it does in the world that is open."""

    name = "help"
    title = "Mouse and keys"
    help = "every mouse gesture and key"
    keys, menu = ("F1",), "Help"
    size = 560.0, 560.0

    def __init__(self) -> None:
        self.sought = ""

    def draw(self, session: Session, ui: Ui) -> None:
        self.sought = ui.text_box("##help", self.sought, "Search")
        deep = isinstance(session.camera, SpaceCamera)
        lines = self._lines(session, deep)
        if not lines and (lines := self._lines(session, not deep)):
            ui.faint("In flat worlds:" if deep else "In worlds with depth:")
        if not lines:
            ui.faint("No matches.")
            return
        with ui.table("keys", [min(185, 0.42 * ui.room[0] / ui.scale), None], scrolls=True) as shown:
            for line in lines if shown else ():
                ui.next_row(ui.line + 8 * ui.scale)
                _line(line, ui)

    def _lines(self, session: Session, deep: bool) -> list[str | HelpLine]:
        """Return the rows that contain all words that are sought, each group with its heading before it."""
        lines: list[str | HelpLine] = []
        words = self.sought.lower().split()
        for heading, rows in help_groups(session.actions, session.preferences, deep=deep).items():
            found = [row for row in rows if _holds(row, heading, words)]
            lines += [heading, *found] if found else []
        return lines


def _holds(row: HelpLine, heading: str, words: list[str]) -> bool:
    text = " ".join(map(translate, (heading, *row.inputs, row.does, row.about))).lower()
    return all(word in text for word in words)


def _line(line: str | HelpLine, ui: Ui) -> None:
    if isinstance(line, str):
        ui.text(line, ui.theme.accent)
        return
    if line.keys:
        ui.keys(line.inputs)
    else:
        ui.verbatim(", ".join(map(translate, line.inputs)), wraps=0.0)
    ui.next_cell()
    ui.wrapped(line.does)
