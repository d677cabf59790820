"""The index of food, for animals that seek it and animals that eat it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from components.life import Food
from components.motion import Position
from components.store.fields import AMOUNT_SCALE
from components.store.table import EntityTable
from systems.engine.kernel import inlined, kernel
from systems.exact.vector import dot, read, sub, to_f64
from systems.space.grid import Grid, build_grid
from systems.space.prefab_mask import includes
from systems.space.shape_index import ShapeIndex, circles_around, listed_at, middle_of

f32, i64 = np.float32, np.int64
RIM = 1e-3  # u: the margin of the index, so that it contains entities exactly on a circle


@dataclass
class FoodMap:
    """Indexes of food: by position, and by the circles within which it is eaten.

    Attributes:
        grid: food that is worth going to, by cell.
        rows: int32 (n,), all food by ascending serial.
        patches: the circles within which food is eaten; its shapes are indexes into `rows`.
        torus: width and height of a torus, or None.
        circles: float32 (n, 3), x, y and radius of the circles in `patches`.
        worth: the bytes of the rows in `grid`.
    """

    grid: Grid
    rows: NDArray[np.int32]
    patches: ShapeIndex
    torus: tuple[float, float] | None
    circles: NDArray[np.float32]
    worth: bytes


def food_map(table: EntityTable, torus: tuple[float, float] | None, before: FoodMap | None) -> FoodMap:
    """Return the present indexes of food; parts of `before` that are still right are reused."""
    rows, position, food = table.rows_by_serial(Position, Food), table.records(Position), table.records(Food)
    found = _worth_going(rows, food)
    worth = found.tobytes()
    if before is not None and (before.rows is not rows or before.torus != torus):
        before = None
    if before is not None and _lie_there(rows, position, food, before.circles):
        if before.worth != worth:
            before.grid, before.worth = _grid(table, found, torus), worth
        return before
    circles = np.empty((len(rows), 3), f32)
    _note_circles(rows, position, food, circles)
    return FoodMap(_grid(table, found, torus), rows, patches_of(table, rows, torus), torus, circles, worth)


def _grid(table: EntityTable, worth: NDArray[np.int32], torus: tuple[float, float] | None) -> Grid:
    # The narrowest possible cells, about four for each food, whatever the radius of searches.
    return build_grid(worth, table.vectors("Position"), 0.0, torus)


def patches_of(table: EntityTable, rows: NDArray[np.int32], torus: tuple[float, float] | None) -> ShapeIndex:
    """Return the index of the circles within which the food in these rows is eaten."""
    return circles_around(table, rows, table.columns["Food.radius"][rows], RIM, torus)


@kernel
def _note_circles(rows, position, food, circles):
    for k in range(len(rows)):
        here = position[rows[k]]
        circles[k, 0], circles[k, 1], circles[k, 2] = here.x, here.y, food[rows[k]].radius


@kernel
def _lie_there(rows, position, food, circles):
    """Return whether the food in these rows still has these positions and radii."""
    for k in range(len(rows)):
        here = position[rows[k]]
        if circles[k, 0] != here.x or circles[k, 1] != here.y or circles[k, 2] != food[rows[k]].radius:
            return False
    return True


@inlined
def is_food_for(source, eater, eaters):
    """Return whether the entity in row `eater` eats the food in row `source`; an empty `feeds` means all but predators.

    Args:
        eaters: a named tuple with `food`, `prefab`, `presence` by table row, and `hunts`, the presence bit of Predator.
    """
    is_no_predator = eaters.presence[eater] & eaters.hunts == 0
    return includes(eaters.food[source].feeds, eaters.prefab[eater], is_no_predator)


@inlined
def is_worth_going(row, food):
    """Return whether food is full or has enough for one second of eating: animals must not wait at exhausted food."""
    amount, second = food[row].amount, i64(np.float64(food[row].bite) * AMOUNT_SCALE)
    return amount > 0 and amount >= min(second, food[row].capacity)


@kernel
def _worth_going(rows, food):
    """Return those of these rows whose food is worth going to."""
    found, count = np.empty_like(rows), 0
    for row in rows:
        found[count] = row
        count += is_worth_going(row, food)
    return found[:count]


@inlined
def food_at(eater, eaters, patches, rows, worthy):
    """Return the index in `rows` of the nearest food in whose circle an entity is, i64; -1 if there is none.

    The food must not be empty (if `worthy`: must be worth going to), must feed the entity, and must not be the entity
    itself. Ties go to the lower serial.

    Args:
        eaters: a named tuple as for `is_food_for`, with `position` too.
    """
    found, nearest = i64(-1), np.inf
    here = to_f64(read(eaters.position[eater]))
    first, last = listed_at(patches, here)
    for k in range(first, last):
        offset = sub(middle_of(patches, k), here)
        square = dot(offset, offset)
        if square > patches.radius[k] * patches.radius[k] or square > nearest:
            continue
        place = i64(patches.shape[k])
        if square == nearest and place > found:
            continue
        row = rows[place]
        there = is_worth_going(row, eaters.food) if worthy else eaters.food[row].amount > 0
        if there and row != eater and is_food_for(row, eater, eaters):
            found, nearest = place, square
    return found
