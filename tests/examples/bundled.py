"""The mods that come with the program, imported as the program would, but without asking anyone."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

MODS = Path(__file__).parents[2] / "mods"


def bundled(mod: str) -> ModuleType:
    """The module of a bundled mod."""
    name = f"boids_mods_{mod}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, MODS / mod / f"{mod}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]
