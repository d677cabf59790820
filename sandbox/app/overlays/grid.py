"""The Grid cells overlay: the spatial index of the flock; an entity searches its own cell and the eight around it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.fields import DEEP
from components.store.world import World
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.places import Places, places
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.drawing.space.edges import edges_of
from sandbox.app.overlays.overlay import MOMENTS, Overlay
from sandbox.app.session.memories import PerSimulation
from sandbox.app.session.session import Session
from systems.engine.settings import Settings
from systems.flocking.rule_table import FLOCKING, rule_table
from systems.space.grid import CellGrid, unsorted_grid

LINE = 210, 225, 255, 54
BORDER = 210, 225, 255, 120
OWN, AROUND = (255, 214, 102, 76), (255, 214, 102, 30)
OWN_LINE, AROUND_LINE = (255, 226, 140, 220), (255, 226, 140, 90)
Corner = NDArray[np.float64]  # (2,), u
NARROWEST = 6.0  # pixels: if cells are narrower, only every nth line is drawn


class GridCells(Overlay):
    """Draws the lines between cells; highlights the cells of selected entities and, fainter, the eight around each."""

    name, title, help = "grid", "Grid cells", "the cells in which neighbours are looked for"
    keys = ("G",)
    under = True
    past = MOMENTS

    def __init__(self) -> None:
        self._shown = PerSimulation(Shown)

    def update(self, session: Session) -> None:
        self._shown.of(session).grid = grid_of(session.simulation.world)

    def draw(self, canvas: Canvas, session: Session) -> None:
        world, grid = session.simulation.world, self._shown.of(session).grid
        if grid is None:
            return
        rows = world.table.living(session.selection.array[:200])
        rows = rows[world.table.has(rows, Position)]
        if len(rows):
            _light(canvas, grid, places(world, rows, canvas.alpha))
        camera, settings = canvas.camera, world.resource(Settings)
        if isinstance(camera, SpaceCamera):
            return
        origin = _origin(grid)
        box = origin, origin + _side(grid) * _cells(grid)
        if settings.edges != "open":  # the grid covers only where animals are now; the lines are to cover the world
            box = np.zeros(2), np.array([settings.width, settings.height])
        _lines(canvas, camera, grid, *box)


@dataclass
class Shown:
    """The cells of a world, once they are known."""

    grid: CellGrid | None = None


def grid_of(world: World) -> Any:
    """Return the cells that the next tick sorts entities into, without the entities."""
    common, torus = rule_table(world.table).common, world.resource(Settings).torus
    return unsorted_grid(world.table.rows(*FLOCKING), world.table.vectors("Position"), common, torus)


def _lines(
    canvas: Canvas, camera: Camera, grid: CellGrid, begins: NDArray[np.float64], ends: NDArray[np.float64]
) -> None:
    """Draw the lines within a box (u), clipped to the screen."""
    size = _side(grid)
    origin = _origin(grid)
    half = np.array(camera.screen) / (2 * camera.zoom)
    low, high = np.maximum((camera.x, camera.y) - half, begins), np.minimum((camera.x, camera.y) + half, ends)
    if (low >= high).any():
        return
    for axis in (0, 1):
        step = max(1, int(np.ceil(NARROWEST * canvas.pixel / size[axis])))
        first, last = np.ceil((low[axis] - origin[axis]) / size[axis]), (high[axis] - origin[axis]) / size[axis]
        numbers = np.arange(first - first % step, last + 1e-6, step)
        begin = np.empty((len(numbers), 2))
        begin[:, axis], begin[:, 1 - axis] = origin[axis] + numbers * size[axis], low[1 - axis]
        end = begin.copy()
        end[:, 1 - axis] = high[1 - axis]
        canvas.lines(begin, end, LINE, 1.0, head=-1)
    canvas.boxes(begins, ends, line=BORDER, width=1.0)


def _light(canvas: Canvas, grid: CellGrid, here: Places) -> None:
    own = cells_of(grid, here)
    axes = own.shape[1]
    around = (own[:, None, :] + np.array([*product((-1, 0, 1), repeat=axes)])).reshape(-1, axes)
    count = _cells(grid)
    if grid.torus_x > 0:
        around %= count
    else:
        around = around[((around >= 0) & (around < count)).all(1)]
    _fill(canvas, grid, np.unique(around, axis=0), AROUND, AROUND_LINE)
    _fill(canvas, grid, np.unique(own, axis=0), OWN, OWN_LINE)


def _fill(canvas: Canvas, grid: CellGrid, cells: NDArray[np.int64], fill: object, line: object) -> None:
    low = _origin(grid) + cells * _side(grid)
    if cells.shape[1] == 3:
        edges = (low[:, None] + edges_of(_side(grid))).reshape(-1, 3)
        canvas.lines(edges[::2], edges[1::2], line, 1.0)  # type: ignore[arg-type]
        return
    canvas.boxes(low, low + _side(grid), fill, line, 1.5)  # type: ignore[arg-type]


def cells_of(grid: CellGrid, here: Places) -> NDArray[np.int64]:
    """Return the cell at each of these places, int64 (n, axes); clamped to the grid."""
    cells = np.floor((here - _origin(grid)) / _side(grid)).astype(np.int64)
    return np.clip(cells, 0, _cells(grid) - 1)


def _side(grid: CellGrid) -> NDArray[np.float64]:
    return 1 / np.array(_of_each_axis(grid, "per"), float)


def _origin(grid: CellGrid) -> NDArray[np.float64]:
    return np.array(_of_each_axis(grid, "origin"), float)


def _cells(grid: CellGrid) -> NDArray[np.int64]:
    return np.array(_of_each_axis(grid, "cells"))


def _of_each_axis(grid: CellGrid, name: str) -> list[Any]:
    return [value for axis in DEEP if (value := getattr(grid, f"{name}_{axis}", None)) is not None]
