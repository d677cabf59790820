"""Measures births, deaths, meals and catches since the world began, mean energy, and the amount of food."""

from __future__ import annotations

import math

from components.life import Energy, Food
from components.store.fields import AMOUNT_SCALE
from components.store.world import World
from systems.engine.app import App
from systems.engine.ledger import Ledger
from systems.engine.measures import Measures
from systems.engine.system import Phase, System


class Tally(System):
    """Counts births, deaths, meals and catches; mean energy, and the amount of food."""

    phase = Phase.MEASURE
    reads = ("Energy.level", "Food.amount", Ledger)
    adds = (Measures,)

    def applies(self, world: World) -> bool:
        return self.name in world.resource(Measures).wanted

    def run(self, world: World) -> None:
        measures, table, ledger = world.resource(Measures), world.table, world.resource(Ledger)
        for name in ("births", "deaths", "meals", "catches"):
            measures.values[name] = float(getattr(ledger, name))
        fed = table.rows(Energy)
        energy = int(table.columns["Energy.level"][fed].sum())
        measures.values["mean_energy"] = energy / AMOUNT_SCALE / len(fed) if len(fed) else math.nan
        measures.values["food"] = int(table.columns["Food.amount"][table.rows(Food)].sum()) / AMOUNT_SCALE


def install(app: App) -> None:
    app.add_component(Energy, Food)
    app.add_system(Tally)
