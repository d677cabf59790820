"""The state of each mod that was found: whether it is on, and if not, why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from sandbox.mods.find.fault import Fault
from sandbox.mods.find.finding import Found
from sandbox.mods.find.load_order import in_order
from sandbox.mods.find.trust import Trust


class ModState(Enum):
    """The state of a mod that was found."""

    ON = "on"
    NOT_ENABLED = "off"
    CHANGED = "changed since it was enabled"
    REFUSED = "can't be loaded"
    FAILED = "failed"


@dataclass(frozen=True)
class Listed:
    """A mod that was found, with its state; `reason` says in a sentence why it is not on."""

    found: Found
    state: ModState
    reason: str = ""

    @property
    def id(self) -> str:
        """The same as `Found.id`."""
        return self.found.id


def states_of(
    found: Iterable[Found],
    on: Collection[Path],
    failed: Mapping[str, Fault],
    trust: Trust,
    wanted: Collection[str],
    preferred: Collection[Found],
) -> list[Listed]:
    """Return the state of each of these mods.

    Args:
        on: the folders of the mods that are loaded.
        failed: the faults of mods that failed while loading, by id.
        trust: what a person enabled.
        wanted: the ids of the mods that may run with their present content.
        preferred: the mods that go before others with the same id.
    """
    refused = in_order(found, wanted, preferred).refused

    def state(one: Found) -> Listed:
        if one.manifest is None:
            return Listed(one, ModState.REFUSED, one.wrong)
        if one.folder in on:
            return Listed(one, ModState.ON)
        if one in refused:
            return Listed(one, ModState.REFUSED, refused[one])
        if one.id in failed:
            return Listed(one, ModState.FAILED, failed[one.id].sentence)
        if one.id not in wanted and trust.knows(one.id, one.folder):
            return Listed(one, ModState.CHANGED, "its files have changed since it was enabled")
        if one.id not in wanted and one.id in trust.enabled:
            return Listed(one, ModState.NOT_ENABLED, "only a copy of it in another folder is enabled")
        return Listed(one, ModState.NOT_ENABLED)

    return [state(one) for one in found]
