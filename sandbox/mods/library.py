"""The mods of a session: which there are, which of them a person enabled, and those that are loaded.

    found ── enabled with this content? ── in order ── imported ── installed ── loaded
                 no: off or changed         no: refused    no: failed, with file and line

Looking for mods reads their `mod.toml`, and of those that were enabled once the bytes of their files; nothing of one
that is not enabled is imported, compiled or executed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from sandbox.mods.assembly import Assembly, assembled
from sandbox.mods.content import Content, read_content
from sandbox.mods.fault import Fault
from sandbox.mods.finding import Found, Origin, find_mods
from sandbox.mods.loading import LoadedMod, LoadError, keep, load
from sandbox.mods.manifest import ModError, Requirement, read_manifest
from sandbox.mods.order import in_order
from sandbox.mods.packages import all_or_none
from sandbox.mods.trust import Trust


class State(Enum):
    """What becomes of a mod that was found."""

    ON = "on"
    OFF = "off"
    CHANGED = "changed since it was enabled"
    REFUSED = "can't be loaded"
    FAILED = "failed"


@dataclass(frozen=True)
class Listed:
    """A mod that was found; `reason`: why it is not on, a sentence."""

    found: Found
    state: State
    reason: str = ""

    @property
    def id(self) -> str:
        """Its id; the name of its folder where nobody can read what it is called."""
        return self.found.manifest.id if self.found.manifest else self.found.folder.name


class Library:
    """All of them.

    Attributes:
        trust: what a person enabled.
        loaded: the mods that are on, in order: what is opened from now on is opened with these.
        assembly: their parts and the built-in ones, for a window.
        safe: no mod is loaded, whatever is enabled.
    """

    def __init__(self, trust: Trust, named: Sequence[Path] = (), *, safe: bool = False) -> None:
        """`named`: folders of mods that are on for this session, because a person named them."""
        self.trust, self.safe = trust, safe
        self.loaded: tuple[LoadedMod, ...] = ()
        self.assembly = Assembly()
        self._named = tuple(named)
        self._off: set[str] = set()  # named ones that were switched off
        self._scene: Path | None = None
        self._failed: dict[str, Fault] = {}

    # ---- finding and loading

    def look(self, scene: Path | None = None) -> None:
        """Find and load what is enabled, also beside this scene; what can't be loaded stays out, see `listed`."""
        self._scene = scene
        self._failed = {}
        if self.safe or not (self.trust.enabled or self._named):
            self.loaded, self.assembly = (), Assembly()
            return
        found = self._find()
        wanted = self._wanted(found)
        assembly = Assembly()
        for one in in_order(found, wanted.keys()).mods:
            assert one.manifest is not None
            if self._lost(one, assembly):
                continue
            try:
                with all_or_none():
                    mod = load(one, wanted[one.manifest.id])
                    assembly.add(mod)
            except LoadError as error:
                self._failed[one.manifest.id] = error.fault
            else:
                keep([mod])
        self.loaded, self.assembly = tuple(assembly.mods.values()), assembly

    def listed(self) -> list[Listed]:
        """Every mod that there is, each with what became of it: those that are on in order, then the others."""
        found = self._find()
        wanted = self._wanted(found)
        refused = in_order(found, wanted.keys()).refused
        on = {mod.folder: place for place, mod in enumerate(self.loaded)}
        listed = [self._listed(one, refused.get(one.folder, ""), wanted) for one in found]
        return sorted(listed, key=lambda one: (on.get(one.found.folder, len(on)), one.id))

    def _find(self) -> list[Found]:
        return find_mods(self._scene, self._named)

    def _wanted(self, found: list[Found]) -> dict[str, Content]:
        """By id, the content of the mods that a person wants to run as they are now."""
        first: dict[str, Found] = {}
        for one in found:
            if one.manifest:
                first.setdefault(one.manifest.id, one)
        wanted = {}
        for mod, one in first.items():
            named = one.origin is Origin.NAMED
            if mod in self._off or not (named or mod in self.trust.enabled):
                continue
            with suppress(ModError):
                content = read_content(one.folder)
                if named or content.digest == self.trust.enabled[mod]:
                    wanted[mod] = content
        return wanted

    def _lost(self, one: Found, assembly: Assembly) -> bool:
        """Whether it depends on one that failed; then it is noted as failed too."""
        assert one.manifest is not None
        for needed in one.manifest.depends:
            if needed.id not in assembly.mods:
                message = f"depends on {needed}, which failed"
                self._failed[one.manifest.id] = Fault(one.manifest.id, "mod.toml", message, "import")
                return True
        return False

    def _listed(self, one: Found, refused: str, wanted: Collection[str]) -> Listed:
        if one.manifest is None:
            return Listed(one, State.REFUSED, one.wrong)
        if one.folder in [mod.folder for mod in self.loaded]:
            return Listed(one, State.ON)
        if one.manifest.id in self._failed:
            return Listed(one, State.FAILED, self._failed[one.manifest.id].sentence)
        if refused:
            return Listed(one, State.REFUSED, refused)
        if one.manifest.id in self.trust.enabled and one.manifest.id not in wanted:
            return Listed(one, State.CHANGED, "its files are not those that were enabled")
        return Listed(one, State.OFF)

    # ---- what a person decides

    def enable(self, mod: str) -> Listed:
        """Let a mod run with the content that it has now, in this session and later ones; returns what became of it.

        Raises:
            ModError: there is none of this id, or it can't be read.
            WriteError: it can't be remembered.
        """
        one = self._the(mod)
        self._off.discard(mod)
        if one.origin is not Origin.NAMED:
            self.trust.enable(mod, read_content(one.folder).digest)
        self.look(self._scene)
        return next(listed for listed in self.listed() if listed.found == one)

    def disable(self, mod: str) -> None:
        """Let a mod run no longer.

        Raises:
            WriteError: it can't be remembered.
        """
        self._off.add(mod)
        if mod in self.trust.enabled:
            self.trust.disable(mod)
            self._off.discard(mod)
        self.look(self._scene)

    def changed(self, mod: LoadedMod) -> bool:
        """Whether a loaded mod's files are no longer what was loaded."""
        try:
            return read_content(mod.folder).digest != mod.content.digest
        except ModError:
            return True

    def reload(self, mod: str) -> tuple[LoadedMod, ...]:
        """Load a mod anew, with its files as they are now, and those that depend on it; returns all these, in order.

        Raises:
            LoadError, ModError: that can't be; then the old ones stay.
        """
        old = {loaded.id: loaded for loaded in self.loaded}
        folder = old[mod].folder
        fresh = Found(folder, next(one.origin for one in self._find() if one.folder == folder), read_manifest(folder), "")
        content = read_content(folder)
        if fresh.manifest is None or fresh.manifest.id != mod:
            raise ModError(f"{folder / 'mod.toml'}: the id is another one: it must stay {mod} while the mod is on")
        with all_or_none():
            new = [load(fresh, content, again=True)]
            for other in self.loaded:
                if any(needed.id in [n.id for n in new] for needed in other.manifest.depends):
                    new.append(load(Found(other.folder, fresh.origin, other.manifest, ""), other.content, again=True))
            replaced = {**old, **{n.id: n for n in new}}
            assembly = assembled(replaced.values())
        keep(new)
        if fresh.origin is not Origin.NAMED:
            self.trust.enable(mod, content.digest)
        self.loaded, self.assembly = tuple(replaced.values()), assembly
        self._failed.pop(mod, None)
        return tuple(new)

    def _the(self, mod: str) -> Found:
        found = self._find()
        for one in found:
            if one.manifest and one.manifest.id == mod:
                return one
            if not one.manifest and one.folder.name == mod:
                raise ModError(one.wrong)
        known = sorted({one.manifest.id for one in found if one.manifest})
        raise ModError(f"there is no mod {mod!r}; there are: {', '.join(known) or 'none'}")

    def lacks(self, wanted: Requirement) -> str:
        """Why what a scene requires is not there, and what to do, a sentence; empty when it is there."""
        for mod in self.loaded:
            if mod.id == wanted.id:
                version = mod.manifest.version
                return "" if wanted.met_by(version) else f"the mod {wanted.id} has version {version}, not {wanted}"
        for one in self.listed() if self is not NO_MODS else ():
            if one.id == wanted.id and one.state in (State.FAILED, State.REFUSED):
                return f"the mod {wanted.id} can't be loaded: {one.reason}"
            if one.id == wanted.id:
                how = f"`boids mod enable {wanted.id}` or the window's panel Mods enables it"
                return f"the mod {wanted.id} is {'not enabled' if one.state is State.OFF else one.state.value}: {how}"
        return f"there is no mod {wanted.id}: put its folder into `mods`, beside the scene or where you are, and enable it"


NO_MODS = Library(Trust.__new__(Trust))
"""For what is to run with the built-in parts alone."""
