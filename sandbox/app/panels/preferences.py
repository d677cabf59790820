"""The Settings panel: ui, text size, language, key bindings and settings of mods."""

from __future__ import annotations

from dataclasses import replace

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.controls.help_lines import grouped_actions
from sandbox.app.controls.keys import bind, is_changed, others
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.fields.binding import of_object, of_preferences
from sandbox.app.fields.lines import line, lines
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.preferences import LOOKS, settings_file
from sandbox.app.questions import Answers, Question, nothing
from sandbox.app.session.action import Action, keys_of
from sandbox.app.session.session import Session
from sandbox.language import current_language, languages, translate

LOOK_LINES = [
    # Late: if text grew while its slider is dragged, the slider would move away from the mouse.
    replace(line(field), caption=caption, late=True, in_scenes=False)
    for field, caption in zip(
        LOOKS.values(), ("Theme", "Text size", "Reduce motion", "Glow", "Past", "Sound"), strict=True
    )
]
LEAST_KEYS = 1.5  # minimum height of the list of keys, times the width of captions


class PreferencesPanel(Panel):
    """Edits the preferences, which are kept in the settings file.

    Attributes:
        waiting: the name of the action to which the next key press is bound.
    """

    name = "settings"
    title = "Settings"
    help = "theme, text size, sound, motion, language, keys"
    menu, section = "Edit", 2
    size = 540.0, 630.0

    def __init__(self) -> None:
        self.waiting: str | None = None
        self._widgets = FieldWidgets()
        self._languages: dict[str, str] = {}  # names by language code

    def draw(self, session: Session, ui: Ui) -> None:
        if ui.appears or session.asking.question is not None:
            self.waiting = None
        column = 100 * ui.scale
        self._widgets.begin(session, ui)
        self._widgets.lines(LOOK_LINES, of_object(session.preferences, "settings", 2))
        self._language(session, ui)
        self._of_mods(session, ui)
        ui.space()
        ui.on_a_row()
        ui.text("Keys")
        ui.beside_at(column)
        preferences = session.preferences
        if ui.button("Reset all keys", enabled=bool(preferences.keys)):
            text = "Reset every action to its default keys?"
            session.ask(Question("Reset all keys", text, [("Reset", preferences.keys.clear), ("Cancel", nothing)]))
        (wide, high), path = ui.room, str(settings_file())
        foot = ui.line + ui.size(path, wide)[1] + 18 * ui.scale
        self._keys(session, ui, max(high - foot, LEAST_KEYS * column))
        ui.faint("Settings file")
        ui.verbatim(path, wraps=0.0)

    def _language(self, session: Session, ui: Ui) -> None:
        if ui.appears or not self._languages:
            self._languages = languages()
        codes = {name: code for code, name in self._languages.items()}
        now = self._languages.get(current_language(), current_language())
        about = "Language of panels and menus, not of scenes and docs."
        chosen = self._widgets.choice("settings", "Language", about, codes, now)
        if chosen != now:
            session.preferences.language = codes[chosen]

    def _of_mods(self, session: Session, ui: Ui) -> None:
        for preferences in session.app.preferences:
            ui.heading(as_label(preferences.title))
            every = lines(preferences.values.fields.values())
            own = [each if isinstance(each, str) else replace(each, in_scenes=False) for each in every]
            self._widgets.lines(own, of_preferences(preferences, session.preferences))
        if session.app.preferences:
            ui.rule()

    # ---- keys

    def _keys(self, session: Session, ui: Ui, height: float) -> None:
        rows: list[str | Action] = []
        for group, actions in grouped_actions(session.actions).items():
            rows += [group, *actions]
        widths = [None, min(150, 0.2 * ui.room[0] / ui.scale), 0, 0]
        with ui.table("keys", widths, (0, height), scrolls=True) as shown:
            for _, row in ui.visible(rows, ui.row) if shown else ():
                ui.next_row()
                ui.on_a_row()
                if isinstance(row, str):
                    ui.text(row, ui.theme.accent)
                else:
                    self._key(row, session, ui)
        if action := session.actions.get(self.waiting or ""):
            session.capture = lambda key: self._take(action, key, session)

    def _key(self, action: Action, session: Session, ui: Ui) -> None:
        preferences = session.preferences
        words = translate(action.titled(deep=isinstance(session.camera, SpaceCamera)))
        ui.verbatim(words)
        if ui.size(words)[0] > ui.room[0]:
            ui.tip(words)
        ui.next_cell()
        if keys := keys_of(action, preferences):
            ui.lower((ui.button_height - ui.line) / 2)
        else:
            ui.on_a_row()
        if self.waiting == action.name:
            ui.text("Press a key", ui.theme.accent)
        elif keys:
            ui.keys(keys)
        else:
            ui.faint("none")
        ui.next_cell()
        if self.waiting == action.name:
            if ui.button(f"Cancel##{action.name}"):
                self.waiting = None
        elif ui.button(f"Change##{action.name}"):
            self.waiting = action.name
        ui.next_cell()
        if is_changed(action, preferences) and ui.button(f"{icons.ICON_FA_ROTATE_LEFT}##{action.name}", "Default key"):
            self._give(action, action.keys, session)

    def _take(self, action: Action, key: str, session: Session) -> None:
        """Bind the key that was pressed to an action."""
        self.waiting = session.capture = None
        self._give(action, (key,), session)

    def _give(self, action: Action, keys: tuple[str, ...], session: Session) -> None:
        """Bind keys to an action; ask first if another action would lose one."""
        losing = others(action, keys, session.actions, session.preferences)
        if not losing:
            bind(action, keys, session.actions, session.preferences)
            return
        whose = translate(" and ").join(f"“{translate(other.title)}”" for other in losing)
        text = translate(
            "{keys} is the key of {whose}. Give it to “{title}” instead?",
            keys=", ".join(keys),
            whose=whose,
            title=translate(action.title),
        )
        answers: Answers = [
            ("Reassign", lambda: bind(action, keys, session.actions, session.preferences)),
            ("Cancel", nothing),
        ]
        session.ask(Question("Key already in use", text, answers))
