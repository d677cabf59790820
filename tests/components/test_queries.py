"""esper's queries answer in order of serials, whatever became of the world before."""

from __future__ import annotations

import esper
import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.prefab import Prefab
from components.store.table import EntityTable
from components.store.world import World
from tests.worlds import bring

BUNDLE = {"Position": {}, "Velocity": {}, "Motion": {}}


def world_of(serials: list[int]) -> World:
    """A world whose entities were made in this order."""
    world = World(prefabs={"boid": Prefab("boid", BUNDLE)}, table=EntityTable())
    for component in (Position, Velocity, Motion):
        world.table.declare(component)
    for serial in serials:
        bring(world, "boid", [serial], [Position, Velocity, Motion], {"Position.x": serial})
    world.enter()
    return world


def asked() -> list[float]:
    return [position.x for _, (position, _) in esper.get_components(Position, Velocity)]


def test_they_answer_in_order_of_serials() -> None:
    world = world_of([5, 1, 9000, 3, 2])
    assert asked() == [1, 2, 3, 5, 9000]
    assert [position.x for _, position in esper.get_component(Position)] == [1, 2, 3, 5, 9000]
    world.despawn([3])
    bring(world, "boid", [4], [Position, Velocity, Motion], {"Position.x": 4})
    assert asked() == [1, 2, 4, 5, 9000]


def test_the_order_of_rows_does_not_matter() -> None:
    world = world_of([1, 2, 3])
    world.table.reorder(np.array([2, 0, 1]))
    assert asked() == [1, 2, 3]


def test_an_answer_is_a_list_of_ones_own() -> None:
    world = world_of([1, 2, 3])
    for _ in range(2):
        esper.get_components(Position, Velocity).reverse()
        esper.get_component(Position).clear()
    assert asked() == [1, 2, 3]
    assert len(esper.get_component(Position)) == 3
    world.close()


def test_worlds_do_not_mix_and_come_back_as_they_were() -> None:
    one, other = world_of([2, 1]), world_of([4, 3])
    for _ in range(2):
        one.enter()
        assert asked() == [1, 2]
        other.enter()
        assert asked() == [3, 4]


def test_what_has_no_row_comes_first() -> None:
    class Cloud:
        """Plain esper."""

    world_of([1])
    esper.create_entity(Cloud())
    assert len(esper.get_component(Cloud)) == 1
