"""What is derived from columns is kept as long as these stay the same."""

from __future__ import annotations

import numpy as np

from components.motion import Motion, Position, Velocity
from components.store.table import EntityTable
from systems.engine.kept import kept_while_same
from tests.worlds import MOVING, world_of


def test_it_is_derived_anew_when_rows_components_or_values_change_and_for_each_table():
    calls = []

    @kept_while_same(Motion)
    def fastest(table: EntityTable, factor: float) -> float:
        calls.append(table)
        return factor * float(table.columns["Motion.max_speed"][table.rows(Motion)].max())

    world = world_of(MOVING)
    world.spawn("boid", 3, {"Motion.max_speed": [1, 2, 3]})
    table = world.table
    assert [fastest(table, 1.0) for _ in range(3)] == [3, 3, 3]
    assert len(calls) == 1
    table.write("Velocity.x", table.rows(Position, Velocity), 5)
    assert fastest(table, 1.0) == 3
    assert len(calls) == 1
    assert fastest(table, 2.0) == fastest(table, factor=2.0) == 6
    assert fastest(table, factor=3.0) == 9
    table.write("Motion.max_speed", slice(3), np.float32(7))
    assert fastest(table, 2.0) == 14
    world.spawn("boid", 1, {"Motion.max_speed": 9})
    assert fastest(table, 2.0) == 18
    world.despawn(world.table.serial[3])
    assert fastest(table, 2.0) == 14
    other = world_of(MOVING)
    other.spawn("boid", 1, {"Motion.max_speed": 5})
    assert fastest(other.table, 2.0) == 10
    assert len(calls) == 8
