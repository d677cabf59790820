"""Where entities come from: which `[[spawn]]` made them, and which a person handled one by one.

Saving a scene needs to know: a crowd stays one `[[spawn]]` with a count, what someone placed stands where it stands.
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
    """A resource of the world; in no snapshot, and empty after one was opened.

    Attributes:
        entries: the scene's entries and those of crowds that a command placed, each with the first serial it made and
            one past its last. They are live: a command that sets a field of a prefab or gives it another name does so
            in them too.
        resources: by name of a declared resource, the columns that the scene or a command set. Settings are not among
            them: they are saved as they are.
        handled: those placed, pasted, moved or edited one by one.
    """

    entries: list[tuple[int, int, Entry]] = field(default_factory=list)
    resources: Mapping[str, Mapping[str, Stored]] = field(default_factory=dict)
    handled: Serials = NO_SERIALS

    @property
    def stored(self) -> dict[str, Any]:
        """All of it; a list of entries is replaced by another, never changed."""
        return dict(vars(self))

    @stored.setter
    def stored(self, values: Mapping[str, Any]) -> None:
        vars(self).update(values)
