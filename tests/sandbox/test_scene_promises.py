"""What each bundled scene promises, as figures: watched once a second for a minute of its own time."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

import sandbox
from components.flock import Flocker
from components.guidance import Leader
from components.motion import Motion, Position, Velocity
from components.terrain import Obstacle
from sandbox.scenes.bundled import bundled_scenes
from sandbox.simulation import Simulation
from systems.engine.ledger import Ledger
from systems.engine.settings import Settings
from tests.bundled import LARGE

Places = NDArray[np.float32]  # (n, axes): u, or u/s
MODELS = "birb", "pallas", "quelea", "ronan", "scarf"
MINUTE = 60  # s
pytestmark = pytest.mark.usual_threads


@dataclass(frozen=True)
class Moment:
    """All who flock, at one moment.

    Attributes:
        speed: the mean over all who move of their speed, each in shares of its own top speed.
        kind: of each, a number for its prefab.
        rocks, radii: the obstacles.
        world: width and height, u; `wraps` where it is a torus.
        living: how many there are of each prefab.
    """

    place: Places
    velocity: Places
    speed: float
    kind: NDArray[np.int64]
    colour: NDArray[np.int64]
    leads: NDArray[np.bool_]
    rocks: Places
    radii: NDArray[np.float32]
    world: Places
    wraps: bool
    living: dict[str, int]
    ledger: Ledger

    def way(self, one: Places, other: Places) -> Places:
        """From each of these to each of those, the shortest way."""
        way = other[None] - one[:, None]
        return way - self.world * np.rint(way / self.world) if self.wraps else way

    def neighbours(self, most: int = 300) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Some of them, fewer of a million, and the one nearest to each."""
        most = min(most, 30_000_000 // max(len(self.place), 1))
        some = np.linspace(0, len(self.place) - 1, min(most, len(self.place))).astype(np.int64)
        nearest = [np.square(self.way(self.place[[n]], self.place)).sum(-1)[0].argsort()[1] for n in some]
        return some, np.array(nearest)


def now(simulation: Simulation) -> Moment:
    world, settings = simulation.world, simulation.world.resource(Settings)
    table = world.table

    movers, flock = table.rows(Position, Velocity, Motion), table.rows(Position, Velocity, Flocker)
    flock = flock[np.argsort(table.serial[flock])]
    speeds = np.linalg.norm(table.stacked("Velocity", movers), axis=1)
    rocks = table.rows(Position, Obstacle)
    return Moment(
        table.stacked("Position", flock),
        table.stacked("Velocity", flock),
        float((speeds / table.columns["Motion.max_speed"][movers]).mean()),
        table.prefab[flock].astype(np.int64),
        table.columns["Look.colour"][flock].astype(np.int64),
        table.has(flock, Leader),
        table.stacked("Position", rocks),
        table.columns["Obstacle.radius"][rocks] if len(rocks) else np.zeros(0, np.float32),
        np.array(settings.size, np.float32),
        settings.torus is not None,
        simulation.populations(),
        copy(world.resource(Ledger)),
    )


def watched(scene: str, seconds: int) -> list[Moment]:
    """A moment at the start, and one after each second."""
    with sandbox.load(scene) as simulation:
        moments = [now(simulation)]
        for _ in range(seconds):
            simulation.step(simulation.scene.settings.tick_rate)
            moments.append(now(simulation))
    return moments


# ---- what can be seen at one moment


def unit(velocity: Places) -> Places:
    return velocity / np.maximum(np.linalg.norm(velocity, axis=1), 1e-6)[:, None]


def polarization(seen: Moment) -> float:
    """How far all fly one way: 0 to 1."""
    return float(np.hypot(*unit(seen.velocity).mean(axis=0)))


def polarization_by_kind(seen: Moment) -> float:
    its = [unit(seen.velocity[seen.kind == kind]).mean(axis=0) for kind in np.unique(seen.kind)]
    return float(np.hypot(*np.transpose(its)).mean())


def accord(seen: Moment) -> float:
    """How far each flies the way of the one nearest to it: the mean cosine between their headings."""
    some, nearest = seen.neighbours()
    return float((unit(seen.velocity[some]) * unit(seen.velocity[nearest])).sum(axis=-1).mean())


def own_kind(seen: Moment) -> float:
    """The share of those whose nearest is of their kind."""
    some, nearest = seen.neighbours()
    return float((seen.kind[some] == seen.kind[nearest]).mean())


def own_colour(seen: Moment) -> float:
    some, nearest = seen.neighbours()
    return float((seen.colour[some] == seen.colour[nearest]).mean())


def same_way_in_lane(seen: Moment) -> float:
    """Of pairs that walk one behind the other, within 60 u along the passage and 8 u across it: how many go one way."""
    way = seen.way(seen.place, seen.place)
    near = (np.abs(way[..., 0]) < 60) & (np.abs(way[..., 1]) < 8) & ~np.eye(len(way), dtype=bool)
    return float((seen.kind[:, None] == seen.kind)[near].mean())


def filled(seen: Moment) -> float:
    """The share of the picture, in 8 x 5 fields, in which someone is."""
    field = np.floor(seen.place / seen.world * (8, 5)).astype(int)
    inside = ((field >= 0) & (field < (8, 5))).all(axis=1)
    return len(np.unique(field[inside], axis=0)) / 40


def inside(seen: Moment) -> float:
    """The share of those who are within the picture."""
    return float(((seen.place >= 0) & (seen.place <= seen.world)).all(axis=1).mean())


def inside_of_any_kind(seen: Moment) -> float:
    """The least share of a kind that is within the picture."""
    return min(inside(replace(seen, place=seen.place[seen.kind == kind])) for kind in np.unique(seen.kind))


def beside_stone(seen: Moment) -> float:
    """The share of them that are outside of all pillars and boulders, which all stand on the floor."""
    away = np.linalg.norm(seen.place[:, None, :2] - seen.rocks[None, :, :2], axis=2)
    low = seen.radii < 31  # boulders are passed above
    return float((away >= np.where(low, 0, seen.radii - 0.01)).all(axis=1).mean())


def overlapping(seen: Moment) -> float:
    """The share of those who are nearer than 4 u to another."""
    away = np.hypot(*seen.way(seen.place, seen.place).T)
    np.fill_diagonal(away, np.inf)
    return float((away.min(axis=0) < 4).mean())


def at_trees(seen: Moment) -> float:
    """How many are within 30 u of a trunk, beside how many there would be if all were spread evenly."""
    away = np.hypot(*seen.way(seen.rocks, seen.place).T)
    return float((away < 30).sum() / (away.size * np.pi * 30**2 / seen.world.prod()))


def clearance(seen: Moment) -> float:
    """How far the one nearest to a rock is from its surface, u."""
    return float((np.hypot(*seen.way(seen.rocks, seen.place).T) - seen.radii).min())


def solved(seen: Moment) -> float:
    """The share of those who are within the innermost hedge."""
    return float((np.hypot(*(seen.place - seen.world / 2).T) < 110).mean())


# ---- what can be seen over time

Figure = Callable[[list[Moment]], float]


def at(second: int, of: Callable[[Moment], float]) -> Figure:
    return lambda moments: of(moments[second])


def mean(first: int, of: Callable[[Moment], float]) -> Figure:
    return lambda moments: float(np.mean([of(seen) for seen in moments[first:]]))


def least(first: int, of: Callable[[Moment], float]) -> Figure:
    return lambda moments: min(of(seen) for seen in moments[first:])


def share(first: int, of: Callable[[Moment], float], above: float) -> Figure:
    """In how many of the moments from this second on a figure is above this."""
    return lambda moments: float(np.mean([of(seen) > above for seen in moments[first:]]))


def reversals(moments: list[Moment]) -> float:
    """How often the flock as a whole turned back, along either axis."""
    signs = np.sign([seen.velocity.mean(axis=0) for seen in moments[2:]])
    return int((signs[1:] * signs[:-1] < 0).sum())


def following(moments: list[Moment]) -> float:
    """How far each shoal goes the way its leader went two seconds ago: the mean cosine."""
    cosines = []
    for before, seen in zip(moments[3:], moments[5:], strict=False):
        for kind in np.unique(seen.kind):
            its = seen.kind == kind
            shoal = seen.velocity[its & ~seen.leads].mean(axis=0, keepdims=True)
            cosines.append(float((unit(shoal) * unit(before.velocity[its & seen.leads])).sum()))
    return float(np.mean(cosines))


def living(name: str) -> Callable[[Moment], float]:
    return lambda seen: seen.living.get(name, 0)


def rise(name: str) -> Figure:
    """The most there were of these, beside the fewest before."""
    return lambda moments: max(swing([living(name)(seen) for seen in moments]))


def fall(name: str) -> Figure:
    """The fewest there were of these, beside the most before."""
    return lambda moments: min(swing([living(name)(seen) for seen in moments], np.maximum))


def swing(counts: list[float], extreme: np.ufunc = np.minimum) -> NDArray[np.float64]:
    return np.asarray(counts / extreme.accumulate(counts))


@dataclass(frozen=True)
class Promise:
    says: str
    figure: Figure
    least: float = -np.inf
    most: float = np.inf


PROMISES: dict[str, tuple[int, list[Promise]]] = {  # how long it is watched in `make test`, s; what must be seen
    "ronan": (60, [
        Promise("at first nobody flies as the next one does", at(0, accord), most=0.3),
        Promise("from 20 s on all do", mean(20, accord), 0.9),
    ]),
    "scarf": (60, [
        Promise("at first as many fly one way as the other", at(0, polarization), most=0.1),
        Promise("between two edges they are of one mind", share(2, polarization, above=0.9), 0.6),
        Promise("edges fling them back, again and again", reversals, 12),
        Promise("each keeps a place of its own", mean(5, overlapping), most=0.05),
    ]),
    "birb": (20, [
        Promise("streams: each flies as the next one does", mean(10, accord), 0.85),
        Promise("they fill the sky", least(1, filled), 0.6),
    ]),
    "quelea": (15, [
        Promise("flocks: each flies as the next one does", mean(5, accord), 0.85),
        Promise("they part around the trees", mean(2, at_trees), most=0.7),
    ]),
    "pallas": (30, [
        Promise("a shoal turns two seconds after its leader", following, 0.8),
        Promise("each shoal is of one mind", mean(2, polarization_by_kind), 0.9),
        Promise("the soft edges hold them", mean(2, inside), 0.93),
        Promise("and most of each shoal", least(2, inside_of_any_kind), 0.5),
    ]),
    "murmuration": (10, [
        Promise("ribbons: each flies as the next one does", mean(5, accord), 0.6),
        Promise("the flock hangs over its roost, large in its sky", mean(1, filled), 0.35),
        Promise("they stay in it", mean(1, inside), 0.96),
        Promise("the falcon mostly misses", at(-1, lambda seen: seen.ledger.catches), most=10),
    ]),
    "hunters": (60, [
        Promise("hunters catch", at(-1, lambda seen: seen.ledger.catches), 5),
        Promise("most prey gets away", at(-1, living("prey")), 75),
        Promise("flocks close again", mean(5, accord), 0.7),
    ]),
    "reef": (20, [
        Promise("schools keep to their kind", mean(1, own_kind), 0.8),
        Promise("sharks catch", at(-1, lambda seen: seen.ledger.catches), 3),
        Promise("fish have young", at(-1, lambda seen: seen.ledger.births), 3),
        *(Promise(f"{name} live on", at(-1, living(name)), count / 2)
          for name, count in (("anthias", 420), ("chromis", 420), ("tang", 120))),
    ]),
    "bait-ball": (30, [
        Promise("each swims as the next one does", mean(3, accord), 0.8),
        Promise("they stay in it", mean(1, inside), 0.97),
        Promise("sharks catch now and then", at(-1, lambda seen: seen.ledger.catches), 1),
        Promise("but the ball goes on", at(-1, living("sardine")), 2800),
    ]),
    "canyon": (30, [
        Promise("each flies as the next one does", mean(3, accord), 0.6),
        Promise("they stay in it", mean(1, inside), 0.97),
        Promise("nobody touches the stone", mean(0, beside_stone), 1.0),
    ]),
    "storm": (30, [
        Promise("three colours, apart at first", at(0, own_colour), 0.9),
        Promise("the weather stirs them", at(20, own_colour), most=0.75),
        Promise("and blows them about the sky", least(5, filled), 0.5),
    ]),
    "crossing": (30, [
        Promise("at first each stream is by itself", at(0, same_way_in_lane), 0.85),
        Promise("they meet in a muddle", lambda moments: least(0, same_way_in_lane)(moments[:8]), most=0.7),
        Promise("within 15 s they form lanes", at(15, same_way_in_lane), 0.85),
        Promise("and keep to them", least(20, same_way_in_lane), 0.85),
    ]),
    "maze": (40, [
        Promise("most find the middle within 20 s", at(20, solved), 0.6),
        Promise("and stay", at(-1, solved), 0.8),
    ]),
    "pasture": (60, [
        Promise("sheep grow in number", rise("sheep"), 1.15),
        Promise("and fall as wolves grow in number", fall("sheep"), most=0.8),
        Promise("for wolves grow in number", rise("wolf"), 1.4),
        Promise("as they fell while they were hungry", fall("wolf"), most=0.95),
    ]),
    "spaceships": (30, [
        Promise("squadrons keep their formation", mean(10, polarization_by_kind), 0.85),
        Promise("no ship flies into a rock", least(0, clearance), -0.02),
    ]),
    "estuary": (40, [
        Promise("herring school", mean(5, accord), 0.6),
        Promise("sharks catch", at(-1, lambda seen: seen.ledger.catches), 30),
        Promise("herring live on", least(0, living("herring")), 300),
        Promise("sharks grow in number", rise("tide_shark"), 1.1),
        Promise("schools come to live in all the water", least(20, filled), 0.6),
    ]),
    "million": (1, [
        Promise("neighbours begin to agree", at(-1, accord), 0.3),
    ]),
    "krill": (2, [
        Promise("each swims as the next one does", at(-1, accord), 0.4),
        Promise("they stay in it", at(-1, inside), 0.99),
    ]),
    "hundred-thousand": (1, [
        Promise("threads of one colour, where chance would mix four", at(-1, own_kind), 0.5),
    ]),
}  # fmt: skip


def broken_promises(scene: str, seconds: int) -> list[str]:
    """What a scene does not do that it should: to be lively, and what it promises."""
    moments = watched(scene, seconds)
    slowest = min(seen.speed for seen in moments[min(5, seconds) :])
    broken = [] if slowest > (0.25 if scene in MODELS else 0.12) else [f"lively: {slowest:.3f} of the top speed"]
    found = {promise: promise.figure(moments) for promise in PROMISES[scene][1]}
    return broken + [f"{p.says}: {figure:.3f}" for p, figure in found.items() if not p.least <= figure <= p.most]


def test_every_bundled_scene_promises_something() -> None:
    assert set(PROMISES) == {path.stem for path in bundled_scenes()}


@pytest.mark.parametrize(
    "scene", [pytest.param(scene, marks=[pytest.mark.verify] * (scene in LARGE)) for scene in PROMISES]
)
def test_it_is_lively_and_keeps_its_promises(scene: str) -> None:
    assert broken_promises(scene, PROMISES[scene][0]) == []


@pytest.mark.verify
@pytest.mark.parametrize("scene", [scene for scene, (seconds, _) in PROMISES.items() if seconds < MINUTE])
def test_it_does_for_a_minute(scene: str) -> None:
    assert broken_promises(scene, MINUTE) == []
