"""Worlds of movers among obstacles and walls, and plain float64 sums about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.world import Prefab, World
from systems import push_out
from systems.core.install import Install, installed
from systems.core.pipeline import Pipeline
from systems.core.settings import Settings
from systems.move import bounce, collision, movement, wrap
from systems.sense import obstacle_index, remember
from systems.steer import avoidance, repulsion

MOVING = (
    push_out.install,
    remember.install,
    obstacle_index.install,
    movement.install,
    bounce.install,
    collision.install,
    wrap.install,
)
STEERING = (*MOVING, avoidance.install, repulsion.install)
MOVER = ("Position", "Velocity", "Motion")
Lines = NDArray[np.float64]


def terrain(
    settings: Settings,
    movers: Mapping[str, ArrayLike],
    circles: ArrayLike = (),
    walls: ArrayLike = (),
    parts: Iterable[Install] = MOVING,
    more: Iterable[str] = (),
    seed: int = 0,
) -> World:
    """A world with one mover for each "Position.x".

    Args:
        circles: (n, 3) x, y, radius of obstacles; they are spawned first.
        walls: (n, 5) ax, ay, bx, by, thickness.
        more: components of movers beside those that move them.
    """
    app = installed(parts)
    made = {"mover": [*MOVER, *more], "obstacle": ["Position", "Obstacle"], "wall": ["Wall"]}
    prefabs = {name: Prefab(name, {component: {} for component in names}) for name, names in made.items()}
    world = World(seed=seed, prefabs=prefabs)
    for component in app.components:
        world.table.declare(component)
    world.resources[Settings] = settings
    world.resources[Pipeline] = Pipeline(world, app.systems)
    x, y, radius = np.reshape(circles, (-1, 3)).T
    world.spawn("obstacle", len(x), {"Position.x": x, "Position.y": y, "Obstacle.radius": radius})
    columns = np.reshape(walls, (-1, 5)).T
    keys = [f"Wall.{name}" for name in ("ax", "ay", "bx", "by", "thickness")]
    world.spawn("wall", columns.shape[1], dict(zip(keys, columns, strict=True)))
    world.spawn("mover", np.size(movers["Position.x"]), movers)
    return world


def mover_rows(world: World) -> NDArray[np.int64]:
    """The rows of the movers, by serial."""
    table = world.table
    rows = np.flatnonzero(table.prefab[: table.size] == world.prefab_index("mover"))
    return rows[np.argsort(table.serial[rows])]


def of_movers(world: World, name: str) -> NDArray[np.float64]:
    """Both columns of a vector ("Position", "Velocity", "Motion.acceleration") of the movers, float64 (n, 2)."""
    columns = [world.table.columns[f"{name}.{axis}"] for axis in "xy"]
    return np.stack(columns, axis=1)[mover_rows(world)].astype(np.float64)


def shapes(circles: ArrayLike = (), walls: ArrayLike = ()) -> tuple[Lines, NDArray[np.float64]]:
    """Ends (n, 4) and radius (n,) of circles and walls, as float32 holds them."""
    c = np.reshape(circles, (-1, 3)).astype(np.float32).astype(np.float64)
    w = np.reshape(walls, (-1, 5)).astype(np.float32).astype(np.float64)
    return np.concatenate([c[:, [0, 1, 0, 1]], w[:, :4]]), np.concatenate([c[:, 2], w[:, 4] / 2])


def gaps(places: ArrayLike, ends: Lines, radius: ArrayLike, torus: tuple[float, float] | None = None) -> Lines:
    """How far each place is from each shape, negative inside; (places, shapes)."""
    p = np.reshape(places, (-1, 1, 2)).astype(np.float64)
    a, b = ends[None, :, :2], ends[None, :, 2:]
    best = np.full((p.shape[0], len(ends)), np.inf)
    offsets = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)] if torus else [(0, 0)]
    for i, j in offsets:
        q = p + (np.array([i, j]) * torus if torus else 0.0)
        along, to = b - a, q - a
        square = (along**2).sum(-1)
        share = np.clip((to * along).sum(-1) / np.where(square > 0, square, 1), 0, 1)
        best = np.minimum(best, np.hypot(*np.moveaxis(to - share[..., None] * along, -1, 0)))
    return best - np.asarray(radius)


def winding(places: ArrayLike, corners: ArrayLike) -> NDArray[np.bool_]:
    """Whether each place lies inside a closed polygon (n, 2): crossings of a ray to the right, an odd number."""
    p, corner = np.reshape(places, (-1, 1, 2)), np.asarray(corners, np.float64)[None]
    following = np.roll(corner, -1, axis=1)
    rises = (corner[..., 1] > p[..., 1]) != (following[..., 1] > p[..., 1])
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (p[..., 1] - corner[..., 1]) / (following[..., 1] - corner[..., 1])
        at = corner[..., 0] + share * (following[..., 0] - corner[..., 0])
    crossed: NDArray[np.bool_] = (rises & (p[..., 0] < at)).sum(1) % 2 == 1
    return crossed
