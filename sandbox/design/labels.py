"""Labels: words that stand in the world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from components.store.declare import colour, number
from components.store.fields import Field, declared
from sandbox.design.kept_tables import KeptTables

FARTHEST = 1e6  # u


class Lettering:
    """How a label stands in the world."""

    x: float = number(0, "u", -FARTHEST, FARTHEST, "its middle, from the left edge")
    y: float = number(0, "u", -FARTHEST, FARTHEST, "its middle, from the lower edge")
    size: float = number(24, "u", 1, 10_000, "how high its letters are")
    colour: int = colour("#ffffff", "of its letters")


LETTERING: Mapping[str, Field] = declared(Lettering)


class Labels(KeptTables):
    """A resource of the world: the values of each label, as stored, by its words; what is left out has its default."""


def shown_labels(kept: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Labels as files write them."""
    return {words: {name: LETTERING[name].show(value) for name, value in own.items()} for words, own in kept.items()}


def lettering(own: Mapping[str, Any]) -> dict[str, Any]:
    """All values of a label."""
    return {name: own.get(name, field.default) for name, field in LETTERING.items()}
