"""The rows of the help: all mouse gestures and keys in groups, for the help panel and the docs."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox.app.preferences import Preferences
from sandbox.app.session.action import (
    EDIT,
    FILE,
    NUMBERS,
    OVERLAYS,
    PANELS,
    TIME,
    TOOLS,
    VIEW,
    Action,
    Actions,
    keys_of,
)
from sandbox.language import translate

Gestures = tuple[tuple[str, str], ...]
TOOL: Gestures = (
    ("left click, drag", "Use the tool: place, paint, drag what is selected"),
    ("Shift+drag", "In a line"),
    ("Ctrl+drag", "Fill a rectangle"),
    ("right drag", "Erase under the brush"),
    ("Shift with the tool hand", "Scare the flock away instead of pulling it"),
    ("middle click, Alt+click", "Pick: the tool and prefab of what is under the cursor"),
)
FLAT: Gestures = (
    ("scroll", "Zoom at the cursor"),
    ("Ctrl+scroll", "Size of the brush"),
    ("middle drag", "Pan"),
)
DEEP: Gestures = (
    ("scroll", "Zoom: move the camera toward the cursor, or back"),
    ("Ctrl+scroll", "Depth at which the hand works: nearer or farther"),
    ("middle drag, Alt+drag", "Orbit: turn the camera around what it looks at"),
    ("Shift+middle drag", "Pan the camera"),
)
OTHERS: Gestures = (
    ("a file dropped on the window", "Open that scene or state"),
    ("double click on a value", "Reset it"),
    ("click on a number, Ctrl+click on a slider", "Type another one"),
)
ORDER = TOOLS, TIME, EDIT, VIEW, OVERLAYS, FILE, PANELS


@dataclass(frozen=True)
class HelpLine:
    """A line of the help.

    Attributes:
        inputs: alternative keys or gestures.
        does: what they do.
        keys: `inputs` are names of keys, which are drawn as key caps.
        about: more about it, where a search finds words.
    """

    inputs: tuple[str, ...]
    does: str
    keys: bool = True
    about: str = ""


def help_groups(actions: Actions, preferences: Preferences, *, deep: bool) -> dict[str, list[HelpLine]]:
    """Return what holds in worlds with depth or in flat ones, by heading; actions without a key are left out."""
    gestures = *TOOL, *(DEEP if deep else FLAT), *OTHERS
    groups = {"Mouse": [HelpLine((inputs,), does, keys=False) for inputs, does in gestures]}
    numbers = [actions[f"tool_{number}"] for number in NUMBERS]
    usual = all(keys_of(action, preferences) == action.keys for action in numbers)
    for name, grouped in grouped_actions(actions).items():
        rows = [HelpLine((translate("1 to 9"), "0"), "Tool by its number")] if usual and name == TOOLS else []
        for action in grouped:
            keys = keys_of(action, preferences)
            if keys and action.deep <= deep and not (usual and action in numbers):
                rows.append(HelpLine(keys, action.titled(deep=deep), about=action.help))
        if rows:
            groups[name] = rows
    return groups


def grouped_actions(actions: Actions) -> dict[str, list[Action]]:
    """Return all actions by heading, in the order of both the help and the settings."""
    groups: dict[str, list[Action]] = {name: [] for name in ORDER}
    for action in actions.values():
        groups.setdefault(action.heading, []).append(action)
    return {name: grouped for name, grouped in groups.items() if grouped}
