"""`boids mod check DIR`: what is wrong with a mod, found by reading it and by running it in a small world."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numba
import numpy as np

from sandbox.mods.assembly import assembled
from sandbox.mods.content import Content, read_content
from sandbox.mods.fault import Fault
from sandbox.mods.finding import Found, Origin, find_mods
from sandbox.mods.imports import foreign_imports
from sandbox.mods.library import mods_from
from sandbox.mods.loaded_mods import LoadedMods
from sandbox.mods.loading import LoadedMod, LoadError, keep, load
from sandbox.mods.manifest import ModError, read_manifest, shown
from sandbox.mods.order import in_order, said
from sandbox.mods.packages import all_or_none
from sandbox.mods.trial import State, difference, states, trial_scene
from sandbox.mods.trust import Trust
from sandbox.reading.mistakes import SceneError
from sandbox.reading.scene_file import read_scene
from sandbox.simulation import Simulation
from sandbox.snapshots.snapshot import read_snapshot
from systems.core.pipeline import System

TICKS, HALF = 100, 50
KEEP = "what a mod remembers must stand in components or resources"
ROWS = "add floats in the order of serials, and let no row number decide anything"


def check(folder: Path, trust: Trust) -> list[str]:
    """What is wrong with the mod in a folder, a line each; the mods that it needs must be enabled."""
    folder = folder.absolute()
    try:
        manifest, content = read_manifest(folder), read_content(folder)
    except ModError as error:
        return str(error).splitlines()
    if wrong := [*_no_python(content), *(f"{shown(folder)}/{line}" for line in foreign_imports(content))]:
        return wrong
    own = Found(folder, Origin.NAMED, manifest)
    try:
        mods = mods_from([*_needed(own, trust), folder])
        return [*_wrong_scenes(mods, manifest.id), *_run(own, content, mods)]
    except LoadError as error:
        return [_told(error.fault, own)]
    except (ModError, SceneError, ValueError) as error:
        return [f"{shown(folder)}: {line}" for line in str(error).splitlines()]


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
    found = [own, *(mod for mod in find_mods() if mod.manifest and said(mod).id != said(own).id)]
    order = in_order(found, {said(own).id, *trust.enabled})
    if own in order.refused:
        raise ModError(order.refused[own])
    needed = {said(own).id}
    for mod in reversed(order.mods):
        if said(mod).id in needed:
            needed |= {other.id for other in said(mod).depends}
    folders = [mod.folder for mod in order.mods if said(mod).id in needed and mod != own]
    for mod in order.mods:
        if mod.folder in folders and read_content(mod.folder).digest != trust.enabled[said(mod).id]:
            raise ModError(f"needs {said(mod).id}, which was changed since it was enabled: enable it again")
    return folders


def _wrong_scenes(mods: LoadedMods, id: str) -> Iterator[str]:
    """The mistakes in the scenes that it brings."""
    for folder in assembled(mods.loaded).parts[id].scenes:
        paths = sorted(Path(folder).glob("*.toml"))
        if not paths:
            yield f"{shown(Path(folder))}: add_scenes: there are no scenes in it"
        for path in paths:
            try:
                read_scene(shown(path), mods)
            except SceneError as error:
                yield from (str(mistake).splitlines()[0] for mistake in error.mistakes)


def _run(own: Found, content: Content, mods: LoadedMods) -> Iterator[str]:
    """What goes wrong in a world of its prefabs; else the first thing that makes it go another way than it should."""
    with Simulation(trial_scene(mods.loaded)) as simulation, tempfile.TemporaryDirectory() as place:
        half = Path(place) / "half.npz"
        first = states(simulation, HALF)
        simulation.save(half)
        first |= states(simulation, TICKS)
        if simulation.mods.faults:
            yield from (_told(fault, own) for fault in simulation.mods.faults)
            return
        blame = _blame(simulation.mods.parts[said(own).id].systems)
        ways: list[tuple[str, Callable[[], str], str]] = [
            ("opened once more", lambda: _again(mods.loaded, first), blame),
            ("on one thread", lambda: _alone(mods.loaded, first), "in a parallel loop write own rows only"),
            ("with rows in another order", lambda: _shuffled(mods.loaded, first), ROWS),
            ("saved and opened", lambda: _loaded(half, _afresh(own, content, mods), first), blame),
        ]
        for way, differs, advice in ways:
            if when := differs():
                yield f"{shown(own.folder)}: {way}, the world goes another way {when}: {advice}"
                return


def _again(mods: tuple[LoadedMod, ...], first: dict[int, State]) -> str:
    with Simulation(trial_scene(mods)) as simulation:
        return difference(first, states(simulation, TICKS))


def _afresh(own: Found, content: Content, mods: LoadedMods) -> LoadedMods:
    """The same mods, this one imported anew as the next start of the program would."""
    with all_or_none():
        fresh = tuple(load(own, content, again=True) if mod.id == said(own).id else mod for mod in mods.loaded)
    keep(fresh)
    return LoadedMods(fresh)


def _shuffled(mods: tuple[LoadedMod, ...], first: dict[int, State]) -> str:
    chance = np.random.default_rng(1)
    with Simulation(trial_scene(mods)) as simulation:
        table = simulation.world.table
        return difference(first, states(simulation, TICKS, lambda: table.reorder(chance.permutation(table.size))))


def _loaded(half: Path, mods: LoadedMods, first: dict[int, State]) -> str:
    with read_snapshot(half, mods=mods) as simulation:
        return difference(first, states(simulation, TICKS))


def _alone(mods: tuple[LoadedMod, ...], first: dict[int, State]) -> str:
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        return _again(mods, first) if threads > 1 else ""
    finally:
        numba.set_num_threads(threads)


def _blame(systems: list[System]) -> str:
    """What may be the reason."""
    of_all = {"enabled", "nanoseconds", "guard", "priority"}
    kept = {system.name: sorted(vars(system).keys() - of_all - system.parameters.keys()) for system in systems}
    held = [f"system {name} keeps {', '.join(names)}" for name, names in kept.items() if names]
    return f"{KEEP}{'; ' if held else ', not in globals'}{' and '.join(held)}"


def _told(fault: Fault, own: Found) -> str:
    if fault.mod != said(own).id:
        return fault.sentence
    place = f"{shown(own.folder)}/{fault.place}" if fault.place else shown(own.folder)
    return f"{place}: {fault.message} ({fault.where})"
