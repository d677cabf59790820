"""Flight, pursuit and catches as the equations say them: O(n²), float64, no index, no fixed point.

Arrays are in the order of rows; pairs are [i, j], i looking at j. `c` holds columns, and by component name who has it.
"""

from __future__ import annotations

import numpy as np

from components.predation import CENTRE, WEAKEST
from systems.exact.random import direction_between
from tests.reference import Columns, Torus, exact_offsets, squares, vectors

LOOK_AHEAD = 2.0


def hunted(c: Columns) -> np.ndarray:
    """Whom each hunts, seen or not, bool (n, n)."""
    masks, kinds = c["Predator.hunts"], c["prefab"]
    named = np.array([[not mask or bool(int(mask) >> int(kind) & 1) for kind in kinds] for mask in masks], bool)
    named = named.reshape(len(kinds), len(kinds)) & c["Predator"][:, None] & c["Prey"][None, :]
    return named & ~np.eye(len(kinds), dtype=bool)


def in_view(c: Columns, delta: np.ndarray) -> np.ndarray:
    """dot(unit(v), q - p) >= cos(fov / 2) * d; the heading and the cosine are rounded to float32."""
    velocity, fov = vectors(c, "Velocity"), c["Perception.fov"].astype(float)
    speed = np.sqrt(squares(velocity))
    moving = np.where(speed > 0, speed, np.float32(1))
    cosine = np.where(fov == 180, 0, np.cos(np.radians(fov) / 2)).astype(np.float32)
    dot = sum(along * heading[:, None] for along, heading in zip(delta, velocity / moving, strict=True))
    seen = dot * np.abs(dot) >= (cosine * np.abs(cosine)).astype(float)[:, None] * squares(delta)
    return seen | ((speed == 0) | (fov == 360))[:, None]


def steers(c: Columns) -> np.ndarray:
    """Who can steer by what it sees."""
    return c["Velocity"] & c["Motion"] & c["Perception"]


def flee(c: Columns, torus: Torus) -> np.ndarray:
    """What each adds to its acceleration in flight, (n, 2) or (n, 3)."""
    delta, r = exact_offsets(c, torus), c["Prey.fear_radius"].astype(float)
    d = np.sqrt(squares(delta))
    afraid = hunted(c).T & in_view(c, delta) & (d < r[:, None]) & steers(c)[:, None]
    away = -delta / np.where(d > 0, d, 1)
    for i, j in np.argwhere(afraid & (d == 0)):
        away[:, i, j] = direction_between(int(c["serial"][i]), int(c["serial"][j]), (0.0,) * len(delta))
    weight = np.where(afraid, 1 - d / np.where(r > 0, r, 1)[:, None], 0)
    return (c["Prey.fear"].astype(float) * (weight * away).sum(axis=2)).T


def pursuit(c: Columns, torus: Torus) -> np.ndarray:
    """What each adds to its acceleration in pursuit, (n, 2) or (n, 3)."""
    delta, velocity = exact_offsets(c, torus), vectors(c, "Velocity").T.astype(float)
    d = np.sqrt(squares(delta))
    seen = hunted(c) & in_view(c, delta) & (d < c["Perception.radius"][:, None])
    awake = steers(c) & (c["Predator.rest"] <= 0) & (c["Motion.max_speed"] > 0)
    found = np.zeros(velocity.shape)
    for i in np.flatnonzero(awake & seen.any(axis=1)):
        prey = np.flatnonzero(seen[i])
        if c["Predator.target"][i] == CENTRE:
            found[i] = c["Predator.strength"][i] * delta[:, i, prey].mean(axis=1)
            continue
        level = np.where(c["Energy"], c["Energy.level"], np.iinfo(np.int64).max)
        energy = level[prey] if c["Predator.target"][i] == WEAKEST else np.zeros(len(prey))
        j = prey[np.lexsort((c["serial"][prey], d[i, prey], energy))[0]]
        speed, v, w = float(c["Motion.max_speed"][i]), velocity[i], velocity[j] * c["Velocity"][j]
        aim = delta[:, i, j] + w * meeting_time(delta[:, i, j], w, speed)
        size = np.linalg.norm(aim)
        found[i] = c["Predator.strength"][i] * (speed * (aim / size if size > 0 else aim) - v)
    return found


def meeting_time(r: np.ndarray, w: np.ndarray, speed: float) -> float:
    """The smallest root t of |r + w t| = speed * t from 0 to LOOK_AHEAD, else what the distance takes at `speed`."""
    a, b, c = w @ w - speed * speed, 2 * (r @ w), r @ r
    roots = np.roots([a, b, c])
    real = roots[np.abs(roots.imag) < 1e-9].real
    good = real[(real > 0) & (real <= LOOK_AHEAD)]
    return float(good.min()) if len(good) else min(float(np.sqrt(c)) / speed, LOOK_AHEAD)


def catches(c: Columns, torus: Torus) -> list[tuple[int, int]]:
    """Serials of predator and prey, in the order of the catches; `rest` is that after counting down."""
    d2 = squares(exact_offsets(c, torus))
    radius = c["Predator.catch_radius"].astype(float)
    within = hunted(c) & (d2 <= (radius * radius)[:, None]) & (c["Predator.rest"] <= 0)[:, None]
    picks = []
    for i in np.flatnonzero(within.any(axis=1)):
        prey = np.flatnonzero(within[i])
        j = prey[np.lexsort((c["serial"][prey], d2[i, prey]))[0]]
        picks.append((float(d2[i, j]), int(c["serial"][i]), int(c["serial"][j])))
    gone: set[int] = set()
    found = []
    for _, hunter, prey in sorted(picks):
        if hunter not in gone and prey not in gone:
            gone.add(prey)
            found.append((hunter, prey))
    return found
