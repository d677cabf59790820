"""A hand: a = strength * (1 - (d / radius)²)² * (q - p) / max(d, near), within its radius."""

from __future__ import annotations

import numpy as np
import pytest

from components.store.world import World
from systems.engine.hand import Hand
from systems.engine.settings import Settings
from systems.steer import attraction
from tests.flocks import sized
from tests.groups import PLAIN, assert_only_serials_count, boids, nearest_offsets, steered, world_of_groups

HELD = Hand(500.0, 400.0, 60.0, 300.0)


def world_with(held: Hand | None, places: object, settings: Settings = PLAIN) -> World:
    world = world_of_groups([attraction.install], {"boid": boids(places)}, settings)  # type: ignore[arg-type]
    if held:
        world.resources[Hand] = held
    return world


def test_it_pulls_less_and_less_towards_its_radius_and_nobody_beyond() -> None:
    places = [[500 - d, 400] for d in (15, 30, 150, 299, 300, 301)]
    found = steered(world_with(HELD, places))
    shares = [(1 - (d / 300) ** 2) ** 2 for d in (15, 30, 150, 299, 300)] + [0]
    assert np.allclose(found, [[60 * share, 0] for share in shares], atol=1e-4)


def test_the_pull_dies_away_where_it_is() -> None:
    found = steered(world_with(HELD, [[500 - d, 400] for d in (7.5, 1.5, 0)]))
    assert np.allclose(found, [[30, 0], [6, 0], [0, 0]], atol=0.1)


def test_below_0_it_scares_away() -> None:
    pulled, scared = (steered(world_with(Hand(500, 400, s, 300), [[450, 380], [520, 600]])) for s in (60.0, -60.0))
    assert (pulled == -scared).all()
    assert (pulled != 0).all()


@pytest.mark.parametrize("size", [(1000, 800), (1000, 800, 600)])
@pytest.mark.parametrize("edges", ["wrap", "open"])
def test_it_is_as_the_equation_says(edges: str, size: tuple[float, ...]) -> None:
    rng = np.random.default_rng(3)
    settings = sized(size, edges)
    places = rng.uniform(0, size, (200, len(size))).astype(np.float32)
    held = Hand(*rng.uniform((0, 0, -900, 5, 0), (1000, 800, 900, 600, 600)).tolist())
    offsets = nearest_offsets(np.array([held.x, held.y, held.z][: len(size)]) - places, settings.torus)
    d = np.linalg.norm(offsets, axis=1, keepdims=True)
    share = np.clip(1 - (d / held.radius) ** 2, 0, 1) ** 2
    expected = held.strength * share * offsets / np.maximum(d, min(0.05 * held.radius, 15))
    assert np.allclose(steered(world_with(held, places, settings)), expected, atol=1e-2)


@pytest.mark.parametrize("size", [(1000, 800), (1000, 800, 600)])
def test_the_order_of_rows_and_threads_change_no_bit(size: tuple[float, ...]) -> None:
    places = np.random.default_rng(1).uniform(0, size, (100, len(size)))
    assert_only_serials_count(lambda: world_with(HELD, places, sized(size, "wrap")))
