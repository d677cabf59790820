"""The resource that counts births, deaths, meals and energy since the world began; snapshots contain it."""

from __future__ import annotations

from components.store.declare import count
from components.store.resources import resource
from systems.engine.app import App


@resource
class Ledger:
    """Births, deaths and meals, and where energy came from and went, in units of 1 / AMOUNT_SCALE.

    Energy is conserved exactly: without edits, the sum of Food.amount, Energy.level and burned + lost - regrown stays
    constant.
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
