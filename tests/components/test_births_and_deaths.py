"""Whoever is born, ends, gains or loses components: every way to find rows and values agrees with a plain dict."""

import itertools

import esper
import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from components.flock import Flocker, Perception
from components.look import Look
from components.motion import Motion, Position, Velocity
from components.store import row_lists
from components.store.prefab import Prefab
from components.store.table import EntityTable
from components.store.world import World

TYPES = {component.__name__: component for component in (Position, Velocity, Motion, Look)}
FIELDS = {"Position": "x", "Velocity": "y", "Motion": "max_speed", "Look": "size"}
PREFABS = {
    "boid": Prefab("boid", {"Position": {}, "Velocity": {}, "Motion": {"max_speed": 90.0}}),
    "stone": Prefab("stone", {"Position": {}, "Look": {"size": 9.0}}),
}
MIXES = [mix for size in (1, 2, 3) for mix in itertools.combinations(TYPES.values(), size)]
values_ = st.integers(1, 1000).map(float)


def default(name: str) -> float:
    return TYPES[name].fields[FIELDS[name]].default


class WorldAgainstDict(RuleBasedStateMachine):
    """`living` holds, by serial, the value of one field of each component; `waiting` what a tick has put off."""

    @initialize()
    def begin(self):
        self.world = World(prefabs=dict(PREFABS))
        for component in (*TYPES.values(), Perception):
            self.world.table.declare(component)
        self.living, self.dying, self.waiting, self.in_tick, self.held = {}, set(), [], False, []

    def teardown(self):
        if hasattr(self, "world"):
            self.world.close()

    def change(self, function):
        if self.in_tick:
            self.waiting.append(function)
        else:
            function()

    def pick(self, data):
        return data.draw(st.sampled_from(sorted(self.living)))

    @rule(prefab=st.sampled_from(sorted(PREFABS)), count=st.integers(0, 70), x=values_, looks=st.booleans())
    def spawn(self, prefab, count, x, looks):
        given = {"Position.x": x + np.arange(count)} | ({"Look.size": 7.0} if looks else {})
        serials = self.world.spawn(prefab, count, given).tolist()

        def born():
            for n, serial in enumerate(serials):
                own = {
                    name: fields.get(FIELDS[name], default(name)) for name, fields in PREFABS[prefab].components.items()
                }
                self.living[serial] = own | {"Position": x + n} | ({"Look": 7.0} if looks else {})

        self.change(born)

    @rule(count=st.integers(0, 70), value=st.sampled_from(["text", np.zeros(71), np.zeros((2, 2))]))
    def spawn_what_fails(self, count, value):
        with pytest.raises(ValueError, match=r"Position\.x"):
            self.world.spawn("boid", count, {"Position.x": value})

    @rule(count=st.integers(1, 5))
    def despawn_the_newest(self, count):
        self.despawn([*range(self.world.next_serial - count, self.world.next_serial)])

    @rule(serials=st.lists(st.integers(-1, 150), max_size=20))
    def despawn(self, serials):
        self.world.despawn(serials)
        self.dying |= set(serials) & set(self.living)
        unborn = set(serials) - set(self.living)
        self.change(lambda: [self.living.pop(serial, None) for serial in unborn])
        self.bury_unless_in_tick()

    @rule(data=st.data(), kind=st.sampled_from([np.int32, np.int64]))
    def despawn_rows(self, data, kind):
        size = self.world.table.size
        rows = np.array(data.draw(st.lists(st.integers(0, size - 1), max_size=20)) if size else [], kind)
        self.dying |= set(self.world.table.serial[rows].tolist())
        self.world.despawn_rows(rows)
        self.bury_unless_in_tick()

    def bury_unless_in_tick(self):
        if not self.in_tick:
            for serial in self.dying:
                del self.living[serial]
            self.dying = set()

    @precondition(lambda self: self.living)
    @rule(data=st.data(), name=st.sampled_from(sorted(TYPES)), value=values_)
    def add(self, data, name, value):
        serial = self.pick(data)
        self.world.add(serial, TYPES[name], **{FIELDS[name]: value})
        self.change(lambda: self.living.get(serial, {}).update({name: value}))

    @precondition(lambda self: any(len(own) > 1 for own in self.living.values()))
    @rule(data=st.data())
    def remove(self, data):
        serial = data.draw(st.sampled_from(sorted(serial for serial, own in self.living.items() if len(own) > 1)))
        name = data.draw(st.sampled_from(sorted(self.living[serial])))
        self.world.remove(serial, TYPES[name])
        self.change(lambda: self.take(serial, name))

    def take(self, serial, name):
        own = self.living.get(serial, {})
        if len(own) > 1:  # the last one stays
            own.pop(name, None)

    @precondition(lambda self: self.living)
    @rule(data=st.data(), value=values_)
    def write(self, data, value):
        serial = self.pick(data)
        if "Position" in self.living[serial]:
            self.world.get(serial, Position).x = value
            self.living[serial]["Position"] = value

    @rule(seed=st.integers(0, 1000))
    def reorder(self, seed):
        self.world.reorder(np.random.default_rng(seed).permutation(self.world.table.size))

    @rule()
    def begin_tick(self):
        self.world.begin_tick()
        self.in_tick = True

    @rule()
    def commit(self):
        self.world.commit()
        self.in_tick = False
        self.bury_unless_in_tick()
        for function in self.waiting:
            function()
        self.waiting = []

    @invariant()
    def rows_are_those_who_have_the_components(self):
        table = self.world.table
        assert sorted(table.serial[: table.size].tolist()) == sorted(self.living)
        for mix in MIXES:
            names = [component.__name__ for component in mix]
            rows = table.rows(*mix)
            assert rows.dtype == np.int32
            assert np.all(np.diff(rows) > 0)
            having = [serial for serial, own in self.living.items() if all(name in own for name in names)]
            assert sorted(table.serial[rows].tolist()) == sorted(having)
            self.held.append((rows, rows.copy()))

    @invariant()
    def the_population_is_who_lives(self):
        counts = np.bincount(self.world.table.prefab[: self.world.table.size], minlength=64)
        assert self.world.population.tolist() == counts.tolist()

    @invariant()
    def rows_handed_out_never_change(self):
        assert all(np.array_equal(rows, copy) for rows, copy in self.held)
        del self.held[:-100]

    @invariant()
    def serials_entities_and_rows_agree(self):
        table = self.world.table
        serials = np.arange(self.world.next_serial + 1)
        found = table.rows_of(serials)
        assert serials[found >= 0].tolist() == sorted(self.living)
        assert table.serial[found[found >= 0]].tolist() == sorted(self.living)
        entities = table.serial[: table.size]
        assert [table.row(entity) for entity in entities.tolist()] == list(range(table.size))

    @invariant()
    def records_and_handles_hold_the_values(self):
        table = self.world.table
        self.world.enter()
        for name, component in TYPES.items():
            found = {}
            for entity, handle in esper.get_component(component):
                row, value = table.row(entity), getattr(handle, FIELDS[name])
                assert table.records(component)[FIELDS[name]][row] == value
                found[int(table.serial[row])] = value
            assert found == {serial: own[name] for serial, own in self.living.items() if name in own}

    @invariant()
    def those_who_end_are_known(self):
        dying = self.world.dying
        assert dying.dtype == np.int64
        assert np.all(np.diff(dying) > 0)
        assert set(self.world.table.serial[dying].tolist()) == self.dying

    @invariant()
    def what_nobody_has_is_never_written(self):
        assert not self.world.table.records(Perception).view(np.uint8).any()


WorldAgainstDict.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestWorld = WorldAgainstDict.TestCase


@pytest.mark.verify
class TestLongLives(WorldAgainstDict.TestCase):
    """Some faults take hundreds of births and deaths, and many ticks."""

    settings = settings(max_examples=20, stateful_step_count=400, deadline=None)


@pytest.mark.parametrize("few", [0, 3, 40, 1024])
def test_rows_are_right_whether_few_or_many_changed(few, monkeypatch):
    """Of thousands, where the shortcuts of `rows` begin and end."""
    monkeypatch.setattr(row_lists, "FEW", few)
    table, rng, next_entity = EntityTable(), np.random.default_rng(few), 0
    types = (Position, Velocity, Motion, Look, Flocker)
    for component in types:
        table.declare(component)
    mixes = [mix for size in (0, 1, 2) for mix in itertools.combinations(types, size)]
    for _ in range(150):
        most = int(rng.choice([2, 50, 3000]))
        step = rng.integers(4)
        if step == 0:
            rows = table.append(int(rng.integers(most)))
            table.set_presence(rows, rng.choice(types, 3, replace=False))
            table.bind(rows, np.arange(next_entity, next_entity + len(rows)))
            next_entity += len(rows)
        elif step == 1 and table.size:
            table.vacate(np.unique(rng.integers(0, table.size, min(most, table.size // 2))))
            table.close_gaps()
        elif step == 2 and table.size:
            rows = np.unique(rng.integers(0, table.size, most))
            table.set_presence(rows, rng.choice(types, 1), present=bool(rng.integers(2)))
        elif step == 3 and most == 50:
            table.reorder(rng.permutation(table.size))
        for mix in mixes:
            if rng.random() < 0.7:
                bits = np.uint64(table.mask(mix))
                expected = np.flatnonzero(table.presence[: table.size] & bits == bits)
                assert np.array_equal(table.rows(*mix), expected)


def test_who_is_born_in_a_tick_can_end_in_it():
    world = World(prefabs=dict(PREFABS))
    for component in TYPES.values():
        world.table.declare(component)
    world.begin_tick()
    world.despawn(world.spawn("stone", 3)[1:])
    assert world.dying.tolist() == []
    world.commit()
    assert world.table.serial[: world.table.size].tolist() == [1]
    world.close()


def test_where_more_die_than_are_born_no_row_stays_vacant():
    world = World(prefabs=dict(PREFABS))
    for component in TYPES.values():
        world.table.declare(component)
    old = world.spawn("stone", 20)
    world.begin_tick()
    world.despawn(old[:5])
    new = world.spawn("stone", 2)
    world.despawn(new[:1])
    world.despawn([-1])
    world.commit()
    assert sorted(world.table.serial[: world.table.size].tolist()) == [*old[5:].tolist(), new[1]]
    assert world.population.sum() == 16
    world.close()


def test_rows_asked_to_end_are_found_again_after_a_reorder():
    world = World(prefabs=dict(PREFABS))
    for component in TYPES.values():
        world.table.declare(component)
    world.spawn("stone", 5)
    world.begin_tick()
    world.despawn_rows(np.array([1, 3, 1]))
    world.reorder(np.array([4, 3, 2, 1, 0]))
    world.despawn_rows(np.array([1, 4]))
    assert world.dying.tolist() == [1, 3, 4]
    world.commit()
    assert sorted(world.table.serial[: world.table.size]) == [3, 5]
    assert world.dying.tolist() == []
    world.close()


def test_rows_are_right_when_the_table_grows_after_a_death():
    table = EntityTable()
    table.declare(Position)
    for first, count in ((0, len(table.serial)), (100, 2)):
        rows = table.append(count)
        table.set_presence(rows, [Position])
        table.bind(rows, np.arange(first, first + count))
        assert table.rows(Position).tolist() == list(range(table.size))
        table.vacate(np.array([0]))
        table.close_gaps()


def test_records_move_only_with_those_who_have_them():
    """Else the few who have a component would cost memory for all who lack it."""
    table = EntityTable()
    for component in (Position, Look):
        table.declare(component)
    rows = table.append(1000)
    table.set_presence(rows, [Position])
    table.set_presence([7, 8], [Look])
    table.bind(rows, np.arange(1000))
    sizes = table.columns["Look.size"]
    sizes[:] = np.arange(len(sizes))
    table.reorder(np.roll(np.arange(1000), 100))
    table.vacate(np.arange(0, 50))
    table.close_gaps()
    assert table.rows(Look).tolist() == [107, 108]
    assert sizes[[107, 108]].tolist() == [7, 8]
    sizes[[107, 108]] = [107, 108]
    assert np.array_equal(sizes, np.arange(len(sizes)))
