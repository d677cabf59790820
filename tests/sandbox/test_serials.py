"""Serials are a sequence that never changes: commands hold them in a log, and 100,000 of them cost little."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.store.table import EntityTable
from sandbox.edit import Despawn, Move, SetField
from sandbox.serials import Serials


@given(numbers=st.lists(st.integers(1, 50)), others=st.lists(st.integers(1, 50)))
def test_they_are_like_the_tuple_of_the_same_numbers(numbers: list[int], others: list[int]) -> None:
    serials, plain = Serials(numbers), tuple(sorted({*numbers}))
    assert serials == plain
    assert tuple(serials) == plain
    assert (len(serials), bool(serials), hash(serials)) == (len(plain), bool(plain), hash(plain))
    assert [serials[n] for n in range(len(plain))] == [*plain]
    assert serials[1:] == plain[1:]
    assert all((n in serials) == (n in plain) for n in range(60))
    assert (serials == Serials(others)) == (plain == tuple(sorted({*others})))


def test_they_follow_no_array_that_they_were_made_of_and_can_not_be_written() -> None:
    array = np.array([1, 2, 3])
    serials = Serials(array)
    array[0] = 9
    assert serials == (1, 2, 3)
    with pytest.raises(ValueError, match="read-only"):
        serials.array[0] = 9


def test_made_of_others_they_share_the_array() -> None:
    serials = Serials(np.arange(100_000))
    assert np.shares_memory(Serials(serials).array, serials.array)
    assert np.shares_memory(Despawn(serials).serials.array, serials.array)


def test_commands_about_the_same_entities_are_equal_however_these_were_written() -> None:
    for written in ((3, 1, 1), [1, 3], np.array([3, 1], np.int32), Serials((1, 3))):
        assert Despawn(written) == Despawn((1, 3))
        assert hash(Move(written, 1, 2)) == hash(Move((1, 3), 1, 2))
    assert SetField("Look.size", 5, (1, 3)) != SetField("Look.size", 5, (1, 2))


@given(gaps=st.lists(st.tuples(st.integers(1, 3), st.integers(0, 4))))
def test_made_of_runs_they_are_the_same_and_stay_runs(gaps: list[tuple[int, int]]) -> None:
    ends = np.cumsum([0, *(step for gap in gaps for step in gap)])[1:].reshape(-1, 2)
    runs = Serials.of_runs(ends.tolist())
    plain = Serials([serial for first, last in ends.tolist() for serial in range(first, last + 1)])
    assert runs == plain
    assert (len(runs), tuple(runs), hash(runs)) == (len(plain), tuple(plain), hash(plain))
    assert Serials.of_runs(plain.runs.tolist()) == plain
    assert Despawn(runs).serials.kept.nbytes == 16 * len(gaps)


@given(
    living=st.lists(st.integers(1, 40), unique=True),
    ends=st.lists(st.integers(1, 60), unique=True).map(lambda ends: sorted(ends)[: len(ends) // 2 * 2]),
)
def test_the_rows_of_those_who_live_are_the_same_of_runs_as_of_serials(living: list[int], ends: list[int]) -> None:
    table = EntityTable()
    table.bind(table.append(len(living)), np.array(living, np.int64))
    runs = Serials.of_runs(np.array(ends).reshape(-1, 2).tolist())
    expected = [living.index(serial) for serial in sorted(living) if serial in runs]
    assert runs.rows_in(table).tolist() == expected
    assert Serials(runs.array).rows_in(table).tolist() == expected


def test_of_many_the_first_are_shown() -> None:
    assert repr(Serials((1, 2))) == "Serials([1, 2])"
    assert repr(Serials(range(1, 100_001))) == "Serials([1, 2, 3, 4, 5, 6, 7, 8, ...] of 100,000)"
