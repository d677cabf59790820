"""Perception and the three rules of flocking as the equations say them: O(n²), numpy, no grid, no fixed point.

Who is a neighbour is decided in float32, the numbers a boid's position has; what follows is float64.
All arrays are in the order of rows; pairs are [i, j], i looking at j.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from components.flock import CONSTANT, DESIRED, DISTANCE, EVERYONE, INVERSE, LINEAR, SMOOTH, TOPOLOGICAL
from systems.exact.random import direction_between

RULES = ("separation", "alignment", "cohesion")
Columns = Mapping[str, np.ndarray]
Torus = tuple[float, ...] | None
f32, f64 = np.float32, np.float64

FALLOFFS: dict[int, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    CONSTANT: lambda d, r: np.ones_like(d),
    LINEAR: lambda d, r: 1 - d / r,
    INVERSE: lambda d, r: 1 / np.maximum(d, r / 1000),
    DISTANCE: lambda d, r: d,
    SMOOTH: lambda d, r: (1 - (d / r) ** 2) ** 2,
}


def vectors(c: Columns, component: str) -> np.ndarray:
    """Position or Velocity of each, float32 (2, n), or (3, n) where there is depth."""
    return np.stack([c[key] for axis in "xyz" if (key := f"{component}.{axis}") in c])


def offsets(c: Columns, torus: Torus) -> np.ndarray:
    """q - p to the nearest copy of q, float32 (2, n, n) or (3, n, n)."""
    found = []
    for axis, along in enumerate(vectors(c, "Position")):
        here, there = along[:, None], along[None, :]
        if torus:
            size = f32(torus[axis])
            there = np.where(
                there - here > size / 2, there - size, np.where(there - here < -size / 2, there + size, there)
            )
        found.append(there - here)
    return np.stack(found)


def exact_offsets(c: Columns, torus: Torus) -> np.ndarray:
    """The same, float64: on a torus rounding can't move a copy."""
    here = vectors(c, "Position").astype(f64)
    there = here[:, None, :] - here[:, :, None]
    if torus:
        size = np.array(torus, f32).astype(f64)[:, None, None]
        there -= size * (there > size / 2)
        there += size * (there < -size / 2)
    return there


def squares(delta: np.ndarray) -> np.ndarray:
    return sum(along * along for along in delta)


def radii(c: Columns, rule: str) -> np.ndarray:
    own, seen = c[f"Flocker.{rule}_radius"], c["Perception.radius"]
    return np.where(own > 0, np.minimum(own, seen), seen)


def in_view(c: Columns, delta: np.ndarray) -> np.ndarray:
    """dot(unit(v), q - p) >= cos(fov / 2) * d, squared with its sign, in the dtype of `delta`."""
    kind = delta.dtype.type
    velocity, fov = vectors(c, "Velocity").astype(kind), c["Perception.fov"]
    speed = np.sqrt(squares(velocity))
    moving = np.where(speed > 0, speed, kind(1))
    cosine = np.cos(np.radians(fov.astype(f64)) / 2)
    cosine = np.where(fov == 180, 0, cosine).astype(f32).astype(kind)
    dot = sum(along * heading[:, None] for along, heading in zip(delta, velocity / moving, strict=True))
    seen = dot * np.abs(dot) >= (cosine * np.abs(cosine))[:, None] * squares(delta)
    return seen | ((speed == 0) | (fov == 360))[:, None]


def alike(c: Columns, rule: str) -> np.ndarray:
    """Another one, of the same prefab or any when the rule mixes."""
    same = c["prefab"][:, None] == c["prefab"][None, :]
    return (same | c[f"Flocker.{rule}_mixes"][:, None]) & ~np.eye(len(same), dtype=bool)


def neighbours(c: Columns, torus: Torus, rule: str) -> np.ndarray:
    """Whom each counts for a rule, bool (n, n)."""
    delta, r = offsets(c, torus), radii(c, rule)
    d2 = squares(delta)
    found = (d2 < (r * r)[:, None]) & in_view(c, delta) & alike(c, rule)
    for i in np.flatnonzero(c["Perception.reach"] == TOPOLOGICAL):
        near = np.flatnonzero(found[i])
        near = near[np.lexsort((c["serial"][near], d2[i, near]))]
        found[i, near[c["Perception.neighbours"][i] :]] = False
    if rule != "separation":
        everyone = c["Perception.reach"] == EVERYONE
        found[everyone] = alike(c, rule)[everyone]
    return found


def total(c: Columns, torus: Torus, rule: str) -> tuple[np.ndarray, np.ndarray]:
    """S, mean w or C of each, float64 (2, n) or (3, n), and how many neighbours it is of, (n,)."""
    seen, delta = neighbours(c, torus, rule), exact_offsets(c, torus)
    count = seen.sum(axis=1)
    many = np.maximum(count, 1)
    if rule == "alignment":
        w = vectors(c, "Velocity").astype(f64)
        return summed(seen * w[:, None, :]) / many, count
    if rule == "cohesion":
        return summed(delta * seen) / many, count
    away = -directions(c, delta, seen)
    d, r = np.sqrt(squares(delta)), np.maximum(radii(c, rule).astype(f64), 1e-30)
    weight = np.zeros_like(d)
    for falloff, g in FALLOFFS.items():
        mine = c["Flocker.separation_falloff"] == falloff
        weight[mine] = g(d[mine], r[mine, None])
    s = summed(np.where(seen, weight, 0) * away)
    return np.where(c["Flocker.separation_mean"], s / many, s), count


def summed(terms: np.ndarray) -> np.ndarray:
    """The sum over j, (2, n) or (3, n); 0 where it is but what float64 leaves of terms that cancel."""
    found = terms.sum(axis=2)
    return np.where(np.abs(found) > 1e-14 * np.abs(terms).sum(axis=2), found, 0)


def directions(c: Columns, delta: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """unit(q - p); where two stand at one point, as float32 knows it, the direction made from their serials."""
    d = np.sqrt(squares(delta))
    found = np.where(d > 0, delta / np.where(d > 0, d, 1), 0)
    nowhere = (0.0,) * len(delta)
    for i, j in np.argwhere(seen & (squares(delta.astype(f32)) == 0)):
        found[:, i, j] = direction_between(int(c["serial"][j]), int(c["serial"][i]), nowhere)
    return found


def rule_acceleration(c: Columns, torus: Torus, rule: str) -> np.ndarray:
    """What one rule adds to each, float64 (n, 2) or (n, 3)."""
    (x, count), v = total(c, torus, rule), vectors(c, "Velocity").astype(f64)
    size = np.sqrt(squares(x))
    wish = c["Motion.max_speed"] * np.where(size > 0, x / np.where(size > 0, size, 1), 0) - v
    direct = x - v if rule == "alignment" else x
    a = c[f"Flocker.{rule}_strength"].astype(f64) * np.where(c[f"Flocker.{rule}_steer"] == DESIRED, wish, direct)
    most, size = c[f"Flocker.{rule}_limit"].astype(f64), np.sqrt(squares(a))
    a = np.where((most > 0) & (size > most), a * most / np.where(size > 0, size, 1), a)
    return np.where(count > 0, a, 0).T


def acceleration(c: Columns, torus: Torus) -> np.ndarray:
    """The sum of the three rules for each, float64 (n, 2) or (n, 3)."""
    return sum(rule_acceleration(c, torus, rule) for rule in RULES)
