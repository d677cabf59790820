"""Mods that are loaded: what scenes and snapshots are read with."""

from __future__ import annotations

from pathlib import Path

from sandbox.mods.find.versions import Requirement
from sandbox.mods.load.assembly import Assembly, assembled
from sandbox.mods.load.loading import LoadedMod


class LoadedMods:
    """Some mods, put together with the built-in parts: `assembly`."""

    def __init__(self, assembly: Assembly | None = None) -> None:
        """Without an assembly no mods."""
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
        """Look for mods, also beside a scene, before it is opened: some stay what they are."""

    def lacks(self, wanted: Requirement) -> str:
        """Why what a scene requires is not there, a sentence; empty when it is there."""
        for mod in self.loaded:
            if mod.id == wanted.id:
                version = mod.manifest.version
                return "" if wanted.met_by(version) else f"needs the mod {wanted}, and there is {version}"
        return f"the mod {wanted.id} is not enabled"


NO_MODS = LoadedMods()
