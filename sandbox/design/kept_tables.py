"""Tables of a scene that matter to eyes and hands alone: no digest has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class KeptTables:
    """A resource of the world.

    Attributes:
        kept: tables by name.
    """

    kept: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def stored(self) -> dict[str, Any]:
        """All of it; `kept` is replaced, never changed."""
        return dict(vars(self))

    @stored.setter
    def stored(self, values: Mapping[str, Any]) -> None:
        vars(self).update(values)
