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


def pressed(symbol: int, modifiers: int) -> str | None:
    """The name of a key with what is held beside it, "Ctrl+Shift+Z"; None for one that has no name here."""
    if symbol not in NAMES:
        return None
    control = key.MOD_COMMAND if sys.platform == "darwin" else key.MOD_CTRL
    held = [("Ctrl", control), ("Alt", key.MOD_ALT), ("Shift", key.MOD_SHIFT)]
    return "+".join([*(name for name, bit in held if modifiers & bit), NAMES[symbol]])


def typed(text: str) -> str | None:
    """A character that is a key of its own, if it is one; letters and space are not."""
    return text if len(text) == 1 and text.isprintable() and not text.isalpha() and not text.isspace() else None
