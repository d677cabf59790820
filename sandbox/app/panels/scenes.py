"""The Scenes panel: the gallery of bundled scenes and those of mods, and the files in the person's folder."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.files.dialog import OPENABLE, Listed, listed
from sandbox.app.files.folders import own_scenes
from sandbox.app.gui.cards import card, in_rows
from sandbox.app.gui.docking import lies_over_world
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.questions import nothing
from sandbox.app.session.session import Session
from sandbox.language import translate
from sandbox.scenes.bundled import bundled_scenes, is_model, picture_of, scenes_in
from sandbox.scenes.headline import Headline, headline

CARD = 210.0  # pixels: the minimum width of a card
SECONDS = 2.0  # between two reads of the person's folder


class Scenes(Panel):
    """Shows scenes as cards with pictures and files as a list; a click opens one. Those with depth are marked."""

    name = "scenes"
    title = "Scenes"
    help = "all scenes, with pictures"
    menu = "File"
    size = (940, 760)

    def __init__(self) -> None:
        self._bundled = bundled_scenes()
        self._headlines: dict[Path, Headline] = {}
        self._own: tuple[Path, float, list[Listed]] | None = None

    def draw(self, session: Session, ui: Ui) -> None:
        models = [path for path in self._bundled if is_model(path)]
        others = [path for path in self._bundled if path not in models] + scenes_in(session.app.scenes)
        self._learn(others + models)
        self._draw_cards(session, ui, others)
        ui.heading("Models")
        self._draw_cards(session, ui, models)
        self._draw_own(session, ui)

    def _draw_cards(self, session: Session, ui: Ui, scenes: list[Path]) -> None:
        for path, wide in in_rows(scenes, CARD * ui.scale, ui):
            if self._draw_card(session, ui, path, wide):
                self._open(session, path)

    def _open(self, session: Session, path: Path) -> None:
        """Open a scene, and close the gallery if it would lie over it."""
        hides_it = partial(session.toggle_panel, self.name)
        session.services.filing.open(path, hides_it if lies_over_world() else nothing)

    def _learn(self, scenes: list[Path]) -> None:
        """Read the name and description of one more scene; reading all at once would delay a frame."""
        for path in scenes:
            if path not in self._headlines:
                self._headlines[path] = headline(path)
                return

    def _draw_card(self, session: Session, ui: Ui, path: Path, wide: float) -> bool:
        """Draw a picture with the name below it; return whether it was clicked."""
        scene = self._headlines.get(path, Headline(path.stem))
        shown = card(f"scene {path.stem}", wide, ui)
        if not shown.visible:
            return shown.clicked
        moving = session.services.preview(path, session.simulation) if shown.hovered else None
        shown.fill(moving or session.services.picture(picture_of(path)), ui, upside_down=moving is not None)
        shown.finish(scene.name, ui, mark=translate("depth") if scene.deep else "")
        if scene.description:
            ui.tip(scene.description)
        return shown.clicked

    def _draw_own(self, session: Session, ui: Ui) -> None:
        folder = session.document.folder or own_scenes()
        ui.space()
        ui.heading(as_label(translate("Yours, in {folder}", folder=folder)))
        entries = self._own_entries(folder)
        for entry in entries:
            icon = icons.ICON_FA_FILE_LINES if entry.name.endswith(".toml") else icons.ICON_FA_CAMERA
            if ui.entry(f"{icon}  {as_label(entry.name)}##own", folder / entry.name == session.document.file):
                self._open(session, folder / entry.name)
        if not entries:
            ui.faint("No scenes yet. File > Save (Ctrl+S) saves one here.")

    def _own_entries(self, folder: Path) -> list[Listed]:
        """Return the scenes, states and recordings in the folder, listed again after SECONDS."""
        now = time.monotonic()
        if self._own is None or self._own[0] != folder or now - self._own[1] > SECONDS:
            try:
                entries = [entry for entry in listed(folder, OPENABLE.suffixes) if not entry.is_folder]
            except OSError:
                entries = []
            self._own = folder, now, entries
        return self._own[2]
