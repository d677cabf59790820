"""The mods of a session: which exist, which are enabled, and which are loaded.

    found ── enabled with this content? ── in order ── imported ── installed ── loaded
                 no: off or changed         no: refused    no: failed, with file and line

Looking for mods reads their `mod.toml`, and all files of those that were once enabled. Nothing of a mod that is not
enabled is imported, compiled or executed.
"""

from __future__ import annotations

import copy
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from sandbox.mods.find.content import Content, read_content
from sandbox.mods.find.fault import Fault
from sandbox.mods.find.finding import Found, Origin, find_mods
from sandbox.mods.find.load_order import in_order, known_manifest
from sandbox.mods.find.manifest import ModError, read_manifest
from sandbox.mods.find.packages import all_or_none
from sandbox.mods.find.states import Listed, ModState, states_of
from sandbox.mods.find.trust import Trust
from sandbox.mods.find.versions import Requirement
from sandbox.mods.load.assembly import assembled
from sandbox.mods.load.loaded_mods import FittingMods, LoadedMods
from sandbox.mods.load.loading import LoadedMod, LoadError, keep, load
from sandbox.mods.load.together import loaded_together


class Library(LoadedMods):
    """The mods of a session; scenes and snapshots are opened with those that are loaded at that time.

    Attributes:
        trust: what a person enabled.
        safe: safe mode: no mod is loaded, even if it is enabled.
    """

    def __init__(self, trust: Trust, named: Sequence[Path] = ()) -> None:
        """`named`: folders of mods that are on for this session, because a person named them (`--mod`)."""
        super().__init__()
        self.trust, self.safe = trust, False
        self._named = tuple(folder.absolute() for folder in named)
        self._disabled: set[str] = set()  # named ones
        self._scene: Path | None = None
        self._failed: dict[str, Fault] = {}
        self._out_of_place: Mapping[str, str] = {}  # for the world that was opened last

    # ---- finding and loading

    def look(self, scene: Path | None = None) -> None:
        """Find and load the enabled mods, also those beside this scene; `listed` says why others aren't loaded."""
        self._scene = scene
        self._failed, self._out_of_place = {}, {}
        if self.safe or not (self.trust.enabled or self._named):
            self._assembly = None
            return
        found = self._find()
        preferred = self.trust.preferred(found)
        wanted = self._wanted(preferred)
        assembly = assembled()
        for one in in_order(found, wanted.keys(), preferred).mods:
            if self._needs_failed_mod(one, assembly.mods):
                continue
            try:
                with all_or_none():
                    mod = load(one, wanted[one.id], assembly.mods)
                    assembly = assembly.with_mod(mod)
            except LoadError as error:
                self._failed[one.id] = error.fault
            else:
                keep([mod])
        self._assembly = assembly

    def elsewhere(self) -> Library:
        """Return a copy that may look beside another scene, in another thread too, while this one stays as it is."""
        return copy.copy(self)

    def follow(self, other: Library) -> None:
        """Have what a copy of this library has found and loaded."""
        self._scene, self._assembly, self._failed = other._scene, other._assembly, other._failed
        self._out_of_place = other._out_of_place

    def fitting(self, axes: str) -> LoadedMods:
        """Return those that run in worlds with these axes; `problems` says why others don't."""
        self._out_of_place = self.out_of_place(axes)
        return FittingMods(self, self._out_of_place) if self._out_of_place else self

    def look_again(self) -> None:
        """Find and load the enabled mods again, with the same scene."""
        self.look(self._scene)

    def listed(self) -> list[Listed]:
        """Return all mods with their states: those that are on, in order, then the others."""
        found = self._find()
        preferred = self.trust.preferred(found)
        on = {mod.folder: index for index, mod in enumerate(self.loaded)}
        listed = states_of(found, on, self._failed, self.trust, self._wanted(preferred), preferred)

        def rank(one: Listed) -> tuple[int, str, bool]:
            return on.get(one.found.folder, len(on)), one.id, one.found not in preferred

        return sorted(listed, key=rank)

    @property
    def wanted(self) -> set[str]:
        """The ids of the mods that a person wants to run, even if they can't; for named ones the folder names."""
        return {*self.trust.enabled, *(folder.name for folder in self._named)} - self._disabled

    @property
    def named_are_on(self) -> bool:
        """Whether all mods that a person named for this session are loaded, and run in the world that was opened."""
        return set(self._named) <= {mod.folder for mod in self.loaded if mod.id not in self._out_of_place}

    @property
    def problems(self) -> list[str]:
        """A sentence for each mod that a person wants and that is not on."""
        told = [self.trust.wrong] if self.trust.wrong else []
        if self.safe or not (self.trust.enabled or self._named):
            return told
        first = {one.id: one for one in reversed(self.listed())}  # a second mod with its id is no problem
        wanted = [
            one
            for one in reversed(first.values())
            if one.reason and (self.trust.knows(one.id, one.found.folder) or one.found.origin is Origin.NAMED)
        ]
        told += [f"mod {mod} is not on: {reason}" for mod, reason in self._out_of_place.items()]
        return told + [f"mod {one.id} is not on: {one.reason}" for one in wanted]

    def _find(self) -> list[Found]:
        return find_mods(self._scene, self._named)

    def _wanted(self, preferred: Mapping[Found, Content | None]) -> dict[str, Content]:
        """Return, by id, the content of the mods that may run with their present content."""
        wanted: dict[str, Content] = {}
        for one, content in preferred.items():
            if content and one.id not in self._disabled:
                wanted.setdefault(one.id, content)
        return wanted

    def _needs_failed_mod(self, one: Found, loaded: Mapping[str, LoadedMod]) -> bool:
        """Return whether a mod depends on one that failed; if so, record it as failed too."""
        for needed in known_manifest(one).depends:
            if needed.id not in loaded:
                self._failed[one.id] = Fault(one.id, "mod.toml", f"needs {needed}, which failed", "import")
                return True
        return False

    # ---- what a person decides

    def enable(self, mod: str | Path) -> Listed:
        """Enable a mod with its present content, for this session and later ones; return its new state.

        Args:
            mod: its id, or its folder, which may be one that is not searched for mods.

        Raises:
            ModError: there is no mod of this id, or it can't be read.
            WriteError: the file of enabled mods can't be written.
        """
        one = self._find_one(mod)
        self._disabled.discard(one.id)
        if one.origin is not Origin.NAMED:
            self.trust.enable(one.id, read_content(one.folder).digest, one.folder)
        self.look(one.folder.parent.parent / "scene" if isinstance(mod, Path) else self._scene)
        gone = Listed(
            one, ModState.REFUSED, "no scene finds it there: put it into a folder `mods`, or name it with --mod"
        )
        return next((listed for listed in self.listed() if listed.found.folder == one.folder), gone)

    def disable(self, mod: str) -> None:
        """Disable a mod.

        Raises:
            WriteError: the file of enabled mods can't be written.
        """
        if mod in self.trust.enabled:
            self.trust.disable(mod)
        self._disabled.add(mod)
        self.look(self._scene)

    def reload(self, mod: str) -> tuple[LoadedMod, ...]:
        """Load a mod from its present files, and those that depend on it; return these mods in order.

        If no file has changed, it is the mod that was loaded before: to import it anew would give the same. After an
        error the old versions stay loaded.

        Raises:
            LoadError, ModError: a mod can't be read or loaded.
            WriteError: the file of enabled mods can't be written.
        """
        old = {loaded.id: loaded for loaded in self.loaded}
        if mod not in old:
            raise ModError(f"{mod} is not on: enable it")
        folder = old[mod].folder
        origin = next((one.origin for one in self._find() if one.folder == folder), Origin.NAMED)
        fresh = Found(folder, origin, read_manifest(folder))
        if fresh.id != mod:
            raise ModError(f"{folder / 'mod.toml'}: id = {fresh.id!r}: must stay {mod!r} while the mod is on")
        contents = {Found(one.folder, origin, one.manifest): one.content for one in self.loaded if one.id != mod}
        contents[fresh] = read_content(folder)
        with all_or_none():
            assembly = loaded_together(contents)
            if origin is not Origin.NAMED:
                self.trust.enable(mod, contents[fresh].digest, folder)
        keep(assembly.mods.values())
        self._assembly = assembly
        self._failed.pop(mod, None)
        return tuple(one for one in self.loaded if one.id == mod or old[one.id] is not one)

    def folder_of(self, mod: str) -> Path:
        """Return the folder of the mod with this id.

        Raises:
            ModError: there is none, or it can't be read.
        """
        return self._find_one(mod).folder

    def _find_one(self, mod: str | Path) -> Found:
        if isinstance(mod, Path):
            folder = mod.absolute()
            return Found(folder, Origin.SCENE, read_manifest(folder))
        found = self._find()
        preferred = self.trust.preferred(found)
        for one in sorted(found, key=lambda one: (one in preferred, one.origin is not Origin.SCENE), reverse=True):
            if one.id == mod and not one.manifest:
                raise ModError(one.wrong)
            if one.id == mod:
                return one
        known = sorted({one.id for one in found if one.manifest})
        raise ModError(f"there is no mod {mod!r}; there are: {', '.join(known) or 'none'}")

    def lacks(self, wanted: Requirement) -> str:
        """Return a sentence that says why a mod that a scene requires is not on, and what to do; empty if it is on."""
        if wanted.id in {mod.id for mod in self.loaded}:
            return super().lacks(wanted)
        if self.safe:
            return f"the mod {wanted.id} is not on: in safe mode no mod is"
        namesakes = [one for one in self.listed() if one.id == wanted.id]
        if not namesakes:
            return f"there is no mod {wanted.id}: put its folder into a folder `mods` beside the scene, and enable it"
        one = namesakes[0]
        if one.state in (ModState.FAILED, ModState.REFUSED):
            return f"the mod {wanted.id} can't be loaded: {one.reason}"
        folder = one.found.folder.resolve()
        beside = one.found.origin is Origin.SCENE and folder.parent != Path.cwd() / "mods"
        known = any(other.found.origin is not Origin.SCENE for other in namesakes)  # the scene may be a stranger's
        which = shlex.quote(str(folder)) if beside and not known else wanted.id
        how = f"`boids mod enable {which}` or the panel Mods of the window enables it"
        state, told = one.state.value, ""
        if one.state is ModState.NOT_ENABLED:
            copies = ", ".join(filter(None, self.trust.enabled.get(wanted.id, {}).values()))
            state, told = "not enabled", f"; what you enabled lies in {copies}" if copies else ""
        if beside and known:
            told += f"; another one of this id lies in {folder}"
        return f"the mod {wanted.id} is {state}: {how}{told}"


def own_library(named: Sequence[Path] = ()) -> Library:
    """Return the library of the user; `named`: folders of mods that are on for this session."""
    return Library(Trust(), named)
