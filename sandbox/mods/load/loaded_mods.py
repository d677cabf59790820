"""The loaded mods, with which scenes and snapshots are read."""

from __future__ import annotations

from pathlib import Path

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

    def lacks(self, wanted: Requirement) -> str:
        """Return a sentence that says why a mod that a scene requires is missing; empty if it is loaded."""
        for mod in self.loaded:
            if mod.id == wanted.id:
                version = mod.manifest.version
                return "" if wanted.met_by(version) else f"needs the mod {wanted}, and there is {version}"
        return f"the mod {wanted.id} is not enabled"


NO_MODS = LoadedMods()
