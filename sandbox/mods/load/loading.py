"""Imports mods: makes a package of the files that were read, and finds the entry function that installs the mod."""

from __future__ import annotations

import builtins
import math
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import esper
import numpy as np

from sandbox.mods.find.content import Content
from sandbox.mods.find.fault import Fault, TrespassError, fault_of, interrupt_of
from sandbox.mods.find.finding import Found
from sandbox.mods.find.imports import foreign_imports
from sandbox.mods.find.manifest import MANIFEST, Manifest, ModError
from sandbox.mods.find.packages import forget, import_from
from sandbox.warning import filters_kept
from systems.engine.app import App
from systems.engine.kernel import cached_apart, release


class LoadError(Exception):
    """A mod can't be loaded or installed; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


@dataclass(frozen=True, eq=False)
class LoadedMod:
    """A mod that has been imported.

    Attributes:
        content: the files as they were when it was loaded.
        before: the mods that it may import, which were loaded before it.
        entry: its `install(app)`.
    """

    manifest: Manifest
    content: Content
    before: tuple[LoadedMod, ...]
    entry: Callable[[App], Any]

    @property
    def id(self) -> str:
        return self.manifest.id

    @property
    def folder(self) -> Path:
        return self.content.folder

    def fault(self, error: BaseException, where: str) -> Fault:
        """Return the fault for an exception that the mod's code raised."""
        return fault_of(error, self.id, self.content.unpacked, where)

    def install(self, app: App) -> None:
        """Add the mod's parts to `app`.

        Raises:
            LoadError: the mod's `install` failed.
        """
        with self.guarded("install"), _no_monkey_patching(), redirect_stdout(sys.stderr):
            self.entry(app)

    @contextmanager
    def guarded(self, where: str) -> Iterator[None]:
        """Turn any exception raised in the block into a LoadError."""
        with _guarded(self.id, self.content.unpacked, where):
            yield


@contextmanager
def _guarded(mod: str, folder: Path, where: str) -> Iterator[None]:
    try:
        yield
    except LoadError:
        raise
    except KeyboardInterrupt as error:
        raise interrupt_of(error, mod, folder, where) from None
    except BaseException as error:  # includes SystemExit, CancelledError and GeneratorExit
        raise LoadError(fault_of(error, mod, folder, where)) from error


@contextmanager
def _no_monkey_patching() -> Iterator[None]:
    """Restore functions of shared modules that the block has replaced, and the filters of warnings.

    Raises:
        TrespassError: a function was replaced.
    """
    before = {module: dict(vars(module)) for module in (builtins, math, np, esper)}
    try:
        with filters_kept():
            yield
    finally:
        changed = [
            (module, name)
            for module, names in before.items()
            for name, value in names.items()
            if callable(value) and not name.startswith("_") and vars(module).get(name) is not value
        ]
        for module, name in changed:
            setattr(module, name, before[module][name])
    if changed:
        module, name = changed[0]
        raise TrespassError(f"replaces {module.__name__}.{name}, which all others use: give yours a name of its own")


_newest: dict[str, LoadedMod] = {}
_imported: set[str] = set()  # ids of the mods that were imported, in whatever version


def load(found: Found, content: Content, loaded: Mapping[str, LoadedMod], *, again: bool = False) -> LoadedMod:
    """Import a mod; must be called within `all_or_none`.

    If the same content is loaded already, that mod is returned, unless `again` is set or the mods that it may import
    have changed, because it holds references to their old versions.

    Args:
        found: a mod with a manifest.
        loaded: the mods before it in the order, by id.
    Raises:
        LoadError: the mod can't be imported.
    """
    manifest = found.manifest
    assert manifest is not None
    _refuse_other_manifest(manifest, content)
    before = tuple(mod for mod in loaded.values() if mod.id in manifest.related)
    known = _newest.get(manifest.id)
    same = known and (known.folder, known.content.digest, known.before) == (content.folder, content.digest, before)
    if known and same and not again:
        return known
    if foreign := foreign_imports(content, manifest.related):
        place, _, message = foreign[0].partition(": ")
        raise LoadError(Fault(manifest.id, place, message, "import"))
    import_module("sandbox.api")  # outside `cached_apart`, so that its kernels use the built-in kernels' cache
    for absent in manifest.related - {manifest.id, *loaded}:
        forget(absent)
        _newest.pop(absent, None)
    cache = f"mods/{manifest.id}-{content.digest[:16]}" if manifest.id not in _imported else None  # none while edited
    _imported.add(manifest.id)
    with (
        _guarded(manifest.id, content.unpacked, "import"),
        cached_apart(cache) as kernels,
        _no_monkey_patching(),
        redirect_stdout(sys.stderr),
    ):
        module = import_from(manifest.id, content, manifest.module)
    entry = getattr(module, manifest.function, None)
    if not callable(entry):
        message = f"entry: {manifest.module} has no function {manifest.function!r}"
        raise LoadError(Fault(manifest.id, "mod.toml", message, "import"))
    made = LoadedMod(manifest, content, before, entry)
    weakref.finalize(made, release, kernels).atexit = False
    return made


def _refuse_other_manifest(manifest: Manifest, content: Content) -> None:
    """Refuse content whose `mod.toml` differs from the manifest that was read earlier to order the mods."""
    try:
        if content.manifest != manifest:
            raise ModError("it was changed while it was read: load it again")
    except ModError as error:
        raise LoadError(Fault(manifest.id, MANIFEST, str(error), "import")) from None


def keep(mods: Iterable[LoadedMod]) -> None:
    """Record mods that were installed as the newest of their ids, so that `load` can reuse them."""
    _newest.update({mod.id: mod for mod in mods})
