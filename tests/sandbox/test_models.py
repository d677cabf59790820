"""The five models by their own equations, written down plainly: `explain` says of fifty boids what they give."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from sandbox.explain.explanation import explain
from sandbox.scenes.bundled import find_scene
from sandbox.scenes.reader import read_scene
from sandbox.simulation import Simulation
from systems.engine.settings import Settings

Vector = np.ndarray
Rules = dict[str, Vector]
ZERO = np.zeros(2)
pytestmark = pytest.mark.usual_threads


class Boid:
    """One of a flock, and the offsets and velocities of all others, float64."""

    def __init__(self, simulation: Simulation, row: int) -> None:
        table, settings = simulation.world.table, simulation.world.resource(Settings)
        rows = table.rows(*(table.components[name] for name in ("Position", "Velocity", "Flocker")))
        place, velocity = (
            np.stack([table.columns[f"{name}.{axis}"][: table.size] for axis in "xy"], axis=1).astype(float)
            for name in ("Position", "Velocity")
        )
        mates = rows[table.prefab[rows] == table.prefab[row]]
        others = mates[mates != row]
        self.p, self.v, self.size, self.torus = place[row], velocity[row], simulation, settings.torus
        self.world = np.array([settings.width, settings.height])
        self.offset, self.w = self.to(place[others]), velocity[others]
        self.distance = np.hypot(*self.offset.T)
        leads = table.has(mates, table.components["Leader"])
        self.leads, self.leaders = row in mates[leads], velocity[mates[leads]]
        rocks = table.rows(*(table.components[name] for name in ("Position", "Obstacle")))
        self.rocks = -self.to(place[rocks])

    def to(self, places: Vector) -> Vector:
        """From here to the nearest copies of these places."""
        offset = places - self.p
        return offset - self.world * np.rint(offset / self.world) if self.torus else offset

    def within(self, radius: float) -> Vector:
        """Who is nearer than that, as float32 knows distances."""
        near = self.offset.astype(np.float32)
        return near[:, 0] * near[:, 0] + near[:, 1] * near[:, 1] < np.float32(radius) ** 2

    def mean(self, of: Vector, radius: float) -> Vector | None:
        near = self.within(radius)
        return of[near].mean(axis=0) if near.any() else None

    def away(self, radius: float, weight: Callable[[Vector], Vector]) -> Vector:
        """Of each who is nearer than that: weight(d) * unit(p - q)."""
        near = self.within(radius)
        d = self.distance[near][:, None]
        return -self.offset[near] / d * weight(d)


def limit(a: Vector, most: float) -> Vector:
    size = float(np.hypot(*a))
    return a * most / size if size > most else a


def unit(a: Vector) -> Vector:
    size = float(np.hypot(*a))
    return a / size if size > 0 else a


def ronan(b: Boid) -> Rules:
    c, w = b.mean(b.offset, 50), b.mean(b.w, 50)
    return {
        "cohesion": ZERO if c is None else 12 * c,
        "alignment": ZERO if w is None else limit(60 * (w - b.v), 18),
        "separation": 600 * b.away(30, lambda d: 1 - d / 30).sum(axis=0),
    }


def scarf(b: Boid) -> Rules:
    direction = np.array([np.cos(np.radians(20)), np.sin(np.radians(20))])
    return {
        "cohesion": b.offset.mean(axis=0),
        "alignment": 6 * (b.w.mean(axis=0) - b.v),
        "separation": 150 * b.away(20, lambda d: d).sum(axis=0),
        "containment": 3600 * inward(b, 4),
        "wind": 0.3 * (60 * direction - b.v),
    }


def birb(b: Boid) -> Rules:
    c, w, s = b.mean(b.offset, 60), b.mean(b.w, 60), b.away(26, np.ones_like)
    return {
        "cohesion": ZERO if c is None else 1.5 * c,
        "alignment": ZERO if w is None else 1.5 * (120 * unit(w) - b.v),
        "separation": 400 * s.mean(axis=0) if len(s) else ZERO,
    }


def quelea(b: Boid) -> Rules:
    c, w, s = b.mean(b.offset, 50), b.mean(b.w, 25), b.away(24, lambda d: 1 / np.maximum(d, 0.024))
    d = np.hypot(*b.rocks.T)
    flies_at = b.rocks @ unit(b.v) < np.cos(np.radians(108)) * d
    o = (b.rocks / (d * d)[:, None])[(d < 50) & ~flies_at]
    return {
        "cohesion": ZERO if c is None else limit(60 * (180 * unit(c) - b.v), 720),
        "alignment": ZERO if w is None else limit(60 * (180 * unit(w) - b.v), 1080),
        "separation": limit(60 * (180 * unit(s.sum(axis=0)) - b.v), 1440) if len(s) else ZERO,
        "obstacle_repulsion": limit(60 * (180 * unit(o.sum(axis=0)) - b.v), 2700) if len(o) else ZERO,
    }


def pallas(b: Boid) -> Rules:
    c, w = b.mean(b.offset, 40), b.mean(b.w, 40)
    return {
        "cohesion": ZERO if c is None else 0.03 * c,
        "alignment": ZERO if w is None else 3 * (w - b.v),
        "separation": 3 * b.away(8, lambda d: d).sum(axis=0),
        "containment": 12 * inward(b, 50),
        "leading": ZERO if b.leads else 0.6 * (b.leaders.mean(axis=0) - b.v),
    }


def inward(b: Boid, margin: float) -> Vector:
    return (b.p < margin).astype(float) - (b.p > b.world - margin)


MODELS = {"ronan": ronan, "scarf": scarf, "birb": birb, "quelea": quelea, "pallas": pallas}


@pytest.mark.parametrize("name", MODELS)
def test_accelerations_are_those_of_its_equations(name: str) -> None:
    with Simulation(read_scene(find_scene(name))) as simulation:
        world, done, compared = simulation.world, 0, set()
        for ticks in (0, 60, 300, 600):
            simulation.step(ticks - done)
            done = ticks
            flock = world.table.serial[world.table.rows(world.table.components["Flocker"])]
            for serial in np.sort(flock)[np.linspace(0, len(flock) - 1, 50).astype(int)]:
                row = int(world.table.rows_of(np.array([serial]))[0])
                expected, found = MODELS[name](Boid(simulation, row)), explain(simulation, int(serial))
                extra = {rule: np.array(a) for rule, a in found.rules.items() if rule not in expected}
                assert all(not a.any() for rule, a in extra.items() if rule != "wander"), f"{extra} after {ticks}"
                for rule, a in expected.items():
                    near(found.rules[rule], a, f"{rule} of {serial} after {ticks}")
                    compared |= {rule} if a.any() else set()
                near(found.acceleration, sum(expected.values()) + extra["wander"], f"sum of {serial} after {ticks}")
        assert compared == set(expected)


def near(found: tuple[float, float], expected: Vector, what: str) -> None:
    assert np.hypot(*(np.array(found) - expected)) <= 1e-3 * (np.hypot(*expected) + 1), what
