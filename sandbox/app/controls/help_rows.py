"""Everything people can press, in groups: for the help panel, and for the docs."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox.app.controls.mouse_help import MOUSE
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
from sandbox.language import said

ORDER = TOOLS, TIME, EDIT, VIEW, OVERLAYS, FILE, PANELS


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


def help_groups(actions: Actions, preferences: Preferences) -> dict[str, list[Row]]:
    """Rows by their heading; what has no key is left out."""
    groups = {"Mouse": [Row((inputs,), does, keys=False) for inputs, does in MOUSE]}
    numbers = [actions[f"tool_{number}"] for number in NUMBERS]
    usual = all(keys_of(action, preferences) == action.keys for action in numbers)
    for name, grouped in grouped_actions(actions).items():
        rows = [Row((said("1 to 9"), "0"), "Tool by its number")] if usual and name == TOOLS else []
        told = [action for action in grouped if not (usual and action in numbers)]
        rows += [Row(keys, action.title) for action in told if (keys := keys_of(action, preferences))]
        if rows:
            groups[name] = rows
    return groups


def grouped_actions(actions: Actions) -> dict[str, list[Action]]:
    """All actions by their heading, in the order of both help and settings."""
    groups: dict[str, list[Action]] = {name: [] for name in ORDER}
    for action in actions.values():
        groups.setdefault(action.heading, []).append(action)
    return {name: grouped for name, grouped in groups.items() if grouped}
