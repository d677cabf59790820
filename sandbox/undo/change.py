"""The protocol of the changes that undo a command.

Each changes one thing. It leaves a value alone that is no longer what the command left, because time has gone on
meanwhile and something else has changed it.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol

from components.store.world import World


class Change(Protocol):
    """One change of the world that undo makes."""

    @property
    def about(self) -> Hashable:
        """The value that it changes, if it is `Mergeable`, else None."""
        return None

    def apply(self, world: World) -> None:
        """Make the change, between ticks."""

    def renumbered(self, first: int, by: int) -> Change:
        """Return the same change with `by` added to all serials from `first` on."""


class Mergeable(Change, Protocol):
    """A change of an existing value; two changes of the same value in one step are merged."""

    def merged_with(self, later: Any) -> Mergeable | None:
        """Return one change that does both, `later` first, which undoes what came later; None if they cancel out."""
