"""Names of keys: what pyglet says was pressed, as the settings and the help write it.

Letters and named keys go by the key; other characters by what was typed, for on many keyboards `/` stands elsewhere or
needs Shift.
"""

from __future__ import annotations

import sys

from arcade import key

_NAMED = {
    key.SPACE: "Space",
    key.TAB: "Tab",
    key.ESCAPE: "Esc",
    key.HOME: "Home",
    key.END: "End",
    key.DELETE: "Delete",
    key.BACKSPACE: "Backspace",
    key.ENTER: "Enter",
    key.PAGEUP: "PageUp",
    key.PAGEDOWN: "PageDown",
    key.UP: "Up",
    key.DOWN: "Down",
    key.LEFT: "Left",
    key.RIGHT: "Right",
    **{getattr(key, f"F{n}"): f"F{n}" for n in range(1, 13)},
}
LETTERS = {getattr(key, letter): letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
NAMES = {**_NAMED, **LETTERS}
HELD = "Ctrl", "Alt", "Shift"  # beside a key, in this order


def pressed(symbol: int, modifiers: int) -> str | None:
    """The name of a key with what is held beside it, "Ctrl+Shift+Z"; None for one that has no name here."""
    if symbol not in NAMES:
        return None
    control = key.MOD_COMMAND if sys.platform == "darwin" else key.MOD_CTRL
    bits = control, key.MOD_ALT, key.MOD_SHIFT
    return "+".join([*(name for name, bit in zip(HELD, bits, strict=True) if modifiers & bit), NAMES[symbol]])


def canonical(text: str) -> str | None:
    """A key as `pressed` or `typed` would name it, however a person wrote it; None where there is no such key."""
    if typed(text):
        return text
    *held, last = text.lower().split("+")
    names = {name.lower(): name for name in NAMES.values()}
    if last not in names or len(set(held)) < len(held) or not set(held) <= {name.lower() for name in HELD}:
        return None
    return "+".join([*(name for name in HELD if name.lower() in held), names[last]])


def typed(text: str) -> str | None:
    """A character that is a key of its own, if it is one; letters and space are not."""
    return text if len(text) == 1 and text.isprintable() and not text.isalpha() and not text.isspace() else None
