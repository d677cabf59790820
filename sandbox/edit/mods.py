"""Mods coming into a running world, and switched on and off in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from components.store.world import World
from sandbox.edit.command import Command, find, find_system, read_switch

if TYPE_CHECKING:
    from sandbox.mods.load.loading import LoadedMod
    from sandbox.mods.run.host import ModHost


@dataclass(frozen=True)
class SwitchMod(Command):
    """Switch a mod on or off in this world: off, those that depend on it go too; on, those it depends on come too."""

    mod: str
    on: bool

    def check(self, world: World) -> None:
        find("mod", self.mod, _host(world).mods)
        read_switch(self.mod, self.on)

    def apply(self, world: World) -> None:
        _host(world).switch(self.mod, self.on)

    def label(self, world: World) -> str:
        return f"switch mod {self.mod} {'on' if self.on else 'off'}"


@dataclass(frozen=True)
class StopMod(Command):
    """What becomes of a mod that failed: it is off, and so are those that depend on it. No step that could be undone.

    Attributes:
        systems: those of its systems that run no more from this tick on.
    """

    mod: str
    systems: tuple[str, ...]

    step: ClassVar[bool] = False

    def check(self, world: World) -> None:
        SwitchMod(self.mod, False).check(world)

    def apply(self, world: World) -> None:
        host = _host(world)
        host.off |= {*host.with_dependents(self.mod)}
        for name in self.systems:
            find_system(world, name).enabled = False

    def label(self, world: World) -> str:
        return f"stop mod {self.mod}"


@dataclass(frozen=True)
class UseMods(Command):
    """Bring mods into a running world, or newer versions of those in it. No step that could be undone.

    Values of a changed component are kept by the names of its fields, those of a system's parameters too.

    Attributes:
        mods: those that are loaded, in order.
    """

    mods: tuple[LoadedMod, ...]

    step: ClassVar[bool] = False

    def check(self, world: World) -> None:
        from sandbox.mods.run.bringing import Bringing

        Bringing(world, self.mods)

    def apply(self, world: World) -> None:
        from sandbox.mods.run.bringing import Bringing

        Bringing(world, self.mods).carry_out()

    def label(self, world: World) -> str:
        return "bring mods"


def _host(world: World) -> ModHost:
    from sandbox.mods.run.host import ModHost

    return world.resource(ModHost)
