"""What became of all: counted since the world began, and kept in snapshots."""

from __future__ import annotations

from components.store.declare import count
from components.store.resources import resource
from systems.engine.app import App


@resource
class Ledger:
    """Births, deaths and meals, and where energy came from and went, in units of 1 / AMOUNT_SCALE.

    Nothing is lost: while nobody edits the world, the sum of Food.amount and Energy.level, and burned + lost - regrown,
    stays what it was, exactly.
    """

    births: int = count("entities that systems brought into the world")
    deaths: int = count("entities that systems took from it")
    meals: int = count("bites: how often, counted by eater and tick, someone got something to eat")
    catches: int = count("prey caught")
    burned: int = count("energy that was burned")
    lost: int = count("energy and food that the dead still had")
    regrown: int = count("food that grew again")


def install(app: App) -> None:
    app.add_resource(Ledger)
