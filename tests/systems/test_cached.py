"""What is derived from a table is kept while its clocks, and the values it was derived with, are the same."""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.table import EntityTable
from systems.engine.cached import cached
from tests.worlds import MOVING, world_of


def test_it_is_derived_anew_when_rows_components_or_values_change_and_for_each_table():
    calls = []

    @cached
    def fastest(table: EntityTable, clocks: tuple[int, ...], factor: float) -> float:
        calls.append(table)
        return factor * float(table.columns["Motion.max_speed"][table.rows(Motion)].max())

    def now(table: EntityTable, factor: float) -> float:
        return fastest(table, table.clocks(Motion), factor)

    world = world_of(MOVING)
    world.spawn("boid", 3, {"Motion.max_speed": [1, 2, 3]})
    table = world.table
    assert [now(table, 1.0) for _ in range(3)] == [3, 3, 3]
    assert len(calls) == 1
    table.write("Velocity.x", table.rows(Position, Velocity), 5)
    assert now(table, 1.0) == 3
    assert len(calls) == 1
    assert now(table, 2.0) == 6
    assert fastest(table, table.clocks(Motion), factor=3.0) == 9
    table.write("Motion.max_speed", slice(3), np.float32(7))
    assert now(table, 2.0) == 14
    world.spawn("boid", 1, {"Motion.max_speed": 9})
    assert now(table, 2.0) == 18
    world.despawn(world.table.serial[3])
    assert now(table, 2.0) == 14
    other = world_of(MOVING)
    other.spawn("boid", 1, {"Motion.max_speed": 5})
    assert now(other.table, 2.0) == 10
    assert len(calls) == 7


def test_arrays_are_compared_by_their_contents_bit_by_bit():
    calls = []

    @cached
    def total(table: EntityTable, places: np.ndarray, name: str) -> float:
        calls.append(name)
        return float(places.sum())

    table = world_of(MOVING).table
    places = np.array([[0.0, 1.0], [np.nan, 2.0]], np.float32)
    for same in (places, places.copy()):
        total(table, same, "a")
    assert calls == ["a"]
    for other in (-places, places[:1], places.astype(np.float64), places.reshape(1, 4)):
        total(table, other, "a")
    assert len(calls) == 5
    total(table, places.reshape(1, 4), "b")
    assert calls[5:] == ["b"]
