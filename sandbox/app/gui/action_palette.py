"""The action palette: finds an action by words of its title or help, a file by its name, an entity by its serial."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from imgui_bundle import imgui

from sandbox.app.gui.over_world import ASKS, over_world
from sandbox.app.gui.panel import GAP, Box
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.session.action import Action, key_of
from sandbox.app.session.session import Session
from sandbox.language import translate, translate_label
from sandbox.scenes.bundled import bundled_scenes, scenes_in
from sandbox.scenes.headline import headline

WIDE = 420.0  # pixels
MOST = 12  # actions listed
MOST_DIGITS = 16  # of a serial
SCENE, FILE, SELECT = "Scene: {name}", "File: {name}", "Select {prefab} {serial}"


class ActionPalette:
    """A search box with the matching actions below: Enter runs the selected action, a click any of them.

    Attributes:
        hears: whether the box has the keyboard, which takes some frames after opening.
    """

    def __init__(self) -> None:
        self.hears = False
        self._sought = ""
        self._chosen = 0
        self._files: list[Action] = []  # one for each scene and other file, which opens it

    def draw(self, session: Session, ui: Ui, middle: Box) -> None:
        """Draw the palette over the world while it is open; `middle`: the area that panels leave free."""
        if not session.view.palette_open:
            self._sought, self._chosen, self.hears = "", 0, False
            return
        scale = ui.scale
        corner = middle.x + middle.width / 2, middle.y + GAP * scale
        with over_world("###commands", ASKS, corner, (0.5, 0)):
            if ui.appears:
                ui.focus()
                self._files = openings(session)
            ui.wide(min(WIDE * scale, middle.width - 4 * GAP * scale))
            before, self._sought = self._sought, ui.text_box("##commands", self._sought, "Find an action")
            self.hears |= ui.held and imgui.get_io().want_text_input
            entered, leaves = ui.entered, ui.ended  # or by a click elsewhere, or by Escape
            found = [*of_serial(self._sought, session), *matching(self._sought, session, self._files)][:MOST]
            step = ui.pressed("down_arrow") - ui.pressed("up_arrow")
            moved = min(max(self._chosen + step, 0), max(len(found) - 1, 0))
            self._chosen = moved if self._sought == before else 0
            done = None
            for index, action in enumerate(found):
                with ui.named(index):
                    if ui.entry(translate_label(f"{action.title}##command"), index == self._chosen):
                        done = action
                if key := key_of(action, session.preferences):
                    ui.text_at_the_right(key)
            if not found:
                ui.faint("No matches.")
            is_over = imgui.is_window_hovered(imgui.HoveredFlags_.allow_when_blocked_by_active_item)
        if entered and found:
            done = found[self._chosen]
        if done is not None or (leaves and not is_over):
            session.view.palette_open = False
        if done is not None and done.name in session.actions:
            session.act(done.name)
        elif done is not None:
            done.do(session)


def openings(session: Session) -> list[Action]:
    """Return an action that opens it for each scene, file that a part of the window lists, and recent file."""

    def opening(words: str, path: Path) -> Action:
        return Action(f"open {path}", words, lambda session: session.services.filing.open(path))

    recent = session.services.filing.recent
    recent.look()
    scenes = [*bundled_scenes(), *scenes_in(session.app.scenes)]
    others = [listed for kind in session.app.file_kinds if kind.listed is not None for listed in kind.listed(session)]
    return [
        *(opening(translate(SCENE, name=as_label(headline(path).name)), path) for path in scenes),
        *(opening(words, path) for words, path in others),
        # A recent file may be a large snapshot or recording, so it is not opened for its title.
        *(opening(translate(FILE, name=as_label(path.name)), path) for path in recent.files),
    ]


def of_serial(sought: str, session: Session) -> list[Action]:
    """Return an action that selects the entity of this serial, "31" or "sheep 31", if it lives."""
    *words, number = sought.lower().split() or [""]
    world, serial = session.simulation.world, int(number) if number.isdecimal() and len(number) < MOST_DIGITS else 0
    if (row := world.table.row_of(serial)) < 0:
        return []
    prefab = [*world.prefabs][world.table.prefab[row]]
    if not all(word in prefab.lower() for word in words):
        return []
    title = translate(SELECT, prefab=as_label(prefab), serial=serial)
    return [Action(f"select {serial}", title, lambda session: session.selection.choose((serial,)))]


def matching(sought: str, session: Session, files: Sequence[Action] = ()) -> list[Action]:
    """Return the enabled actions whose title or help contains all words of `sought`; then those of `files`.

    Actions whose title begins with `sought` come first, then those with all words in the title.
    """
    words = sought.lower().split()
    every = [action for action in session.actions.values() if action.pans is None and action.name != "commands"]
    possible = [action for action in every if action.available(session)]
    texts = {action.name: (translate(action.title).lower(), translate(action.help).lower()) for action in possible}
    found = [action for action in possible if all(word in " ".join(texts[action.name]) for word in words)]

    def rank(action: Action) -> tuple[bool, bool]:
        title, _ = texts[action.name]
        return not title.startswith(sought.lower().strip()), not all(word in title for word in words)

    named = [each for each in files if all(word in each.title.lower() for word in words)]
    return sorted(found, key=rank) + named
