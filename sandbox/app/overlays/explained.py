"""The step that the panel Explain shows, in the world itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from components.store.world import World
from sandbox.app.drawing.canvas import NOTHING, Canvas
from sandbox.app.drawing.places import Places, places
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.overlays.rule_colours import SUM, rule_colour
from sandbox.explain.explanation import Explanation
from sandbox.explain.surroundings import Surroundings
from sandbox.explain.walk import MOVE, SIGHT, Walk
from systems.space.neighbours import RULES

if TYPE_CHECKING:
    from sandbox.app.session.session import Session
    from sandbox.app.walking import Walking

LONGEST = 110.0  # pixels, the strongest arrow
SHORTEST = 24.0  # pixels: the arrow of the step itself is seen however weak it is
FAINT = 110  # of 255, arrows of earlier steps
SEEN, SEEN_LINE, BEFORE = (124, 152, 214, 40), (176, 198, 244, 200), (176, 198, 244, 220)
FEW = 24  # neighbours: lines to more are fainter
MOST = 300  # neighbours joined to it by a line


class Explained(Overlay):
    """Its sight, those it counts in this step, and the arrows so far; while the panel is open."""

    name, title, help = "explained", "Explained step", "the step that the panel Explain shows"
    always = True

    def __init__(self, walking: Walking) -> None:
        self.walking = walking

    def draw(self, canvas: Canvas, session: Session) -> None:
        found, at = self.walking.shown(), self.walking.at
        if found is None or found.why is None or found.around is None:
            return
        world = session.simulation.world
        rows = world.table.living(np.array([found.serial]))
        if not len(rows):
            return
        here = places(world, rows, canvas.alpha)
        step = found.steps[at]
        if step.name == SIGHT:
            _sight(canvas, here, found.around)
        if step.name in (SIGHT, *RULES):
            _counted(canvas, world, here, found.around, step.name)
        _arrows(canvas, here, found, at)
        if step.name == MOVE:
            _move(canvas, here, found.why)


def _sight(canvas: Canvas, here: Places, around: Surroundings) -> None:
    if around.radius:
        canvas.sectors(here, around.heading[None], around.fov, around.radius, SEEN, SEEN_LINE, 1.5, halo=0.35)


def _counted(canvas: Canvas, world: World, here: Places, around: Surroundings, name: str) -> None:
    """Those it counts, lit and joined to it; and how far a rule looks."""
    lit = rule_colour(name) if name in RULES else SUM
    radius = around.reach.get(name, 0.0)
    if np.isfinite(radius) and radius > 0:
        canvas.sectors(here, around.heading[None], around.fov, radius, NOTHING, (*lit, 190), 1.6, halo=0.3)
    counted = around.counted.get(name, around.neighbours).nonzero()[0][:MOST]
    others = around.rows[counted]
    if (world.table.serial[others] != around.serials[counted]).any():  # rows have moved since
        others = world.table.living(around.serials[counted])
    if len(others):
        there = canvas.nearest(places(world, others, canvas.alpha), here)
        canvas.lines(here, there, (*lit, round(120 * min(1.0, FEW / len(there)))), 1.4, halo=0.3)
        canvas.rings(there, 0.0, (*lit, 255), 2.0, grow=7.0)


def _arrows(canvas: Canvas, here: Places, found: Walk, at: int) -> None:
    """The arrow of this step, and, fainter, those before it."""
    per = LONGEST * canvas.pixel / found.strongest
    for k, step in enumerate(found.steps[: at + 1]):
        if step.vector is None or not np.hypot(*step.vector):
            continue
        colour = rule_colour(step.name)
        way = np.array([step.vector]) * per
        if k == at:
            way *= max(1.0, SHORTEST * canvas.pixel / float(np.hypot(*way[0])))
            canvas.arrows(here, here + way, (*colour, 255), 4.0, head=15.0)
        else:
            canvas.arrows(here, here + way, (*colour, FAINT), 2.2, halo=0.0)


def _move(canvas: Canvas, here: Places, why: Explanation) -> None:
    """Its velocity before and after, and the place to which it goes."""
    fastest = max(float(np.hypot(*why.velocity)), float(np.hypot(*why.after.velocity))) or 1.0
    per = LONGEST * canvas.pixel / fastest
    for velocity, colour, width in ((why.velocity, BEFORE, 2.4), (why.after.velocity, (*SUM, 255), 4.0)):
        if np.hypot(*velocity) > 0:
            canvas.arrows(here, here + np.array([velocity]) * per, colour, width, head=14.0)
    there = canvas.nearest(np.array([why.after.position]), here)
    canvas.sectors(there, (1, 0), 360, 0.0, (*SUM, 255), NOTHING, 0.0, grow=2.5)
