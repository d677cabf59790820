"""A scene as data: the contents of a scene file after it was read and checked."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from components.store.fields import AMOUNT_SCALE, DEEP, Field, Kind, Stored
from components.store.prefab import Prefab
from components.store.resources import Resource
from components.store.world import World
from sandbox.toml.schemas import Spread
from systems.engine.settings import Settings
from systems.exact.random import directions, random_units
from systems.space.bounds import FARTHEST

PLACE_X, PLACE_Y, HEADING, SPEED, PLACE_Z, UPWARD, *OUTWARD = range(101, 110)  # streams of random numbers
MOST_SEED = 2**62
MOST_GROUP = 2_000_000_000
BELL = 12  # the sum of so many uniform numbers, less 6, stands for a normal one: only +, so the same bits everywhere
ALONG, ACROSS = 201, 202  # streams of random numbers; ACROSS and the following ones
SUMMED = 3  # of the bell across a stream
STEPS = 12  # straight pieces between two points
Vectors: TypeAlias = NDArray[np.float64]  # (n, 2)


@dataclass(frozen=True)
class Circle:
    """A round area: its centre and radius, u."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Rect:
    """An upright rectangle: its lower left corner, width and height, u."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Ball:
    """A round area of a world with depth: its centre and radius, u."""

    x: float
    y: float
    z: float
    radius: float


@dataclass(frozen=True)
class Box:
    """An upright box in a world with depth: its corner nearest to the origin, width, height and depth, u."""

    x: float
    y: float
    z: float
    width: float
    height: float
    depth: float


@dataclass(frozen=True)
class Stream:
    """An area along a smooth curve: its points, each x, y and how far the stream reaches to all sides there, u."""

    points: tuple[tuple[float, float, float], ...]


Area: TypeAlias = Circle | Rect | Stream | Ball | Box
Places: TypeAlias = Sequence[tuple[float, ...]] | Vectors


@dataclass(frozen=True)
class Entry:
    """One `[[spawn]]`: a number of entities of one prefab.

    Attributes:
        at: exact place (u); else a random place in `area`; else anywhere in the world. In a world with depth, two
            numbers lie in the middle, and areas without depth go through all of it.
        velocity: exact velocity (u/s); else a random speed between the two of `speed` (default: the prefab's limits)
            along `heading` (degrees, counter-clockwise from the x axis; default: along a stream, else random).
        points, closed: corners of a wall (u), one entity per segment; if closed, the last corner joins the first.
        values: by field key, stored values or spreads that override the prefab's.
    """

    prefab: str
    count: int = 1
    at: tuple[float, ...] | None = None
    area: Area | None = None
    velocity: tuple[float, ...] | None = None
    speed: tuple[float, float] | None = None
    heading: float | None = None
    points: tuple[tuple[float, float], ...] = ()
    closed: bool = False
    values: Mapping[str, Stored | Spread] = field(default_factory=dict)

    @property
    def population(self) -> int:
        """The number of entities that it makes."""
        return len(self.points) - (not self.closed) if self.points else self.count

    @property
    def is_crowd(self) -> bool:
        """Whether it makes several entities at random places, so that the place of each does not matter."""
        return self.population > 1 and not self.points and not self.at

    def body(self, prefab: Prefab) -> tuple[set[str], dict[str, Stored | Spread]]:
        """Return the components of its entities, and their values by field key; `prefab` is its prefab."""
        components = {*prefab.components, *(key.split(".", 1)[0] for key in self.values)}
        return components, {**prefab.values(), **self.values}


@dataclass
class Scene:
    """The whole contents of a scene file.

    Attributes:
        prefabs: the scene's own in the file's order, then the built-in ones that it does not redefine.
        systems: parameters by the system's name, including `enabled`.
        resources: stored values, by key, of declared resources, except the settings, by the resource's name.
        usual: those of `prefabs` that had been changed when the world was saved, as they were before: at 100 %.
        tables: presets, labels and pictures: for each kind in `sandbox.design.kept_kinds`, stored values by name.
        folder: the folder of its file, or None.
        mods: `required` and `optional`, as written.
        kept: the tables of absent optional mods, as written in the file.
        loaded: the mods (`LoadedMod`) with which it was read, in order: its values are valid only with these.
        text: the text of its file, with comments; empty if it was not read from one.
    """

    name: str = "untitled"
    description: str = ""
    seed: int = 0
    settings: Settings = field(default_factory=Settings)
    prefabs: dict[str, Prefab] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    systems: dict[str, dict[str, Stored]] = field(default_factory=dict)
    resources: dict[str, dict[str, Any]] = field(default_factory=dict)
    tables: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    mods: dict[str, list[str]] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    loaded: tuple[Any, ...] = ()
    text: str = ""
    folder: Path | None = None
    usual: dict[str, Prefab] = field(default_factory=dict)

    @property
    def usual_prefabs(self) -> dict[str, Prefab]:
        """The prefabs with their values at 100 %, in the same order."""
        return {**self.prefabs, **self.usual}

    def resource(self, kind: type[Any]) -> Any:
        """Make a resource with the values that worlds of this scene start with."""
        made = kind()
        if issubclass(kind, Resource):
            own: Any = self.settings
            given = {**self.resources, Settings.__name__: own.stored}.get(kind.__name__, {})
            made.stored = {**made.stored, **given}
        return made


def corner_mistakes(points: Sequence[tuple[float, float]], closed: bool) -> Iterator[tuple[int | None, str]]:
    """Yield mistakes in the corners of a wall: the corner's index (None means all), and what would be right."""
    fewest = 3 if closed else 2
    if len(points) < fewest:
        yield None, f"must be {fewest} points or more: [[x, y], [x, y], ...]"
    for index, (before, point) in enumerate(pairwise(points), 1):
        if before == point:
            yield index, "is the same point as the one before it"
    if closed and len(points) >= fewest and points[0] == points[-1]:
        yield len(points) - 1, "repeats the first point: closed = true already closes the wall"


def written_area(area: Area) -> dict[str, Any]:
    """Return an area as it stands in a file, with tuples for lists."""
    return {type(area).__name__.lower(): area.points if isinstance(area, Stream) else astuple(area)}


def refuse_far_area(area: Area) -> None:
    """Raise ValueError if part of an area is too far away for any world."""
    if isinstance(area, Rect | Box):
        ends = [area.x, area.y, area.x + area.width, area.y + area.height]
        ends += [area.z, area.z + area.depth] if isinstance(area, Box) else []
    elif isinstance(area, Ball):
        ends = [abs(coordinate) + area.radius for coordinate in (area.x, area.y, area.z)]
    else:
        rounds = area.points if isinstance(area, Stream) else [(area.x, area.y, area.radius)]
        ends = [abs(coordinate) + radius for x, y, radius in rounds for coordinate in (x, y)]
    if max(map(abs, ends)) > FARTHEST:
        raise ValueError(f"must lie within {FARTHEST:,.0f} u of the origin")


def spawn_entry(world: World, entry: Entry, places: Places = ()) -> NDArray[np.int64]:
    """Spawn the entities of an entry; return their serials, int64 (count,).

    Random values depend only on (seed, serial, stream) and use only + - * / sqrt: the same on every machine.

    Args:
        places: an exact place (u) for each entity, instead of the entry's.
    """
    prefab, settings = world.prefabs[entry.prefab], world.resource(Settings)
    serials = np.arange(world.next_serial, world.next_serial + entry.population, dtype=np.int64)
    components, given = entry.body(prefab)
    values: dict[str, NDArray[np.generic]] = {}
    for key, value in entry.values.items():
        values[key] = _first_values(world.seed, serials, world.table.field(key), value)
    if entry.points:
        values |= _segments(entry, int(serials[0]))
    along = None
    if isinstance(entry.area, Stream) and not len(places):
        places, along = strewn(entry.area, world.seed, serials)
    axes = world.table.axes
    if "Position" in components:
        values |= zip(
            (f"Position.{axis}" for axis in axes), _places(world.seed, serials, entry, settings, places), strict=True
        )
    if "Velocity" in components:
        low, high = entry.speed or (0.0, 0.0)
        if entry.speed is None and "Motion" in components:
            limits = (world.table.field(f"Motion.{name}") for name in ("min_speed", "max_speed"))
            low, high = (_mean_of(given.get(limit.key, limit.default)) for limit in limits)
        velocities = _velocities(world.seed, serials, entry, axes, low, high, along)
        values |= zip((f"Velocity.{axis}" for axis in axes), velocities, strict=True)
    return world.spawn(entry.prefab, len(serials), values)


def _segments(entry: Entry, group: int) -> dict[str, NDArray[np.generic]]:
    """Return the columns of a wall's segments."""
    corners = np.array(entry.points, np.float32)
    ends = np.roll(corners, -1, axis=0)
    if not entry.closed:
        corners, ends = corners[:-1], ends[:-1]
    keys = {"Wall.ax": corners[:, 0], "Wall.ay": corners[:, 1], "Wall.bx": ends[:, 0], "Wall.by": ends[:, 1]}
    return {**keys, "Wall.group": np.full(len(corners), group % MOST_GROUP, np.int32)}


def _first_values(
    seed: int, serials: NDArray[np.int64], declared: Field, value: Stored | Spread
) -> NDArray[np.generic]:
    """Return the first values of a field, shape (count,)."""
    if not isinstance(value, Spread):
        return np.full(len(serials), value, declared.dtype)
    stream = zlib.crc32(declared.key.encode()) * BELL
    total = -6.0 * np.ones(len(serials))
    for n in range(BELL):
        total += random_units(seed, serials, stream + n)
    low = np.nextafter(np.float32(declared.low), np.float32(np.inf)) if declared.above_low else declared.low
    numbers = np.clip(value.mean + value.sd * total, low, declared.high)
    if declared.kind is Kind.AMOUNT:
        numbers = numbers * AMOUNT_SCALE
    return numbers.astype(np.float32) if declared.kind is Kind.NUMBER else np.rint(numbers).astype(declared.dtype)


def _places(
    seed: int,
    serials: NDArray[np.int64],
    entry: Entry,
    settings: Settings,
    places: Places,
) -> list[NDArray[np.float32]]:
    """Return a place for each of these, for each axis (count,): areas go through the whole depth."""
    u, v, w = (random_units(seed, serials, stream) for stream in (PLACE_X, PLACE_Y, PLACE_Z))
    area, z = entry.area, settings.depth * w
    if len(places) or entry.at is not None:
        given = np.array(places if len(places) else [entry.at] * len(serials), np.float64).T
        if not isinstance(area, Stream):
            z = np.full(len(serials), settings.depth / 2)
        x, y, z = given if len(given) == 3 else (*given, z)
    elif isinstance(area, Circle):
        offsets = directions(u) * (area.radius * np.sqrt(v))[:, None]
        x, y = area.x + offsets[:, 0], area.y + offsets[:, 1]
    elif isinstance(area, Ball):
        reach = area.radius * np.maximum.reduce([random_units(seed, serials, stream) for stream in OUTWARD])
        x, y, z = (middle + way * reach for middle, way in zip((area.x, area.y, area.z), _anywhere(u, v), strict=True))
    else:
        area = area if isinstance(area, Rect | Box) else Rect(0, 0, settings.width, settings.height)
        x, y = area.x + area.width * u, area.y + area.height * v
        z = area.z + area.depth * w if isinstance(area, Box) else z
    found = list(zip((x, y, z), settings.size, strict=False))
    return [to_float32(along % size if settings.torus else along, size, settings) for along, size in found]


def _anywhere(turns: NDArray[np.float64], upward: NDArray[np.float64]) -> Sequence[NDArray[np.float64]]:
    """Return unit vectors all over a sphere, for each axis (n,), for random numbers from 0 to 1."""
    z = 2.0 * upward - 1.0
    level = np.sqrt(1.0 - z * z)
    return *(level * along for along in directions(turns).T), z


def to_float32(places: NDArray[np.float64], size: float, settings: Settings) -> NDArray[np.float32]:
    """Round to float32; on a torus, a place that is rounded to the far edge becomes 0, the same place."""
    rounded = places.astype(np.float32)
    if settings.torus:
        rounded[rounded >= size] = 0
    return rounded


def _velocities(
    seed: int, serials: NDArray[np.int64], entry: Entry, axes: str, low: float, high: float, along: Vectors | None
) -> list[NDArray[np.float32]]:
    """Return a velocity for each of these, for each axis (count,); without a heading it points anywhere."""
    if entry.velocity is not None:
        return [np.full(len(serials), number, np.float32) for number in (*entry.velocity, 0.0)[: len(axes)]]
    speeds = low + (high - low) * random_units(seed, serials, SPEED)
    turns = (
        random_units(seed, serials, HEADING) if entry.heading is None else np.full(len(serials), entry.heading / 360)
    )
    ways: Sequence[NDArray[np.floating[Any]]] = [*directions(turns).T, np.zeros(len(serials))][: len(axes)]
    if axes == DEEP and entry.heading is None:
        ways = _anywhere(turns, random_units(seed, serials, UPWARD))
    if along is not None and entry.heading is None:
        given = along.any(axis=1)
        ways = [np.where(given, there, way) for there, way in zip([*along.T, 0.0], ways, strict=False)]
    return [(way * speeds).astype(np.float32) for way in ways]


def _mean_of(value: Stored | Spread) -> float:
    return float(value.mean if isinstance(value, Spread) else value)


def strewn(stream: Stream, seed: int, serials: NDArray[np.int64]) -> tuple[Vectors, Vectors]:
    """Return a place for each of these, and the unit vector along the stream there; (0, 0) if it is one point."""
    curve = _curve(np.array(stream.points, np.float64))
    ways = np.diff(curve[:, :2], axis=0)
    lengths = np.sqrt(np.square(ways[:, 0]) + np.square(ways[:, 1]))
    weights = lengths * (curve[1:, 2] + curve[:-1, 2]) + 1e-9  # as dense where it is narrow as where it is wide
    ends = np.array([*accumulate(weights.tolist())])
    luck = random_units(seed, serials, ALONG) * ends[-1]
    piece = np.minimum(np.searchsorted(ends, luck, side="right"), len(ends) - 1)
    share = 1 - (ends[piece] - luck) / weights[piece]
    middle = curve[piece] + (curve[piece + 1] - curve[piece]) * share[:, None]
    bells = (_bell(seed, serials, ACROSS + SUMMED * axis) for axis in (0, 1))
    directions = ways / np.maximum(lengths, 1e-9)[:, None]
    places = middle[:, :2] + middle[:, 2:] * np.stack([*bells], axis=1)
    return np.clip(places, -FARTHEST, FARTHEST), directions[piece]  # the curve may swing out beyond its points


def _curve(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points of a curve through these (Catmull and Rom's), (m, 3); two equal ones for a single point."""
    if len(points) == 1:
        return np.repeat(points, 2, axis=0)
    first, second, third, fourth = (
        points[np.clip(np.arange(len(points) - 1) + ahead, 0, len(points) - 1), None] for ahead in (-1, 0, 1, 2)
    )
    t = np.arange(STEPS)[None, :, None] / STEPS
    bent = (2 * first - 5 * second + 4 * third - fourth) * t + (3 * (second - third) + fourth - first) * t * t
    pieces = second + (third - first + bent) * t / 2
    pieces[..., 2] = (second + (third - second) * t)[..., 2]
    return np.concatenate([pieces.reshape(-1, 3), points[-1:]])


def _bell(seed: int, serials: NDArray[np.int64], first: int) -> NDArray[np.float64]:
    """Return bell-shaped random numbers between -1 and 1."""
    total = np.zeros(len(serials))
    for n in range(SUMMED):
        total += random_units(seed, serials, first + n)
    return total * (2 / SUMMED) - 1
