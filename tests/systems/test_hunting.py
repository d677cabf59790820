"""A hunt over many ticks: the same bits for any threads and order of rows, no energy lost, nobody eaten twice."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from components.life import Energy
from components.predation import Predator, Prey
from components.store.world import World
from systems.engine.ledger import Ledger
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.move import movement, wrap
from tests.hunts import HUNTING
from tests.worlds import FLOCKING, columns, populated

PARTS = (*FLOCKING, *HUNTING[1:], movement.install, wrap.install)
TICKS = 150


def hunt(kind_of_edges: str, seed: int) -> World:
    """Three hundred entities: some hunt, some are hunted, some both; with every target and lists of prey."""
    rng = np.random.default_rng(seed)
    n, size = 300, 400.0
    values = {
        "Position.x": rng.random(n) * size, "Position.y": rng.random(n) * size,
        "Velocity.x": rng.normal(0, 60, n), "Velocity.y": rng.normal(0, 60, n),
        "Perception.radius": rng.choice([20, 50, 150], n), "Predator.digest": rng.choice([0, 0.1, 0.5], n),
        "Prey.fear_radius": rng.choice([20, 80, 500], n), "Predator.catch_radius": rng.choice([3, 8, 20], n),
    }  # fmt: skip
    values = {key: value.astype(np.float32) for key, value in values.items()}
    values |= {"Predator.target": rng.integers(0, 3, n), "Predator.hunts": rng.integers(0, 8, n).astype(np.uint64)}
    values |= {"Energy.level": rng.integers(0, 200 << 20, n)}
    world = populated(PARTS, Settings(size, size, kind_of_edges), values, rng.integers(0, 3, n))
    world.table.set_presence(np.flatnonzero(rng.random(n) > 0.1), [Predator], present=False)
    world.table.set_presence(np.flatnonzero(rng.random(n) > 0.9), [Prey], present=False)
    world.table.set_presence(np.flatnonzero(rng.random(n) > 0.9), [Energy], present=False)
    return world


def tick(world: World) -> None:
    world.resource(Pipeline).tick(world)
    world.commit()
    world.tick += 1


def state(world: World) -> dict[str, bytes]:
    """The columns of each component's entities, in the order of serials."""
    table, found = world.table, {}
    for component in table.components.values():
        rows = table.rows(component)
        rows = rows[np.argsort(table.serial[rows])]
        found[component.__name__] = table.serial[rows].tobytes()
        found |= {key: table.columns[key][rows].tobytes() for key in table.form(component).columns}
    return found


@pytest.mark.parametrize("kind_of_edges", ["wrap", "open"])
def test_threads_and_the_order_of_rows_change_nothing(kind_of_edges):
    found = []
    for threads, shuffled in ((1, False), (2, False), (2, True), (1, True)):
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        world, shuffle = hunt(kind_of_edges, 4), np.random.default_rng(threads)
        for _ in range(TICKS):
            if shuffled:
                world.table.reorder(shuffle.permutation(world.table.size))
            tick(world)
        found.append(state(world))
        assert world.resource(Ledger).catches > 10
        world.close()
    assert found[0] == found[1] == found[2] == found[3]


def test_no_energy_is_lost_and_nobody_is_eaten_twice():
    """What the caught still have when they go is all that leaves the world."""
    world = hunt("wrap", 5)
    table, gone = world.table, set()

    def energy() -> int:
        return int(table.columns["Energy.level"][table.rows(Energy)].sum())

    before, lost = energy(), 0
    for _ in range(TICKS):
        alive = set(table.serial[: table.size].tolist())
        world.resource(Pipeline).tick(world)
        with_all = energy()
        world.commit()
        lost += with_all - energy()
        died = alive - set(table.serial[: table.size].tolist())
        assert not died & gone
        gone |= died
    assert len(gone) == world.resource(Ledger).catches > 10
    assert before == energy() + lost


@pytest.mark.parametrize("off", ["flee", "pursuit", "predation"])
def test_each_system_can_be_switched_off_alone(off):
    world = hunt("wrap", 6)
    world.resource(Pipeline).by_name[off].enabled = False
    for _ in range(20):
        tick(world)
    assert (world.resources.get(Ledger, Ledger()).catches == 0) == (off == "predation")


def test_when_the_last_predator_is_gone_the_world_goes_on():
    world = hunt("wrap", 7)
    tick(world)
    world.despawn(world.table.serial[world.table.rows(Predator)])
    tick(world)
    assert world.table.size > 100


def test_whoever_neither_hunts_nor_is_hunted_flies_on_as_if_there_were_no_hunt():
    found = []
    for hunting in (True, False):
        world = hunt("wrap", 8)
        table = world.table
        bystanders = table.serial[: table.size] % 3 == 0
        table.set_presence(np.flatnonzero(bystanders), [Predator, Prey], present=False)
        for field in ("separation", "alignment", "cohesion"):
            table.columns[f"Flocker.{field}_strength"][:] = 0
        for name in ("flee", "pursuit", "predation"):
            world.resource(Pipeline).by_name[name].enabled = hunting
        for _ in range(20):
            tick(world)
        c = columns(world)
        order = np.argsort(c["serial"])
        found.append([c[key][order][c["serial"][order] % 3 == 0].tobytes() for key in ("Position.x", "Velocity.y")])
        world.close()
    assert found[0] == found[1]
