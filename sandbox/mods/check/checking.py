"""`boids mod check DIR`: what is wrong with a mod, found by reading it and by running it in a small world."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from sandbox.design.prefabs import brought_names, installed_prefabs
from sandbox.design.rules import broken_rule
from sandbox.mods.check.determinism import told, wrong_in_running
from sandbox.mods.find.content import Content, read_content
from sandbox.mods.find.finding import Found, Origin, find_mods
from sandbox.mods.find.imports import foreign_imports
from sandbox.mods.find.manifest import ModError, from_here, read_manifest, shown
from sandbox.mods.find.order import in_order, said
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.loading import LoadError
from sandbox.mods.load.together import mods_from
from sandbox.scenes.reader import read_scene
from sandbox.toml.mistakes import SceneError
from sandbox.warning import SandboxWarning


def check(
    folder: Path, trust: Trust, *, quick: bool = False, tell: Callable[[str], object] = lambda doing: None
) -> list[str]:
    """What is wrong with the mod in a folder, a line each; the mods that it needs must be enabled.

    Args:
        quick: run it once, and don't compare that with other runs.
        tell: is called with what is being done.
    """
    folder = folder.absolute()
    tell("reading it")
    try:
        manifest, content = read_manifest(folder), read_content(folder)
    except ModError as error:
        return str(error).splitlines()
    if wrong := [
        *_no_python(content),
        *(f"{shown(folder)}/{line}" for line in foreign_imports(content, manifest.related)),
    ]:
        return wrong
    own = Found(folder, Origin.NAMED, manifest)
    try:
        mods = mods_from([*_needed(own, trust), folder])
        if wrong := [*_broken_prefabs(own, mods)]:
            return wrong
        wrong = [*_wrong_scenes(mods, manifest.id)]
        with warnings.catch_warnings(action="ignore", category=SandboxWarning):
            return [*wrong, *wrong_in_running(own, content, mods, tell, quick=quick)]
    except LoadError as error:
        return [told(error.fault, own)]
    except (ModError, SceneError, ValueError) as error:
        return [f"{shown(folder)}: {line}" for line in str(error).splitlines()]
    except Exception as error:
        return [f"{shown(folder)}: it made the program fail, {type(error).__name__}: {error}: does it change others?"]


def _no_python(content: Content) -> Iterator[str]:
    """What Python itself would say of a file, also of one that is not always imported."""
    for name, text in content.files.items():
        if name.endswith(".py"):
            try:
                compile(text, name, "exec")
            except SyntaxError as error:
                yield f"{shown(content.folder)}/{name}:{error.lineno or 1}:{error.offset or 1}: {error.msg}"
            except (ValueError, RecursionError, MemoryError) as error:
                yield f"{shown(content.folder)}/{name}: {error}"


def _needed(own: Found, trust: Trust) -> list[Path]:
    """The folders of the mods that it depends on, and these on, in the order in which they load.

    Raises:
        ModError: one is missing, outdated, not enabled or not as it was enabled.
    """
    found = [own, *(mod for mod in find_mods() if mod.manifest and mod.id != own.id)]
    depends = {mod.id: {other.id for other in said(mod).depends} for mod in reversed(found)}
    needed, more = set[str](), {own.id}
    while more:
        needed |= more
        more = {other for id in more for other in depends.get(id, ())} - needed
    order = in_order(found, {own.id, *(needed & trust.enabled.keys())})
    if own in order.refused:
        raise ModError(order.refused[own])
    others = [mod for mod in order.mods if mod != own]
    for mod in others:
        if not trust.allows(mod.id, read_content(mod.folder).digest):
            raise ModError(f"needs {mod.id}, which was changed since it was enabled: enable it again")
    return [mod.folder for mod in others]


def _broken_prefabs(own: Found, mods: LoadedMods) -> Iterator[str]:
    """Those that nobody can be of in any world."""
    assembly = mods.assembly
    prefabs = installed_prefabs(assembly.app)
    for name in brought_names(assembly.parts[own.id]):
        if broken := broken_rule("open", prefabs[name].components, prefabs[name].values()):
            yield f"{shown(own.folder)}: prefab {name!r}: {broken}"


def _wrong_scenes(mods: LoadedMods, id: str) -> Iterator[str]:
    """The mistakes in the scenes that it brings."""
    for folder in mods.assembly.parts[id].scenes:
        paths = sorted(Path(folder).glob("*.toml"))
        if not paths:
            yield f"{shown(Path(folder))}: add_scenes: there are no scenes in it"
        for path in paths:
            try:
                read_scene(from_here(path), mods)
            except SceneError as error:
                yield from (str(mistake).splitlines()[0] for mistake in error.mistakes)
