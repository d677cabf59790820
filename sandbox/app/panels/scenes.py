"""The Scenes panel: the gallery of bundled scenes and those of mods, and the files in the person's folder."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.files.file_dialog import WORLDS, Listed, listed
from sandbox.app.files.start_folder import own_scenes
from sandbox.app.gui.docking import FREE, OVER
from sandbox.app.gui.labels import as_label, wrapped
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.theme import Theme, u32
from sandbox.app.questions import nothing
from sandbox.app.session.session import Session
from sandbox.language import translate
from sandbox.scenes.bundled import bundled_scenes, is_model, picture_of, scenes_in
from sandbox.scenes.headline import Headline, headline

CARD = 136.0  # pixels: the minimum width of a card
SHAPE = 9 / 16  # height of a picture as a share of its width
SECONDS = 2.0  # between two reads of the person's folder


class Scenes(Panel):
    """Shows scenes as cards with pictures and files as a list; a click opens one."""

    name = "scenes"
    title = "Scenes"
    help = "all scenes, with pictures"
    menu = "File"
    size = (720, 570)

    def __init__(self) -> None:
        self._bundled = bundled_scenes()
        self._headlines: dict[Path, Headline] = {}
        self._own: tuple[Path, float, list[Listed]] | None = None

    def draw(self, session: Session, theme: Theme) -> None:
        models = [path for path in self._bundled if is_model(path)]
        others = [path for path in self._bundled if path not in models] + scenes_in(session.app.scenes)
        self._learn(others + models)
        self._draw_cards(session, theme, others)
        imgui.separator_text(translate("Models"))
        self._draw_cards(session, theme, models)
        self._draw_own(session)

    def _draw_cards(self, session: Session, theme: Theme, scenes: list[Path]) -> None:
        style = imgui.get_style()
        room = imgui.get_content_region_avail().x
        across = max(int((room + style.item_spacing.x) // (CARD * style.font_scale_main + style.item_spacing.x)), 1)
        wide = (room - style.item_spacing.x * (across - 1)) / across
        for number, path in enumerate(scenes):
            if number % across:
                imgui.same_line()
            if self._draw_card(session, theme, path, wide):
                self._open(session, path)

    def _open(self, session: Session, path: Path) -> None:
        """Open a scene, and close the gallery if it would lie over it."""
        hides_it = imgui.get_window_dock_id() in (FREE, OVER)
        session.services.filing.open(path, partial(session.toggle_panel, self.name) if hides_it else nothing)

    def _learn(self, scenes: list[Path]) -> None:
        """Read the name and description of one more scene; reading all at once would delay a frame."""
        for path in scenes:
            if path not in self._headlines:
                self._headlines[path] = headline(path)
                return

    def _draw_card(self, session: Session, theme: Theme, path: Path, wide: float) -> bool:
        """Draw a picture with the name below it; return whether it was clicked."""
        name, description = self._headlines.get(path, Headline(path.stem))[:2]
        style, drawn = imgui.get_style(), imgui.get_window_draw_list()
        tall = wide * SHAPE
        corner = imgui.get_cursor_screen_pos()
        line = imgui.get_text_line_height()
        clicked = imgui.invisible_button(f"scene {path.stem}", (wide, tall + line + 12), imgui.ButtonFlags_.enable_nav)
        hovered = imgui.is_item_hovered()
        if not imgui.is_item_visible():
            return clicked
        end, rounding = corner + (wide, tall), style.frame_rounding
        moving = session.services.preview(path, session.simulation) if hovered else None
        picture = moving or session.services.picture(picture_of(path))
        if picture is None:
            drawn.add_rect_filled(corner, end, imgui.get_color_u32(imgui.Col_.frame_bg), rounding)
        else:
            low, high = (1.0, 0.0) if moving else (0.0, 1.0)
            drawn.add_image_rounded(picture, corner, end, (0, low), (1, high), 0xFFFFFFFF, rounding)
        edge = theme.accent if hovered else theme.line
        drawn.add_rect(corner, end, u32(edge), rounding, 2.0 if hovered else 1.0)
        ink = theme.accent if hovered else theme.ink
        drawn.push_clip_rect(corner, end + (0, line + 6), True)
        drawn.add_text((corner.x + 2, end.y + 4), u32(ink), name)
        drawn.pop_clip_rect()
        if description and imgui.begin_item_tooltip():
            wrapped(description, width=360 * style.font_scale_main)
            imgui.end_tooltip()
        return clicked

    def _draw_own(self, session: Session) -> None:
        folder = session.document.folder or own_scenes()
        imgui.spacing()
        imgui.separator_text(as_label(translate("Yours, in {folder}", folder=folder)))
        entries = self._own_entries(folder)
        for entry in entries:
            icon = icons.ICON_FA_FILE_LINES if entry.name.endswith(".toml") else icons.ICON_FA_CAMERA
            if imgui.selectable(f"{icon}  {as_label(entry.name)}##own", folder / entry.name == session.document.file)[
                0
            ]:
                self._open(session, folder / entry.name)
        if not entries:
            imgui.text_disabled(translate("No scenes yet. File > Save (Ctrl+S) saves one here."))

    def _own_entries(self, folder: Path) -> list[Listed]:
        """Return the scenes, states and recordings in the folder, cached for SECONDS."""
        now = time.monotonic()
        if self._own is None or self._own[0] != folder or now - self._own[1] > SECONDS:
            try:
                entries = [entry for entry in listed(folder, WORLDS.suffixes) if not entry.is_folder]
            except OSError:
                entries = []
            self._own = folder, now, entries
        return self._own[2]
