"""Rows by entity id: right for all who live, and no larger for all who ever lived."""

import numpy as np

from components.store.entity_rows import PAGE, EntityRows


def test_it_agrees_with_a_dict_and_stays_small_while_ids_count_up():
    rng, rows, model = np.random.default_rng(1), EntityRows(), {}
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
    rows = EntityRows()
    rows.add(np.array([5]), np.array([0]))
    assert [rows.one(entity) for entity in (-1, 0, 4, 6, PAGE, 10**12)] == [-1] * 6
    rows.add(np.zeros(0, np.int64), np.zeros(0, np.int64))
    rows.drop(np.zeros(0, np.int64))
    assert rows.of(np.array([5])).tolist() == [0]
