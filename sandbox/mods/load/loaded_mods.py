"""The loaded mods, with which scenes and snapshots are read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from components.store.fields import FLAT
from sandbox.mods.find.versions import Requirement
from sandbox.mods.load.assembly import Assembly, assembled
from sandbox.mods.load.loading import LoadedMod


class LoadedMods:
    """Some loaded mods, combined with the built-in parts in `assembly`."""

    def __init__(self, assembly: Assembly | None = None) -> None:
        """Without an assembly there are no mods."""
        self._assembly = assembly

    @property
    def assembly(self) -> Assembly:
        if self._assembly is None:
            self._assembly = assembled()
        return self._assembly

    @property
    def loaded(self) -> tuple[LoadedMod, ...]:
        """The mods, in order."""
        return tuple(self.assembly.mods.values())

    def look(self, scene: Path | None = None) -> None:
        """Called before a scene is opened; a `Library` looks for mods beside it, a fixed set of mods does nothing."""

    def fitting(self, axes: str) -> LoadedMods:
        """Return those that run in worlds with these axes.

        Raises:
            ValueError: one of a fixed set of mods does not.
        """
        for mod, reason in self.out_of_place(axes).items():
            raise ValueError(f"the mod {mod} can't be used: {reason}")
        return self

    def out_of_place(self, axes: str) -> Mapping[str, str]:
        """Return the ids of the mods that don't run in worlds with these axes, and why: a sentence without a subject.

        These are mods with systems whose manifest says so with `worlds`, and those that need them.
        """
        flat = axes == FLAT
        others, advice = ("worlds with depth", "some") if flat else ("flat worlds", "no depth")
        found: dict[str, str] = {}
        for mod in self.loaded:
            if needed := next((other.id for other in mod.manifest.depends if other.id in found), ""):
                found[mod.id] = f"it needs {needed}, which runs only in {others}"
            elif self.assembly.parts[mod.id].systems and mod.manifest.worlds == ("deep" if flat else "flat"):
                found[mod.id] = f"it runs only in {others}: give this one {advice}"
        return found

    def lacks(self, wanted: Requirement) -> str:
        """Return a sentence that says why a mod that a scene requires is missing; empty if it is loaded."""
        for mod in self.loaded:
            if mod.id == wanted.id:
                version = mod.manifest.version
                return "" if wanted.met_by(version) else f"needs the mod {wanted}, and there is {version}"
        return f"the mod {wanted.id} is not enabled"


class FittingMods(LoadedMods):
    """Those of other mods that run in a world: all but these, which are given with the reasons why they don't."""

    def __init__(self, all_of_them: LoadedMods, out_of_place: Mapping[str, str]) -> None:
        super().__init__(assembled(mod for mod in all_of_them.loaded if mod.id not in out_of_place))
        self._all, self._out_of_place = all_of_them, out_of_place

    def lacks(self, wanted: Requirement) -> str:
        if wanted.id in self._out_of_place:
            return f"the mod {wanted.id} can't be used: {self._out_of_place[wanted.id]}"
        return self._all.lacks(wanted)


NO_MODS = LoadedMods()
