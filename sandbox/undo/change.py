"""What takes a change of the world back.

Each changes one thing. What is no longer as it was left stays as it is, for time goes on while people change their
minds.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol

from components.store.world import World


class Change(Protocol):
    """Changes one thing."""

    @property
    def about(self) -> Hashable:
        """What it changes, where it is a `Becoming`; coming and going is about nothing that was or will be there."""
        return None

    def apply(self, world: World) -> None:
        """Do it, between ticks."""

    def renumbered(self, first: int, by: int) -> Change:
        """The same for entities whose serials, from `first` on, are so many higher."""


class Becoming(Change, Protocol):
    """A change to something that is there: of a step, two about the same become one."""

    def followed_by(self, later: Any) -> Becoming | None:
        """What does both: `later` first, for it takes back what was done later. None where that is nothing."""
