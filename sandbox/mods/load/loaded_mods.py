"""Mods that are loaded: what scenes and snapshots are read with."""

from __future__ import annotations

from pathlib import Path

from sandbox.mods.find.versions import Requirement
from sandbox.mods.load.assembly import Assembly, assembled
from sandbox.mods.load.loading import LoadedMod


class LoadedMods:
    """Some mods, in order: `loaded`."""

    def __init__(self, loaded: tuple[LoadedMod, ...] = ()) -> None:
        self.loaded = loaded

    @property
    def assembly(self) -> Assembly:
        """These mods and the built-in parts, put together once: it is kept as long as they are."""
        self._assembly = assembled(self.loaded)
        return self._assembly

    def take(self, assembly: Assembly) -> None:
        """Be the mods of an assembly."""
        self.loaded, self._assembly = tuple(assembly.mods.values()), assembly

    def look(self, scene: Path | None = None) -> None:
        """Look for mods, also beside a scene, before it is opened: some stay what they are."""

    def lacks(self, wanted: Requirement) -> str:
        """Why what a scene requires is not there, a sentence; empty when it is there."""
        for mod in self.loaded:
            if mod.id == wanted.id:
                version = mod.manifest.version
                return "" if wanted.met_by(version) else f"needs the mod {wanted}, and there is {version}"
        return f"the mod {wanted.id} is not enabled"


NO_MODS = LoadedMods()
