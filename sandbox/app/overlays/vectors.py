"""Rule vectors: what each rule asks of one, and what comes of it."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.world import World
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.colours import Rgb
from sandbox.app.drawing.places import LEAST, Places, Rows, on_screen, places, radii, some
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.overlays.rule_colours import SUM, rule_colour
from sandbox.app.session.session import Session
from sandbox.explain.explanation import Explanation, explain
from sandbox.simulation import Simulation

LONGEST = 118.0  # pixels: of the longest arrow of one
SHORTEST = 5.0  # pixels: a shorter arrow is none
LONGEST_OF_MANY = 19.0  # pixels, where a pixel is a u; nearer by they are longer
MOST = 3000  # arrows, of all that are on the screen
NEIGHBOUR, NEIGHBOUR_RING = (255, 255, 255, 120), (255, 255, 255, 210)
EVERYONE = 255, 222, 140, 215
CHEAP, DEAR = 2e6, 12e6  # ns: what may be spent in every tick, and now and then
FADES, FADES_OF_MANY = 0.97, 0.99  # what the longest arrow stands for sinks by it, while nothing is as strong
STALE = 20  # ticks after which an explanation is shown no more


@dataclass
class Told:
    """An explanation, and of which world, by its name, and when it is."""

    tick: int
    why: Explanation


class RuleVectors(Overlay):
    """Of the one selected an arrow per rule in its colour and the sum in white, and lines to its neighbours.

    They are as long as what they stand for is strong, the longest always about as long. With nothing selected
    everyone's acceleration, and of a crowd that of some: there an arrow is as long as the root of it is large.
    Explaining takes as long as several ticks: where that is long it is done now and then, and in a large world only
    while paused; then the sum alone is shown.
    """

    name, title, help = "vectors", "Rule vectors", "what each rule asks of the selected, and the sum"
    keys = ("V",)

    def __init__(self) -> None:
        self._told: Told | None = None
        self._changed = True
        self._cost: float | None = None  # ns for each entity, of explaining; None: not known
        self._strongest = self._strongest_of_many = 0.0  # u/s², what the longest arrow stands for

    def begin(self, session: Session) -> None:
        self._told = None

    def take(self, session: Session) -> None:
        self._changed = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        world, one = session.simulation.world, session.selection.one
        row = -1 if one is None else world.table.row_of(one)
        if one is None or row < 0 or not world.table.has(row, Position, Velocity, Motion):
            self._draw_many(canvas, world)
            return
        told, tick = self._told, session.simulation.tick
        if told is not None and not (told.why.serial == one and 0 <= tick - told.tick <= STALE):
            told = self._told = None
        if (told is None or told.tick != tick or self._changed) and self._is_due(session):
            told = self._explain(session.simulation, one)
        self._draw_one(canvas, world, np.array([row]), told.why if told else None)

    def _is_due(self, session: Session) -> bool:
        """Whether to explain now: what it costs is worth it."""
        cost: float = (self._cost or 0.0) * session.simulation.world.table.size
        if session.clock.paused or cost <= CHEAP:
            return True
        waited: int = session.simulation.tick - self._told.tick if self._told else STALE
        return cost <= DEAR and waited * CHEAP >= 2 * cost

    def _explain(self, simulation: Simulation, one: int) -> Told:
        begin = time.perf_counter_ns()
        why = explain(simulation, one)
        spent = (time.perf_counter_ns() - begin) / simulation.world.table.size
        if self._told is not None:  # the first one may have loaded its kernels
            self._cost = spent if self._cost is None else min(spent, 1.2 * self._cost)
        strongest = max(np.hypot(*vector) for vector in (*why.rules.values(), why.acceleration))
        self._strongest = max(float(strongest), FADES * self._strongest)
        self._told, self._changed = Told(simulation.tick, why), False
        return self._told

    def _draw_one(self, canvas: Canvas, world: World, rows: Rows, why: Explanation | None) -> None:
        here = places(world, rows, canvas.alpha)
        if why is None:
            asked = world.table.pairs("Motion.acceleration", rows)
            self._strongest = max(float(np.hypot(*asked[0])), FADES * self._strongest)
            way = asked * LONGEST * canvas.pixel / max(self._strongest, 1e-6)
            _arrow(canvas, here, way, SUM, 2.2)
            return
        others = world.table.living(np.array(why.neighbours, np.int64))
        if len(others):
            there = canvas.nearest(places(world, others, canvas.alpha), here)
            canvas.lines(here, there, NEIGHBOUR, 1.2, halo=0.3)
            canvas.rings(there, radii(world, others, LEAST), NEIGHBOUR_RING, 1.3, grow=2.0, halo=0.3)
        per = LONGEST * canvas.pixel / max(self._strongest, 1e-6)
        for name, vector in why.rules.items():
            _arrow(canvas, here, np.array([vector]) * per, rule_colour(name), 3.0)
        _arrow(canvas, here, np.array([why.acceleration]) * per, SUM, 2.2)

    def _draw_many(self, canvas: Canvas, world: World) -> None:
        rows = some(world, on_screen(canvas, world, world.table.rows(Position, Velocity, Motion)), MOST)
        if not len(rows):
            return
        wanted = world.table.pairs("Motion.acceleration", rows)
        strength = np.hypot(wanted[:, 0], wanted[:, 1])
        usual = 3 * float(strength.mean())
        self._strongest_of_many = max(usual, FADES_OF_MANY * self._strongest_of_many)
        longest = LONGEST_OF_MANY * min(max(canvas.camera.zoom**0.5, 0.7), 4.0) * canvas.pixel
        length = longest * np.minimum(strength / max(self._strongest_of_many, 1e-6), 1) ** 0.5
        shown = length > SHORTEST * canvas.pixel
        here = places(world, rows[shown], canvas.alpha)
        way = wanted[shown] * (length[shown] / strength[shown])[:, None]
        canvas.arrows(here, here + way, EVERYONE, 1.6, head=6.5)


def _arrow(canvas: Canvas, here: Places, way: Places, colour: Rgb, width: float) -> None:
    if np.hypot(*way[0]) > SHORTEST * canvas.pixel:
        canvas.arrows(here, here + way, (*colour, 255), width, head=11.0)
