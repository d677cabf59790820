"""The Couzin model: repulsion, orientation and attraction in three zones, of which the second decides the group's form.

For the neighbours j of i at offset d_j = p_j - p_i (minimum image on a torus):

    zone of repulsion    distance below `repulsion`                               R = -sum of unit(d_j)
    zone of orientation  a ring of width `orientation` around it, not behind      O = sum of unit(v_j)
    zone of attraction   a ring of width `attraction` around that, not behind     A = sum of unit(d_j)

    wanted direction     R if there are neighbours in the zone of repulsion, else O + A; the present heading if it is 0
    noise                rotates it by a normally distributed angle, a new one in each tick
    turn                 the heading turns towards it, by at most `turning` per second; the speed is constant

From: I. D. Couzin, J. Krause, R. James, G. D. Ruxton and N. R. Franks (2002): "Collective memory and spatial sorting in
animal groups", Journal of Theoretical Biology 218, 1-11. Their space has three dimensions, this one two. Their step of
0.1 s is a tick (1/60 s) and their unit of length 8 u, so that 3 units/s and an error of 0.05 rad per step are 144 u/s
and 2.9 degrees per tick. They turn by 40 degrees/s, here by 25 (150 with the shorter step): in two dimensions, where
animals can't pass above each other, a torus needs a larger turning radius.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sandbox.api import App, FieldsPanel, MeasureChart, Measures, Motion, Phase
from sandbox.api import Position, Settings, System, Velocity, World
from sandbox.api import component, cosine, direction, kernel, length, neighbour_lists, number
from sandbox.api import order, random_normal, stream, torus_of, toward, unit

NOISE = stream("couzin noise")


@component
class Couzin:
    """Keeps away from the nearest neighbours, aligns with those farther away, and seeks the farthest."""

    repulsion: float = number(8, "u", 0, 1e4, "keeps away from those nearer than this, before all else", above_low=True)
    orientation: float = number(48, "u", 0, 1e4, "width of the ring around that in which it aligns")
    attraction: float = number(112, "u", 0, 1e4, "width of the next ring, in which it seeks the others")
    blind: float = number(90, "degrees", 0, 360, "behind it, where it neither aligns nor seeks")
    turning: float = number(150, "degrees/s", 0, 36000, "how fast it can turn")
    noise: float = number(2.9, "degrees", 0, 180, "standard deviation of its error in a tick")


class CouzinZones(System):
    """Turns entities with Couzin away from, in the direction of, or towards the neighbours in their zones."""

    phase = Phase.STEER
    needs = (Couzin,)
    reads = ("Position.x", "Position.y", Velocity, Couzin, Settings)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        rows, columns = world.table.rows(Position, Velocity, Motion, Couzin), world.table.columns
        if not len(rows):
            return
        zones = [columns[f"Couzin.{zone}"] for zone in ("repulsion", "orientation", "attraction")]
        lists = neighbour_lists(world, rows, float(sum(zone[rows] for zone in zones).max()))
        state = [columns[f"{of}.{axis}"] for of in ("Position", "Velocity", "Motion.acceleration") for axis in "xy"]
        limits = [columns[f"Couzin.{limit}"] for limit in ("blind", "turning", "noise")]
        rate = np.float32(world.resource(Settings).tick_rate)
        key = world.table.serial, world.seed, world.tick
        _steer(rows, lists, *state, *zones, *limits, torus_of(world), rate, *key)


@kernel
def _steer(
    rows, lists, x, y, vx, vy, ax, ay, repulsion, orientation, attraction, blind, turning, noise, torus, rate,
    serial, seed, tick,
):  # fmt: skip
    for k in range(len(rows)):
        me = rows[k]
        near, far = repulsion[me] + orientation[me], repulsion[me] + orientation[me] + attraction[me]
        hx, hy = unit(vx[me], vy[me])
        sight = cosine(180.0 - 0.5 * blind[me])
        away_x, away_y, along_x, along_y = 0.0, 0.0, 0.0, 0.0
        for other in lists.who[lists.start[k] : lists.start[k + 1]]:
            dx, dy = toward(x[me], x[other], torus[0]), toward(y[me], y[other], torus[1])
            distance = length(dx, dy)
            ux, uy = unit(dx, dy)
            if distance < repulsion[me]:
                away_x, away_y = away_x - ux, away_y - uy
            elif distance < far and (blind[me] == 0.0 or ux * hx + uy * hy >= sight):
                if distance < near:
                    ux, uy = unit(vx[other], vy[other])
                along_x, along_y = along_x + ux, along_y + uy
        wx, wy = unit(away_x, away_y)
        if wx == 0.0 and wy == 0.0:
            wx, wy = unit(along_x, along_y)
        if wx == 0.0 and wy == 0.0:
            wx, wy = np.float64(hx), np.float64(hy)
        c, s = direction(noise[me] / 360.0 * random_normal(seed, tick, serial[me], NOISE))
        wx, wy = wx * c - wy * s, wx * s + wy * c
        c, s = direction(min(np.float64(turning[me]) / (360.0 * rate), 0.5))
        if wx * hx + wy * hy < c:  # more than it can turn in a tick
            s = s if hx * wy - hy * wx >= 0.0 else -s
            wx, wy = hx * c - hy * s, hx * s + hy * c
        speed = length(vx[me], vy[me])
        ax[me] += (speed * wx - vx[me]) * rate
        ay[me] += (speed * wy - vy[me]) * rate


class CouzinOrder(System):
    """Polarization and milling of entities with Couzin: a parallel group is polarized, a torus mills."""

    phase = Phase.MEASURE
    reads = ("Position.x", "Position.y", Velocity, Couzin, Settings)
    adds = (Measures,)

    def run(self, world: World) -> None:
        measures, rows = world.resource(Measures), world.table.rows(Position, Velocity, Couzin)
        found = order(world, rows)
        measures.values |= {f"couzin_{name}": found[name] for name in ("polarization", "milling")}


PREFABS = """
[prefabs.couzin]
help = "keeps away from the nearest, aligns with those beyond, seeks those farther off"
Position = {}
Velocity = {}
Motion = { min_speed = 144, max_speed = 144 }
Couzin = {}
Look = { shape = "fish", colour = "#9ad9c8", size = 5 }
"""


def install(app: App) -> None:
    app.add_component(Position, Velocity, Motion, Couzin)
    app.add_system(CouzinZones, CouzinOrder)
    app.add_prefabs(PREFABS)
    app.add_scenes(Path(__file__).parent / "scenes")
    app.add_panel(FieldsPanel("couzin", "Couzin model", prefabs={"couzin": ("Couzin", "Motion")}))
    lines = {"couzin_polarization": "polarization", "couzin_milling": "milling"}
    app.add_chart(MeasureChart("Couzin", "couzin_order", lines, top=1.0))
