"""The row of each serial: right for all who live, and no larger for all who ever lived."""

import numpy as np

from components.motion import Position
from components.store.row_lists import PAGE, RowOfSerial
from components.store.table import EntityTable


def test_it_agrees_with_a_dict_and_stays_small_while_serials_count_up():
    rng, rows, model = np.random.default_rng(1), RowOfSerial(), {}
    for first in range(1, 400 * PAGE, PAGE // 3):
        entities = np.arange(first, first + PAGE // 3)
        rows.add(entities, entities * 2)
        model |= dict(zip(entities.tolist(), (entities * 2).tolist(), strict=True))
        living = np.array(sorted(model))
        keeps = (living % 5000 == 0) | (living > first - 3 * PAGE) & (rng.random(len(living)) < 0.8)
        rows.drop(living[~keeps])
        model = {entity: model[entity] for entity in living[keeps].tolist()}
        moved = rng.permutation(living[keeps])[:50]
        rows.move(moved, moved % 77)
        model |= dict(zip(moved.tolist(), (moved % 77).tolist(), strict=True))
        assert rows.of(living[keeps]).tolist() == [model[entity] for entity in living[keeps].tolist()]
        assert [rows.one(entity) for entity in living[~keeps].tolist()] == [-1] * int((~keeps).sum())
    everyone = range(0, 401 * PAGE, 7)
    assert [rows.one(entity) for entity in everyone] == [model.get(entity, -1) for entity in everyone]
    assert len(rows._living) < 200


def test_who_never_was_has_no_row():
    rows = RowOfSerial()
    rows.add(np.array([5]), np.array([0]))
    assert [rows.one(entity) for entity in (-1, 0, 4, 6, PAGE, 10**12)] == [-1] * 6
    rows.add(np.zeros(0, np.int64), np.zeros(0, np.int64))
    rows.drop(np.zeros(0, np.int64))
    assert rows.of(np.array([5])).tolist() == [0]


def test_serials_far_apart_cost_no_memory_and_are_found_all_the_same():
    table, rng = EntityTable(), np.random.default_rng(1)
    table.declare(Position)
    serials = np.cumsum(rng.integers(1, 2**41, 3000))
    for some in np.split(serials, [40, 1000, 2500]):
        table.bind(table.append(len(some)), some)
    assert table.rows_of(serials).tolist() == list(range(3000))
    assert table.row_of(int(serials[-1]) + 1) == -1
    table.vacate(np.arange(0, 3000, 3))
    assert table.rows_of(np.append(serials[:3], -1)).tolist() == [-1, 1, 2, -1]
    table.close_gaps()
    table.reorder(rng.permutation(table.size))
    left = np.sort(table.serial[: table.size])
    assert table.serial[table.rows_of(left)].tolist() == left.tolist()
    assert table.row(int(left[7])) == table.row_of(int(left[7]))
    assert table._row_of_serial._rows.nbytes < 1e6
