"""Prefabs: named bundles of components from which entities are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from components.store.fields import Stored


@dataclass(frozen=True)
class Prefab:
    """A named bundle of components: stored values by component name, then field name."""

    name: str
    components: Mapping[str, Mapping[str, Stored]]
    help: str = ""

    def values(self) -> dict[str, Stored]:
        """Return the values by field key ("Motion.max_speed")."""
        return dict(self._values)

    @cached_property
    def _values(self) -> dict[str, Stored]:
        return {f"{name}.{key}": value for name, fields in self.components.items() for key, value in fields.items()}
