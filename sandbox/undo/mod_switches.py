"""What undo changes of a world's mods: which of them are off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ModSwitches:
    """A resource of the world, which `ModHost` is; as it stands here, that of a world without mods.

    Attributes:
        off: ids of the mods that are switched off here.
    """

    off: frozenset[str] = frozenset()

    @property
    def mods(self) -> Mapping[str, Any]:
        """All mods of the world, by id, in order."""
        return {}

    def switch_off_what_lacks_others(self) -> None:
        """No mod is on while one that it depends on is off."""
