"""Labels: texts that are placed in the world."""

from __future__ import annotations

from components.store.declare import colour, number
from components.store.fields import declared
from sandbox.design.kept_tables import KeptTables
from systems.space.bounds import FARTHEST


class Lettering:
    """The place of a label, and its letters."""

    x: float = number(0, "u", -FARTHEST, FARTHEST, "its middle, from the left edge")
    y: float = number(0, "u", -FARTHEST, FARTHEST, "its middle, from the lower edge")
    size: float = number(24, "u", 1, 10_000, "height of its letters")
    colour: int = colour("#ffffff", "colour of its letters")


class Labels(KeptTables):
    """The labels of a world by their text."""

    table, help = "labels", "texts that are shown in the world"
    about = "where it stands, and its letters"
    fields = declared(Lettering)
