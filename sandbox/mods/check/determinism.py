"""What goes wrong when a mod runs, and what makes a world with it go another way than it should.

The same world must come to the same, bit by bit, when it is opened once more, on one thread, with its rows in any
order, and when it was saved and is opened by the next start of the program. Where it doesn't, something is kept where
no snapshot finds it, or decided by what is no part of the world.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np

from sandbox import opening
from sandbox.files import named
from sandbox.mods.check.trial import ALL, State, difference, states, trial_scene
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
from sandbox.state.array_file import SnapshotError
from sandbox.toml.mistakes import SceneError
from systems.engine.system import System
from systems.engine.threads import exactly, threads

TICKS, HALF = 100, 50
Course = dict[int, State]
KEEP = "a mod must keep its state in components or resources"
ROWS = "add floats and spawn in the order of serials, and let no row number decide anything"


def wrong_in_running(
    own: Found, content: Content, mods: LoadedMods, tell: Callable[[str], object], *, quick: bool
) -> Iterator[str]:
    """What goes wrong in a world of its prefabs; else the first thing that makes it go another way than it should.

    Args:
        tell: is called with what is being done.
        quick: nothing is compared.
    """
    tell(f"running {TICKS} ticks")
    on_all = exactly(threads())  # a small world would run on one
    with on_all, Simulation(trial_scene(mods)) as simulation, tempfile.TemporaryDirectory() as place:
        half = Path(place) / "half.npz"
        first = states(simulation, HALF)
        simulation.save(half)
        first |= states(simulation, TICKS)
        if simulation.mods.faults:
            yield from (told(fault, own) for fault in simulation.mods.faults)
            return
        yield from _never_ran(simulation, own, mods)
        if quick:
            return
        blame = _blame(simulation.mods.systems([own.id]))
        ways: list[tuple[str, Callable[[], str], str]] = [
            ("opened once more", lambda: _again(mods, first), blame),
            ("on one thread", lambda: _alone(mods, first), "in a parallel loop, write only to the loop's own row"),
            ("with rows in another order", lambda: _shuffled(mods, first), ROWS),
            ("saved and opened", lambda: _loaded(half, _afresh(own, content, mods), first), blame),
        ]
        for way, differs, advice in ways:
            tell(f"running it again, {way}")
            if when := differs():
                yield f"{shown(own.folder)}: {way}, the run differs {when}: {advice}"
                return


def _never_ran(simulation: Simulation, own: Found, mods: LoadedMods) -> Iterator[str]:
    """Those of its systems that nothing was done for, or would be where nobody has all components of mods."""
    world, part = simulation.world, simulation.mods.parts[own.id]
    prefabs = [prefab.components.keys() for prefab in world.prefabs.values() if prefab.name != ALL]
    bodies = [*prefabs, *_bodies_in_scenes(part.scenes, mods)]
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


def _bodies_in_scenes(folders: Iterable[Path | str], mods: LoadedMods) -> Iterator[set[str]]:
    """The components of those whom scenes spawn, as far as the scenes can be read."""
    for path in (path for folder in folders for path in sorted(Path(folder).glob("*.toml"))):
        with suppress(SceneError):
            scene = read_scene(path, mods)
            for entry in scene.entries:
                yield entry.body(scene.prefabs[entry.prefab])[0]


def _again(mods: LoadedMods, first: Course) -> str:
    with Simulation(trial_scene(mods)) as simulation:
        return _differs(simulation, states(simulation, TICKS), first)


def _alone(mods: LoadedMods, first: Course) -> str:
    with exactly(1):
        return _again(mods, first)


def _shuffled(mods: LoadedMods, first: Course) -> str:
    chance = np.random.default_rng(1)
    with Simulation(trial_scene(mods)) as simulation:
        table = simulation.world.table
        course = states(simulation, TICKS, lambda: table.reorder(chance.permutation(table.size)))
        return _differs(simulation, course, first)


def _loaded(half: Path, mods: LoadedMods, first: Course) -> str:
    try:
        simulation = opening.load(half, mods=mods)
    except SnapshotError as error:
        raise ValueError(f"saved, the world can't be opened: {str(error).removeprefix(f'{named(half)}: ')}") from None
    with simulation:
        return _differs(simulation, states(simulation, TICKS), first)


def _afresh(own: Found, content: Content, mods: LoadedMods) -> LoadedMods:
    """The same mods, this one imported anew as the next start of the program would."""
    with all_or_none():
        others = {mod.id: mod for mod in mods.loaded if mod.id != own.id}
        fresh = load(own, content, others, again=True)
    keep([fresh])
    return LoadedMods(assembled(fresh if mod.id == fresh.id else mod for mod in mods.loaded))


def _differs(simulation: Simulation, course: Course, first: Course) -> str:
    failed = [f", because it failed: {fault.sentence}" for fault in simulation.mods.faults[:1]]
    return "".join([difference(first, course), *failed])


def _blame(systems: list[System]) -> str:
    """What may be the reason."""
    of_all = {"enabled", "nanoseconds", "guard", "priority", "_idle", "_idle_at"}
    kept = {system.name: sorted(vars(system).keys() - of_all - system.parameters.keys()) for system in systems}
    held = [f"system {name} keeps {', '.join(names)}" for name, names in kept.items() if names]
    return f"{KEEP}{'; ' if held else ', not in globals'}{' and '.join(held)}"


def told(fault: Fault, own: Found) -> str:
    """A fault of this mod with its file from the working folder on, one of another in its own words."""
    if fault.mod != own.id:
        return fault.sentence
    place = f"{shown(own.folder)}/{fault.place}" if fault.place else shown(own.folder)
    return f"{place}: {fault.message} ({fault.where})"
