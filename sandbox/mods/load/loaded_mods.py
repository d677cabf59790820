"""Mods that are loaded: what scenes and snapshots are read with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.mods.find.versions import Requirement

if TYPE_CHECKING:
    from sandbox.mods.load.assembly import Assembly
    from sandbox.mods.load.loading import LoadedMod


class LoadedMods:
    """Some mods, in order: `loaded`; and what they are assembled to, where that was done, so that it is kept."""

    def __init__(self, loaded: tuple[LoadedMod, ...] = (), assembly: Assembly | None = None) -> None:
        self.loaded, self._assembly = loaded, assembly

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
