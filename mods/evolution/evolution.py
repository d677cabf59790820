"""Evolution: foragers inherit their top speed and perception radius, and both cost energy.

    burn of a forager = base + speed_cost * (max_speed / 100 u/s)² + sight_cost * (radius / 100 u)²   per s

The young inherit their parent's values, each changed by up to the share Life.mutation (built in). Foragers that find
more than they burn have more young, so both traits evolve towards what pays best, whatever their first values. The
measures are the mean of each trait and its spread (the standard deviation) over all living foragers.
"""

from __future__ import annotations

from math import fsum, nan, sqrt
from pathlib import Path

import numpy as np

from sandbox.api import App, Energy, FieldsPanel, Life, MeasureChart, Measures
from sandbox.api import Motion, Perception, Phase, System, World
from sandbox.api import component, data_of, for_each_row, number

HUNDRED = np.float32(100)
TRAITS = {"top_speed": "Motion.max_speed", "sight": "Perception.radius"}


@component
class Forager:
    """Burns more energy the faster it can be and the farther it sees."""


class CostOfLiving(System):
    """Sets how much energy foragers burn: the faster they can be and the farther they see, the more."""

    phase = Phase.LIFE
    needs = (Motion, Perception, Energy, Forager)
    before = ("metabolism",)
    reads = tuple(TRAITS.values())
    writes = ("Energy.rest_burn",)
    base: float = number(1.2, "per s", 0, 1e3, "what everyone burns")
    speed_cost: float = number(4, "per s", 0, 1e3, "extra burn of one that can fly 100 u/s")
    sight_cost: float = number(1.5, "per s", 0, 1e3, "extra burn of one that sees 100 u far")

    def run(self, world: World) -> None:
        base, speed_cost, sight_cost = (np.float32(cost) for cost in (self.base, self.speed_cost, self.sight_cost))
        _burn(world.table.rows(*self.needs), data_of(self, world), base, speed_cost, sight_cost)


@for_each_row
def _burn(row, data, base, speed_cost, sight_cost):
    speed, sight = data.motion[row].max_speed / HUNDRED, data.perception[row].radius / HUNDRED
    data.energy[row].rest_burn = base + speed_cost * speed * speed + sight_cost * sight * sight


class Traits(System):
    """Mean and spread of the foragers' traits."""

    phase = Phase.MEASURE
    reads = (*TRAITS.values(), Forager)
    adds = (Measures,)

    def run(self, world: World) -> None:
        measures = world.resource(Measures)
        if self.name not in measures.wanted:
            return
        rows = world.table.rows(Motion, Perception, Forager)
        for name, key in TRAITS.items():
            values = world.table.columns[key][rows].tolist()
            mean = _mean(values)
            spread = sqrt(_mean([(value - mean) * (value - mean) for value in values]))
            measures.values |= {f"{name}_mean": mean, f"{name}_spread": spread}


def _mean(values: list[float]) -> float:
    """Return the mean, with the same bits in any order of values (`fsum` rounds once); NaN if there are none."""
    return fsum(values) / len(values) if values else nan


PREFABS = """
[prefabs.forager]
help = "seeks food; speed and sight cost energy, and are inherited"
Position = {}
Velocity = {}
Motion = { min_speed = 8, max_speed = 60, max_acceleration = 400 }
Perception = { radius = 60, fov = 360 }
Energy = { level = 50, capacity = 100, rest_burn = 1, hunger = 100, seek = 4 }
Life = { max_age = 40, birth_level = 80, mutation = 0.2 }
Wander = { strength = 60, rate = 0.5 }
Forager = {}
Look = { shape = "bird", colour = "#ffb86b", size = 5 }

[prefabs.berry]
extends = "food"
help = "a little food that grows again, too slowly to live on alone"
Food = { amount = 12, capacity = 12, regrowth = 0.8, radius = 8, bite = 20 }
Look = { shape = "dot", colour = "#d45d79", size = 4 }
"""


def install(app: App) -> None:
    app.add_component(Life)
    app.add_system(CostOfLiving, Traits)
    app.add_prefabs(PREFABS)
    app.add_scenes(Path(__file__).parent / "scenes")
    shown = {"forager": ("Life",)}
    app.add_panel(FieldsPanel("evolution", "Evolution", systems=("cost_of_living",), prefabs=shown, size=(320, 260)))
    for name, title, unit in (("top_speed", "Top speed", "u/s"), ("sight", "Sight", "u")):
        lines = {f"{name}_mean": "mean", f"{name}_spread": "spread"}
        app.add_chart(MeasureChart(f"{title} of foragers", "traits", lines, unit=unit))
