"""Which key does what: giving an action another key, and what is wrong with the keys of the settings file."""

from __future__ import annotations

from collections.abc import Iterable

from components.store.fields import nearest
from sandbox.app.controls.actions import ACTIONS, BY_NAME, Action, keys_of
from sandbox.app.controls.keys import canonical
from sandbox.app.preferences import Preferences


def others(action: Action, wanted: Iterable[str], preferences: Preferences) -> list[Action]:
    """Which other actions have one of these keys."""
    keys = set(wanted)
    return [other for other in ACTIONS if other is not action and keys & set(keys_of(other, preferences))]


def bind(action: Action, keys: Iterable[str], preferences: Preferences) -> None:
    """Give an action these keys alone; who had one of them loses it."""
    keys = tuple(keys)
    for other in others(action, keys, preferences):
        _set(other, [key for key in keys_of(other, preferences) if key not in keys], preferences)
    _set(action, keys, preferences)


def is_changed(action: Action, preferences: Preferences) -> bool:
    """Whether it has other keys than it came with."""
    return keys_of(action, preferences) != action.keys


def _set(action: Action, keys: Iterable[str], preferences: Preferences) -> None:
    preferences.keys.pop(action.name, None)
    if tuple(keys) != action.keys:
        preferences.keys[action.name] = list(keys)


def wrong_keys(preferences: Preferences) -> list[str]:
    """Sentences about what the settings say of keys; names written unusually, "ctrl+z", are put right."""
    wrong = []
    for name, keys in preferences.keys.items():
        if name not in BY_NAME:
            near = f"; did you mean {close!r}?" if (close := nearest(name, list(BY_NAME))) else ""
            wrong.append(f"settings: keys.{name}: there is no such action{near}")
            continue
        for place, key in enumerate(keys):
            right = canonical(key)
            if right is None:
                wrong.append(f'settings: keys.{name}: there is no key {key!r}: write "G", "Ctrl+G", "F5" or "["')
            else:
                keys[place] = right
    for action in ACTIONS:
        if action.name in preferences.keys:
            for other in others(action, keys_of(action, preferences), preferences):
                if other.name not in preferences.keys or ACTIONS.index(other) > ACTIONS.index(action):
                    both = ", ".join(set(keys_of(action, preferences)) & set(keys_of(other, preferences)))
                    first = min(action, other, key=ACTIONS.index)
                    wrong.append(
                        f"settings: {both} is a key of both {action.name} and {other.name}: it does {first.name}"
                    )
    return wrong
