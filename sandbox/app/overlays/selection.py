"""The Selection overlay: marks each selected entity."""

from __future__ import annotations

import numpy as np

from components.motion import Position
from components.store.world import World
from components.terrain import Wall
from sandbox.app.drawing.canvas import HALO, INK, Canvas
from sandbox.app.drawing.places import LEAST, Rows, ends, largest, on_screen, places, radii
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session

MOST = 4000  # rings per frame: if more entities are selected, only every nth one has a ring
MANY = 60  # from this many selected entities on, rings are thinner and closer
AROUND = 5.0  # pixels between an entity and its ring


class Selection(Overlay):
    """Draws a ring around each selected entity, and lines and rings around selected walls."""

    name, title, help = "selection", "Selection", "the selected entities"
    always = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        world = session.simulation.world
        rows = world.table.living(session.selection.array)
        if not len(rows):
            return
        width, gap = (2.0, AROUND) if len(rows) < MANY else (1.3, AROUND / 2)
        _standing(canvas, world, rows[world.table.has(rows, Position)], width, gap)
        _walls(canvas, world, rows[world.table.has(rows, Wall)], width, gap)


def _standing(canvas: Canvas, world: World, rows: Rows, width: float, gap: float) -> None:
    if len(rows) > MOST:  # cull first with the largest radius: looking up 100,000 radii is slow
        rows = on_screen(canvas, world, rows, max(largest(world), LEAST) + 2 * gap * canvas.pixel)
        rows = rows[:: len(rows) // MOST + 1]
    here, radius = places(world, rows, canvas.alpha), radii(world, rows, LEAST)
    canvas.rings(here, radius, INK, width, grow=gap)


def _walls(canvas: Canvas, world: World, rows: Rows, width: float, gap: float) -> None:
    if not len(rows):
        return
    begin, end = ends(world, rows)
    along = end - begin
    length = np.hypot(along[:, 0], along[:, 1])[:, None]
    aside = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(length, 1e-6)
    away = world.table.records(Wall)[rows]["thickness"] / 2 + gap * canvas.pixel
    for side in (aside, -aside):
        canvas.lines(begin + side * away[:, None], end + side * away[:, None], INK, width, halo=HALO)
    for point in (begin, end):
        canvas.rings(point, away, INK, width)
