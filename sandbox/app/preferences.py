"""The user's preferences (theme, size of text, language, open panels, keys ...) and their settings file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import tomli
import tomlkit
from platformdirs import user_config_path

from components.store.declare import choice, integer, number, switch
from sandbox.app.shown import shown, shown_fields
from sandbox.files import free_name, make_folder, read_file, write_atomically

THEMES = ("dark", "light")
GLOW = ("by itself", "on", "off")
MOST_SCORE = 1e15


@dataclass
class Preferences:
    """The preferences, each with its default.

    Attributes:
        muted: whether no sound is heard.
        language: code of the window's language, "de", "en"; "": the locale's language, if there is a table for it.
        open: names of the open panels.
        layouts: by the window's size, the positions of panels in Dear ImGui's ini format.
        keys: by an action's name, the keys that replace its default ones: ["Ctrl+Z"].
        best: the best scores, by the names of challenges.
        mods: by the name of a declaration of a mod, the chosen values: "magnet.Poles" = { labels = true }.
    """

    theme: str = shown(choice(*THEMES, default="dark", help="colours of panels and menus"))
    text: float = shown(number(1.0, "", 0.7, 2.5, "text size as a factor of the desktop's"))
    reduce_motion: bool = shown(
        switch(False, help="wings and legs keep still, the view jumps at once, and nothing bursts")
    )
    glow: str = shown(
        choice(*GLOW, default=GLOW[0], help="scenes of night and space glow; by itself: with a graphics card")
    )
    past: int = shown(integer(512, "MB", 16, 65536, "memory that the recorded past may take"))
    sound: float = shown(number(0.5, "", 0, 1, "loudness of wings, wind, water and all other sounds"))
    muted: bool = False
    language: str = ""
    open: list[str] = field(default_factory=lambda: ["palette", "inspector", "time bar"])
    layouts: dict[str, str] = field(default_factory=dict)
    keys: dict[str, list[str]] = field(default_factory=dict)
    best: dict[str, float] = field(default_factory=dict)
    mods: dict[str, dict[str, Any]] = field(default_factory=dict)


LOOKS = shown_fields(Preferences)


def settings_file() -> Path:
    """Return the path of the settings file."""
    return user_config_path("boids-sandbox", appauthor=False) / "settings.toml"


def read_preferences() -> tuple[Preferences, str]:
    """Read the settings file; return the preferences and an error message, or "". Invalid values keep the default."""
    path, wrong = settings_file(), []
    try:
        data = tomli.loads(read_file(path).decode())
    except FileNotFoundError:
        return Preferences(), ""
    except (OSError, ValueError, RecursionError) as error:
        return Preferences(), f"{path}: can't be read, so the usual settings are used: {error}"
    found = Preferences()
    known = {field.name for field in fields(Preferences)}
    for name, value in data.items():
        if name not in known:
            wrong.append(f"there is no setting {name!r}")
        elif (sentence := _wrong(name, value)) is not None:
            wrong.append(f"{name} = {value!r}: {sentence}")
        else:
            setattr(found, name, value)
    return found, f"{path}: {'; '.join(wrong)}" if wrong else ""


def write_preferences(preferences: Preferences) -> None:
    """Write the settings file; if the present file is not readable, it is renamed, not overwritten.

    Raises:
        WriteError: the file can't be written.
    """
    path = settings_file()
    make_folder(path.parent)
    try:
        document = tomlkit.parse(read_file(path).decode())
    except FileNotFoundError:
        document = tomlkit.document()
    except (OSError, ValueError, RecursionError):
        path.rename(free_name(path.with_name("settings-unread.toml")))
        document = tomlkit.document()
    for name, value in asdict(preferences).items():
        document[name] = value
    write_atomically(path, tomlkit.dumps(document).encode())


def _wrong(name: str, value: Any) -> str | None:
    """Return what a value of a setting must be, or None if it is valid."""
    if name in LOOKS:
        try:
            LOOKS[name].parse(value)
        except ValueError as error:
            return str(error)
        return None
    if name == "language":
        return None if isinstance(value, str) else 'must be the code of a language, like "de"'
    if name == "muted":
        return None if isinstance(value, bool) else "must be true or false"
    if name == "open":
        return None if _texts(value) and len({*value}) == len(value) else "must be a list of names of panels, each once"
    if name == "layouts":
        right = isinstance(value, dict) and all(isinstance(text, str) for text in value.values())
        return None if right else "must be texts of Dear ImGui by the window's size"
    if name == "best":
        right = isinstance(value, dict) and all(_score(score) for score in value.values())
        return None if right else "must be numbers by the names of challenges"
    if name == "mods":
        right = isinstance(value, dict) and all(isinstance(chosen, dict) for chosen in value.values())
        return None if right else 'must be tables of values: "magnet.Poles" = { labels = true }'
    right = isinstance(value, dict) and all(_texts(keys) for keys in value.values())
    return None if right else 'must be lists of keys by an action\'s name: undo = ["Ctrl+Z"]'


def _score(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST_SCORE


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
