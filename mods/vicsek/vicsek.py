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
from sandbox.api import component, direction, kernel, length, neighbour_lists, number, order
from sandbox.api import random_unit, stream, torus_of, toward, unit

NOISE = stream("vicsek noise")


@component
class Vicsek:
    """Takes the mean heading of its neighbours, with noise."""

    radius: float = number(30, "u", 0, 1e4, "takes the mean heading of neighbours nearer than this", above_low=True)
    noise: float = number(40, "degrees", 0, 360, "range of its error in a tick: half of this to either side")


class VicsekAlignment(System):
    """Turns entities with Vicsek to the mean heading of their neighbours and themselves, with noise."""

    phase = Phase.STEER
    needs = (Vicsek,)
    reads = ("Position.x", "Position.y", Velocity, Vicsek, Settings)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        rows, columns = world.table.rows(Position, Velocity, Motion, Vicsek), world.table.columns
        if not len(rows):
            return
        radius, noise = columns["Vicsek.radius"], columns["Vicsek.noise"]
        lists = neighbour_lists(world, rows, float(radius[rows].max()))
        state = [columns[f"{of}.{axis}"] for of in ("Position", "Velocity", "Motion.acceleration") for axis in "xy"]
        rate = np.float32(world.resource(Settings).tick_rate)
        key = world.table.serial, world.seed, world.tick
        _align(rows, lists, *state, radius, noise, torus_of(world), rate, *key)


@kernel
def _align(rows, lists, x, y, vx, vy, ax, ay, radius, noise, torus, rate, serial, seed, tick):
    for k in range(len(rows)):
        me = rows[k]
        own_x, own_y = unit(vx[me], vy[me])
        sum_x, sum_y = np.float64(own_x), np.float64(own_y)
        for other in lists.who[lists.start[k] : lists.start[k + 1]]:
            dx, dy = toward(x[me], x[other], torus[0]), toward(y[me], y[other], torus[1])
            if dx * dx + dy * dy < radius[me] * radius[me]:
                ux, uy = unit(vx[other], vy[other])
                sum_x, sum_y = sum_x + ux, sum_y + uy
        if sum_x == 0.0 and sum_y == 0.0:
            sum_x, sum_y = np.float64(own_x), np.float64(own_y)
        ux, uy = unit(sum_x, sum_y)
        c, s = direction(noise[me] / 360.0 * (random_unit(seed, tick, serial[me], NOISE) - 0.5))
        speed = length(vx[me], vy[me])
        ax[me] += (speed * (ux * c - uy * s) - vx[me]) * rate
        ay[me] += (speed * (ux * s + uy * c) - vy[me]) * rate


class VicsekOrder(System):
    """Polarization of entities with Vicsek: 1 if all have one heading, near 0 if there is no order."""

    phase = Phase.MEASURE
    reads = ("Position.x", "Position.y", Velocity, Vicsek, Settings)
    adds = (Measures,)

    def run(self, world: World) -> None:
        measures, rows = world.resource(Measures), world.table.rows(Position, Velocity, Vicsek)
        measures.values["vicsek_polarization"] = order(world, rows)["polarization"]


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
    app.add_component(Position, Velocity, Motion, Vicsek)
    app.add_system(VicsekAlignment, VicsekOrder)
    app.add_prefabs(PREFABS)
    app.add_scenes(Path(__file__).parent / "scenes")
    app.add_panel(FieldsPanel("vicsek", "Vicsek model", prefabs={"vicsek": ("Vicsek", "Motion")}))
    app.add_chart(MeasureChart("Vicsek", "vicsek_order", {"vicsek_polarization": "polarization"}, top=1.0))
