"""The Perception overlay: perception radius and field of view."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker, Perception
from components.motion import Position, Velocity
from components.store.world import World
from sandbox.app.drawing.canvas import NOTHING, Canvas
from sandbox.app.drawing.places import Rows, headings, on_screen, places, some
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.overlays.rule_colours import rule_colour
from sandbox.app.session.session import Session

SEEN, SEEN_LINE = (190, 222, 255, 34), (206, 230, 255, 170)
BLIND = 4, 5, 16, 88
FAINT, FAINT_LINE = (190, 222, 255, 7), (206, 230, 255, 66)
KEPT_APART = *rule_colour("separation"), 150
MANY = 24  # a larger selection is drawn faintly
MOST = 150  # entities drawn faintly


class Sight(Overlay):
    """Draws the field of view of selected entities, the blind part behind them, and the separation radius.

    If nothing is selected, it draws the field of view of all entities, faintly; of a crowd only that of some.
    """

    name, title, help = "perception", "Perception", "how far the selected see, and where they are blind"
    keys = ("P",)
    under = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        world = session.simulation.world
        rows = world.table.living(session.selection.array)
        rows = rows[world.table.has(rows, Position, Velocity, Perception)]
        if len(rows) and len(rows) <= MANY:
            _clearly(canvas, world, rows)
        else:
            _faintly(canvas, world, rows if len(rows) else world.table.rows(Position, Velocity, Perception))


def _clearly(canvas: Canvas, world: World, rows: Rows) -> None:
    here, ahead, perception = places(world, rows, canvas.alpha), headings(world, rows), _perception(world, rows)
    blind = (perception["fov"] < 360) & ahead.any(1)
    behind = here[blind], -ahead[blind], 360 - perception["fov"][blind], perception["radius"][blind]
    canvas.sectors(*behind, BLIND, NOTHING, 0.0)
    canvas.sectors(here, ahead, perception["fov"], perception["radius"], SEEN, SEEN_LINE, 1.5, halo=0.35)
    flocks = world.table.has(rows, Flocker)
    flocker, radius = world.table.records(Flocker)[rows[flocks]], perception["radius"][flocks]
    apart = np.minimum(flocker["separation_radius"], radius)
    shown = (flocker["separation_strength"] > 0) & (apart > 0) & (apart < radius)
    canvas.rings(here[flocks][shown], apart[shown], KEPT_APART, 1.2, halo=0.25)


def _faintly(canvas: Canvas, world: World, rows: Rows) -> None:
    widest = float(world.table.columns["Perception.radius"][rows].max(initial=0))
    rows = some(world, on_screen(canvas, world, rows, widest), MOST)
    perception = _perception(world, rows)
    canvas.sectors(
        places(world, rows, canvas.alpha),
        headings(world, rows),
        perception["fov"],
        perception["radius"],
        FAINT,
        FAINT_LINE,
        1.0,
    )


def _perception(world: World, rows: Rows) -> NDArray[np.void]:
    return world.table.records(Perception)[rows]
