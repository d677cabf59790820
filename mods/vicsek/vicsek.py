"""The Vicsek model: each boid takes the mean heading of its neighbours, with noise.

    heading of i(t + 1) = direction of the sum of unit(v_j(t)) over all j nearer than r, i included, rotated by noise
    noise               uniform in [-eta/2, eta/2], independent for each boid and tick
    p_i(t + 1)          = p_i(t) + v_i(t + 1) * dt, with constant speed

From: T. Vicsek, A. Czirók, E. Ben-Jacob, I. Cohen and O. Shochet (1995): "Novel type of phase transition in a system
of self-driven particles", Physical Review Letters 75, 1226. In the paper particles move by v_i(t), one step later. Its
unit of time is a tick here, and its interaction radius, 1, is `radius`.

The speed is constant because the prefab `vicsek` has equal `min_speed` and `max_speed`. The model adds the acceleration
that leads to the wanted velocity within one tick, so that wind, walls and hunters act on these boids as well.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sandbox.api import App, FieldsPanel, MeasureChart, Measures, Motion, Phase
from sandbox.api import Position, Settings, System, Velocity, World
from sandbox.api import accelerate, add, component, data_of, direction, dot, is_zero, kernel, length
from sandbox.api import neighbour_lists, number, order, random_unit, read, rotated, scaled, stream, sub, to_f64
from sandbox.api import torus_of, toward, unit

NOISE = stream("vicsek noise")


@component
class Vicsek:
    """Takes the mean heading of its neighbours, with noise."""

    radius: float = number(30, "u", 0, 1e4, "takes the mean heading of neighbours nearer than this", above_low=True)
    noise: float = number(40, "degrees", 0, 360, "range of its error in a tick: half of this to either side")


class VicsekAlignment(System):
    """Turns entities with Vicsek to the mean heading of their neighbours and themselves, with noise."""

    phase = Phase.STEER
    needs = (Position, Velocity, Motion, Vicsek)
    reads = (Position, Velocity, Vicsek, Settings)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        data, rows = data_of(self, world), world.table.rows(*self.needs)
        lists = neighbour_lists(world, rows, float(data.vicsek["radius"][rows].max()))
        rate = np.float32(world.resource(Settings).tick_rate)
        _align(rows, lists, data, torus_of(world), rate, world.seed, world.tick)


@kernel
def _align(rows, lists, data, torus, rate, seed, tick):
    for k in range(len(rows)):
        me = rows[k]
        own, velocity = data.vicsek[me], read(data.velocity[me])
        before = total = to_f64(unit(velocity))
        for other in lists.who[lists.start[k] : lists.start[k + 1]]:
            offset = toward(read(data.position[me]), read(data.position[other]), torus)
            if dot(offset, offset) < own.radius * own.radius:
                total = add(total, unit(read(data.velocity[other])))
        error = direction(own.noise / 360.0 * (random_unit(seed, tick, data.serial[me], NOISE) - 0.5))
        heading = rotated(unit(before if is_zero(total) else total), error)
        accelerate(data.motion[me], scaled(sub(scaled(heading, length(velocity)), velocity), rate))


class VicsekOrder(System):
    """Polarization of entities with Vicsek: 1 if all have one heading, near 0 if there is no order."""

    phase = Phase.MEASURE
    reads = (Position, Velocity, Vicsek, Settings)
    adds = (Measures,)

    def run(self, world: World) -> None:
        found = order(world, world.table.rows(Position, Velocity, Vicsek))
        world.resource(Measures).values["vicsek_polarization"] = found["polarization"]


PREFABS = """
[prefabs.vicsek]
help = "takes the mean heading of its neighbours, with an error"
Position = {}
Velocity = {}
Motion = { min_speed = 60, max_speed = 60 }
Vicsek = {}
Look = { colour = "#8fd3ff", size = 4 }
"""


def install(app: App) -> None:
    app.add_system(VicsekAlignment, VicsekOrder)
    app.add_prefabs(PREFABS)
    app.add_scenes(Path(__file__).parent / "scenes")
    app.add_panel(FieldsPanel("vicsek", "Vicsek model", prefabs={"vicsek": ("Vicsek", "Motion")}))
    app.add_chart(MeasureChart("Vicsek", "vicsek_order", {"vicsek_polarization": "polarization"}, top=1.0))
