"""Which key does what: giving an action another key, and what is wrong with the keys of the settings file."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from components.store.words import nearest
from sandbox.app.key_names import canonical
from sandbox.app.preferences import Preferences
from sandbox.app.session.action import Action, Actions, keys_of


def others(action: Action, wanted: Iterable[str], actions: Actions, preferences: Preferences) -> list[Action]:
    """Which other actions have one of these keys."""
    keys = set(wanted)
    return [
        other for other in actions.values() if other.name != action.name and keys & set(keys_of(other, preferences))
    ]


def bind(action: Action, keys: Iterable[str], actions: Actions, preferences: Preferences) -> None:
    """Give an action these keys alone; who had one of them loses it."""
    keys = tuple(keys)
    for other in others(action, keys, actions, preferences):
        _set(other, [key for key in keys_of(other, preferences) if key not in keys], preferences)
    _set(action, keys, preferences)


def is_changed(action: Action, preferences: Preferences) -> bool:
    """Whether it has other keys than it came with."""
    return keys_of(action, preferences) != action.keys


def _set(action: Action, keys: Iterable[str], preferences: Preferences) -> None:
    preferences.keys.pop(action.name, None)
    if tuple(keys) != action.keys:
        preferences.keys[action.name] = list(keys)


def wrong_keys(actions: Actions, preferences: Preferences) -> list[str]:
    """Sentences about what the settings say of keys; names written unusually, "ctrl+z", are put right.

    A name with a dot is that of a mod's action: the mod may be off.
    """
    wrong = []
    for name, keys in preferences.keys.items():
        if name not in actions and "." not in name:
            near = f"; did you mean {close!r}?" if (close := nearest(name, list(actions))) else ""
            wrong.append(f"settings: keys.{name}: there is no such action{near}")
            continue
        for place, key in enumerate(keys):
            right = canonical(key)
            if right is None:
                wrong.append(f'settings: keys.{name}: there is no key {key!r}: write "G", "Ctrl+G", "F5" or "["')
            else:
                keys[place] = right
    for first, other in combinations(actions.values(), 2):
        both = [key for key in keys_of(first, preferences) if key in keys_of(other, preferences)]
        if both:
            wrong.append(
                f"settings: {', '.join(both)} is a key of both {first.name} and {other.name}: it does {first.name}"
            )
    return wrong
