"""Tables of a scene that concern only the window, such as presets and labels; they are not part of the digest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from components.store.fields import Field
from components.store.world import World
from sandbox.toml.schemas import Text

Tables = Mapping[str, Mapping[str, Any]]
"""By the table's name in the file, values by key: the names of `KeptTables.fields` or `texts`."""


@dataclass
class KeptTables:
    """A resource of the world, for tables of one kind: `[table.name]`.

    Attributes:
        table, help: its name in files, and one line about it.
        about: one line about each of its tables.
        fields, texts: the keys of a table: declared values, and texts, which are required.
        kept: stored values by the table's name; values at their default may be missing.
    """

    table: ClassVar[str]
    help: ClassVar[str]
    about: ClassVar[str]
    fields: ClassVar[Mapping[str, Field]]
    texts: ClassVar[Mapping[str, Text]] = {}
    kept: Tables = field(default_factory=dict)

    @property
    def stored(self) -> dict[str, Any]:
        """All its values; `kept` is replaced by new values, never changed in place."""
        return dict(vars(self))

    @stored.setter
    def stored(self, values: Mapping[str, Any]) -> None:
        vars(self).update(values)

    @classmethod
    def shown(cls, kept: Tables) -> dict[str, dict[str, Any]]:
        """Convert stored values to those of files; defaults are left out."""
        return {
            name: {key: cls._shown(key, value) for key, value in own.items() if not cls._is_default(key, value)}
            for name, own in kept.items()
        }

    @classmethod
    def now(cls, world: World) -> dict[str, dict[str, Any]]:
        """Return the tables of a file that describes the world as it is now."""
        return cls.shown(world.resource(cls).kept)

    @classmethod
    def whole(cls, own: Mapping[str, Any]) -> dict[str, Any]:
        """Return all stored values of a table, including defaults."""
        return {**{name: field.default for name, field in cls.fields.items()}, **own}

    @classmethod
    def _is_default(cls, key: str, value: Any) -> bool:
        return key in cls.fields and value == cls.fields[key].default

    @classmethod
    def _shown(cls, key: str, value: Any) -> Any:
        return cls.fields[key].show(value) if key in cls.fields else value
