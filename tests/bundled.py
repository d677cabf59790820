"""What comes with the program: which scenes are large; mods, their parts for small worlds, and their scenes."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import sandbox
from sandbox.mods.load.together import mods_from
from sandbox.simulation import Simulation

LARGE = "hundred-thousand", "krill", "million"  # scenes that take long
MODS = Path(__file__).parents[1] / "mods"


def module_of(mod: str) -> ModuleType:
    """The module of a bundled mod, imported as the program imports it."""
    (loaded,) = mods_from([MODS / mod]).loaded
    return sys.modules[loaded.entry.__module__]


def opened(mod: str, scene: str, seed: int | None = None) -> Simulation:
    """A scene of a bundled mod."""
    return sandbox.load(MODS / mod / "scenes" / f"{scene}.toml", seed, mods=[MODS / mod])
