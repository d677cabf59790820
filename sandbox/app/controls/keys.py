"""Changes the keys of actions, and checks those of the settings file."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from components.store.words import nearest
from sandbox.app.key_names import canonical
from sandbox.app.preferences import Preferences
from sandbox.app.session.action import Action, Actions, keys_of


def others(action: Action, wanted: Iterable[str], actions: Actions, preferences: Preferences) -> list[Action]:
    """Return the other actions that have one of these keys."""
    keys = set(wanted)
    return [
        other for other in actions.values() if other.name != action.name and keys & set(keys_of(other, preferences))
    ]


def bind(action: Action, keys: Iterable[str], actions: Actions, preferences: Preferences) -> None:
    """Bind these keys, and no others, to an action; other actions lose them."""
    keys = tuple(keys)
    for other in others(action, keys, actions, preferences):
        _set(other, [key for key in keys_of(other, preferences) if key not in keys], preferences)
    _set(action, keys, preferences)


def is_changed(action: Action, preferences: Preferences) -> bool:
    """Return whether an action has other keys than its default ones."""
    return keys_of(action, preferences) != action.keys


def _set(action: Action, keys: Iterable[str], preferences: Preferences) -> None:
    preferences.keys.pop(action.name, None)
    if tuple(keys) != action.keys:
        preferences.keys[action.name] = list(keys)


def wrong_keys(actions: Actions, preferences: Preferences) -> list[str]:
    """Return messages about invalid keys in the settings; correct the spelling of names like "ctrl+z".

    An unknown action with a dot in its name is not reported: it is that of a mod, which may be off.
    """
    wrong = []
    for name, keys in preferences.keys.items():
        if name not in actions and "." not in name:
            near = f"; did you mean {close!r}?" if (close := nearest(name, list(actions))) else ""
            wrong.append(f"settings: keys.{name}: there is no such action{near}")
            continue
        for index, key in enumerate(keys):
            right = canonical(key)
            if right is None:
                wrong.append(f'settings: keys.{name}: there is no key {key!r}: write "G", "Ctrl+G", "F5" or "["')
            else:
                keys[index] = right
    for first, other in combinations(actions.values(), 2):
        both = [key for key in keys_of(first, preferences) if key in keys_of(other, preferences)]
        if both:
            wrong.append(
                f"settings: {', '.join(both)} is a key of both {first.name} and {other.name}: it does {first.name}"
            )
    return wrong
