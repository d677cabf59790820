"""The status of each mod in words, for the panel Mods."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sandbox.design.prefabs import brought_names
from sandbox.language import translate
from sandbox.mods.find.finding import Found
from sandbox.mods.find.states import Listed, ModState
from sandbox.mods.load.library import Library
from sandbox.mods.run.host import ModHost


class Mood(Enum):
    """The kind of a status, which determines its colour."""

    GOOD = "good"
    FAINT = "faint"
    ASKS = "asks"
    WRONG = "wrong"


@dataclass(frozen=True)
class Status:
    """The status of one mod.

    Attributes:
        words: one or two words.
        reason: why the mod is not on, in full sentences; else "".
        on: whether its switch is on.
        can_switch: whether it can be switched on or off.
    """

    listed: Listed
    words: str
    mood: Mood
    reason: str = ""
    on: bool = False
    can_switch: bool = True

    @property
    def title(self) -> str:
        manifest = self.listed.found.manifest
        return manifest.title if manifest else self.listed.id

    @property
    def key(self) -> str:
        """The mod's folder as text: unique, unlike its id."""
        return str(self.listed.found.folder)


def statuses(library: Library, host: ModHost) -> list[Status]:
    """Return the status of every mod, by title: so a mod stays at its place when it is switched on or off."""
    listed = library.listed()
    found = [
        _status(one, [other for other in listed if other.id == one.id and other != one], library, host)
        for one in listed
    ]
    return sorted(found, key=lambda one: (one.title.casefold(), one.key))


def _status(listed: Listed, rivals: list[Listed], library: Library, host: ModHost) -> Status:
    wanted = listed.id in library.trust.enabled
    state, reason = listed.state, listed.reason
    if state is ModState.REFUSED:
        if any(rival.state is not ModState.REFUSED for rival in rivals):
            return Status(listed, "set aside", Mood.FAINT, reason, can_switch=False)
        readable = listed.found.manifest is not None and not rivals
        return Status(listed, "can't load", Mood.WRONG, reason, wanted and readable, readable)
    if state is ModState.FAILED:
        return Status(listed, "failed", Mood.WRONG, reason, True)
    if state is ModState.CHANGED:
        again = "Its files have changed since it was enabled: enable it again to run them."
        return Status(listed, "changed", Mood.ASKS, again)
    if state is ModState.NOT_ENABLED and wanted and library.safe:
        return Status(listed, "waits", Mood.ASKS, "No mod is loaded in safe mode.", True)
    if state is ModState.NOT_ENABLED:
        return Status(listed, "off", Mood.FAINT)
    fault = next((fault for fault in reversed(host.faults) if fault.mod == listed.id), None)
    if listed.id in host.mods and listed.id not in host.off:
        return Status(listed, "on", Mood.GOOD, on=True)
    if fault is not None:
        return Status(listed, "stopped", Mood.WRONG, fault.sentence)
    return Status(listed, "off here", Mood.FAINT, "It is enabled, but switched off in this world.")


def brought(host: ModHost, mod: str) -> list[str]:
    """Return what a mod adds, a line for each kind of part: "2 systems: magnetism, poles"; [] if that is not known."""
    own = host.parts.get(mod)
    if own is None:
        return []
    kinds = {
        "component": [*dict.fromkeys(component.__name__ for component in own.components)],
        "system": [system.name.replace("_", " ") for system in own.systems],
        "resource": [resource.__name__ for resource in own.resources],
        "tool": [tool.title for tool in own.tools],
        "panel": [panel.title for panel in own.panels],
        "overlay": [overlay.title for overlay in own.overlays],
        "chart": [chart.title for chart in own.charts],
        "folder of scenes": [folder.name for folder in own.scenes],
    }
    kinds["prefab"] = list(brought_names(own))
    return [
        f"{len(names)} {translate(kind + 's' * (len(names) > 1))}: {', '.join(names)}"
        for kind, names in kinds.items()
        if names
    ]


def needs(found: Found) -> str:
    """Return the dependencies of a mod as text; "" if it has none."""
    manifest = found.manifest
    if manifest is None:
        return ""
    return ", ".join(
        [
            *map(str, manifest.depends),
            *(translate("{other} (if it is there)", other=other) for other in manifest.optional),
        ]
    )
