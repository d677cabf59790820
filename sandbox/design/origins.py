"""Records where entities come from: which `[[spawn]]` made them, and which ones a person edited individually.

Saving a scene depends on it: a crowd stays one `[[spawn]]` with a count; entities placed by hand keep their places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from components.store.fields import Stored
from sandbox.design.scene import Entry
from sandbox.serials import NO_SERIALS, Serials


@dataclass
class Origins:
    """A resource of the world; snapshots do not contain it, so it is empty after one was opened.

    Attributes:
        entries: the scene's entries and those of crowds that a command placed, each as (first serial, last serial + 1,
            entry). Commands that set a field of a prefab or rename it update them.
        resources: by name of a declared resource, the stored values that the scene or a command set. Settings are not
            included: they are saved as they are.
        edited_alone: the entities that were placed, pasted, moved or edited individually.
    """

    entries: list[tuple[int, int, Entry]] = field(default_factory=list)
    resources: Mapping[str, Mapping[str, Stored]] = field(default_factory=dict)
    edited_alone: Serials = NO_SERIALS

    @property
    def stored(self) -> dict[str, Any]:
        """All its values; the list of entries is replaced by a new one, never changed in place."""
        return dict(vars(self))

    @stored.setter
    def stored(self, values: Mapping[str, Any]) -> None:
        vars(self).update(values)
