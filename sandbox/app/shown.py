"""Attributes of a dataclass that are declared like fields of components, so that panels show them in the same way."""

from __future__ import annotations

from dataclasses import field, fields, replace
from typing import Any

from components.store.fields import Field

KEY = "shown"


def shown(declaration: Any) -> Any:
    """Return a dataclass's field with the default and the declaration of a `number`, `switch`, `choice` ..."""
    return field(default=declaration.show(declaration.default), metadata={KEY: declaration})


def shown_fields(cls: type) -> dict[str, Field]:
    """Return the declarations of a dataclass by the names of its attributes."""
    found = {each.name: each.metadata[KEY] for each in fields(cls) if KEY in each.metadata}
    return {name: replace(declared, owner=cls.__name__, name=name) for name, declared in found.items()}
