"""Everything people can press, in groups: for the help panel, and for the docs."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox.app.controls.actions import ACTIONS, EDIT, FILE, OVERLAYS, PANELS, TIME, TOOLS, VIEW, Action, keys_of
from sandbox.app.controls.mouse_help import MOUSE
from sandbox.app.preferences import Preferences

ORDER = TOOLS, TIME, EDIT, VIEW, OVERLAYS, FILE, PANELS
TOOL_NUMBERS = [action for action in ACTIONS if action.name.startswith("tool_")]


@dataclass(frozen=True)
class Row:
    """What to do, and what it does.

    Attributes:
        inputs: any of them.
        keys: they are names of keys, not words.
    """

    inputs: tuple[str, ...]
    does: str
    keys: bool = True


def help_groups(preferences: Preferences) -> dict[str, list[Row]]:
    """Rows by their heading; what has no key is left out."""
    groups = {"Mouse": [Row((inputs,), does, keys=False) for inputs, does in MOUSE]}
    for name, actions in grouped_actions().items():
        if rows := _rows(actions, preferences):
            groups[name] = rows
    return groups


def grouped_actions() -> dict[str, list[Action]]:
    """All actions by their heading, in the order of both help and settings."""
    groups: dict[str, list[Action]] = {name: [] for name in ORDER}
    for action in ACTIONS:
        groups.setdefault(action.group or action.menu, []).append(action)
    return {name: actions for name, actions in groups.items() if actions}


def _rows(actions: list[Action], preferences: Preferences) -> list[Row]:
    """One for each action that has a key; the numbers of tools are one while they are the usual ones."""
    usual = all(keys_of(action, preferences) == action.keys for action in TOOL_NUMBERS)
    rows = []
    for action in actions:
        if action in TOOL_NUMBERS and usual:
            if action is TOOL_NUMBERS[0]:
                digits = [number.keys[0] for number in TOOL_NUMBERS]
                rows.append(Row((f"{digits[0]} to {digits[8]}", *digits[9:]), "Tool by its number"))
        elif keys := keys_of(action, preferences):
            rows.append(Row(keys, action.words))
    return rows
