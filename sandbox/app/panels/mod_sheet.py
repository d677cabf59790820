"""The sheet of one mod: its origin, what it adds, why it is not on, and the result of a check."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.gui.theme import Rgba
from sandbox.app.gui.ui import Ui
from sandbox.app.jobs.command_job import CommandJob, Ran
from sandbox.app.mod_status import Mood, Status, brought, needs
from sandbox.app.session.session import Session
from sandbox.files import as_text
from sandbox.language import translate

CAPTION = 64.0  # pixels from the left edge to what is told
MARGIN = 6.0  # pixels around a text in a box


class ModSheet:
    """Draws the sheet and runs checks.

    A check runs in another process, because the checked code may do anything or never end.
    """

    def __init__(self) -> None:
        self._check: CommandJob | None = None  # the last check, of any mod
        self._checked = Path()  # the folder of its mod
        self._output, self._good = "", False  # what it found, and whether that is good

    def draw(self, one: Status, session: Session, ui: Ui) -> None:
        """Draw the sheet of one mod."""
        manifest, host = one.listed.found.manifest, session.simulation.mods
        with ui.larger(1.2):
            ui.verbatim(one.title, wraps=0.0)
        if manifest and manifest.description:
            ui.verbatim(manifest.description, wraps=0.0)
        ui.space()
        self._buttons(ui, one, session)
        if one.reason:
            told = translate(one.reason).replace(f"{one.listed.found.folder}{os.sep}", "")
            _told(told, "reason", ink_of(one.mood, ui), ui)
        ui.space()
        if manifest:
            made_for = translate("for version {api} of sandbox.api", api=manifest.api)
            _fact(ui, "Id", [f"{one.listed.id} {manifest.version}, {made_for}"])
        _fact(ui, "From", [translate(one.listed.found.origin.value), str(one.listed.found.folder)])
        if needed := needs(one.listed.found):
            _fact(ui, "Needs", [needed])
        if one.listed.id in host.mods and one.on:
            number, count = [*host.mods].index(one.listed.id) + 1, len(host.mods)
            words = (
                "as number {number} of the {count} mods in this world" if count > 1 else "as the only mod in this world"
            )
            _fact(ui, "Runs", [translate(words, number=number, count=count)])
            _fact(ui, "Brings", brought(host, one.listed.id) or [translate("nothing")])
        self._found(one, ui)

    def _buttons(self, ui: Ui, one: Status, session: Session) -> None:
        is_loaded = one.listed.id in [mod.id for mod in session.services.modding.library.loaded]
        row = ui.buttons(2)
        checking = self._check is not None and not self._check.over
        words = "Checking ..." if checking else "Check"
        about = "run it in a small test world and list its problems"
        if row.button(f"{icons.ICON_FA_LIST_CHECK}  {words}##mod", about, enabled=not checking):
            self._begin_check(one.listed.found.folder, session)
        about = "load its files again; if that fails, the loaded version keeps running"
        if row.button(f"{icons.ICON_FA_ROTATE_RIGHT}  Reload##mod", about, enabled=is_loaded):
            session.services.modding.reload(one.listed.id)

    def _begin_check(self, folder: Path, session: Session) -> None:
        def take(ran: Ran) -> None:
            self._good, self._output = not ran.problem, ran.output

        jobs, self._checked, self._output = session.services.jobs, folder, ""
        words = translate("checking {name} ...", name=as_text(folder.name))
        try:
            self._check = jobs.command(words, ["mod", "check", str(folder)], folder, take)
        except OSError as error:
            session.messages.warn(translate("It can't be run: {error}", error=error))

    def _found(self, one: Status, ui: Ui) -> None:
        """Draw the result of the check, if the last one was of this mod."""
        if self._check is None or self._checked != one.listed.found.folder:
            return
        ui.space()
        if not self._check.over:
            ui.faint("it is being checked: this takes some seconds")
        elif self._output:
            told = self._output.replace(f"{self._checked}{os.sep}", "")
            _told(told, "check", ui.theme.good if self._good else ui.theme.wrong, ui)


def ink_of(mood: Mood, ui: Ui) -> Rgba:
    """Return the text colour for the mood of a mod's status."""
    return {
        Mood.GOOD: ui.theme.good,
        Mood.FAINT: ui.theme.faint,
        Mood.ASKS: ui.theme.accent,
        Mood.WRONG: ui.theme.wrong,
    }[mood]


def _fact(ui: Ui, caption: str, lines: Sequence[str]) -> None:
    ui.faint(caption)
    ui.beside_at(CAPTION * ui.scale)
    with ui.group():
        for line in lines:
            ui.verbatim(line, wraps=0.0)


def _told(text: str, name: str, ink: Rgba, ui: Ui) -> None:
    """Draw a wrapped text in a box with a copy button."""
    square, margin = ui.button_height, MARGIN * ui.scale
    inner = max(ui.room[0] - 2 * margin - square - ui.gap, 60)
    tall = max(ui.size(text, inner)[1], square) + 2 * margin
    look = ui.styled(window_padding=(margin, margin))
    with ui.coloured(child_bg=ui.theme.well), look, ui.child(name, (0, tall), padded=True):
        ui.verbatim(text, ink, wraps=inner)
        ui.beside()
        ui.to_the_right(square)
        with ui.styled(frame_padding=(0, 0)):
            if ui.button(f"{icons.ICON_FA_COPY}##copy {name}", "copy", (square, square)):
                ui.copy(text)
