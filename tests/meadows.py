"""Generated worlds of eaters and food, and plain references of what becomes of them: Python's whole numbers, O(n²)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from components.flock import Flocker, Perception
from components.life import Energy, Food, Life
from components.motion import Motion, Position, Velocity
from components.predation import Predator
from components.store.fields import AMOUNT_SCALE, FLAT
from components.store.world import World
from systems import commit
from systems.engine.app import App, Install
from systems.engine.ledger import Ledger
from systems.engine.settings import Settings
from tests import flocks, reference
from tests.worlds import LIVING, bring, columns, world_of

MOVER = (Velocity, Motion, Perception, Energy)
Columns = Mapping[str, np.ndarray]
Torus = reference.Torus


def _everything(app: App) -> None:
    app.add_component(Position, *MOVER, Flocker, Food, Life, Predator)


PARTS = (*LIVING, commit.install, _everything)


@dataclass
class Meadow:
    """A world to be made: who has which components, and all values, by serial."""

    settings: Settings
    kind: np.ndarray
    has: dict[type, np.ndarray]
    values: dict[str, np.ndarray]

    def world(self, parts: Iterable[Install] = PARTS, shuffle: np.random.Generator | None = None) -> World:
        """Everyone in a world of these parts; rows shuffled if asked."""
        names = [f"kind{n}" for n in range(int(self.kind.max(initial=0)) + 1)]
        world = world_of(parts, self.settings, names)
        serials = np.arange(1, len(self.kind) + 1, dtype=np.int64)
        world.next_serial = len(serials) + 1
        makes = np.stack([self.kind, *self.has.values()], axis=1)
        for make in np.unique(makes, axis=0):
            members = (makes == make).all(axis=1)
            components = [component for component, has in zip(self.has, make[1:]) if has]
            named = {component.__name__ for component in components}
            own = {key: value[members] for key, value in self.values.items() if key.split(".")[0] in named}
            bring(world, names[make[0]], serials[members], components, own)
        if shuffle is not None:
            world.table.reorder(shuffle.permutation(world.table.size))
        return world


def generated(layout: str, edges: str, seed: int, axes: str = FLAT) -> Meadow:
    """Eaters, predators, food, and a few who are both, in a layout of `tests.flocks`."""
    flock = flocks.generated(layout, edges, seed, axes)
    rng = np.random.default_rng([seed, 7])
    n, kind = len(flock.kind), flock.kind
    eats = rng.random(n) < 0.6
    is_food = ~eats | (rng.random(n) < 0.1)
    has = {Position: np.ones(n, bool)} | dict.fromkeys(MOVER, eats)
    has |= {Flocker: eats, Food: is_food, Life: eats & (rng.random(n) < 0.7), Predator: eats & (rng.random(n) < 0.2)}
    prefabs = np.uint64((1 << int(kind.max(initial=0)) + 1) - 1)
    reach = float(flock.values["Perception.radius"].mean()) if n else 1.0

    def amounts(*choices: float) -> np.ndarray:
        return (rng.choice(choices, n) * rng.random(n) * AMOUNT_SCALE).astype(np.int64)

    values = {key: np.broadcast_to(value, n) for key, value in flock.values.items()} | {
        "Food.amount": amounts(0.1, 1, 100, 400) * (rng.random(n) < 0.9),
        "Food.capacity": amounts(0, 1, 50, 200),
        "Food.regrowth": rng.choice([0, 1e-5, 3, 500], n).astype(np.float32),
        "Food.radius": (rng.choice([0, 0.2, 1, 3], n) * reach).astype(np.float32).clip(0, 1e4),
        "Food.bite": rng.choice([0, 1, 20, 1e6], n).astype(np.float32),
        "Food.feeds": rng.choice([0, 0, 1, 2, 3], n).astype(np.uint64) & prefabs,
        "Energy.level": amounts(0.1, 10, 200),
        "Energy.capacity": amounts(1, 100, 400),
        "Energy.rest_burn": rng.choice([0, 1, 7.3], n).astype(np.float32),
        "Energy.speed_burn": rng.choice([0, 5, 40], n).astype(np.float32),
        "Energy.hunger": amounts(10, 1000, 1000),
        "Energy.seek": rng.choice([0, 1, 5], n).astype(np.float32),
        "Life.max_age": rng.choice([0, 0.5, 4, 100], n).astype(np.float32),
        "Life.age": (rng.choice([0, 0, 3.9], n) * AMOUNT_SCALE).astype(np.int64),
        "Life.birth_level": amounts(0, 30, 200),
        "Life.mutation": rng.choice([0, 0, 0.1, 1], n).astype(np.float32),
    }  # fmt: skip
    return Meadow(flock.settings, kind, has, values)


def held(world: World) -> dict[str, np.ndarray]:
    """Copies of all columns, of `serial` and `prefab`, and by component's name who has it: all by row."""
    table = world.table
    found = columns(world)
    for component, bit in table.bit_of.items():
        found[component.__name__] = table.presence[: table.size] >> np.uint64(bit) & np.uint64(1) == 1
    return found


def books(world: World) -> int:
    """What stays the same while nobody edits the world."""
    c, ledger = held(world), world.resource(Ledger)
    stored = sum(c["Food.amount"][c["Food"]].tolist()) + sum(c["Energy.level"][c["Energy"]].tolist())
    return stored + ledger.burned + ledger.lost - ledger.regrown


def per_tick(rate: float, tick_rate: int) -> int:
    return math.floor(float(rate) * AMOUNT_SCALE / tick_rate + 0.5)


def feeds(c: Columns) -> np.ndarray:
    """Whether [i, j]: j is food that is not eaten up and feeds i, another."""
    named = c["Food.feeds"][None, :] >> c["prefab"][:, None].astype(np.uint64) & np.uint64(1) == 1
    anyone = (c["Food.feeds"] == 0)[None, :] & ~c["Predator"][:, None]
    return (named | anyone) & (c["Food"] & (c["Food.amount"] > 0))[None, :] & ~np.eye(len(c["prefab"]), dtype=bool)


def stands_in(c: Columns, torus: Torus) -> np.ndarray:
    """Whether [i, j]: i stands in the circle of j, with depth in its ball."""
    return reference.squares(reference.exact_offsets(c, torus)) <= c["Food.radius"].astype(float)[None, :] ** 2


def hunger(c: Columns, torus: Torus) -> np.ndarray:
    """What hunger adds to the acceleration of each, float64 (n, 2) or (n, 3)."""
    delta = reference.offsets(c, torus)
    d2 = reference.squares(delta)
    worth = np.minimum((c["Food.bite"].astype(float) * AMOUNT_SCALE).astype(np.int64), c["Food.capacity"])
    food = feeds(c) & (c["Food.amount"] >= worth)[None, :]
    grazes = (food & stands_in(c, torus)).any(axis=1)
    sees = food & (d2 < c["Perception.radius"][:, None] ** 2) & reference.in_view(c, delta)
    v = reference.vectors(c, "Velocity").T.astype(float)
    found = np.zeros_like(v)
    for i in np.flatnonzero(c["Energy"] & (c["Energy.level"] < c["Energy.hunger"])):
        if grazes[i]:
            found[i] = -c["Energy.seek"][i] * v[i]
        elif sees[i].any():
            near = np.flatnonzero(sees[i])
            j = near[np.lexsort((c["serial"][near], d2[i, near]))[0]]
            way = reference.exact_offsets(c, torus)[:, i, j]
            wish = c["Motion.max_speed"][i] * way / (np.linalg.norm(way) or 1)
            found[i] = c["Energy.seek"][i] * (wish - v[i])
    return found


def fed(c: Columns, torus: Torus, tick_rate: int) -> tuple[list[int], list[int], int, int]:
    """Food.amount and Energy.level of each after feeding, what grew, and how many bites were taken."""
    amount, level = c["Food.amount"].tolist(), c["Energy.level"].tolist()
    grown = meals = 0
    for j in np.flatnonzero(c["Food"]):
        more = max(min(per_tick(c["Food.regrowth"][j], tick_rate), int(c["Food.capacity"][j]) - amount[j]), 0)
        amount[j], grown = amount[j] + more, grown + more
    d2 = reference.squares(reference.exact_offsets(c, torus))
    eats = feeds({**c, "Food.amount": np.array(amount)}) & stands_in(c, torus)
    for i in sorted(np.flatnonzero(c["Energy"]), key=lambda i: c["serial"][i]):
        room = int(c["Energy.capacity"][i]) - level[i]
        near = np.flatnonzero(eats[i])
        if room > 0 and len(near):
            j = near[np.lexsort((c["serial"][near], d2[i, near]))[0]]
            got = min(per_tick(c["Food.bite"][j], tick_rate), room, amount[j])
            amount[j], level[i], meals = amount[j] - got, level[i] + got, meals + (got > 0)
    return amount, level, grown, meals
