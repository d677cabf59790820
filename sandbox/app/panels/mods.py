"""The Mods panel: a list of all mods with a switch for each, and a sheet with details of the chosen one."""

from __future__ import annotations

from pathlib import Path
from weakref import ref

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.gui.panel import Panel
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.mod_status import Status, statuses
from sandbox.app.panels.mod_sheet import ModSheet, ink_of
from sandbox.app.session.session import Session
from sandbox.files import WriteError, changed_at
from sandbox.language import translate, translate_label
from sandbox.mods.find.finding import own_mods_folder
from sandbox.mods.new_mod import write_new_mod

WIDE, TALL = 560.0, 300.0  # pixels: a narrower panel has the sheet below the list; a lower one scrolls as a whole
LIST = 0.44  # share of the panel


class Mods(Panel):
    """The list of mods, and the sheet of the chosen one.

    Attributes:
        chosen: the `Status.key` of the chosen mod.
    """

    name = "mods"
    title = "Mods"
    help = "all mods: which are on, and why others are not"
    size = 720.0, 460.0

    def __init__(self) -> None:
        self.chosen = ""
        self._sheet = ModSheet()
        self._statuses: list[Status] = []
        self._seen: tuple[object, ...] = ()
        self._new: str | None = None  # the text typed as the id of a new mod
        self._wrong = ""

    def draw(self, session: Session, ui: Ui) -> None:
        self._look(session, again=ui.appears)
        self._head(session, ui)
        scale, (wide, high) = ui.scale, ui.room
        chosen = next((one for one in self._statuses if one.key == self.chosen), None)
        if wide >= WIDE * scale:
            self._list(session, ui, (LIST * wide, high))
            ui.beside()
            self._show(chosen, session, ui)
        elif high >= TALL * scale:
            self._list(session, ui, (0.0, LIST * high))
            ui.rule()
            self._show(chosen, session, ui)
        else:
            self._list(session, ui, (0.0, (len(self._statuses) + 0.5) * ui.row))
            if chosen:
                self._sheet.draw(chosen, session, ui)

    def _look(self, session: Session, again: bool) -> None:
        """Refresh the list if anything may have changed, or if `again`."""
        host, library = session.simulation.mods, session.services.modding.library
        folders = [own_mods_folder(), Path.cwd() / "mods"]
        changed, shown = session.services.modding.changed, ref(session.simulation)
        seen = (changed, shown, host.off, len(host.faults), *map(changed_at, folders))
        if again or seen != self._seen:
            self._seen, self._statuses = seen, statuses(library, host)
            if self.chosen not in [one.key for one in self._statuses]:
                self.chosen = self._statuses[0].key if self._statuses else ""

    # ---- the head

    def _head(self, session: Session, ui: Ui) -> None:
        new, look = f"{icons.ICON_FA_PLUS}  New mod##mods", f"{icons.ICON_FA_ROTATE}  Rescan##mods"
        if ui.button(new, "write a small working mod to start from"):
            self._new, self._wrong = ("" if self._new is None else None), ""
        ui.beside()
        if ui.button(look, "look for new, changed and removed mods"):
            session.services.modding.look_again()
        on = sum(one.words == "on" for one in self._statuses)
        ui.text_at_the_right(translate("{on} of {count} on", on=on, count=len(self._statuses)))
        if self._new is not None:
            self._draw_new(session, ui)
        if session.services.modding.library.safe:
            ui.on_a_row()
            words = translate_label(f"{icons.ICON_FA_SHIELD_HALVED}  Safe mode: no mod is loaded.")
            ui.verbatim(words, ui.theme.accent)
            ui.beside()
            if ui.button("Load them##safe"):
                session.services.modding.leave_safe_mode()

    def _draw_new(self, session: Session, ui: Ui) -> None:
        make = f"{icons.ICON_FA_CHECK}  Write it##new mod"
        ui.leave(make)
        if ui.focused and not ui.busy and not self._new:
            ui.focus()
        self._new = ui.text_box("##id", self._new or "", "its id, like magnet or wind_tunnel")
        entered = ui.entered
        ui.beside()
        if ui.button(make) or entered:
            self._make(session, self._new.strip())
        told = translate("into {folder}", folder=own_mods_folder())
        ui.verbatim(self._wrong or told, ui.theme.wrong if self._wrong else ui.theme.faint, wraps=0.0)

    def _make(self, session: Session, id: str) -> None:
        try:
            folder = write_new_mod(id, own_mods_folder())
        except (ValueError, WriteError) as error:
            self._wrong = str(error)
            return
        self._new, self.chosen = None, str(folder)
        session.messages.say(translate("wrote {file}: change it, and enable it here", file=folder / f"{id}.py"))
        session.services.modding.look_again()

    # ---- the list

    def _list(self, session: Session, ui: Ui, size: tuple[float, float]) -> None:
        with ui.table("all mods", [ui.button_height / ui.scale, None, 76], size, scrolls=True) as shown:
            for one in self._statuses if shown else ():
                ui.next_row()
                with ui.named(one.key):
                    self._row(one, session, ui)
            if shown and not self._statuses:
                ui.next_row()
                ui.next_cell()
                ui.faint("No mods found.")

    def _row(self, one: Status, session: Session, ui: Ui) -> None:
        with ui.disabled(not one.can_switch):
            on = ui.check_box(f"##on {one.listed.id}", one.on)
        if on != one.on:
            self.chosen = one.key
            session.services.modding.switch(one.listed, on)
        ui.next_cell()
        ui.lower((ui.line - ui.button_height) / 2)  # the title stands beside the check box
        title = f"{as_label(one.title)}##mod {one.listed.id}"
        if ui.entry(title, one.key == self.chosen, ui.button_height, across=True):
            self.chosen = one.key
        ui.next_cell()
        ui.on_a_row()
        ui.text(one.words, ink_of(one.mood, ui))

    # ---- the sheet

    def _show(self, chosen: Status | None, session: Session, ui: Ui) -> None:
        with ui.child("mod"):
            if chosen:
                self._sheet.draw(chosen, session, ui)
