"""Names of pressed keys: pyglet's symbol and modifiers, written as in the settings and in the help.

Letters and keys like "Home" are named after the key. Other characters are named after what was typed, because on many
keyboard layouts `/` is on another key or needs Shift. Which key does what is declared in `actions.py`.
"""

from __future__ import annotations

import sys

from arcade import key

from sandbox.app.key_names import HELD, NAMED

NAMES = {getattr(key, constant): name for constant, name in NAMED.items()}  # by pyglet's symbol


def pressed(symbol: int, modifiers: int) -> str | None:
    """The name of a key with its modifiers, "Ctrl+Shift+Z"; None for a key that is not in `NAMES`."""
    if symbol not in NAMES:
        return None
    control = key.MOD_COMMAND if sys.platform == "darwin" else key.MOD_CTRL
    bits = control, key.MOD_ALT, key.MOD_SHIFT
    return "+".join([*(name for name, bit in zip(HELD, bits, strict=True) if modifiers & bit), NAMES[symbol]])
