"""The package `boids_mods`, of which each loaded mod is a part: Python imports them from where they were unpacked.

A person enables a mod with its present content, so the bytes that were hashed must be the bytes that run. A mod is
imported, in the usual way, from a folder with these bytes, whatever happens to its own folder.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType

from sandbox.mods.find.content import Content

ROOT = "boids_mods"


def _root() -> ModuleType:
    """Return the package; its `__path__` has the folder around each loaded mod."""
    if ROOT not in sys.modules:
        sys.modules[ROOT] = ModuleType(ROOT, "All loaded mods.")
        sys.modules[ROOT].__path__ = []
    return sys.modules[ROOT]


@contextmanager
def all_or_none() -> Iterator[None]:
    """Restore all packages of mods if the block raises."""
    root = _root()
    names, path, modules = dict(vars(root)), [*root.__path__], _modules()
    try:
        yield
    except BaseException:
        for name in _modules():
            del sys.modules[name]
        sys.modules.update(modules)
        vars(root).clear()
        vars(root).update(names)
        root.__path__ = path
        raise


def import_from(mod: str, content: Content, module: str) -> ModuleType:
    """Import a module of a mod, in place of earlier versions; must be called within `all_or_none`."""
    forget(mod)
    _root().__path__ = [str(content.unpacked.parent), *_root().__path__]
    invalidate_caches()
    return import_module(f"{ROOT}.{mod}.{module}")


def forget(mod: str) -> None:
    """Make a mod impossible to import; code that has imported it keeps its references."""
    root = _root()
    root.__path__ = [folder for folder in root.__path__ if not Path(folder, mod).is_dir()]
    for name in _modules():
        if _mod_in(name) == mod:
            del sys.modules[name]
    vars(root).pop(mod, None)


def home_of(thing: object) -> str:
    """Return the mod and file that a class or an instance is from: "the mod magnet (magnet.py)", or "the program"."""
    module = getattr(thing, "__module__", "")
    mod = _mod_in(module) if module.startswith(f"{ROOT}.") else ""
    file = "/".join(module.split(".")[2:]) or "__init__"
    return f"the mod {mod} ({file}.py)" if mod else "the program"


def _mod_in(name: str) -> str:
    """Return the id of the mod that a module of this name belongs to; empty for the root package."""
    return name.removeprefix(ROOT).lstrip(".").partition(".")[0]


def _modules() -> dict[str, ModuleType]:
    return {name: module for name, module in sys.modules.items() if name == ROOT or name.startswith(f"{ROOT}.")}
