"""The command palette: finds an action by words of its title or help, or a scene or lesson by its name; runs it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from imgui_bundle import imgui

from sandbox.app.gui.labels import as_label
from sandbox.app.gui.panel import GAP, Box
from sandbox.app.gui.theme import OVER_WORLD, Theme
from sandbox.app.session.action import Action, keys_of
from sandbox.app.session.session import Session
from sandbox.app.teaching import teaching_of
from sandbox.language import current_language, translate, translate_label
from sandbox.scenes.bundled import bundled_scenes, in_language, lessons_in, scenes_in
from sandbox.scenes.headline import Headline, headline

WIDE = 420.0  # pixels
MOST = 12  # actions listed
SCENE, LESSON, CHALLENGE, FILE = "Scene: {name}", "Lesson: {name}", "Challenge: {name}", "File: {name}"


class CommandPalette:
    """A search field with the matching actions below: Enter runs the selected action, a click any of them.

    Attributes:
        hears: whether the field has the keyboard, which takes some frames after opening.
    """

    def __init__(self) -> None:
        self.hears = False
        self._sought = ""
        self._chosen = 0
        self._files: list[Action] = []  # one for each scene and lesson, which opens it

    def draw(self, session: Session, theme: Theme, middle: Box) -> None:
        """Draw the palette over the world while it is open; `middle`: the area that panels leave free."""
        if not session.view.seeks_action:
            self._sought, self._chosen, self.hears = "", 0, False
            return
        scale = imgui.get_style().font_scale_main
        corner = middle.x + middle.width / 2, middle.y + GAP * scale
        imgui.set_next_window_pos(corner, imgui.Cond_.always, (0.5, 0))
        imgui.begin("###commands", None, OVER_WORLD)
        if imgui.is_window_appearing():
            imgui.set_keyboard_focus_here()
            self._files = openings(session)
        imgui.set_next_item_width(min(WIDE * scale, middle.width - 4 * GAP * scale))
        changed, self._sought = imgui.input_text_with_hint("##commands", translate("Find a command"), self._sought)
        self.hears |= imgui.is_item_active() and imgui.get_io().want_text_input
        entered = imgui.is_key_pressed(imgui.Key.enter, False) or imgui.is_key_pressed(imgui.Key.keypad_enter, False)
        leaves = imgui.is_item_deactivated()  # by a click elsewhere, or by Escape
        found = matching(self._sought, session, self._files)[:MOST]
        step = imgui.is_key_pressed(imgui.Key.down_arrow) - imgui.is_key_pressed(imgui.Key.up_arrow)
        self._chosen = 0 if changed else min(max(self._chosen + step, 0), max(len(found) - 1, 0))
        done = None
        for place, action in enumerate(found):
            imgui.push_id(place)
            if imgui.selectable(translate_label(f"{action.title}##command"), place == self._chosen)[0]:
                done = action
            imgui.pop_id()
            keys = keys_of(action, session.preferences)[:1]
            if keys:
                imgui.same_line(imgui.get_content_region_avail().x - imgui.calc_text_size(keys[0]).x)
                imgui.text_colored(theme.faint, keys[0])
        if not found:
            imgui.text_disabled(translate("No matches."))
        is_over = imgui.is_window_hovered(imgui.HoveredFlags_.allow_when_blocked_by_active_item)
        imgui.end()
        if entered and found:
            done = found[self._chosen]
        if done is not None or (leaves and not is_over):
            session.view.seeks_action = False
        if done in self._files:
            done.do(session)
        elif done is not None:
            session.act(done.name)


def openings(session: Session) -> list[Action]:
    """Return for each scene and lesson, bundled or of a mod, and each recent file, an action that opens it."""

    def opening(words: str, path: Path) -> Action:
        # A recent file may be a large snapshot or recording, so it is not opened for its title.
        about, teaching = Headline(path.name) if words == FILE else headline(path), teaching_of(session)
        title = translate(CHALLENGE if about.stars else words, name=as_label(about.name))
        open_it = partial(teaching.open, file=path) if words == LESSON else lambda s: s.services.filing.open(path)
        return Action(f"open {path}", title, open_it)

    scenes = [opening(SCENE, path) for path in [*bundled_scenes(), *scenes_in(session.app.scenes)]]
    lessons = (in_language(path, current_language()) for path in lessons_in(session.app.scenes))
    recent = session.services.filing.recent
    recent.look()
    return [*scenes, *(opening(LESSON, path) for path in lessons), *(opening(FILE, path) for path in recent.files)]


def matching(sought: str, session: Session, files: Sequence[Action] = ()) -> list[Action]:
    """Return the enabled actions whose title or help contains all words of `sought`; then those of `files`.

    Actions whose title begins with `sought` come first, then those with all words in the title.
    """
    words = sought.lower().split()
    every = [action for action in session.actions.values() if action.pans is None and action.name != "commands"]
    possible = [action for action in every if action.possible is None or action.possible(session)]
    texts = {action.name: (translate(action.title).lower(), translate(action.help).lower()) for action in possible}
    found = [action for action in possible if all(word in " ".join(texts[action.name]) for word in words)]

    def rank(action: Action) -> tuple[bool, bool]:
        title, _ = texts[action.name]
        return not title.startswith(sought.lower().strip()), not all(word in title for word in words)

    named = [each for each in files if all(word in each.title.lower() for word in words)]
    return sorted(found, key=rank) + named
