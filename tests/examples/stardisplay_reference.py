"""StarDisplay as its equations say: all pairs, numpy, float64, each term by itself.

`world` has starlings and roosts; arrays are in the order of the starlings' serials.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from components.store.world import World
from systems.engine.settings import Settings
from tests.groups import nearest_offsets

G = 9.81
UP = np.array([0.0, 1.0, 0.0])


def normed(vectors: np.ndarray) -> np.ndarray:
    size = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.divide(vectors, size, out=np.zeros_like(vectors), where=size > 0)


@dataclass
class Birds:
    """Places, velocities (n, 3), and the fields of Starling (n,) of all starlings."""

    rows: np.ndarray
    place: np.ndarray
    velocity: np.ndarray
    own: Any
    torus: tuple[float, ...] | None

    @property
    def heading(self) -> np.ndarray:
        return normed(self.velocity)

    @property
    def offset(self) -> np.ndarray:
        """From i to j, (n, n, 3)."""
        return nearest_offsets(self.place[None] - self.place[:, None], self.torus)

    @property
    def distance(self) -> np.ndarray:
        found = np.linalg.norm(self.offset, axis=2)
        np.fill_diagonal(found, np.inf)
        return found

    @property
    def heeded(self) -> np.ndarray:
        return self.distance <= self.own["range"][:, None]

    @property
    def seen(self) -> np.ndarray:
        """Those of them that are not behind."""
        cosine = (normed(self.offset) * self.heading[:, None]).sum(axis=2)
        return self.heeded & (cosine >= -np.cos(np.radians(self.own["blind"] / 2))[:, None])


def birds(world: World, starling: type) -> Birds:
    table = world.table
    rows = table.rows(starling)
    rows = rows[np.argsort(table.serial[rows])]
    records = table.structured["Starling"][rows]
    own = {name: records[name].astype(float) for name in records.dtype.names}
    place, velocity = (table.stacked(name, rows).astype(float) for name in ("Position", "Velocity"))
    return Birds(rows, place, velocity, own, world.resource(Settings).torus)


def separation(b: Birds) -> np.ndarray:
    beyond = np.maximum(b.distance - b.own["hard"][:, None], 0) / b.own["spread"][:, None]
    near = np.exp(-(beyond**2)) * b.heeded
    sums = -(near[..., None] * normed(b.offset)).sum(axis=1)
    return sums * (b.own["separation"] / np.maximum(b.heeded.sum(axis=1), 1))[:, None]


def centrality(b: Birds) -> np.ndarray:
    around = b.distance <= 2 * b.own["range"][:, None]
    middle = (around[..., None] * normed(b.offset)).sum(axis=1)
    return np.linalg.norm(middle, axis=1) / np.maximum(around.sum(axis=1), 1)


def cohesion(b: Birds) -> np.ndarray:
    attracts = b.seen & (b.distance > b.own["hard"][:, None])
    sums = (attracts[..., None] * normed(b.offset)).sum(axis=1)
    return sums * (centrality(b) * b.own["cohesion"] / np.maximum(b.seen.sum(axis=1), 1))[:, None]


def alignment(b: Birds) -> np.ndarray:
    turns = b.heading[None] - b.heading[:, None]
    return normed((b.seen[..., None] * turns).sum(axis=1)) * b.own["alignment"][:, None]


def speed(b: Birds) -> np.ndarray:
    lack = b.own["cruise"] - np.linalg.norm(b.velocity, axis=1)
    return b.heading * (b.own["mass"] / b.own["hurry"] * lack)[:, None]


def wings(b: Birds) -> tuple[np.ndarray, np.ndarray]:
    right = normed(np.cross(b.heading, UP))
    top = np.cross(right, b.heading)
    cosine, sine = b.own["bank_cosine"][:, None], b.own["bank_sine"][:, None]
    return cosine * right - sine * top, cosine * top + sine * right


def roost(b: Birds, roosts: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """`roosts`: places (m, 3)."""
    offset = nearest_offsets(roosts[None] - b.place[:, None], b.torus)
    nearest = np.linalg.norm(offset, axis=2).argmin(axis=1)
    offset = offset[np.arange(len(offset)), nearest]
    outward = -offset * (1, 0, 1)
    beyond = np.maximum(np.linalg.norm(outward, axis=1) - radius[nearest], 0)
    outward = normed(outward)
    side = wings(b)[0]
    side = np.where((side * outward).sum(axis=1, keepdims=True) > 0, -side, side)
    back = b.own["back"] * beyond * (0.5 + 0.5 * (b.heading * outward).sum(axis=1))
    return side * back[:, None] + UP * (b.own["height"] * offset[:, 1])[:, None]


def adapted_range(b: Birds, reaction: float) -> np.ndarray:
    share, own = b.own["adapting"] * reaction, b.own
    found = (1 - share) * own["range"] + share * own["farthest"] * (1 - b.heeded.sum(axis=1) / own["heeds"])
    return np.clip(found, own["hard"], own["farthest"])


def flight(b: Birds) -> dict[str, np.ndarray]:
    """Lift, drag, thrust and weight."""
    weight, ratio = b.own["mass"] * G, b.own["ratio"]
    lift = weight * (np.linalg.norm(b.velocity, axis=1) / b.own["cruise"]) ** 2
    return {
        "lift": wings(b)[1] * lift[:, None],
        "drag": -b.heading * (lift / ratio)[:, None],
        "thrust": b.heading * (weight / ratio)[:, None],
        "weight": -UP * weight[:, None],
    }


def steering(b: Birds) -> np.ndarray:
    return np.stack([b.own[f"steering_{axis}"] for axis in "xyz"], axis=1)


def bank(b: Birds, duration: float) -> np.ndarray:
    """The bank after a tick, rad."""
    wanted = steering(b) + UP * (b.own["mass"] * G)[:, None]
    sideways = (wanted * wings(b)[0]).sum(axis=1) / b.own["mass"]
    inward = np.arctan(b.own["roll_in"] * sideways * duration)
    outward = np.arctan(b.own["roll_out"] * b.own["bank_sine"] * duration)
    return np.arctan2(b.own["bank_sine"], b.own["bank_cosine"]) + inward - outward
