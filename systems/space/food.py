"""The spatial index of food, for animals that seek it and animals that eat it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.life import Food
from components.motion import Position
from components.store.fields import AMOUNT_SCALE
from components.store.table import EntityTable
from systems.engine.cached import cached
from systems.engine.kernel import inlined, kernel
from systems.exact.vector import dot, read, sub, to_f64
from systems.space.capsule_index import Capsules, build_capsule_index, listed_at, middle_of
from systems.space.grid import build_grid
from systems.space.perception import includes

f32, f64, i64 = np.float32, np.float64, np.int64
Circles = NDArray[np.float32]
RIM = 1e-3  # u: the margin of the circles, so that cells list them for entities exactly on a circle


class FoodMap(NamedTuple):
    """Spatial indexes of food: of positions, and of the circles within which it is eaten.

    Attributes:
        grid: food that is worth going to, by cell.
        patches: the circles within which food is eaten; its capsules are indexes into `rows`.
        rows: int32 (n,), all food by ascending serial.
    """

    grid: Any
    patches: Any
    rows: NDArray[np.int32]


def food_map(table: EntityTable, torus: tuple[float, ...] | None) -> FoodMap:
    """Return the present spatial indexes of food; each is built only if what it contains has changed."""
    rows = table.rows_by_serial(Position, Food)
    worth = _worth_going(rows, table.records(Food))
    grid = _grid(table, worth, circles_of(table, worth), torus)
    return FoodMap(grid, patches_of(table, circles_of(table, rows), torus), rows)


@cached
def _grid(table: EntityTable, worth: NDArray[np.int32], circles: Circles, torus: tuple[float, ...] | None) -> Any:
    """Return the grid of the food in the rows `worth`.

    Its cells are the narrowest possible ones, about four for each food, whatever the radius of searches.
    """
    return build_grid(worth, table.vectors("Position"), 0.0, torus)


@cached
def patches_of(table: EntityTable, circles: Circles, torus: tuple[float, ...] | None) -> Any:
    """Return the circles within which food is eaten, by cell."""
    centres = circles[:, :-1].astype(f64)
    capsules = Capsules(np.concatenate([centres, centres], axis=1), circles[:, -1].astype(f64), torus)
    return build_capsule_index(capsules, RIM)


def circles_of(table: EntityTable, rows: NDArray[np.int32]) -> Circles:
    """Return the circles within which the food in these rows is eaten: place and radius, u, float32 (n, 3)."""
    circles = np.empty((len(rows), len(table.vectors("Position")) + 1), f32)
    _read_circles(rows, table.records(Position), table.records(Food), circles)
    return circles


@kernel
def _read_circles(rows, position, food, circles):
    for k in range(len(rows)):
        here = read(position[rows[k]])
        for axis in range(len(here)):
            circles[k, axis] = here[axis]
        circles[k, len(here)] = food[rows[k]].radius


@inlined
def is_food_for(source, eater, data, predators):
    """Return whether the entity in row `eater` eats the food in row `source`; an empty `feeds` means all but predators.

    Args:
        data: of a system that reads Food.
        predators: the presence bit of Predator.
    """
    is_no_predator = data.presence[eater] & predators == 0
    return includes(data.food[source].feeds, data.prefab[eater], is_no_predator)


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
def food_at(eater, data, patches, rows, predators, worthy):
    """Return the index in `rows` of the nearest food in whose circle an entity is, i64; -1 if there is none.

    The food must not be empty (if `worthy`: must be worth going to), must feed the entity, and must not be the entity
    itself. Ties go to the lower serial.

    Args:
        data: of a system that reads Position and Food.
        predators: the presence bit of Predator.
    """
    found, nearest = i64(-1), np.inf
    here = to_f64(read(data.position[eater]))
    first, last = listed_at(patches, here)
    for k in range(first, last):
        offset = sub(middle_of(patches, k), here)
        square = dot(offset, offset)
        if square > patches.radius[k] * patches.radius[k] or square > nearest:
            continue
        n = i64(patches.which[k])
        if square == nearest and n > found:
            continue
        row = rows[n]
        there = is_worth_going(row, data.food) if worthy else data.food[row].amount > 0
        if there and row != eater and is_food_for(row, eater, data, predators):
            found, nearest = n, square
    return found
