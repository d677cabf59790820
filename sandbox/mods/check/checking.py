"""`boids mod check DIR`: checks a mod by reading its files and by running it in a small world."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from components.store.fields import DEEP, FLAT
from sandbox.design.field_rules import broken_rule
from sandbox.design.prefabs import brought_names, installed_prefabs
from sandbox.mods.check.determinism import fault_text, wrong_in_running
from sandbox.mods.check.forbidden import forbidden
from sandbox.mods.find.content import Content, read_content
from sandbox.mods.find.finding import Found, Origin, find_mods
from sandbox.mods.find.imports import foreign_imports
from sandbox.mods.find.load_order import in_order, known_manifest
from sandbox.mods.find.manifest import ModError, from_here, read_manifest, shown
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.loading import LoadError
from sandbox.mods.load.together import mods_from
from sandbox.scenes.reader import read_scene
from sandbox.toml.mistakes import SceneError
from sandbox.warning import SandboxWarning


def wrong_as_written(folder: Path) -> list[str]:
    """Return a line for each problem of a mod that is found by reading its files, without running it."""
    folder = folder.absolute()
    try:
        manifest, content = read_manifest(folder), read_content(folder)
    except ModError as error:
        return str(error).splitlines()
    return [
        *_syntax_errors(content),
        *(f"{shown(folder)}/{line}" for line in foreign_imports(content, manifest.related)),
        *(f"{shown(folder)}/{line}" for line in forbidden(content)),
    ]


def check(
    folder: Path,
    trust: Trust,
    *,
    quick: bool = False,
    tell: Callable[[str], object] = lambda doing: None,
    alive: Callable[[], object] = lambda: None,
) -> list[str]:
    """Check the mod in a folder; return a line for each problem. The mods that it needs must be enabled.

    Args:
        quick: run it only once, without comparing runs.
        tell: called with the name of each step when it begins.
        alive: called after each tick.
    """
    folder = folder.absolute()
    tell("reading it")
    if wrong := wrong_as_written(folder):
        return wrong
    own, content = Found(folder, Origin.NAMED, read_manifest(folder)), read_content(folder)
    try:
        mods = mods_from([*_needed(own, trust), folder])
        if wrong := [*_broken_prefabs(own, mods)]:
            return wrong
        wrong = [*_wrong_scenes(mods, own.id)]
        with warnings.catch_warnings(action="ignore", category=SandboxWarning):
            for axes in (FLAT, DEEP):
                if not wrong and not mods.out_of_place(axes):
                    wrong += wrong_in_running(own, content, mods, tell, alive, quick=quick, axes=axes)
            return wrong
    except LoadError as error:
        return [fault_text(error.fault, own)]
    except (ModError, SceneError, ValueError) as error:
        return [f"{shown(folder)}: {line}" for line in str(error).splitlines()]
    except Exception as error:
        return [f"{shown(folder)}: it made the program fail, {type(error).__name__}: {error}: does it change others?"]


def _syntax_errors(content: Content) -> Iterator[str]:
    """Yield the syntax errors of all Python files, also of those that are not always imported."""
    for name, text in content.files.items():
        if name.endswith(".py"):
            try:
                compile(text, name, "exec")
            except SyntaxError as error:
                yield f"{shown(content.folder)}/{name}:{error.lineno or 1}:{error.offset or 1}: {error.msg}"
            except (ValueError, RecursionError, MemoryError) as error:
                yield f"{shown(content.folder)}/{name}: {error}"


def _needed(own: Found, trust: Trust) -> list[Path]:
    """Return the folders of the mods that a mod depends on, directly or not, in the order in which they load.

    Raises:
        ModError: a mod is missing, outdated, not enabled, or changed since it was enabled.
    """
    found = [own, *(mod for mod in find_mods() if mod.manifest and mod.id != own.id)]
    depends = {mod.id: {other.id for other in known_manifest(mod).depends} for mod in reversed(found)}
    needed, more = set[str](), {own.id}
    while more:
        needed |= more
        more = {other for id in more for other in depends.get(id, ())} - needed
    preferred = trust.preferred(found)
    order = in_order(found, {own.id, *(needed & trust.enabled.keys())}, preferred)
    if own in order.refused:
        raise ModError(order.refused[own])
    others = [mod for mod in order.mods if mod != own]
    for mod in others:
        if not preferred.get(mod):
            raise ModError(f"needs {mod.id}, which was changed since it was enabled: enable it again")
    return [mod.folder for mod in others]


def _broken_prefabs(own: Found, mods: LoadedMods) -> Iterator[str]:
    """Yield a message for each prefab of the mod that is invalid in every world."""
    assembly = mods.assembly
    prefabs = installed_prefabs(assembly.app)
    for name in brought_names(assembly.parts[own.id]):
        if broken := broken_rule("open", prefabs[name].components, prefabs[name].values()):
            yield f"{shown(own.folder)}: prefab {name!r}: {broken}"


def _wrong_scenes(mods: LoadedMods, id: str) -> Iterator[str]:
    """Yield the mistakes in the scenes of the mod."""
    for folder in mods.assembly.parts[id].scenes:
        paths = sorted(Path(folder).glob("*.toml"))
        if not paths:
            yield f"{shown(Path(folder))}: add_scenes: there are no scenes in it"
        for path in paths:
            try:
                read_scene(from_here(path), mods)
            except SceneError as error:
                yield from (str(mistake).splitlines()[0] for mistake in error.mistakes)
