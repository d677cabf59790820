"""Runs a mod in a small world, and checks that the result is deterministic.

The same world must reach the same state, bit for bit, if it is opened once more, if it runs on one thread, with its
rows in any order, and if it is saved and then opened with the mod imported anew. If it doesn't, the mod keeps something
that is in no snapshot, or its results depend on something outside the world.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np

from components.store.fields import FLAT
from components.store.words import did_you_mean
from sandbox import opening
from sandbox.design.scene import Scene
from sandbox.files import named
from sandbox.files.container import RecordingError
from sandbox.mods.check.drawing import wrong_in_drawing
from sandbox.mods.check.small_world import ALL, Digests, difference, digests_by_tick, small_scene
from sandbox.mods.check.strict import StrictGuard
from sandbox.mods.find.content import Content
from sandbox.mods.find.fault import Fault
from sandbox.mods.find.finding import Found
from sandbox.mods.find.manifest import shown
from sandbox.mods.find.packages import all_or_none
from sandbox.mods.load.assembly import assembled
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.loading import keep, load
from sandbox.mods.run.guard import Guard
from sandbox.scenes.reader import read_scene
from sandbox.simulation import Simulation
from sandbox.toml.mistakes import SceneError
from systems.engine.measures import POPULATION
from systems.engine.system import System
from systems.engine.threads import exactly, threads

TICKS, HALF = 100, 50
Course = dict[int, Digests]
KEEP = "a mod must keep what it remembers in components or resources, and draw random numbers with `randoms`"
ROWS = "add floats and spawn in the order of serials, and let no row number decide anything"


def wrong_in_running(
    own: Found,
    content: Content,
    mods: LoadedMods,
    tell: Callable[[str], object],
    alive: Callable[[], object],
    *,
    quick: bool,
    axes: str = FLAT,
) -> Iterator[str]:
    """Yield the faults in a world with the mod's prefabs, or else systems that never run and the first difference.

    Args:
        tell: called with the name of each step when it begins.
        alive: called after each tick.
        quick: don't compare runs.
        axes: those of the world.
    """
    here = "" if axes == FLAT else ", with depth"
    scene = partial(small_scene, mods, axes)
    tell(f"running {TICKS} ticks{here}")
    on_all = exactly(threads())  # by default a small world runs on one thread
    with on_all, Simulation(scene()) as simulation, tempfile.TemporaryDirectory() as place:
        half = Path(place) / "half.boids"
        guards = [StrictGuard(system) for system in simulation.mods.systems([own.id])]
        first = digests_by_tick(simulation, HALF, alive)
        if not simulation.mods.faults:
            simulation.save(half)
            first |= digests_by_tick(simulation, TICKS, alive)
        if simulation.mods.faults:
            yield from (fault_text(fault, own) for fault in simulation.mods.faults)
            return
        yield from (fault_text(hint, own) for guard in guards for hint in guard.hints.values())
        yield from _never_ran(simulation, own, mods)
        yield from _unknown_measures(simulation, own)
        tell(f"drawing its overlays{here}")
        yield from (fault_text(fault, own) for fault in wrong_in_drawing(simulation, own.id))
        if quick:
            return
        blame = _blame(simulation.mods.systems([own.id]))
        ways: list[tuple[str, Callable[[], str], str]] = [
            ("opened once more", lambda: _again(scene, first, alive), blame),
            (
                "on one thread",
                lambda: _alone(scene, first, alive),
                "in a parallel loop, write only to the loop's own row",
            ),
            ("with rows in another order", lambda: _shuffled(scene, first, alive), ROWS),
            ("saved and opened", lambda: _loaded(half, _afresh(own, content, mods), first, alive), blame),
        ]
        for way, differs, advice in ways:
            tell(f"running it again, {way}{here}")
            if when := differs():
                yield f"{shown(own.folder)}: {way}{here}, the run differs {when}: {advice}"
                return


def _never_ran(simulation: Simulation, own: Found, mods: LoadedMods) -> Iterator[str]:
    """Yield a message for each of its systems that never ran, or ran only for the scene's prefab `ALL`."""
    world, brought = simulation.world, simulation.mods.parts[own.id]
    prefabs = [prefab.components.keys() for prefab in world.prefabs.values() if prefab.name != ALL]
    bodies = [*prefabs, *_bodies_in_scenes(brought.scenes, mods)]
    for system in simulation.mods.systems([own.id]):
        needs, sentence = {component.__name__ for component in system.needs}, ""
        who = " and ".join(component.__name__ for component in system.needs)
        having = world.table.prefab[world.table.rows(*system.needs)]
        if isinstance(system.guard, Guard) and not system.guard.ran:
            sentence = f"never ran: no entity has {who}"
        elif any(needs <= body for body in bodies) or (having != world.prefab_index(ALL)).any():
            continue
        elif needs <= set().union(*prefabs):
            sentence = f"never runs: no prefab has {who} together"
        else:
            sentence = f"never runs: no prefab or scene has {who}, and no system gives it to anyone"
        yield f"{shown(own.folder)}: system {system.name} {sentence}"


def _unknown_measures(simulation: Simulation, own: Found) -> Iterator[str]:
    """Yield a message for each measure of its charts that their systems don't compute."""
    populations = {f"{POPULATION}{name}" for name in simulation.world.prefabs}
    for chart in simulation.mods.parts[own.id].charts:
        known = {*simulation.measures([chart.system]), *populations}
        for name in [name for name in chart.measures if name not in known]:
            sentence = f"the chart {chart.title} names {name!r}: {chart.system} has no such measure"
            yield f"{shown(own.folder)}: {sentence}{did_you_mean(name, known)}"


def _bodies_in_scenes(folders: Iterable[Path | str], mods: LoadedMods) -> Iterator[set[str]]:
    """Yield the sets of components of the entities that the scenes spawn; unreadable scenes are skipped."""
    for path in (path for folder in folders for path in sorted(Path(folder).glob("*.toml"))):
        with suppress(SceneError):
            scene = read_scene(path, mods)
            for entry in scene.entries:
                yield entry.body(scene.prefabs[entry.prefab])[0]


def _again(scene: Callable[[], Scene], first: Course, alive: Callable[[], object]) -> str:
    with Simulation(scene()) as simulation:
        return _differs(simulation, digests_by_tick(simulation, TICKS, alive), first)


def _alone(scene: Callable[[], Scene], first: Course, alive: Callable[[], object]) -> str:
    with exactly(1):
        return _again(scene, first, alive)


def _shuffled(scene: Callable[[], Scene], first: Course, alive: Callable[[], object]) -> str:
    chance = np.random.default_rng(1)
    with Simulation(scene()) as simulation:
        table = simulation.world.table
        course = digests_by_tick(simulation, TICKS, alive, lambda: table.reorder(chance.permutation(table.size)))
        return _differs(simulation, course, first)


def _loaded(half: Path, mods: LoadedMods, first: Course, alive: Callable[[], object]) -> str:
    try:
        simulation = opening.load(half, mods=mods)
    except RecordingError as error:
        raise ValueError(f"saved, the world can't be opened: {str(error).removeprefix(f'{named(half)}: ')}") from None
    with simulation:
        return _differs(simulation, digests_by_tick(simulation, TICKS, alive), first)


def _afresh(own: Found, content: Content, mods: LoadedMods) -> LoadedMods:
    """Return the same mods, with this one imported anew, as the next start of the program would do."""
    with all_or_none():
        others = {mod.id: mod for mod in mods.loaded if mod.id != own.id}
        fresh = load(own, content, others, again=True)
    keep([fresh])
    return LoadedMods(assembled(fresh if mod.id == fresh.id else mod for mod in mods.loaded))


def _differs(simulation: Simulation, course: Course, first: Course) -> str:
    failed = [f", because it failed: {fault.sentence}" for fault in simulation.mods.faults[:1]]
    return "".join([difference(first, course), *failed])


def _blame(systems: list[System]) -> str:
    """Return the advice on what is kept elsewhere: the attributes that systems keep, or globals if there are none."""
    of_all = {"enabled", "nanoseconds", "guard", "priority", "_idle", "_idle_at"}
    kept = {system.name: sorted(vars(system).keys() - of_all - system.parameters.keys()) for system in systems}
    held = [f"system {name} keeps {', '.join(names)}" for name, names in kept.items() if names]
    return f"{KEEP}{'; ' if held else ', and nothing in globals'}{' and '.join(held)}"


def fault_text(fault: Fault, own: Found) -> str:
    """Return a fault as a line; if it is of this mod, with its path relative to the working folder."""
    if fault.mod != own.id:
        return fault.sentence
    place = f"{shown(own.folder)}/{fault.place}" if fault.place else shown(own.folder)
    return f"{place}: {fault.message} ({fault.where})"
