"""Names of keys in settings and help, and the check of names that parts declare or people write in the settings."""

from __future__ import annotations

from typing import Any

from sandbox.language import translate
from sandbox.window_part import Right

NAMED = {
    "SPACE": "Space",
    "TAB": "Tab",
    "ESCAPE": "Esc",
    "HOME": "Home",
    "END": "End",
    "DELETE": "Delete",
    "BACKSPACE": "Backspace",
    "ENTER": "Enter",
    "NUM_ENTER": "Enter",
    "PAGEUP": "PageUp",
    "PAGEDOWN": "PageDown",
    "UP": "Up",
    "DOWN": "Down",
    "LEFT": "Left",
    "RIGHT": "Right",
    **{f"F{n}": f"F{n}" for n in range(1, 13)},
    **{f"NUM_{n}": f"Num{n}" for n in range(10)},
    **{letter: letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
}
"""By pyglet's name of the key."""
HELD = "Ctrl", "Alt", "Shift"  # modifiers, in the order of names like "Ctrl+Shift+Z"
SPELT = {",": "Comma", ".": "Full stop", "/": "Slash", "[": "Left bracket", "]": "Right bracket", "-": "Minus"}


def canonical(text: str) -> str | None:
    """Return the name that `pressed` or `typed` gives to a key, from any spelling; None if there is no such key."""
    if typed(text):
        return text
    *held, last = text.lower().split("+")
    names = {name.lower(): name for name in NAMED.values()}
    if last not in names or len(set(held)) < len(held) or not set(held) <= {name.lower() for name in HELD}:
        return None
    return "+".join([*(name for name in HELD if name.lower() in held), names[last]])


def typed(text: str) -> str | None:
    """Return the character if it names a key by itself; None for letters and space, which are named after the key."""
    return text if len(text) == 1 and text.isprintable() and not text.isalpha() and not text.isspace() else None


def in_words(key: str) -> str:
    """Return the name of a key within text; punctuation, which would hardly be visible there, is spelt or quoted."""
    if key in SPELT:
        return translate(SPELT[key])
    return translate("“{key}”", key=key) if typed(key) and not key.isdigit() else key


def _are_keys(value: Any) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(key, str) and canonical(key) == key for key in value)


def _can_be_held(value: Any) -> bool:
    return isinstance(value, tuple | list) and all(key in NAMED.values() for key in value)


HELD_KEYS: Right = (_can_be_held, 'names of keys without modifiers, like ("Left", "Right", "A")')
KEYS: Right = (_are_keys, 'names of keys, like ("Ctrl+K", "F5", "[")')
