"""Generated flocks for comparing the kernels with the plain reference: every layout, edge and parameter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from components.flock import EVERYONE, METRIC, TOPOLOGICAL
from components.store.fields import FLAT
from components.store.world import World
from systems.engine.settings import Settings
from tests.worlds import FLOCKING, populated

FIELDS_OF_VIEW = (0, 60, 180, 300, 359, 360)
LAYOUTS = ("few", "spread", "cell borders", "coincident", "crowd", "seam", "far", "narrow", "mixed radii", "wide")
EDGES = ("wrap", "turn", "bounce", "open")


@dataclass
class Flock:
    """A world to be made: its settings, its boids' prefabs and the values of their fields."""

    settings: Settings
    kind: np.ndarray
    values: dict[str, np.ndarray] = field(default_factory=dict)

    def world(self, shuffle: np.random.Generator | None = None) -> World:
        return populated(FLOCKING, self.settings, self.values, self.kind, shuffle)


def generated(layout: str, edges: str, seed: int, axes: str = FLAT) -> Flock:
    """A flock of a layout: always the same for a seed."""
    rng = np.random.default_rng([LAYOUTS.index(layout), EDGES.index(edges), seed])
    n = int(rng.integers(0, 3)) if layout == "few" else int(rng.integers(3, 60))
    size = rng.choice([100, 333, 640.5, 1280, 4096], len(axes))
    radius = float(rng.choice([5, 20, 50, 120]))
    if layout == "narrow":
        size = radius * rng.uniform(0.3, 3.2, len(axes))
    if layout == "wide":
        size = np.full(len(axes), 1e6)
        radius = float(rng.choice([10, 300, 1e4]))
    settings = sized(size, edges)
    flock = Flock(settings, rng.integers(0, rng.integers(1, 4), n))
    flock.values |= _places(rng, layout, settings, n, radius)
    flock.values |= _velocities(rng, n, axes)
    flock.values |= _perception(rng, layout, edges, n, radius)
    flock.values |= _rules(rng, n, radius)
    return flock


def sized(size: Iterable[float], edges: str) -> Settings:
    """The settings of a world of this size along its axes."""
    return Settings(edges=edges, **dict(zip(("width", "height", "depth"), np.float32(size).tolist(), strict=False)))


def by_axis(component: str, vectors: np.ndarray) -> dict[str, np.ndarray]:
    """The columns of vectors, (n, 2) or (n, 3)."""
    return {f"{component}.{axis}": along.astype(np.float32) for axis, along in zip("xyz", vectors.T, strict=False)}


def _places(rng: np.random.Generator, layout: str, settings: Settings, n: int, radius: float) -> dict[str, np.ndarray]:
    size = np.array(settings.size)
    many = n, len(size)
    places = rng.random(many) * size
    if layout == "cell borders":
        places = rng.integers(0, np.maximum(size // radius, 1) + 1, many) * (radius if rng.random() < 0.5 else size / 4)
        beside = np.nextafter(places.astype(np.float32), rng.choice([-1e9, 1e9], many).astype(np.float32))
        places = np.where((places > 0) & (rng.random(many) < 0.7), beside, places)
    if layout == "coincident":
        places = places[rng.integers(0, max(n // 4, 1), n)]
    if layout in ("crowd", "wide"):
        places = rng.random(len(size)) * size + rng.normal(0, radius / 3, many)
    if layout == "seam":
        places = np.where(rng.random(many) < 0.7, rng.normal(0, radius / 2, many), places)
    if layout == "far":
        places += rng.choice([0, 0, -1, 1], many) * 10 ** rng.uniform(1, 5.9, many)
    places = places.astype(np.float32)
    if settings.torus:
        places = np.mod(places, size.astype(np.float32))
        places[places >= size.astype(np.float32)] = 0
        places = np.abs(places)
    return by_axis("Position", places)


def _velocities(rng: np.random.Generator, n: int, axes: str) -> dict[str, np.ndarray]:
    heading = rng.normal(size=(n, len(axes)))
    heading = np.where(rng.random((n, 1)) < 0.3, rng.choice([-1, 0, 1], heading.shape), heading)
    velocity = heading * rng.uniform(10, 150, (n, 1)) * (rng.random((n, 1)) < 0.9)
    return by_axis("Velocity", velocity)


def _perception(rng: np.random.Generator, layout: str, edges: str, n: int, radius: float) -> dict[str, np.ndarray]:
    factors = [1, 1, 1, 10] if layout == "mixed radii" else [0, 0.3, 1, 1, 1, 1.7]
    reaches = [METRIC, METRIC, TOPOLOGICAL] if edges == "wrap" else [METRIC, METRIC, TOPOLOGICAL, EVERYONE]
    return {
        "Perception.radius": np.minimum(rng.choice(factors, n) * radius, 1e4).astype(np.float32),
        "Perception.fov": rng.choice(FIELDS_OF_VIEW, n).astype(np.float32),
        "Perception.reach": rng.choice(reaches, n),
        "Perception.neighbours": rng.choice([1, 2, 7, 64], n),
    }


def _rules(rng: np.random.Generator, n: int, radius: float) -> dict[str, np.ndarray]:
    values: dict[str, np.ndarray] = {
        "Motion.max_speed": rng.uniform(50, 250, n),
        "Flocker.separation_strength": rng.choice([0, 600, 60], n),
        "Flocker.alignment_strength": rng.uniform(0, 10, n),
        "Flocker.cohesion_strength": rng.uniform(0, 20, n),
        "Flocker.separation_falloff": rng.integers(0, 5, n),
        "Flocker.separation_mean": rng.random(n) < 0.3,
    }
    for rule in ("separation", "alignment", "cohesion"):
        values[f"Flocker.{rule}_radius"] = rng.choice([0, 0.2, 0.5, 1, 3], n) * radius
        values[f"Flocker.{rule}_limit"] = rng.choice([0, 0, 5, 90], n)
        values[f"Flocker.{rule}_steer"] = rng.integers(0, 2, n)
        values[f"Flocker.{rule}_mixes"] = rng.random(n) < 0.4
    return {key: v.astype(np.float32) if v.dtype.kind == "f" else v for key, v in values.items()}


def extreme(edges: str, seed: int, axes: str = FLAT) -> Flock:
    """A flock of two prefabs at the ends of the declared bounds: radii 0.01 to 1e4, speeds 0.1 to 1e4, side by side."""
    rng = np.random.default_rng([99, EDGES.index(edges), seed])
    n, radius = int(rng.integers(2, 80)), float(10 ** rng.uniform(-2, 4))
    size = float(rng.choice([1e3, 1e4, 1e5]))
    flock = Flock(sized([size] * len(axes), edges), rng.integers(0, 2, n))
    places = (size / 2 + rng.normal(0, radius * 10 ** rng.uniform(-3, 0.5), (n, len(axes)))).astype(np.float32)
    places = places % np.float32(size) if edges == "wrap" else places
    speed = 10 ** (rng.uniform(-1, 4, (n, 1)) if rng.random() < 0.3 else rng.uniform(0, 3.9))
    heading = rng.normal(size=(n, len(axes))) + rng.choice([0, 20], len(axes))
    velocity = heading / np.linalg.norm(heading, axis=1, keepdims=True) * speed
    flock.values |= by_axis("Position", places) | by_axis("Velocity", velocity)
    flock.values |= _perception(rng, "spread", edges, n, radius) | _rules(rng, n, radius)
    flock.values |= {
        "Flocker.separation_strength": rng.choice([3, 600, 3600], n).astype(np.float32),
        "Flocker.alignment_strength": rng.choice([3, 10, 60], n).astype(np.float32),
        "Flocker.cohesion_strength": rng.choice([0.03, 1, 12, 60], n).astype(np.float32),
    }
    return flock
