"""The mods of a world: guards their systems, and switches a mod off if it fails, while the world goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from components.store.world import World
from sandbox.design.prefabs import Brought, brought_names, installed_names, installed_prefabs
from sandbox.edit.command import Command, find, find_system, read_switch
from sandbox.edit.queue import CommandQueue
from sandbox.mods.find.fault import Fault
from sandbox.mods.load.assembly import Assembly
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.loading import LoadedMod
from sandbox.mods.run.guard import Guard
from sandbox.undo.history import ModSwitches
from systems.engine.app import App
from systems.engine.pipeline import Pipeline
from systems.engine.system import System


@dataclass
class ModHost(ModSwitches):
    """The mods of a world; a resource.

    Attributes:
        assembly: the parts that the world uses, with its mods.
        off: the ids of the mods that are switched off in this world.
        stopping: those of them with systems that had run in this tick already: they are switched off at its end.
        faults: why mods were stopped, the newest last.
        ticking: whether a tick is running.
    """

    world: World
    assembly: Assembly
    off: frozenset[str] = frozenset()
    stopping: frozenset[str] = frozenset()
    faults: list[Fault] = field(default_factory=list)
    ticking: bool = False

    @property
    def mods(self) -> Mapping[str, LoadedMod]:
        """The mods by id, in order."""
        return self.assembly.mods

    @property
    def parts(self) -> Mapping[str, App]:
        """The parts of each mod, by its id."""
        return self.assembly.parts

    @property
    def mod_of(self) -> dict[str, str]:
        """The mod of each system that one brings, by the system's name."""
        return {system.name: mod for mod, own in self.parts.items() for system in own.systems}

    @property
    def stored(self) -> dict[str, tuple[bool, bool]]:
        """For each mod, whether it is switched off, and whether it is stopping."""
        return {mod: (mod in self.off, mod in self.stopping) for mod in self.mods}

    @stored.setter
    def stored(self, values: Mapping[str, tuple[bool, bool]]) -> None:
        now = {**self.stored, **values}
        self.off, self.stopping = (frozenset(mod for mod in self.mods if now[mod][index]) for index in (0, 1))

    def take(self, assembly: Assembly) -> None:
        """Make these the mods of this world: add their prefabs, and guard their systems.

        Raises:
            SceneError: their prefabs have mistakes.
        """
        self.assembly = assembly
        if any(brought.prefabs for brought in self.parts.values()):
            self._take_prefabs(assembly.app)
        for mod, loaded in self.mods.items():
            for system in self.systems([mod]):
                system.guard = Guard(mod, loaded.content.unpacked, stop_mod)

    def follow_systems(self) -> None:
        """Find out which mods are off from their systems, because files only have these.

        A mod is off if all its systems are. A mod without systems is off if one that it depends on is.
        """
        off = set[str]()
        for mod, loaded in self.mods.items():
            systems, needs = self.systems([mod]), {needed.id for needed in loaded.manifest.depends}
            if not any(system.enabled for system in systems) and (systems or needs & off):
                off.add(mod)
        self.off = frozenset(off)

    def _take_prefabs(self, app: App) -> None:
        prefabs, names = self.world.prefabs, dict.fromkeys([*self.world.prefabs, *installed_names(app)])
        own = brought_names(app)
        brought = Brought((name, prefab) for name, prefab in installed_prefabs(app, names).items() if name in own)
        self.world.resources[Brought] = brought
        for name, prefab in brought.items():
            prefabs.setdefault(name, prefab)

    def needed_by(self, mod: str) -> list[str]:
        """Return a mod and all its dependencies, in order."""
        found = {mod}
        for other in reversed(list(self.mods)):
            if other in found:
                found |= {needed.id for needed in self.mods[other].manifest.depends}
        return [other for other in self.mods if other in found]

    def with_dependents(self, mod: str) -> list[str]:
        """Return a mod and all mods that depend on it, in order."""
        found = [mod]
        for other, loaded in self.mods.items():
            if any(needed.id in found for needed in loaded.manifest.depends):
                found.append(other)
        return found

    def switch(self, mod: str, on: bool) -> None:
        """Switch a mod off with all that depend on it, or on with all that it depends on."""
        mods = self.needed_by(mod) if on else self.with_dependents(mod)
        self.off = self.off - {*mods} if on else self.off | {*mods}
        self.stopping -= {*mods}
        for system in self.systems(mods):
            system.enabled = on

    def switch_off_what_lacks_others(self) -> None:
        for mod, loaded in self.mods.items():
            if mod not in self.off and any(needed.id in self.off for needed in loaded.manifest.depends):
                self.switch(mod, False)

    def refuse_axes(self, axes: str) -> None:
        LoadedMods(self.assembly).fitting(axes)

    def systems(self, mods: Iterable[str]) -> list[System]:
        """Return the systems of these mods, in the pipeline's order."""
        own = {system.name for mod in mods for system in self.parts[mod].systems}
        return [system for system in self.world.resource(Pipeline).systems if system.name in own]

    def stop(self, fault: Fault, system: System | None = None) -> None:
        """Switch a mod off, and those that depend on it, because of a fault.

        This is logged as a command, so that a log replays to the same world. Systems that have already run in this
        tick are switched off at its end.

        Args:
            system: the system that failed; its run in this tick was rolled back.
        """
        self.faults.append(fault)
        world, stopped = self.world, self.with_dependents(fault.mod)
        names = [each.name for each in self.systems(stopped) if each.enabled]
        if fault.mod in self.off and not names:
            return
        index = names.index(system.name) if self.ticking and system else 0
        command = StopMod(fault.mod, tuple(names[index:]))
        command.apply(world)
        world.resource(CommandQueue).note(world.tick, command)

    def end_tick(self) -> None:
        """Switch off what is left of the mods that were stopped in this tick."""
        for system in self.systems(self.stopping):
            system.enabled = False
        self.stopping = frozenset()


def stop_mod(world: World, system: System, fault: Fault) -> None:
    """Stop a mod because of a fault of one of its systems.

    Guards call this function, and hold no host: esper holds the systems, and so would hold each world of theirs.
    """
    world.resource(ModHost).stop(fault, system)


@dataclass(frozen=True)
class SwitchMod(Command):
    """Switch a mod off in this world with all that depend on it, or on with all that it depends on."""

    mod: str
    on: bool

    def check(self, world: World) -> None:
        find("mod", self.mod, world.resource(ModHost).mods)
        read_switch(self.mod, self.on)

    def apply(self, world: World) -> None:
        world.resource(ModHost).switch(self.mod, self.on)

    def label(self, world: World) -> str:
        return f"switch mod {self.mod} {'on' if self.on else 'off'}"


@dataclass(frozen=True)
class StopMod(Command):
    """Switch a mod that failed off, and those that depend on it. Can't be undone.

    Attributes:
        systems: the systems that no longer run from this tick on; the others, which ran before the fault, run in it.
    """

    mod: str
    systems: tuple[str, ...]

    undoable: ClassVar[bool] = False

    def check(self, world: World) -> None:
        SwitchMod(self.mod, False).check(world)

    def apply(self, world: World) -> None:
        host = world.resource(ModHost)
        stopped = frozenset(host.with_dependents(self.mod))
        for name in self.systems:
            find_system(world, name).enabled = False
        host.off |= stopped
        host.stopping |= {mod for mod in stopped if any(system.enabled for system in host.systems([mod]))}

    def label(self, world: World) -> str:
        return f"stop mod {self.mod}"
