"""Worlds of movers among obstacles and walls, and plain float64 sums about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.prefab import Prefab
from components.store.table import EntityTable
from components.store.world import World
from systems import push_out
from systems.engine.app import Install, installed
from systems.engine.kernel import kernel
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
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
    balls: ArrayLike = (),
) -> World:
    """A world with one mover for each "Position.x".

    Args:
        circles: (n, 3) x, y, radius of obstacles, with depth of pillars; they are spawned first.
        balls: (n, 4) x, y, z, radius of obstacles in space; they are spawned before them.
        walls: (n, 5) ax, ay, bx, by, thickness.
        more: components of movers beside those that move them.
    """
    app = installed(parts)
    made = {"mover": [*MOVER, *more], "obstacle": ["Position", "Obstacle"], "wall": ["Wall"]}
    prefabs = {name: Prefab(name, {component: {} for component in names}) for name, names in made.items()}
    world = World(seed=seed, prefabs=prefabs, table=EntityTable(settings.axes))
    for component in app.components:
        world.table.declare(component)
    world.resources[Settings] = settings
    world.resources[Pipeline] = Pipeline(world, [kind() for kind in app.systems])
    if np.size(balls):
        x, y, z, radius = np.reshape(balls, (-1, 4)).T
        places = {"Position.x": x, "Position.y": y, "Position.z": z}
        world.spawn("obstacle", len(x), {**places, "Obstacle.radius": radius})
    x, y, radius = np.reshape(circles, (-1, 3)).T
    deep = {"Obstacle.pillar": True} if settings.depth else {}
    world.spawn("obstacle", len(x), {"Position.x": x, "Position.y": y, "Obstacle.radius": radius, **deep})
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
    """All columns of a vector ("Position", "Velocity", "Motion.acceleration") of the movers, float64 (n, 2 or 3)."""
    columns = [world.table.columns[f"{name}.{axis}"] for axis in world.table.axes]
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


def own_gap(places: Lines, ends: Lines) -> Lines:
    """How far place n is from line n."""
    x, y = (places - ends[:, :2]).T
    along_x, along_y = (ends[:, 2:] - ends[:, :2]).T
    square = along_x**2 + along_y**2
    share = np.clip((x * along_x + y * along_y) / np.where(square > 0, square, 1), 0, 1)
    far: Lines = np.hypot(x - share * along_x, y - share * along_y)
    return far


def meetings(starts: Lines, ways: Lines, ends: Lines, reach: Lines) -> Lines:
    """When way n first comes as near as its reach to line n; 2.0: never; NaN: a graze.

    By convexity: the least distance by thirds, then halving before it, as far as float64 tells times apart.
    """

    def gap(t: Lines) -> Lines:
        return own_gap(starts + t[:, None] * ways, ends)

    low, high = np.zeros(len(starts)), np.ones(len(starts))
    for _ in range(60):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        left = gap(one) < gap(other)
        low, high = np.where(left, low, one), np.where(left, other, high)
    lowest = low
    met = gap(lowest) < reach
    low, high = np.zeros(len(starts)), lowest
    for _ in range(53):
        middle = (low + high) / 2
        inside = gap(middle) < reach
        low, high = np.where(inside, low, middle), np.where(inside, middle, high)
    found = np.where(met, high, 2.0)
    return np.where(np.abs(gap(lowest) - reach) < 1e-4, np.nan, found)


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


@dataclass
class Scenery:
    """Circles (n, 3), walls (m, 5), and the corners of the closed polygons among the walls."""

    circles: Lines
    walls: Lines
    polygons: list[Lines]


def scenery(rng: np.random.Generator, size: float, circles: int, polygons: int, corners: int, walls: int) -> Scenery:
    """Circles that overlap, polygons of three to seven corners apart from each other, acute corners, and single walls.

    Walls are 0.1 to 5 u thick; everything may lie across the border.
    """
    made = np.column_stack([rng.uniform(0, size, (circles, 2)), rng.choice([2, 10, 40], circles)])
    found: list[NDArray[np.float64]] = []
    closed = []
    cells = rng.permutation(int(np.ceil(np.sqrt(max(polygons, 1)))) ** 2)[:polygons]
    pitch = size / np.ceil(np.sqrt(max(polygons, 1)))
    for cell in cells:
        middle = (np.array(divmod(int(cell), round(size / pitch))) + rng.uniform(-0.1, 0.1, 2)) * pitch
        turns = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 8)))
        reach = pitch * rng.uniform(0.1, 0.38, len(turns))
        corner = (middle + np.stack([np.cos(turns), np.sin(turns)], 1) * reach[:, None]).astype(np.float32)
        closed.append(corner.astype(np.float64))
        found.append(_joined(closed[-1], rng.choice([0.1, 1, 5]), closed=True))
    for _ in range(corners):  # two walls that meet at 2 to 40 degrees
        tip, turn, wide = rng.uniform(0, size, 2), rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(2, 40))
        ends = [tip + size / 12 * np.array([np.cos(t), np.sin(t)]) for t in (turn, turn + wide)]
        found.append(_joined(np.array([ends[0], tip, ends[1]]), rng.choice([0.1, 2]), closed=False))
    a = rng.uniform(0, size, (walls, 2))
    b = a + rng.normal(0, size / 20, (walls, 2)) * rng.choice([[1, 1], [0, 1], [1, 0]], walls)
    found.append(np.column_stack([a, b, rng.choice([0.1, 0.5, 3], walls)]))
    return Scenery(made, np.concatenate(found), closed)


def _joined(corners: Lines, thickness: float, *, closed: bool) -> Lines:
    following = np.roll(corners, -1, axis=0)
    lines = np.column_stack([corners, following, np.full(len(corners), thickness)])
    return lines if closed else lines[:-1]


@kernel
def deepest(places, ends, radius, width, height):
    """The least distance of any place from any shape, negative inside; width = 0: no torus."""
    least = np.inf
    for n in range(len(places)):
        for k in range(len(ends)):
            ax, ay, bx, by = ends[k, 0], ends[k, 1], ends[k, 2], ends[k, 3]
            x, y = places[n, 0] - 0.5 * (ax + bx), places[n, 1] - 0.5 * (ay + by)
            if width > 0:
                x, y = x - width * np.rint(x / width), y - height * np.rint(y / height)
            hx, hy = 0.5 * (bx - ax), 0.5 * (by - ay)
            square = hx * hx + hy * hy
            share = min(max((x * hx + y * hy) / square, -1.0), 1.0) if square > 0 else 0.0
            gap = np.sqrt((x - share * hx) ** 2 + (y - share * hy) ** 2) - radius[k]
            least = min(least, gap)
    return least


@kernel
def crossings(before, after, ends, width, height, most):
    """How many went straight through the middle line of something, too far from its ends to have gone round them.

    `most` is the longest way in a tick: round an end at distance e from where its line is crossed, it is at least
    2 e less the way from `before` to `after`.
    """
    count = 0
    for n in range(len(before)):
        dx, dy = after[n, 0] - before[n, 0], after[n, 1] - before[n, 1]
        if width > 0:
            dx, dy = dx - width * np.rint(dx / width), dy - height * np.rint(dy / height)
        way = np.sqrt(dx * dx + dy * dy)
        for k in range(len(ends)):
            wx, wy = ends[k, 2] - ends[k, 0], ends[k, 3] - ends[k, 1]
            x, y = before[n, 0] - ends[k, 0], before[n, 1] - ends[k, 1]
            if width > 0:
                mx, my = x - 0.5 * wx, y - 0.5 * wy
                x, y = x - width * np.rint(mx / width), y - height * np.rint(my / height)
            one, other = wx * y - wy * x, wx * (y + dy) - wy * (x + dx)
            if one * other >= 0:
                continue
            share = one / (one - other)
            length = np.sqrt(wx * wx + wy * wy)
            along = ((x + share * dx) * wx + (y + share * dy) * wy) / length
            if min(along, length - along) > 0.5 * (most + way):
                count += 1
    return count
