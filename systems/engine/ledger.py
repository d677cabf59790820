"""What became of all: counted since the world began, and kept in snapshots."""

from __future__ import annotations

from dataclasses import dataclass

MOST_BOOKED = 2**100  # Python's whole numbers have no end, and a file should


@dataclass
class Ledger:
    """Births, deaths and meals, and where energy came from and went.

    Nothing is lost: while nobody edits the world, the sum of Food.amount and Energy.level, and burned + lost - regrown,
    stays what it was, exactly.

    Attributes:
        births, deaths: entities that systems brought into the world and took from it.
        meals: bites: how often, counted by eater and tick, someone got something to eat.
        catches: prey caught.
        burned, lost, regrown: units of 1 / AMOUNT_SCALE; lost is what the dead still had.
    """

    births: int = 0
    deaths: int = 0
    meals: int = 0
    catches: int = 0
    burned: int = 0
    lost: int = 0
    regrown: int = 0
