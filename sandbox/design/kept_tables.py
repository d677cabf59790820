"""Tables of a scene that matter to eyes and hands alone: no digest has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from components.store.fields import Field
from components.store.world import World
from sandbox.toml.shapes import Text

Tables = Mapping[str, Mapping[str, Any]]
"""Values by a name that the file gives, and by the names of `KeptTables.fields` or other keys."""


@dataclass
class KeptTables:
    """A resource of the world, for tables of one kind: `[table.name]`.

    Attributes:
        table, help: what it is called in files, and one line about it.
        about: one line about each of its tables.
        fields, texts: what a table may say: declared values, and texts, each with a line about it; they must be said.
        kept: values as they are stored, by the table's name; what has its default may be left out.
    """

    table: ClassVar[str]
    help: ClassVar[str]
    about: ClassVar[str]
    fields: ClassVar[Mapping[str, Field]]
    texts: ClassVar[Mapping[str, Text]] = {}
    kept: Tables = field(default_factory=dict)

    @property
    def stored(self) -> dict[str, Any]:
        """All of it; `kept` is replaced, never changed."""
        return dict(vars(self))

    @stored.setter
    def stored(self, values: Mapping[str, Any]) -> None:
        vars(self).update(values)

    @classmethod
    def shown(cls, kept: Tables) -> dict[str, dict[str, Any]]:
        """Values as files write them; defaults are left out."""
        return {
            name: {key: cls._shown(key, value) for key, value in own.items() if not cls._is_default(key, value)}
            for name, own in kept.items()
        }

    @classmethod
    def now(cls, world: World) -> dict[str, dict[str, Any]]:
        """What a file must say that says the world as it is now."""
        return cls.shown(world.resource(cls).kept)

    @classmethod
    def whole(cls, own: Mapping[str, Any]) -> dict[str, Any]:
        """All stored values of a table."""
        return {**{name: field.default for name, field in cls.fields.items()}, **own}

    @classmethod
    def _is_default(cls, key: str, value: Any) -> bool:
        return key in cls.fields and value == cls.fields[key].default

    @classmethod
    def _shown(cls, key: str, value: Any) -> Any:
        return cls.fields[key].show(value) if key in cls.fields else value
