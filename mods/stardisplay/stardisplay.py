"""StarDisplay: starlings that heed six or seven neighbours, stay over a roost, and bank into their turns.

For a world with depth, in which y points up. 1 u is 1 m, and forces are in newtons. Every 50 ms (`reaction`) each bird
looks around and decides on a steering force, not all at the same moment; it flies in ticks of 5 ms (`tick_rate = 200`).

    e_x, e_y, e_z   its own axes: its heading, its right, and what is above it if it is banked
    d, way          of a neighbour the distance and the unit vector to it
    N, N*           the neighbours within its range R, and those of them that are not behind it
    R               (1 - s) R + s (R_max - R_max |N| / n), s = `adapting` times `reaction`, between `hard` and R_max

    separation      -w / |N| * sum over N of g(d) way; g is 1 up to `hard`, beyond exp(-((d - hard) / spread)²)
    cohesion        C w / |N*| * sum over N* of way, without those nearer than `hard`;
                    C = |mean of way| of all within 2 R: near 0 amid the flock, near 1 outside
    alignment       w * unit(sum over N* of (e_x of j - e_x))
    speed           m / tau * (v_0 - v) e_x
    roost           upward: -w_v * (y - its y); beyond its radius by b: w_h * b * (1 + e_x · n) / 2 along e_y or -e_y,
                    whichever leads back; n points outward
    error           w times a random unit vector

    lift            m g v² / v_0² along e_z
    drag, thrust    lift / ratio along -e_x; m g / ratio along e_x
    bank            + atan(roll_in * a dt) - atan(roll_out * sin(bank) dt) in each tick;
                    a = (steering + m g upward) · e_y / m

From: H. Hildenbrandt, C. Carere and C. K. Hemelrijk (2010): "Self-organized aerial displays of thousands of starlings:
a model", Behavioral Ecology 21, 1349-1359. The values are those of table 1 in C. K. Hemelrijk and H. Hildenbrandt
(2011): "Some causes of the variable shape of flocks of birds", PLoS ONE 6, e22479. docs/stardisplay.md says what is
not from there.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sandbox.api import App, FieldsPanel, MeasureChart, Measures, Motion, Phase, Placing
from sandbox.api import Position, Settings, System, Velocity, World, component, number, order, vector
from sandbox.api import by_serial, data_of, neighbour_lists, torus_of

from .flight import fly, roll
from .steering import decide

GRAVITY = 9.81  # m/s²


@component
class Starling:
    """Heeds the nearest few, stays over a roost, and flies as a bird does."""

    cruise: float = number(10, "m/s", 0, 1e3, "the speed that it returns to", above_low=True)
    mass: float = number(0.08, "kg", 0, 1e3, "its mass", above_low=True)
    ratio: float = number(3.3, "", 0, 1e3, "lift as a multiple of drag", above_low=True)
    hurry: float = number(1, "s", 0, 1e3, "time in which a wrong speed is made good", above_low=True)
    roll_in: float = number(10, "s/m", 0, 1e3, "how fast it banks, for its sideways acceleration")
    roll_out: float = number(1, "1/s", 0, 1e3, "how fast it levels out")
    heeds: float = number(6.5, "neighbours", 0, 1e3, "its range adapts until so many are in it", above_low=True)
    farthest: float = number(100, "m", 0, 1e4, "the most that its range can be", above_low=True)
    adapting: float = number(0.1, "1/s", 0, 1e3, "how fast the range adapts")
    hard: float = number(0.2, "m", 0, 1e3, "nearer than this they separate fully, and do not cohere", above_low=True)
    spread: float = number(1.37, "m", 0, 1e3, "how far beyond that separation reaches", above_low=True)
    separation: float = number(1, "N", 0, 1e3, "strength of separation")
    cohesion: float = number(1, "N", 0, 1e3, "strength of cohesion")
    alignment: float = number(0.5, "N", 0, 1e3, "strength of alignment")
    blind: float = number(90, "degrees", 0, 360, "behind it, where it neither coheres nor aligns")
    back: float = number(0.01, "N/m", 0, 1e3, "turns it back to the roost, for each metre outside")
    height: float = number(0.2, "N/m", 0, 1e3, "brings it to the height of the roost, for each metre off")
    error: float = number(0.01, "N", 0, 1e3, "strength of the random force")
    range: float = number(5, "m", 0, 1e4, "how far it heeds others at present")
    bank_cosine: float = number(1, "", -1, 1, "cosine of its bank; 1: level", inherits="keep")
    bank_sine: float = number(0, "", -1, 1, "sine of its bank; above 0: to the right", inherits="keep")
    steering: tuple[float, float] = vector("N", "the force that it decided on")


@component
class Roost:
    """Where starlings stay: they turn back outside its radius, and keep to its height."""

    radius: float = number(150, "m", 0, 1e4, "how far from it they turn back, across the ground")


class StarlingSenses(System):
    """Lets starlings look around and decide where to steer."""

    phase = Phase.SENSE
    needs = (Position, Velocity, Starling)
    reads = ("Position.x", "Position.y", "Position.z", Velocity, Roost, Settings)
    writes = (Starling,)
    reaction: float = number(0.05, "s", 0, 10, "from one decision to the next", above_low=True)

    def run(self, world: World) -> None:
        settings = world.resource(Settings)
        data, rows = data_of(self, world), world.table.rows(*self.needs)
        ticks = max(round(self.reaction * settings.tick_rate), 1)
        due = (world.table.serial[rows] + world.tick) % ticks == 0
        lists = neighbour_lists(world, rows, np.where(due, 2 * data.starling["range"][rows], 0))
        roosts = by_serial(world, world.table.rows(Position, Roost))
        decide(np.flatnonzero(due), rows, lists, roosts, data, torus_of(world), self.reaction, world.seed, world.tick)


class StarlingFlight(System):
    """Accelerates starlings by their steering, lift, drag, thrust and weight."""

    phase = Phase.STEER
    needs = (Velocity, Motion, Starling)
    reads = (Velocity, Starling)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        fly(world.table.rows(*self.needs), data_of(self, world), GRAVITY)


class StarlingRoll(System):
    """Banks starlings into their turns."""

    phase = Phase.MOVE
    before = ("movement",)
    needs = (Velocity, Starling)
    reads = (Velocity, Settings)
    writes = (Starling,)

    def run(self, world: World) -> None:
        roll(world.table.rows(*self.needs), data_of(self, world), GRAVITY, 1.0 / world.resource(Settings).tick_rate)


class StarlingOrder(System):
    """Polarization of starlings: 1 if all have one heading."""

    phase = Phase.MEASURE
    reads = (Position, Velocity, Starling, Settings)
    adds = (Measures,)

    def run(self, world: World) -> None:
        found = order(world, world.table.rows(Position, Velocity, Starling))
        world.resource(Measures).values["starling_polarization"] = found["polarization"]


PREFABS = """
[prefabs.stardisplay]
help = "heeds six or seven others, stays over the nearest roost, and banks into its turns"
Position = {}
Velocity = {}
Motion = { max_speed = 40 }
Starling = {}
Look = { shape = "bird", colour = "#1a1220", size = 0.2 }

[prefabs.roost]
help = "starlings stay over it, at its height"
Position = {}
Roost = {}
Look = { shape = "dot", colour = "#c9a26b", size = 2 }
"""


def install(app: App) -> None:
    app.add_system(StarlingSenses, StarlingFlight, StarlingRoll, StarlingOrder)
    app.add_prefabs(PREFABS)
    app.add_scenes(Path(__file__).parent / "scenes")
    app.add_tool(Placing("roost", "Roost", "\uf1bb", "Places a roost, over which starlings stay.", "Roost"))
    fields = {"stardisplay": ("Starling",), "roost": ("Roost",)}
    app.add_panel(FieldsPanel("stardisplay", "StarDisplay", prefabs=fields))
    app.add_chart(MeasureChart("Starlings", "starling_order", {"starling_polarization": "polarization"}, top=1.0))
