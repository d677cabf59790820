"""Worlds of several prefabs, each with components of its own: boids here, wind there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product

import numba
import numpy as np
from numpy.typing import ArrayLike

from components.store.prefab import Prefab
from components.store.world import World
from systems.engine.app import Install
from systems.engine.settings import Settings
from systems.sense import remember
from tests.flocks import by_axis
from tests.worlds import accelerations, world_of

Groups = Mapping[str, Mapping[str, ArrayLike]]
PLAIN = Settings(1000, 800, "open")


def world_of_groups(
    parts: Iterable[Install], groups: Groups, settings: Settings = PLAIN, seed: int = 0, tick: int = 0
) -> World:
    """A world with entities of each group; a group's fields say which components it has, besides a Position.

    The first word of a group's name is its prefab: "boid" and "boid who leads" are of one.
    """
    world = world_of([remember.install, *parts], settings, seed=seed)
    world.prefabs = {name.split()[0]: Prefab(name.split()[0], {"Position": {}}) for name in groups}
    world.tick = tick
    for name, values in groups.items():
        world.spawn(name.split()[0], max((np.size(value) for value in values.values()), default=1), values)
    return world


def moving(world: World) -> tuple[np.ndarray, np.ndarray]:
    """Places and velocities of all, float64 (n, 2) or (n, 3), by serial."""
    table = world.table
    order = np.argsort(table.serial[: table.size])
    return table.stacked("Position", order).astype(float), table.stacked("Velocity", order).astype(float)


def boids(places: ArrayLike, velocities: ArrayLike = 0, **more: ArrayLike) -> dict[str, ArrayLike]:
    """A group of those who move, at these places (n, 2) or (n, 3); `Flocker__alignment_mixes` and the like say more of
    them.
    """
    p = np.atleast_2d(np.asarray(places, np.float32))
    v = np.broadcast_to(np.asarray(velocities, np.float32), p.shape)
    found: dict[str, ArrayLike] = {"Motion.max_speed": 150.0}
    found |= by_axis("Position", p) | by_axis("Velocity", v)
    return found | {key.replace("__", "."): value for key, value in more.items()}


def steered(world: World, prefab: str = "boid") -> np.ndarray:
    """What steering adds to those of a prefab, float32 (n, 2) or (n, 3), by serial."""
    found = accelerations(world)
    table = world.table
    rows = np.flatnonzero(table.prefab[: table.size] == world.prefab_index(prefab))
    return found[rows[np.argsort(table.serial[rows])]]


def assert_only_serials_count(make: Callable[[], World]) -> None:
    """Steering has the same bits on one thread and two, and for any order of rows."""
    expected = None
    for threads, seed in product((1, 2), (None, 1, 2)):
        world = make()
        if seed is not None:
            world.table.reorder(np.random.default_rng(seed).permutation(world.table.size))
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        found = steered(world).tobytes()
        expected = expected or found
        assert found == expected


def nearest_offsets(offsets: np.ndarray, torus: tuple[float, ...] | None) -> np.ndarray:
    """Offsets (..., 2) or (..., 3) the shortest way round."""
    return offsets if torus is None else offsets - np.round(offsets / torus) * torus
