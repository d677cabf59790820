"""Repulsion from the middles of obstacles against the plain equation."""

from __future__ import annotations

import numpy as np
import pytest

from systems.engine.settings import Settings
from systems.engine.system import Phase
from tests.terrain import STEERING, of_movers, terrain
from tests.worlds import run


def steered(values: dict, circles: object, settings: Settings) -> np.ndarray:
    world = terrain(settings, values, circles, [[0, 0, 9, 9, 1]], STEERING, ["Repulsion"])
    run(world, Phase.SENSE, Phase.STEER)
    return of_movers(world, "Motion.acceleration")


def expected(p, v, top, middles, reach, strength, limit, angle, torus) -> np.ndarray:
    away = p - middles
    if torus:
        away -= torus * np.rint(away / torus)
    d = np.hypot(*away.T)
    speed = np.hypot(*v)
    shown = np.cos(np.radians(angle))
    cosine = away @ v / np.where(d > 0, d * speed, 1) if speed else np.ones(len(d))
    if (np.abs(d - reach) < 1e-3).any() or (speed and (np.abs(cosine - shown)[(d > 0) & (d < reach)] < 1e-5).any()):
        return np.full(2, np.nan)
    told = (d > 0) & (d < reach) & (cosine >= shown)
    total = (away[told] / d[told, None] / np.maximum(d[told], reach / 1000)[:, None]).sum(0)
    if not told.any() or np.hypot(*total) < 1e-7:
        return np.zeros(2)
    a = strength * (top * total / np.hypot(*total) - v)
    size = np.hypot(*a)
    return a * (limit / size) if limit and size > limit else a


@pytest.mark.parametrize("edges", ["wrap", "open"])
@pytest.mark.parametrize("reach", [10.0, 50.0, 400.0, 3000.0])
@pytest.mark.parametrize("angle", [0.0, 108.0, 180.0])
def test_it_equals_the_equation(edges, reach, angle):
    rng = np.random.default_rng([int(reach), int(angle)])
    settings = Settings(500, 300, edges)
    middles = rng.uniform(0, 1, (40, 2)) * (500, 300)
    p = (rng.uniform(-0.1, 1.1, (300, 2)) * (500, 300)).astype(np.float32).astype(np.float64)
    p = p if edges == "open" else np.mod(p, (500, 300)).astype(np.float32).astype(np.float64)
    middles[0] = p[0]
    v = (rng.normal(0, 80, (300, 2)) * rng.choice([0, 1, 1, 1], (300, 1))).astype(np.float32).astype(np.float64)
    middles = middles.astype(np.float32).astype(np.float64)
    limit = rng.choice([0.0, 2700.0], 300)
    values = {
        "Position.x": p[:, 0], "Position.y": p[:, 1], "Velocity.x": v[:, 0], "Velocity.y": v[:, 1],
        "Motion.max_speed": 180.0, "Repulsion.radius": reach, "Repulsion.strength": 60.0, "Repulsion.limit": limit,
        "Repulsion.angle": angle,
    }  # fmt: skip
    found = steered(values, np.column_stack([middles, np.full(40, 1e-3)]), settings)
    torus = (500.0, 300.0) if edges == "wrap" else None
    wanted = np.array([
        expected(p[n], v[n], 180.0, middles, reach, 60.0, limit[n], angle, torus) for n in range(300)
    ])  # fmt: skip
    told = ~np.isnan(wanted).any(1)
    assert told.mean() > 0.9
    assert np.abs(found - wanted)[told].max() < 0.5
    assert angle == 0 or (np.abs(wanted[told]) > 1).any(1).sum() > 3


def test_walls_do_not_repel_and_without_obstacles_nothing_does():
    values = {"Position.x": 5.0, "Position.y": 6.0, "Velocity.x": 1.0, "Repulsion.radius": 50.0}
    assert steered(values, (), Settings(100, 100, "open")).tolist() == [[0, 0]]
