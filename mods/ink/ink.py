"""Entities deposit ink and follow it, which makes networks like those of the slime mould Physarum polycephalum.

    in each tick an entity samples the ink in three places at a `distance`: ahead, and `angle` to the left and right
    most ink ahead               it keeps its heading
    more on both sides           it turns to a random one of them
    more on the left or right    it turns to that side, by `turning` per second
    then it deposits ink where it is; all ink spreads and fades, and no cell holds more than `full`

From: J. Jones (2010): "Characteristics of pattern formation and evolution in approximations of Physarum transport
networks", Artificial Life 16, 127. His agents turn by a fixed angle in each step, move one cell, and wait if it is
occupied; here they turn at a rate, move at their speed, and pass through each other. In his model a cell has room for
one agent, so that not all can gather in one vein; here the limit of ink in a cell has this effect.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sandbox.api import AMOUNT_SCALE, App, FieldsPanel, Grid, Motion, Overlay, Phase, Position, Settings, System
from sandbox.api import Velocity, World, accelerate, add, component, data_of, deposit, diffused, direction
from sandbox.api import for_each_row, grid, kernel, length, number, random_unit, raster_of, read, resource, rotated
from sandbox.api import sample, scaled, stream, sub, unit

if TYPE_CHECKING:
    from sandbox.api import Canvas, Session

CHANCE = stream("ink turns")
MOST = 1000


@component
class Ink:
    """Deposits ink, and follows it."""

    lays: float = number(300, "1/s", 0, 1e4, "how much ink it lays")
    distance: float = number(16, "u", 0, 1000, "how far ahead it looks for ink")
    angle: float = number(30, "degrees", 0, 180, "how far to the sides it looks")
    turning: float = number(1400, "degrees/s", 0, 1e4, "how fast it turns to where more ink is")


@resource
class Paper:
    """The ink that was deposited."""

    ink: Grid = grid(4, "", 0, MOST, "how much ink there is")


class InkFollowing(System):
    """Turns entities with Ink towards the place with most ink, of three ahead of them."""

    phase = Phase.STEER
    needs = (Ink,)
    reads = (Position, Velocity, Ink, Paper, Settings)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        ink, rate = raster_of(world, world.resource(Paper).ink), float(world.resource(Settings).tick_rate)
        rows = world.table.rows(Position, Velocity, Motion, Ink)
        _follow(rows, ink, data_of(self, world), rate, world.seed, world.tick)


@for_each_row
def _follow(me, ink, data, rate, seed, tick):
    here, velocity, own = read(data.position[me]), read(data.velocity[me]), data.ink[me]
    heading, (c, s) = unit(velocity), direction(own.angle / 360.0)
    ahead = sample(ink, add(here, scaled(heading, own.distance)))
    left = sample(ink, add(here, scaled(rotated(heading, (c, s)), own.distance)))
    right = sample(ink, add(here, scaled(rotated(heading, (c, -s)), own.distance)))
    turn = own.turning / 360.0 / rate
    if left > ahead and right > ahead:
        turn = turn if random_unit(seed, tick, data.serial[me], CHANCE) < 0.5 else -turn
    elif (ahead > left and ahead > right) or left == right:
        turn = 0.0
    elif right > left:
        turn = -turn
    wanted = scaled(rotated(heading, direction(turn)), length(velocity))
    accelerate(data.motion[me], scaled(sub(wanted, velocity), rate))


class InkSpreading(System):
    """Deposits the ink of entities with Ink, and lets all ink spread and fade."""

    phase = Phase.LIFE
    reads = (Position, Ink, Settings)
    writes = (Paper,)
    spread: float = number(0.7, "", 0, 1, "share of a cell's ink that spreads to those around in a tick")
    full: float = number(14, "", 0, MOST, "no cell holds more ink than this")
    fading: float = number(3, "1/s", 0, 50, "how fast ink fades")

    def applies(self, world: World) -> bool:
        return bool(len(world.table.rows(Position, Ink)) or world.resource(Paper).ink.amounts.any())

    def run(self, world: World) -> None:
        paper, tick = world.resource(Paper), 1 / world.resource(Settings).tick_rate
        ink = raster_of(world, paper.ink)
        _lay(world.table.rows(Position, Ink), data_of(self, world), tick, ink)
        paper.ink = np.minimum(diffused(ink, self.spread, 1 / (1 + self.fading * tick)), int(self.full * AMOUNT_SCALE))


@kernel
def _lay(rows, data, tick, ink):
    for row in rows:
        deposit(ink, read(data.position[row]), data.ink[row].lays * tick)


COLOURS = [(24, 30, 90, 0), (38, 60, 150, 130), (30, 130, 170, 190), (90, 205, 170, 225), (255, 236, 170, 250)]


class InkSeen(Overlay):
    """Draws the ink in glowing colours."""

    name, title, help, keys = "ink", "Ink", "where ink was laid, and how much", ("I",)
    under = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        amounts = session.simulation.world.resource(Paper).ink.amounts / AMOUNT_SCALE
        if amounts.any():
            usual = float((amounts**2).sum() / amounts.sum())
            canvas.picture(amounts, COLOURS, 2 * usual)


PREFABS = """
[prefabs.ink]
help = "lays ink, and follows it"
Position = {}
Velocity = {}
Motion = { min_speed = 60, max_speed = 60 }
Ink = {}
Look = { colour = "#ffe9c9", size = 1 }
"""


def install(app: App) -> None:
    app.add_resource(Paper)
    app.add_system(InkFollowing, InkSpreading)
    app.add_prefabs(PREFABS)
    app.add_overlay(InkSeen())
    app.add_scenes(Path(__file__).parent / "scenes")
    app.add_panel(FieldsPanel("ink", "Ink", prefabs={"ink": ("Ink", "Motion")}))
