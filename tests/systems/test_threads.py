"""Threads: as many as a world is worth, idle ones asleep, and none that waits while there is work left."""

from __future__ import annotations

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import numba
import numpy as np
import pytest

from components.store.world import World
from systems.engine import threads
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from tests.worlds import FLOCKING, accelerations, populated, world_of

ROOT = Path(__file__).parents[2]
MOST = numba.config.NUMBA_NUM_THREADS


class Counting(System):
    """Notes on how many threads kernels would run."""

    phase = Phase.SENSE

    def run(self, world):
        world.resources[Counting] = threads.threads()


def threads_of_a_tick(boids: int) -> int:
    world = world_of([lambda app: app.add_system(Counting)])
    world.spawn("boid", boids)
    world.resource(Pipeline).tick(world)
    return world.resource(Counting)


def test_a_small_world_runs_on_one_thread_and_a_large_one_on_all(monkeypatch):
    monkeypatch.setattr(threads, "entities_per_thread", 2000)
    numba.set_num_threads(MOST)
    assert threads_of_a_tick(400) == 1
    assert threads_of_a_tick(2000 * MOST) == MOST
    assert numba.get_num_threads() == MOST


@pytest.mark.parametrize("count", [1, MOST])
def test_a_comparison_runs_on_exactly_as_many_as_it_asks_for(monkeypatch, count):
    monkeypatch.setattr(threads, "entities_per_thread", 2000)
    with threads.exactly(count):
        assert threads_of_a_tick(400) == count
    assert threads_of_a_tick(400) == 1


def wide_world() -> World:
    """Boids in a world so wide that every line of cells has several sections, most of them in its left half."""
    rng = np.random.default_rng(1)
    x = np.where(rng.random(600) < 0.8, 0.5, 1) * rng.random(600) * 20_000
    return populated(FLOCKING, Settings(20_000, 300, "wrap"), {"Position.x": x, "Position.y": rng.random(600) * 300})


def steered_by(count: int) -> np.ndarray:
    """The accelerations that so many threads give to the boids of the wide world."""
    with threads.exactly(count):
        assert threads.threads() == count
        return accelerations(wide_world())


MANY = """
import numpy, sys
from tests.systems.test_threads import steered_by
numpy.save(sys.stdout.buffer, [steered_by(int(count)) for count in sys.argv[1:]])
"""


def test_every_boid_is_steered_once_however_many_threads_share_the_work():
    """More threads than cores, and more than there are sections, run only where numba is told so when it starts."""
    alone, counts = steered_by(1), [2, 3, 7, 50]
    ran = subprocess.run(
        [sys.executable, "-c", MANY, *map(str, counts)],
        cwd=ROOT,
        env=os.environ | {"NUMBA_NUM_THREADS": "50"},
        stdout=subprocess.PIPE,
        check=True,
        timeout=300,
    )
    together = np.load(BytesIO(ran.stdout))
    assert len(together) == len(counts)
    assert all(np.array_equal(alone, each) for each in together)
    assert (alone != 0).any(axis=1).mean() > 0.5


def test_threads_that_wait_sleep():
    assert os.environ["OMP_WAIT_POLICY"] == "PASSIVE"
