"""The table keeps every row's values through growth, removal and reordering: compared with a plain dict."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from components.flock import Perception
from components.look import Look
from components.motion import Motion, Position, Velocity
from components.store.table import NEW, EntityTable


class TableAgainstDict(RuleBasedStateMachine):
    """`model` holds, by serial: x, size of its Look or None."""

    @initialize()
    def begin(self):
        self.table, self.model, self.next = EntityTable(), {}, 1
        for component in (Position, Look):
            self.table.declare(component)

    @rule(count=st.integers(0, 90), looks=st.booleans(), x=st.integers(-1000, 1000))
    def append(self, count, looks, x):
        rows = self.table.append(count)
        serials = np.arange(self.next, self.next + count)
        self.table.set_presence(rows, [Position, Look] if looks else [Position])
        self.table.columns["Position.x"][rows] = x + np.arange(count)
        self.table.bind(rows, serials)
        for k, serial in enumerate(serials.tolist()):
            self.model[serial] = (x + k, 5.0 if looks else None)
        self.next += count

    @rule(data=st.data(), born=st.integers(0, 20), looks=st.booleans())
    def remove(self, data, born, looks):
        gone = data.draw(st.lists(st.sampled_from(sorted(self.model)), unique=True)) if self.model else []
        self.table.vacate(np.sort(self.table.rows_of(np.array(gone, np.int64))))
        assert (self.table.rows_of(np.array(gone, np.int64)) == -1).all()
        for serial in gone:
            del self.model[serial]
        self.append(born, looks, 0)
        self.table.close_gaps()

    @rule(seed=st.integers(0, 1000))
    def reorder(self, seed):
        self.table.reorder(np.random.default_rng(seed).permutation(self.table.size))

    @rule(component=st.sampled_from([Velocity, Motion, Perception]))
    def declare_late(self, component):
        self.table.declare(component)

    @rule(data=st.data(), size=st.integers(1, 100))
    def write(self, data, size):
        if looking := [serial for serial, values in self.model.items() if values[1] is not None]:
            serial = data.draw(st.sampled_from(looking))
            self.table.columns["Look.size"][self.table.row(serial)] = size
            self.model[serial] = (self.model[serial][0], float(size))

    @invariant()
    def holds_what_the_dict_holds(self):
        table, size = self.table, self.table.size
        assert sorted(table.serial[:size].tolist()) == sorted(self.model)
        looks = set(table.rows(Position, Look).tolist())
        assert table.rows(Position).tolist() == list(range(size))
        for row in range(size):
            serial = int(table.serial[row])
            x, look = self.model[serial]
            assert (table.serial[row], table.row(serial), table.columns["Position.x"][row]) == (serial, row, x)
            assert (row in looks) == (look is not None)
            assert look is None or table.columns["Look.size"][row] == look

    @invariant()
    def finds_serials_and_knows_who_is_gone(self):
        serials = np.arange(0, self.next + 1)
        rows = self.table.rows_of(serials)
        assert [serial for serial, row in zip(serials.tolist(), rows, strict=True) if row >= 0] == sorted(self.model)
        assert all(self.table.serial[row] == serial for serial, row in zip(serials, rows, strict=True) if row >= 0)


TableAgainstDict.TestCase.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
TestTable = TableAgainstDict.TestCase


def test_rows_are_found_by_what_they_have_and_by_serial():
    table = EntityTable()
    for component in (Position, Look):
        table.declare(component)
    for serial, components in ((1, [Position, Look]), (2, [Look]), (3, [Position, Look])):
        row = table.append(1)
        table.set_presence(row, components)
        table.bind(row, np.array([serial]))
    assert table.has(np.arange(3), Position).tolist() == [True, False, True]
    assert table.has(np.arange(3), Position, Look).tolist() == [True, False, True]
    assert table.has(0, Look) is True
    assert table.has(1, Position) is False
    table.vacate(np.array([0]))
    table.close_gaps()
    assert table.serial[table.living(np.array([3, 1, 2]))].tolist() == [3, 2]
    assert table.row_of(1) == -1
    assert table.serial[table.row_of(3)] == 3


def test_clocks_of_membership_and_of_values_move_when_their_own_component_changes_and_only_then():
    table = EntityTable()
    for component in (Position, Look):
        table.declare(component)
    table.bind(table.append(4, table.mask([Position])), np.arange(1, 5))
    for change, moved in (
        (lambda: None, set()),
        (lambda: table.write("Look.size", 0, 3.0), {"values of Look"}),
        (lambda: table.set_presence([2], [Look]), {"membership of Look"}),
        (lambda: table.append(0, table.mask([Look])), set()),
        (lambda: table.bind(table.append(1, table.mask([Position])), np.array([9])), {"membership of Position"}),
        (lambda: (table.vacate(np.array([4])), table.close_gaps()), {"membership of Position"}),
        (lambda: (table.vacate(np.array([0])), table.close_gaps()), {"membership of Position"}),
        (lambda: table.reorder(np.array([2, 0, 1])), {"membership of Position", "membership of Look"}),
        (lambda: table.set_presence([0], [Look], present=False), {"membership of Look"}),
    ):
        names = {name: getattr(table, kind)[of] for name, kind, of in CLOCKS}
        every = table.clocks()
        change()
        assert {name for name, kind, of in CLOCKS if getattr(table, kind)[of] != names[name]} == moved
        assert (table.clocks() != every) == any("membership" in name for name in moved)


CLOCKS = [
    (f"{name} of {component}", f"{kind}_clocks", component)
    for name, kind in (("values", "value"), ("membership", "membership"))
    for component in ("Position", "Look")
]


def test_a_row_column_goes_with_its_rows_and_is_new_in_new_ones():
    table = EntityTable()
    table.declare(Position)
    table.append(5, table.mask([Position]))
    table.row_column("own")[:5] = np.arange(5)
    table.vacate(np.array([1, 3]))
    table.append(1, table.mask([Position]))
    table.close_gaps()
    table.append(100, table.mask([Position]))
    assert table.row_column("own")[:6].tolist() == [0, NEW, 2, 4, NEW, NEW]
    table.reorder(np.arange(104)[::-1])
    assert set(table.row_column("own")[:104].tolist()) == {NEW}
