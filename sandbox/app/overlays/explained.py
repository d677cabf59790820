"""Draws the current step of Explain on a canvas: in the world as an overlay, and in the panel's picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.app.drawing.canvas import HALO, NOTHING, Canvas
from sandbox.app.drawing.colours import Rgb
from sandbox.app.drawing.places import Places, lengths, places
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.overlays.rule_colours import SUM, rule_colour
from sandbox.app.session.session import Session
from sandbox.app.walking import Walking
from sandbox.explain.explanation import GOALS, Explanation
from sandbox.explain.steps import MOVE, SIGHT, Walk
from sandbox.explain.steps import SUM as SUM_STEP
from sandbox.explain.surroundings import Surroundings
from sandbox.explain.wording import length
from systems.flocking.neighbours import RULE_NAMES

PANEL = "explain"  # the overlay is drawn while this panel is visible
LONGEST = 110.0  # pixels: the longest arrow in the world
SHORTEST = 24.0  # pixels: the minimum length of the current step's arrow, so that a weak one is visible
FAINT = 110  # opacity of the arrows of earlier steps, 0 to 255
SEEN: Rgb = (124, 152, 214)
SEEN_LINE: Rgb = (176, 198, 244)
FEW = 24  # neighbours: if there are more, lines to them are fainter
MOST = 300  # neighbours with a line
FASTEST = 17.0  # pixels: the length of the fastest neighbour's velocity
RINGS = 2.0, 7.0  # pixels: the smallest and largest radius of the rings around those that the step counts
ROOM = 0.4  # radius of these rings, as a share of the usual distance between them
ARM = 6.0  # pixels: half the size of the cross at the neighbours' centre


@dataclass(frozen=True)
class Stage:
    """The coordinates and colours in which a step is drawn: those of the world or of the panel's picture.

    Attributes:
        here: (1, axes), u, the place of the explained entity; `there`: (n, axes), the places of those that count.
        counted: int64 (n,), the indices of the latter in the surroundings.
        turn: (axes, axes), a rotation matrix: the directions in which the world's axes are drawn.
        longest: the length of the longest arrow, pixels.
        times: the factor by which the turn of the move is enlarged.
        ink: maps a colour to one that is legible on the background; `halo`: the opacity of halos there, 0 to 1.
    """

    here: Places
    there: Places
    counted: NDArray[np.intp]
    turn: NDArray[np.float64]
    longest: float = LONGEST
    times: int = 1
    ink: Callable[[Rgb], Rgb] = lambda rgb: rgb
    halo: float = 1.0


class Explained(Overlay):
    """Draws the explained entity's sight, the neighbours that the step counts, and the arrows so far."""

    name, title, help = "explained", "Explained step", "the step that the panel Explain shows"
    always = True

    def __init__(self, walking: Walking) -> None:
        self.walking = walking

    def draw(self, canvas: Canvas, session: Session) -> None:
        world = session.simulation.world
        found, at = self.walking.of(world), self.walking.at
        if PANEL not in session.view.panels or found is None or found.why is None or found.around is None:
            return
        rows = world.table.living(np.array([found.serial]))
        if not len(rows):
            return
        here, around, name = places(world, rows, canvas.alpha), found.around, found.steps[at].name
        counted = counted_in(around, name)
        others = world.table.rows_of(around.serials[counted])
        counted, others = counted[others >= 0], others[others >= 0]
        there = canvas.nearest(places(world, others, canvas.alpha), here)
        draw_step(canvas, Stage(here, there, counted, np.eye(here.shape[1])), found, at)
        if name in (SIGHT, *around.counted):
            grow = room_for_rings(there, canvas.pixel)
            canvas.rings(there, 0.0, (*lit_in(name), 255), 0.3 * grow, grow=grow)
        if name == MOVE:
            goes = canvas.nearest(np.array([found.why.after.position]), here)
            canvas.discs(goes, 0.0, (*SUM, 255), grow=2.5)


def room_for_rings(there: Places, pixel: float) -> float:
    """Return a radius of rings around these places, pixels, at which most of them stand apart; `pixel`: u."""
    away = np.linalg.norm(there[:, None] - there[None], axis=2)
    np.fill_diagonal(away, np.inf)
    nearest = float(np.median(away.min(axis=0, initial=np.inf))) if len(there) > 1 else np.inf
    return min(max(ROOM * nearest / pixel, RINGS[0]), RINGS[1])


def counted_in(around: Surroundings, name: str) -> NDArray[np.intp]:
    """Return the indices of the surrounding entities that a step counts, the nearest first."""
    return np.flatnonzero(around.counted.get(name, around.neighbours))[:MOST]


def lit_in(name: str) -> Rgb:
    """Return the colour of the entities that a step counts."""
    return rule_colour(name) if name in (*RULE_NAMES, GOALS) else SUM


def turn_of(why: Explanation) -> float:
    """Return how far the entity turns in the tick, radians; in a flat world, positive is to the left."""
    if len(why.velocity) == 3:
        across, along = np.cross(why.velocity, why.after.velocity), np.dot(why.velocity, why.after.velocity)
        return math.atan2(float(np.linalg.norm(across)), float(along))
    (x, y), (after_x, after_y) = why.velocity, why.after.velocity
    return math.atan2(x * after_y - y * after_x, x * after_x + y * after_y)


def draw_step(canvas: Canvas, stage: Stage, found: Walk, at: int) -> None:
    """Draw a step except for the surrounding entities: the sight, lines to those it counts, and the arrows so far."""
    why, around, name = found.why, found.around, found.steps[at].name
    assert why is not None
    assert around is not None
    _sight(canvas, stage, around, name)
    if name in (SIGHT, *around.counted) and len(stage.there):
        _counted(canvas, stage, around, name)
    _arrows(canvas, stage, found, at)
    if name == MOVE:
        _move(canvas, stage, why)


def _sight(canvas: Canvas, stage: Stage, around: Surroundings, name: str) -> None:
    """Draw the perception radius and field of view, and the radius of the step's rule."""
    ahead, radius, ink = around.heading[None] @ stage.turn, around.radii.get(name, 0.0), stage.ink
    if around.radius:
        fill, line = (*ink(SEEN), 40), (*ink(SEEN_LINE), 200)
        canvas.sectors(stage.here, ahead, around.fov, around.radius, fill, line, 1.5, halo=0.35 * stage.halo)
    if np.isfinite(radius) and radius > 0:
        line, halo = (*ink(lit_in(name)), 190), 0.3 * stage.halo
        canvas.sectors(stage.here, ahead, around.fov, radius, NOTHING, line, 1.6, halo=halo)


def _counted(canvas: Canvas, stage: Stage, around: Surroundings, name: str) -> None:
    """Draw lines to the neighbours that the step counts; for alignment their velocities, for cohesion their centre."""
    lit, there = stage.ink(lit_in(name)), stage.there
    canvas.lines(stage.here, there, (*lit, round(120 * min(1.0, FEW / len(there)))), 1.4, halo=0.3 * stage.halo)
    if name == "alignment":
        way = around.velocities[stage.counted] @ stage.turn
        per = FASTEST * canvas.pixel / max(float(lengths(way).max()), 1e-9)
        canvas.lines(there, there + per * way, (*lit, 255), 1.6)
    if name == "cohesion":
        arms = ARM * canvas.pixel * np.array([(1, 1, 0), (1, -1, 0)])[:, : there.shape[1]]
        canvas.lines(there.mean(axis=0) - arms, there.mean(axis=0) + arms, (*lit, 255), 2.4, halo=HALO * stage.halo)


def _arrows(canvas: Canvas, stage: Stage, found: Walk, at: int) -> None:
    """Draw the arrow of this step and, fainter, those of earlier steps; at the move only the sum."""
    per, moves = stage.longest * canvas.pixel / found.largest, found.steps[at].name == MOVE
    for k, step in enumerate(found.steps[: at + 1]):
        if step.vector is None or not length(step.vector) or (moves and step.name != SUM_STEP):
            continue
        colour = stage.ink(rule_colour(step.name))
        way = np.array([step.vector]) @ stage.turn * per
        if k == at:
            way *= max(1.0, SHORTEST * canvas.pixel / float(np.linalg.norm(way[0])))
            canvas.arrows(stage.here, stage.here + way, (*colour, 255), 4.0, head=14.0, halo=HALO * stage.halo)
        else:
            canvas.arrows(stage.here, stage.here + way, (*colour, FAINT), 2.2, halo=0.0)


def _move(canvas: Canvas, stage: Stage, why: Explanation) -> None:
    """Draw the velocity before and after the tick."""
    before, after = np.array(why.velocity), np.array(why.after.velocity)
    per = stage.longest * canvas.pixel / (max(length(why.velocity), length(why.after.velocity)) or 1.0)
    more = turn_of(why) * (stage.times - 1)
    if len(after) == 2:
        after = after @ [(math.cos(more), math.sin(more)), (-math.sin(more), math.cos(more))]
    elif more:
        beside = after - before * (after @ before) / (before @ before)
        ahead = np.linalg.norm(after) * before / np.linalg.norm(before)
        aside = np.linalg.norm(after) * beside / np.linalg.norm(beside)
        turned = turn_of(why) * stage.times
        after = math.cos(turned) * ahead + math.sin(turned) * aside
    for velocity, colour, width in ((before, (*stage.ink(SEEN_LINE), 220), 2.6), (after, (*stage.ink(SUM), 255), 4.0)):
        if velocity.any():
            way = velocity[None] @ stage.turn * per
            canvas.arrows(stage.here, stage.here + way, colour, width, head=14.0, halo=HALO * stage.halo)
