"""A savepoint holds all of a world and gives it back: compared with a plain description of the world."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from components.flock import Flocker, Perception
from components.look import Look
from components.motion import Motion, Position, Velocity
from components.store.declare import component as declare
from components.store.declare import number
from components.store.fields import DEEP
from components.store.prefab import Prefab
from components.store.records import form_of
from components.store.resources import resource
from components.store.savepoint import Savepoint, difference, lasting_savepoint, stored_difference
from components.store.world import World

COMPONENTS = (Position, Velocity, Motion, Perception, Flocker, Look)
PREFABS = {
    "bird": Prefab("bird", {"Position": {}, "Velocity": {}, "Look": {"size": 4.0}}),
    "stone": Prefab("stone", {"Position": {}}),
    "ghost": Prefab("ghost", {"Look": {}}),
}


@resource
class Season:
    """What time of the year it is."""

    warmth: float = number(0.5, "", 0, 1, "how warm it is")


def new_world() -> World:
    world = World(seed=3, prefabs=dict(PREFABS))
    for component in COMPONENTS:
        world.table.declare(component)
    world.resources[Season] = Season()
    return world


def values(world: World, serial: int) -> dict[str, bytes]:
    """All values of one entity, by column."""
    table, row = world.table, world.table.row_of(serial)
    own = [component for component in COMPONENTS if table.has(row, component)]
    return {key: table.columns[key][row].tobytes() for component in own for key in form_of(component).columns}


def description(world: World) -> dict[str, Any]:
    """All that a savepoint holds, in plain Python, with the order of rows."""
    table = world.table
    return {
        "numbers": (world.tick, world.seed, world.next_serial),
        "prefabs": list(world.prefabs.values()),
        "season": world.resource(Season).warmth,
        "rows": {serial: (table.prefab[row], values(world, serial)) for row, serial in enumerate(serials(world))},
        "order": serials(world),
        "population": world.population.tolist(),
    }


def lasting_description(world: World) -> dict[str, Any]:
    """What a lasting savepoint holds: entities by ascending serial, without transient values."""
    found = description(world)
    transient = {key for c in COMPONENTS for field in form_of(c).fields if field.transient for key in field.columns()}
    rows = {
        serial: (prefab, {key: value for key, value in of.items() if key not in transient})
        for serial, (prefab, of) in found["rows"].items()
    }
    return {**found, "rows": rows, "order": sorted(found["order"])}


def serials(world: World) -> list[int]:
    living: list[int] = world.table.serial[: world.table.size].tolist()
    return living


def held(savepoint: Savepoint) -> dict[str, Any]:
    """What a savepoint holds, as bytes."""
    return {
        "numbers": (savepoint.tick, savepoint.seed, savepoint.next_serial, savepoint.prefabs, savepoint.stored),
        "rows": [array.tobytes() for array in (savepoint.serial, savepoint.prefab, savepoint.presence)],
        **{name: kept.values.tobytes() for name, kept in savepoint.records.items()},
    }


class WorldAgainstDescription(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.world = new_world()
        self.kept: list[tuple[Savepoint, dict[str, Any]]] = []
        self.lasting: list[tuple[Savepoint, dict[str, Any]]] = []

    @rule(prefab=st.sampled_from(sorted(PREFABS)), count=st.integers(0, 80), size=st.integers(1, 50))
    def spawn(self, prefab: str, count: int, size: int) -> None:
        self.world.spawn(prefab, count, {"Look.size": size} if prefab != "stone" else {})

    @rule(data=st.data())
    def despawn(self, data: st.DataObject) -> None:
        self.world.despawn(data.draw(st.lists(st.integers(1, self.world.next_serial), max_size=40)))

    @precondition(lambda self: self.world.table.size)
    @rule(data=st.data(), component=st.sampled_from([Motion, Look, Perception]))
    def give_or_take_a_component(self, data: st.DataObject, component: type) -> None:
        row = data.draw(st.integers(0, self.world.table.size - 1))
        entity, count = int(self.world.table.serial[row]), int(self.world.table.presence[row]).bit_count()
        if not self.world.has(entity, component):
            self.world.add(entity, component)
        elif count > 1:
            self.world.remove(entity, component)

    @rule(data=st.data(), key=st.sampled_from(["Look.size", "Position.x", "Motion.max_speed"]))
    def write(self, data: st.DataObject, key: str) -> None:
        rows = self.world.table.rows(self.world.table.components[key.split(".")[0]])
        some = data.draw(st.lists(st.sampled_from(rows.tolist()), max_size=9)) if len(rows) else []
        self.world.table.write(key, some, data.draw(st.sampled_from([0.0, -0.0, 7.5])))

    @precondition(lambda self: len(self.world.table.rows(Look)))
    @rule(size=st.integers(1, 50))
    def write_through_a_handle(self, size: int) -> None:
        row = self.world.table.rows(Look)[0]
        self.world.get(int(self.world.table.serial[row]), Look).size = float(size)

    @rule(seed=st.integers(0, 99))
    def reorder(self, seed: int) -> None:
        self.world.table.reorder(np.random.default_rng(seed).permutation(self.world.table.size))

    @rule(warmth=st.sampled_from([0.0, 0.25, 1.0]))
    def change_what_belongs_to_no_entity(self, warmth: float) -> None:
        self.world.resource(Season).warmth = warmth
        self.world.prefabs["ghost"] = Prefab("ghost", {"Look": {"size": warmth}})
        self.world.tick += 1

    @rule(data=st.data())
    def take(self, data: st.DataObject) -> None:
        before = data.draw(st.sampled_from([None, *(savepoint for savepoint, _ in self.kept)]))
        savepoint = Savepoint.take(self.world, before)
        assert held(savepoint) == held(Savepoint.take(self.world))
        self.kept.append((savepoint, description(self.world)))

    @rule(follows=st.booleans())
    def take_a_lasting_one(self, follows: bool) -> None:
        before = self.lasting[-1][0] if follows and self.lasting else None
        self.lasting.append((lasting_savepoint(self.world, before), lasting_description(self.world)))

    @precondition(lambda self: self.lasting)
    @rule(data=st.data())
    def restore_a_lasting_one(self, data: st.DataObject) -> None:
        savepoint, expected = data.draw(st.sampled_from(self.lasting))
        savepoint.restore(self.world)
        assert {**lasting_description(self.world), "order": serials(self.world)} == expected

    @precondition(lambda self: self.kept)
    @rule(data=st.data(), asked=st.booleans())
    def restore(self, data: st.DataObject, asked: bool) -> None:
        savepoint, expected = data.draw(st.sampled_from(self.kept))
        world = self.world
        if asked:  # in the middle of a tick
            world.begin_tick()
            world.spawn("bird", 3)
        savepoint.restore(world)
        assert description(world) == expected
        assert held(Savepoint.take(world, savepoint)) == held(savepoint)

    @precondition(lambda self: self.kept)
    @rule(data=st.data())
    def restore_in_another_world(self, data: st.DataObject) -> None:
        savepoint, expected = data.draw(st.sampled_from(self.kept))
        other = World()
        for component in reversed(COMPONENTS):
            other.table.declare(component)
        other.resources[Season] = Season()
        savepoint.restore(other)
        assert description(other) == expected
        assert held(Savepoint.take(other, savepoint)) == held(Savepoint.take(other))
        other.close()

    @precondition(lambda self: self.kept)
    @rule(data=st.data())
    def compare(self, data: st.DataObject) -> None:
        savepoint, then = data.draw(st.sampled_from(self.kept))
        now, found = description(self.world), difference(savepoint, self.world)
        assert savepoint.serial[found.went].tolist() == [s for s in then["order"] if s not in now["rows"]]
        assert found.came.tolist() == sorted(now["rows"].keys() - then["rows"].keys())
        changed = {key: set(e.serials[who].tolist()) for e in found.changed for key, who in e.columns.items()}
        expected: dict[str, set[int]] = {}
        for serial in now["rows"].keys() & then["rows"].keys():
            (_, before), (_, after) = then["rows"][serial], now["rows"][serial]
            for key in (key for key in before.keys() & after.keys() if before[key] != after[key]):
                expected.setdefault(key, set()).add(serial)
        assert changed == expected
        warmth = then["season"], now["season"]
        assert stored_difference(savepoint, self.world) == (
            {(Season, "Season.warmth"): warmth} if warmth[0] != warmth[1] else {}
        )

    @invariant()
    def esper_and_the_table_agree(self) -> None:
        world = self.world
        world.enter()
        assert sorted(esper._entities) == sorted(world.table.serial[: world.table.size].tolist())
        for row, entity in enumerate(world.table.serial[: world.table.size].tolist()):
            own = {component for component in COMPONENTS if world.table.has(row, component)}
            assert {type(handle) for handle in esper.components_for_entity(entity)} == own
            assert world.table.row(entity) == row
        for component in COMPONENTS:
            assert world.table.rows(component).tolist() == [
                row for row in range(world.table.size) if world.table.has(row, component)
            ]

    def teardown(self) -> None:
        self.world.close()


WorldAgainstDescription.TestCase.settings = settings(max_examples=50, stateful_step_count=25, deadline=None)
TestSavepoint = WorldAgainstDescription.TestCase


def test_records_that_stood_are_shared_and_those_that_changed_are_not() -> None:
    world = new_world()
    world.spawn("bird", 10)
    before = Savepoint.take(world)
    world.table.write("Velocity.x", slice(10), 3.0)
    after = Savepoint.take(world, before)
    shared = {name for name, kept in after.records.items() if kept.values is before.records[name].values}
    assert shared == {component.__name__ for component in COMPONENTS} - {"Velocity"}
    assert after.serial is before.serial
    before.restore(world)
    assert Savepoint.take(world, before).records["Velocity"].values is before.records["Velocity"].values


def test_nothing_that_happens_to_the_world_changes_a_savepoint() -> None:
    world = new_world()
    world.spawn("bird", 10)
    savepoint = Savepoint.take(world)
    copy = {name: kept.values.tobytes() for name, kept in savepoint.records.items()}
    world.table.write("Look.size", slice(10), 9)
    world.despawn([2, 5])
    world.resource(Season).warmth = 1.0
    world.prefabs.clear()
    assert {name: kept.values.tobytes() for name, kept in savepoint.records.items()} == copy
    assert savepoint.stored == {Season: {"Season.warmth": 0.5}}
    assert savepoint.prefabs == tuple(PREFABS.values())


def hats(more: bool) -> Any:
    @declare
    class Hat:
        """Worn on the head."""

        height: float = number(1, "u", 0, 9, "how high it is")
        if more:
            width: float = number(2, "u", 0, 9, "how wide it is")

    return Hat


def test_what_was_redeclared_with_another_layout_stays_with_its_entity() -> None:
    older, newer = hats(False), hats(True)
    world = new_world()
    table = world.table
    table.declare(older)
    one, two, three = world.spawn("bird", 3).tolist()
    for height, serial in enumerate((one, two, three), 4):
        world.add(serial, older, height=float(height))
    before = Savepoint.take(world)
    world.redeclare(newer)
    world.remove(two, newer)
    world.despawn(one)
    before.restore(world)
    found = {serial: table.columns["Hat.height"][table.row_of(serial)] for serial in (one, two, three)}
    assert found == {one: 1, two: 1, three: 6}  # who has none gets one with its defaults
    world.close()


def test_who_lacks_a_component_enters_a_world_without_it_and_who_has_it_is_refused() -> None:
    world = new_world()
    world.spawn("stone", 2)
    world.spawn("ghost")
    other = World(prefabs=dict(PREFABS))
    for component in (Look, Position):
        other.table.declare(component)
    copies = Savepoint.take(world)
    other.bring(copies)
    assert serials(other) == [1, 2, 3]
    assert [other.has(serial, Look) for serial in (1, 2, 3)] == [False, False, True]
    world.spawn("bird")
    with pytest.raises(KeyError):
        other.bring(Savepoint.take(world))
    assert len(serials(other)) == 3
    for each in (world, other):
        each.close()


def test_a_component_without_fields_has_no_changed_values() -> None:
    @declare
    class Tame:
        """It is somebody's."""

    world = new_world()
    world.table.declare(Tame)
    one, two = world.spawn("stone", 2).tolist()
    world.add(one, Tame)
    before = Savepoint.take(world)
    world.add(two, Tame)
    assert difference(before, world).changed == ()
    before.restore(world)
    assert [world.has(serial, Tame) for serial in (one, two)] == [True, False]
    world.close()


def test_who_comes_from_a_world_with_other_axes_keeps_what_both_have() -> None:
    flat, deep = new_world(), new_world()
    deep.reform(DEEP)
    flat.spawn("bird", values={"Position.x": 3.0, "Position.y": 4.0})
    deep.bring(Savepoint.take(flat))
    assert deep.table.stacked("Position", deep.table.rows(Position)).tolist() == [[3, 4, 0]]
    flat.despawn([1])
    flat.bring(Savepoint.take(deep))
    assert flat.table.stacked("Position", flat.table.rows(Position)).tolist() == [[3, 4]]
    for key in flat.table.columns:
        assert flat.table.columns[key][0] == deep.table.columns[key][0]
    for each in (flat, deep):
        each.close()
