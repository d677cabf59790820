"""The Selection overlay: marks each selected entity."""

from __future__ import annotations

import math

import numpy as np

from components.motion import Position
from components.store.world import World
from components.terrain import Obstacle, Wall
from sandbox.app.drawing.canvas import HALO, INK, Canvas
from sandbox.app.drawing.places import LEAST, Places, Rows, ends, largest, on_screen, places, radii
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session

MOST = 4000  # rings per frame: if more entities are selected, only every nth one has a ring
MANY = 60  # from this many selected entities on, rings are thinner and closer
AROUND = 5.0  # pixels between an entity and its ring
CORNERS = 24  # of the outline of a pillar


class Selection(Overlay):
    """Draws a ring around each selected entity, and lines and rings around selected walls.

    What goes through the whole depth of a world has its outline at both ends, and edges between them.
    """

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
    if isinstance(canvas.camera, SpaceCamera):
        pillars = world.table.has(rows, Obstacle) & world.table.columns["Obstacle.pillar"][rows].astype(bool)
        _pillars(canvas, canvas.camera, here[pillars], radius[pillars] + gap * canvas.pixel, width)
        here, radius = here[~pillars], radius[~pillars]
    canvas.rings(here, radius, INK, width, grow=gap)


def _walls(canvas: Canvas, world: World, rows: Rows, width: float, gap: float) -> None:
    if not len(rows):
        return
    begin, end = ends(world, rows)
    along = end - begin
    length = np.hypot(along[:, 0], along[:, 1])[:, None]
    aside = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(length, 1e-6)
    away = world.table.records(Wall)[rows]["thickness"] / 2 + gap * canvas.pixel
    if isinstance(canvas.camera, SpaceCamera):
        on, off = gap * canvas.pixel * along / np.maximum(length, 1e-6), aside * away[:, None]
        corners = np.stack([begin - on - off, begin - on + off, end + on + off, end + on - off], axis=1)
        _through_depth(canvas, canvas.camera, corners, 1, width)
        return
    for side in (aside, -aside):
        canvas.lines(begin + side * away[:, None], end + side * away[:, None], INK, width, halo=HALO)
    for point in (begin, end):
        canvas.rings(point, away, INK, width)


def _pillars(canvas: Canvas, camera: SpaceCamera, here: Places, radius: Places, width: float) -> None:
    """Draw outlines of pillars, with edges at the left and at the right as one sees them."""
    x, y = (camera.axes[2] if camera.is_parallel else camera.eye - here).T[:2]
    turns = np.arctan2(x, -y)[..., None] + np.linspace(0, 2 * math.pi, CORNERS, endpoint=False)
    corners = here[:, None, :2] + radius[:, None, None] * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    _through_depth(canvas, camera, corners, CORNERS // 2, width)


def _through_depth(canvas: Canvas, camera: SpaceCamera, corners: Places, every: int, width: float) -> None:
    """Draw outlines, (n, corners, 2), u, at both ends of the depth, and an edge between every few of their corners."""
    back, front = (np.insert(corners, 2, z, axis=2) for z in (0.0, camera.world_size[2]))
    edges = (back, np.roll(back, 1, axis=1)), (front, np.roll(front, 1, axis=1)), (back[:, ::every], front[:, ::every])
    for begin, end in edges:
        canvas.lines(begin.reshape(-1, 3), end.reshape(-1, 3), INK, width, head=-1.0, halo=HALO)
