"""Magnets: those around are drawn to each of them, or pushed away, the shortest way round."""

from __future__ import annotations

import numpy as np
import pytest

from components.store.world import World
from systems.engine.settings import Settings
from systems.move import movement
from tests.bundled import module_of, opened
from tests.groups import assert_only_serials_count, boids, nearest_offsets, steered, world_of_groups

magnet = module_of("magnet")
TORUS = Settings(400, 300, "wrap")


def scattered(settings: Settings = TORUS, seed: int = 1) -> World:
    """Boids among magnets, some of which push; one stands upon a magnet."""
    rng = np.random.default_rng(seed)
    places, at = rng.random((150, 2)) * (400, 300), rng.random((12, 2)) * (400, 300)
    places[0] = at[0]
    magnets = {
        "Position.x": at[:, 0],
        "Position.y": at[:, 1],
        "Magnet.strength": rng.uniform(-500, 500, 12),
        "Magnet.radius": rng.uniform(10, 250, 12),
    }
    return world_of_groups([movement.install, magnet.install], {"boid": boids(places), "magnet": magnets}, settings)


def columns(world: World, *keys: str) -> np.ndarray:
    return np.stack([world.table.columns[key][: world.table.size].astype(float) for key in keys], axis=1)


@pytest.mark.parametrize("edges", ["wrap", "open"])
def test_accelerations_equal_the_equation(edges):
    world = scattered(Settings(400, 300, edges))
    place, (strength, radius) = (
        columns(world, "Position.x", "Position.y"),
        columns(world, "Magnet.strength", "Magnet.radius")[150:].T,
    )
    way = nearest_offsets(place[150:] - place[:150, None], world.resource(Settings).torus)
    distance = np.hypot(way[..., 0], way[..., 1])
    pull = np.where((distance < radius) & (distance > 0), strength / np.maximum(distance, 1e-9), 0)
    assert steered(world) == pytest.approx((way * pull[..., None]).sum(1), rel=1e-4, abs=1e-2)


def test_only_serials_count():
    assert_only_serials_count(scattered)


def test_its_scene_draws_boids_to_two_magnets_and_away_from_the_third():
    with opened("magnet", "magnets") as simulation:
        simulation.step(600)
        table = simulation.world.table
        place = columns(simulation.world, "Position.x", "Position.y")
        rows = table.rows(table.components["Magnet"])
        flock = place[table.rows(table.components["Flocker"])]
        near = [(np.hypot(*(flock - place[row]).T) < 100).sum() for row in rows]
        expected = len(flock) * np.pi * 100**2 / (1280 * 720)
        pushes = table.columns["Magnet.strength"][rows] < 0
    assert [bool(count < expected) for count in near] == pushes.tolist()
