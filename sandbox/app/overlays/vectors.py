"""The Rule vectors overlay: the acceleration of each rule and their sum."""

from __future__ import annotations

import math
import time
from copy import copy
from dataclasses import dataclass

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.world import World
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.colours import Rgb
from sandbox.app.drawing.places import LEAST, Places, Rows, lengths, on_screen, places, radii, some
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.overlays.rule_colours import SUM, rule_colour
from sandbox.app.session.memories import PerSimulation
from sandbox.app.session.session import Session
from sandbox.explain.explanation import Explanation, explain, moves
from sandbox.simulation import Simulation

LONGEST = 118.0  # pixels: the longest arrow of the selected entity
SHORTEST = 5.0  # pixels: shorter arrows are not drawn
LONGEST_OF_MANY = 19.0  # pixels: the longest arrow if all entities have one, at zoom 1; it grows with the zoom
MOST = 3000  # entities with an arrow if nothing is selected
NEIGHBOUR, NEIGHBOUR_RING = (255, 255, 255, 120), (255, 255, 255, 210)
EVERYONE = 255, 222, 140, 215
CHEAP, DEAR = 2e6, 12e6  # ns: explaining may take this long in every tick, and every few ticks
FADES, FADES_OF_MANY = 0.97, 0.99  # decay per tick, of the acceleration that the longest arrow stands for
STALE = 20  # ticks after which an explanation is no longer shown


@dataclass
class Explained:
    """An explanation, the tick in which it was made, and the largest acceleration in it, u/s²."""

    tick: int
    why: Explanation
    largest: float


class RuleVectors(Overlay):
    """Draws for the selected entity an arrow per rule in its colour, the sum in white, and lines to its neighbours.

    Lengths are proportional to the acceleration, and the scale follows the largest one. If nothing is selected, it
    draws the acceleration of all entities, or of some in a crowd; these lengths follow its square root. Explaining
    takes as long as several ticks. So if that is slow, it is done only every few ticks, and in a large world only
    while paused; without an explanation only the sum is drawn.
    """

    name, title, help = "vectors", "Rule vectors", "the acceleration that each rule gives to the selected, and the sum"
    keys = ("V",)

    def __init__(self) -> None:
        self._accounts = PerSimulation(Account, copy)

    def update(self, session: Session) -> None:
        account = self._accounts.of(session)
        account.update(session.simulation.world)
        if (one := session.selection.one) is not None and explains(session.simulation.world, one):
            account.explain(session, one)

    def draw(self, canvas: Canvas, session: Session) -> None:
        world, one, account = session.simulation.world, session.selection.one, self._accounts.of(session)
        if one is None or not explains(world, one):
            _draw_many(canvas, world, account.largest_of_many)
            return
        _draw_one(canvas, world, np.array([world.table.row_of(one)]), account.of(one, world), account)


def explains(world: World, one: int) -> bool:
    """Return whether an entity lives and moves, so that its next tick can be explained."""
    row = world.table.row_of(one)
    return row >= 0 and moves(world, row)


class Account:
    """What the rules ask of a world's entities.

    Attributes:
        largest: u/s², the acceleration that the longest arrow of an entity stands for: at least the largest one of
            the present, so that a change that is undone leaves nothing; `largest_of_many`: that if many have one.
    """

    def __init__(self) -> None:
        self.largest = self.largest_of_many = 0.0
        self._before = self._before_of_many = 0.0  # what is left of the ticks before
        self._told: Explained | None = None
        self._tick, self._one = 0, -1  # of the last update; the entity that `largest` is of
        self._cost: float | None = None  # the time to explain, ns per entity in the world; None: unknown

    def update(self, world: World) -> None:
        """Adapt the scales to the present accelerations."""
        if passed := abs(world.tick - self._tick):
            self._before, self._before_of_many = (
                FADES**passed * self.largest,
                FADES_OF_MANY**passed * self.largest_of_many,
            )
            self._tick = world.tick
        self.largest = self._before
        rows = some(world, world.table.rows(Position, Velocity, Motion), MOST)
        asked = world.table.stacked("Motion.acceleration", rows)
        usual = 3 * float(lengths(asked).mean()) if len(asked) else 0.0
        self.largest_of_many = max(usual, self._before_of_many)

    def of(self, one: int, world: World) -> Explanation | None:
        """Return the explanation of an entity, if there is a recent one, of the world as flat or deep as it is now."""
        told = self._told
        if told is None or told.why.serial != one or not 0 <= world.tick - told.tick <= STALE:
            return None
        return told.why if len(told.why.position) == len(world.table.axes) else None

    def explain(self, session: Session, one: int) -> None:
        """Explain an entity anew if that is due."""
        if one != self._one:
            self._one, self.largest, self._before = one, 0.0, 0.0
        if self.of(one, session.simulation.world) is None:
            self._told = None
        if self._is_due(session):
            self._told = self._explain(session.simulation, one)
        table = session.simulation.world.table
        asked = table.stacked("Motion.acceleration", np.array([table.row_of(one)]))[0]
        told = self._told.largest if self._told and self._told.tick == self._tick else 0.0
        self.largest = max(float(np.linalg.norm(asked)), told, self.largest)

    def _is_due(self, session: Session) -> bool:
        """Return whether explaining now fits the time budget."""
        if session.playback.runs:  # explaining would wait for the end of the tick
            return False
        cost: float = (self._cost or 0.0) * session.simulation.world.table.size
        if session.clock.paused or cost <= CHEAP:
            return True
        waited: int = session.simulation.tick - self._told.tick if self._told else STALE
        return cost <= DEAR and waited * CHEAP >= 2 * cost

    def _explain(self, simulation: Simulation, one: int) -> Explained:
        begin = time.perf_counter_ns()
        why = explain(simulation, one)
        spent = (time.perf_counter_ns() - begin) / simulation.world.table.size
        if self._told is not None:  # the first explanation is not timed, because it may have loaded kernels
            self._cost = spent if self._cost is None else min(spent, 1.2 * self._cost)
        largest = max(math.hypot(*vector) for vector in (*why.rules.values(), why.acceleration))
        return Explained(simulation.tick, why, largest)


def _draw_one(canvas: Canvas, world: World, rows: Rows, why: Explanation | None, account: Account) -> None:
    here = places(world, rows, canvas.alpha)
    if why is None:
        asked = world.table.stacked("Motion.acceleration", rows)
        _arrow(canvas, here, asked * LONGEST * canvas.pixel / max(account.largest, 1e-6), SUM, 2.2)
        return
    others = world.table.living(np.array(why.neighbours, np.int64))
    if len(others):
        there = canvas.nearest(places(world, others, canvas.alpha), here)
        canvas.lines(here, there, NEIGHBOUR, 1.2, halo=0.3)
        canvas.rings(there, radii(world, others, LEAST), NEIGHBOUR_RING, 1.3, grow=2.0, halo=0.3)
    per = LONGEST * canvas.pixel / max(account.largest, 1e-6)
    for name, vector in why.rules.items():
        _arrow(canvas, here, np.array([vector]) * per, rule_colour(name), 3.0)
    _arrow(canvas, here, np.array([why.acceleration]) * per, SUM, 2.2)


def _draw_many(canvas: Canvas, world: World, largest: float) -> None:
    rows = some(world, on_screen(canvas, world, world.table.rows(Position, Velocity, Motion)), MOST)
    if not len(rows):
        return
    wanted = world.table.stacked("Motion.acceleration", rows)
    size = lengths(wanted)
    longest = LONGEST_OF_MANY * min(max(canvas.camera.zoom**0.5, 0.7), 4.0) * canvas.pixel
    length = longest * np.minimum(size / max(largest, 1e-6), 1) ** 0.5
    shown = length > SHORTEST * canvas.pixel
    here = places(world, rows[shown], canvas.alpha)
    way = wanted[shown] * (length[shown] / size[shown])[:, None]
    canvas.arrows(here, here + way, EVERYONE, 1.6, head=6.5)


def _arrow(canvas: Canvas, here: Places, way: Places, colour: Rgb, width: float) -> None:
    if np.linalg.norm(way[0]) > SHORTEST * canvas.pixel:
        canvas.arrows(here, here + way, (*colour, 255), width, head=11.0)
