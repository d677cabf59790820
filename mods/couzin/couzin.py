"""The Couzin model: repulsion, orientation and attraction in three zones, of which the second decides the group's form.

For the neighbours j of i at offset d_j = p_j - p_i (minimum image on a torus):

    zone of repulsion    distance below `repulsion`                               R = -sum of unit(d_j)
    zone of orientation  a shell of width `orientation` around it, not behind     O = sum of unit(v_j)
    zone of attraction   a shell of width `attraction` around that, not behind    A = sum of unit(d_j)

    wanted direction     R if there are neighbours in the zone of repulsion, else O + A; the present heading if it is 0
    error                turns it by a normally distributed angle, with depth to a random side; a new one in each tick
    turn                 the heading turns towards it, by at most `turning` per second; the speed is constant

From: I. D. Couzin, J. Krause, R. James, G. D. Ruxton and N. R. Franks (2002): "Collective memory and spatial sorting in
animal groups", Journal of Theoretical Biology 218, 1-11. Their space has three dimensions, as in the scenes with "deep"
in their names, whose units are the paper's: 1 u is the radius of repulsion, and a tick 0.1 s.

The defaults are for flat worlds: a tick of 1/60 s, and 8 u for the paper's unit of length, so that 3 units/s and an
error of 0.05 rad per step are 144 u/s and 2.9 degrees per tick. They turn by 40 degrees/s, there by 25 (150 with the
shorter step): in two dimensions, where animals can't pass above each other, a milling ring (the paper's torus) needs a
larger turning radius.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sandbox.api import App, FieldsPanel, MeasureChart, Measures, Motion, Phase
from sandbox.api import Position, Settings, System, Velocity, World
from sandbox.api import accelerate, add, component, cosine, cross, data_of, direction, direction_like, dot, filled
from sandbox.api import inlined, is_zero, kernel, length, neighbour_lists, number, order, random_normal, random_unit
from sandbox.api import read, rotated, scaled, stream, sub, to_f64, torus_of, toward, unit

NOISE, SIDE, UPWARD = stream("couzin noise"), stream("couzin side"), stream("couzin upward")


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
    needs = (Position, Velocity, Motion, Couzin)
    reads = (Position, Velocity, Couzin, Settings)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        data, rows = data_of(self, world), world.table.rows(*self.needs)
        zones = data.couzin[rows]
        lists = neighbour_lists(
            world, rows, float((zones["repulsion"] + zones["orientation"] + zones["attraction"]).max())
        )
        rate = np.float32(world.resource(Settings).tick_rate)
        _steer(rows, lists, data, torus_of(world), rate, world.seed, world.tick)


@kernel
def _steer(rows, lists, data, torus, rate, seed, tick):
    for k in range(len(rows)):
        me = rows[k]
        own = data.couzin[me]
        near, far = own.repulsion + own.orientation, own.repulsion + own.orientation + own.attraction
        here, velocity = read(data.position[me]), read(data.velocity[me])
        heading, sight = unit(velocity), cosine(180.0 - 0.5 * own.blind)
        away = along = filled(to_f64(here), 0.0)
        for other in lists.who[lists.start[k] : lists.start[k + 1]]:
            offset = toward(here, read(data.position[other]), torus)
            distance, way = length(offset), unit(offset)
            if distance < own.repulsion:
                away = sub(away, way)
            elif distance < far and (own.blind == 0.0 or dot(way, heading) >= sight):
                along = add(along, unit(read(data.velocity[other])) if distance < near else way)
        wanted = unit(along if is_zero(away) else away)
        if is_zero(wanted):
            wanted = to_f64(heading)
        error = own.noise / 360.0 * random_normal(seed, tick, data.serial[me], NOISE)
        wanted = _erring(wanted, direction(error), seed, tick, data.serial[me])
        most = direction(min(np.float64(own.turning) / (360.0 * rate), 0.5))
        if dot(wanted, heading) < most[0]:  # more than it can turn in a tick
            wanted = to_f64(_turned(heading, wanted, most))
        accelerate(data.motion[me], scaled(sub(scaled(wanted, length(velocity)), velocity), rate))


@inlined
def _erring(wanted, error, seed, tick, serial):
    """Return a direction turned by the angle of the unit vector `error`: to its left, with depth to a random side."""
    if len(wanted) == 2:
        return rotated(wanted, error)
    turn, upward = random_unit(seed, tick, serial, SIDE), random_unit(seed, tick, serial, UPWARD)
    return _turned(wanted, to_f64(direction_like(wanted, turn, upward)), error)


@inlined
def _turned(heading, aim, angle):
    """Return a unit vector turned towards another one, by the angle of the unit vector `angle`."""
    if len(heading) == 2:
        return rotated(heading, angle if cross(heading, aim) >= 0.0 else (angle[0], -angle[1]))
    side = sub(aim, scaled(heading, dot(aim, heading)))
    if is_zero(side):  # straight behind: to any side
        other = to_f64((heading[1], heading[2], heading[0]))
        side = sub(other, scaled(heading, dot(other, heading)))
    return add(scaled(heading, angle[0]), scaled(unit(side), angle[1]))


class CouzinOrder(System):
    """Polarization and milling of entities with Couzin: a parallel group is polarized, a ring mills."""

    phase = Phase.MEASURE
    reads = (Position, Velocity, Couzin, Settings)
    adds = (Measures,)

    def run(self, world: World) -> None:
        found = order(world, world.table.rows(Position, Velocity, Couzin))
        world.resource(Measures).values |= {f"couzin_{name}": found[name] for name in ("polarization", "milling")}


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
    app.add_system(CouzinZones, CouzinOrder)
    app.add_prefabs(PREFABS)
    app.add_scenes(Path(__file__).parent / "scenes")
    app.add_panel(FieldsPanel("couzin", "Couzin model", prefabs={"couzin": ("Couzin", "Motion")}))
    lines = {"couzin_polarization": "polarization", "couzin_milling": "milling"}
    app.add_chart(MeasureChart("Couzin", "couzin_order", lines, top=1.0))
