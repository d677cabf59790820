"""Generated worlds of predators and prey, for comparing the kernels with the plain reference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from components.flock import Perception
from components.life import Energy
from components.motion import Motion, Velocity
from components.predation import Predator, Prey
from components.store.fields import FLAT
from components.store.world import World
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.life import predation
from systems.sense import hunters, remember
from systems.steer import flee, pursuit
from tests.flocks import by_axis, sized
from tests.worlds import columns, populated, run, run_system

HUNTING = (remember.install, hunters.install, flee.install, pursuit.install, predation.install)
EDGES = ("wrap", "open")
LAYOUTS = ("few", "spread", "lattice", "coincident", "crowd", "seam", "narrow", "far", "mixed radii")
OPTIONAL = (Velocity, Motion, Perception, Predator, Prey, Energy)


@dataclass
class Hunt:
    """A world to be made, and who in it has which component."""

    settings: Settings
    kind: np.ndarray
    values: dict[str, np.ndarray]
    has: dict[type, np.ndarray]

    def world(self, shuffle: np.random.Generator | None = None) -> World:
        world = populated(HUNTING, self.settings, self.values, self.kind)
        table = world.table
        order = np.argsort(self.kind, kind="stable")  # `populated` spawns prefab by prefab
        for component, has in self.has.items():
            table.set_presence(np.flatnonzero(~has[order]), [component], present=False)
        if shuffle is not None:
            table.reorder(shuffle.permutation(table.size))
        return world


def seen_by_reference(world: World) -> dict[str, np.ndarray]:
    """Copies of all columns, and by component name who has it."""
    table = world.table
    present = table.presence[: table.size]
    return columns(world) | {c.__name__: (present & np.uint64(table.mask([c]))) != 0 for c in OPTIONAL}


def steering(world: World, system: str) -> np.ndarray:
    """What a system adds to the acceleration, float32 (n, 2) or (n, 3), by row."""
    run(world, Phase.SENSE)
    run_system(world, system)
    table = world.table
    return table.stacked("Motion.acceleration", np.arange(table.size))


def generated(layout: str, edges: str, seed: int, axes: str = FLAT) -> Hunt:
    """A hunt of a layout: always the same for a seed."""
    rng = np.random.default_rng([LAYOUTS.index(layout), EDGES.index(edges), seed])
    n = int(rng.integers(0, 3)) if layout == "few" else int(rng.integers(3, 60)) * (len(axes) - 1)  # space is wide
    radius = float(rng.choice([5, 20, 50, 120]))
    size = rng.choice([100, 250.5, 600], len(axes))
    if layout == "narrow":
        size = radius * rng.uniform(0.3, 3.2, len(axes))
    settings = sized(size, edges)
    far = [1, 1, 1, 10] if layout == "mixed radii" else [0, 0.3, 1, 1, 1.7]
    many = n, len(axes)
    heading = np.where(rng.random((n, 1)) < 0.3, rng.choice([-1, 0, 1], many), rng.normal(size=many))
    velocity = heading * rng.uniform(10, 150, (n, 1)) * (rng.random((n, 1)) < 0.9)
    places = _places(rng, layout, settings, n, radius)
    kinds = int(rng.integers(1, 5))
    lists = rng.integers(0, 1 << kinds, n).astype(np.uint64)
    values = by_axis("Position", places) | by_axis("Velocity", velocity) | {
        "Motion.max_speed": rng.choice([0, 40, 100, 150], n, p=[0.1, 0.3, 0.3, 0.3]),
        "Perception.radius": np.minimum(rng.choice(far, n) * radius, 1e4),
        "Perception.fov": rng.choice([0, 60, 180, 300, 360], n),
        "Prey.fear": rng.choice([0, 30, 600], n), "Prey.fear_radius": np.minimum(rng.choice(far, n) * radius, 1e4),
        "Predator.target": rng.integers(0, 3, n), "Predator.strength": rng.uniform(0, 20, n),
        "Predator.catch_radius": rng.choice([0, 0.1, 0.3, 1], n) * radius,
        "Predator.digest": rng.choice([0, 0.25, 1], n), "Predator.rest": rng.choice([0, 0, 0.01, 0.5], n),
        "Predator.hunts": np.where(rng.random(n) < 0.4, np.uint64(0), lists),
        "Energy.level": rng.choice([0, 3, 3, 70, 900], n) << 20, "Energy.capacity": rng.choice([0, 60, 1000], n) << 20,
    }  # fmt: skip
    values = {key: value.astype(np.float32) if value.dtype.kind == "f" else value for key, value in values.items()}
    share = float(rng.choice([0.1, 0.5, 0.5]))
    has = {component: rng.random(n) < 0.9 for component in OPTIONAL}
    has |= {Predator: rng.random(n) < share, Prey: rng.random(n) < 1.2 - share}
    return Hunt(settings, rng.integers(0, kinds, n), values, has)


def _places(rng: np.random.Generator, layout: str, settings: Settings, n: int, radius: float) -> np.ndarray:
    size = np.array(settings.size)
    many = n, len(size)
    places = rng.random(many) * size
    if layout == "lattice":
        places = rng.integers(0, 9, many) * max(radius / 4, 1)
    if layout == "coincident":
        places = places[rng.integers(0, max(n // 4, 1), n)]
    if layout == "crowd":
        places = rng.random(len(size)) * size + rng.normal(0, radius / 3, many)
    if layout == "seam":
        places = np.where(rng.random(many) < 0.7, rng.normal(0, radius / 2, many), places)
    if layout == "far" and settings.edges == "open":
        places += rng.choice([0, 0, -1, 1], many) * 10 ** rng.uniform(1, 5.9, many)
    places = places.astype(np.float32)
    if settings.torus:
        places = np.mod(places, size.astype(np.float32))
        places[places >= size.astype(np.float32)] = 0
        places = np.abs(places)
    return places
