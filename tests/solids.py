"""Balls, pillars and walls in worlds with depth, and plain float64 sums about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from systems.engine.settings import Settings
from tests.terrain import Lines, gaps, own_gap, scenery, shapes

AXES = "xyz"


@dataclass
class Solids:
    """Balls (n, 4), pillars (m, 3) and walls (k, 5), as float32 holds them, in a world of these settings."""

    balls: Lines
    pillars: Lines
    walls: Lines
    settings: Settings

    def __post_init__(self) -> None:
        self.balls, self.pillars, self.walls = (
            np.reshape(given, (-1, width)).astype(np.float32).astype(np.float64)
            for given, width in ((self.balls, 4), (self.pillars, 3), (self.walls, 5))
        )
        self.ends, self.radius = shapes(self.pillars, self.walls)

    @property
    def torus(self) -> tuple[float, ...] | None:
        return self.settings.torus

    def gaps(self, places: ArrayLike) -> Lines:
        """How far each place is from each pillar, wall and ball, negative inside; (places, solids)."""
        p = np.reshape(places, (-1, 3)).astype(np.float64)
        flat = gaps(p[:, :2], self.ends, self.radius, self.torus[:2] if self.torus else None)
        return np.hstack([flat, self.from_balls(p) - self.balls[:, 3]])

    def from_balls(self, places: Lines) -> Lines:
        """How far each place is from the centre of each ball; (places, balls)."""
        return np.linalg.norm(self.nearest(places[:, None] - self.balls[:, :3]), axis=-1)

    def nearest(self, offsets: Lines) -> Lines:
        """The shortest of offsets on a torus."""
        return offsets - self.torus * np.rint(offsets / self.torus) if self.torus else offsets

    def out_of(self, place: Lines, n: int) -> Lines:
        """The unit vector away from the n-th solid (as in `gaps`) at a place without a torus."""
        if n >= len(self.ends):
            away = place - self.balls[n - len(self.ends), :3]
        else:
            a, along = self.ends[n, :2], self.ends[n, 2:] - self.ends[n, :2]
            square = along @ along
            share = np.clip((place[:2] - a) @ along / square, 0, 1) if square else 0.0
            away = np.append(place[:2] - a - share * along, 0.0)
        out: Lines = away / np.linalg.norm(away)
        return out

    def met(self, start: Lines, along: Lines, more: float) -> Lines:
        """When a path first comes so near to each solid, without a torus; 2.0: never; NaN: a graze.

        By convexity: the least distance by thirds, then halving before it, as far as float64 tells times apart.
        """
        flat = len(self.ends)
        count = flat + len(self.balls)

        def gap(t: Lines) -> Lines:
            p = start + t[:, None] * along
            round = np.linalg.norm(p[flat:] - self.balls[:, :3], axis=1) - self.balls[:, 3]
            return np.append(own_gap(p[:flat, :2], self.ends) - self.radius, round)

        low, high = np.zeros(count), np.ones(count)
        for _ in range(60):
            one, other = low + (high - low) / 3, high - (high - low) / 3
            left = gap(one) < gap(other)
            low, high = np.where(left, low, one), np.where(left, other, high)
        lowest, low, high = low, np.zeros(count), low
        for _ in range(53):
            middle = (low + high) / 2
            inside = gap(middle) < more
            low, high = np.where(inside, low, middle), np.where(inside, middle, high)
        found = np.where(gap(lowest) < more, high, 2.0)
        return np.where(np.abs(gap(lowest) - more) < 1e-4, np.nan, found)

    def unrolled(self, rounds: tuple[int, int, int]) -> Solids:
        """Copies all around a torus, in a world that is none."""
        shifts = np.array([*product(*(range(-n, n + 1) for n in rounds))]) * self.settings.size
        balls = [self.balls + np.append(shift, 0) for shift in shifts]
        level = np.unique(shifts[:, :2], axis=0)
        pillars = [self.pillars + np.append(shift, 0) for shift in level]
        walls = [self.walls + np.append(np.tile(shift, 2), 0) for shift in level]
        endless = deep_settings(self.settings.size, "open")
        return Solids(np.concatenate(balls), np.concatenate(pillars), np.concatenate(walls), endless)

    def passed_through(self, before: Lines, after: Lines, most: float) -> int:
        """How many are where they can't have gone around a ball with a way of at most so far."""
        p = self.nearest(before[:, None] - self.balls[:, :3])
        q = p + self.nearest(after - before)[:, None]
        r, a, b = self.balls[:, 3], np.linalg.norm(p, axis=-1), np.linalg.norm(q, axis=-1)
        angle = np.arccos(np.clip((p * q).sum(-1) / np.maximum(a * b, 1e-9), -1, 1))
        shares = np.clip(r / np.maximum(a, 1e-9), 0, 1), np.clip(r / np.maximum(b, 1e-9), 0, 1)
        arc = angle - np.arccos(shares[0]) - np.arccos(shares[1])
        tangents = np.sqrt(np.maximum(a * a - r * r, 0)) + np.sqrt(np.maximum(b * b - r * r, 0))
        return int(((arc > 0) & (tangents + r * arc > most)).sum())


def deep_settings(size: Sequence[float], edges: str) -> Settings:
    """The settings of a world of this size along x, y, z."""
    made = Settings(*size[:2], edges)
    made.depth = size[2]
    return made


def random_solids(rng: np.random.Generator, settings: Settings, balls: int = 10, pillars: int = 4) -> Solids:
    """Balls and pillars that overlap, polygons, acute corners and walls, some across the border."""
    size = np.array(settings.size)
    made = scenery(rng, float(min(size[:2])), circles=pillars, polygons=2, corners=2, walls=5)
    round = np.column_stack([rng.uniform(-0.05, 1.05, (balls, 3)) * size, rng.choice([2, 15, 60], balls)])
    return Solids(round, made.circles, made.walls, settings)


def vectors(name: str, numbers: ArrayLike) -> dict[str, NDArray[np.float64]]:
    """The columns of a vector: "Position.x" and so on."""
    return {f"{name}.{axis}": column for axis, column in zip(AXES, np.reshape(numbers, (-1, 3)).T, strict=True)}


def units(rng: np.random.Generator, count: int) -> Lines:
    """Directions all over a sphere."""
    ways = rng.normal(size=(count, 3))
    found: Lines = ways / np.linalg.norm(ways, axis=1, keepdims=True)
    return found
