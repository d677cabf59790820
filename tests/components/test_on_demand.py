"""Entities have handles from the moment somebody looks at them, and then the right ones whatever becomes of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from components.look import Look
from components.motion import Motion, Position, Velocity
from components.store.declare import component, number
from components.store.prefab import Prefab
from components.store.savepoint import Savepoint
from components.store.world import World

COMPONENTS = (Position, Velocity, Motion, Look)
PREFABS = {
    "boid": Prefab("boid", {"Position": {}, "Velocity": {}, "Motion": {}}),
    "stone": Prefab("stone", {"Position": {}, "Look": {}}),
}


class Cloud:
    """A component that is esper's alone."""


def new_world() -> World:
    world = World(prefabs=dict(PREFABS))
    for kind in COMPONENTS:
        world.table.declare(kind)
    world.enter()
    return world


@pytest.fixture
def world() -> Iterator[World]:
    made = new_world()
    yield made
    made.close()


def living(world: World) -> list[int]:
    """Their esper ids."""
    found: list[int] = world.table.serial[: world.table.size].tolist()
    return found


def looked_at() -> set[int]:
    """Those who have handles."""
    return set(esper._entities.keys())


class HandlesAgainstTable(RuleBasedStateMachine):
    """`asked` are those who were looked at, `held` all handles that they ever had, `clouds` who has a component of
    esper's, `plain` who has no row."""

    @initialize()
    def begin(self) -> None:
        self.world = new_world()
        self.asked: set[int] = set()
        self.clouds: set[int] = set()
        self.plain: set[int] = set()
        self.held: list[Any] = []
        self.kept: list[Savepoint] = []

    def teardown(self) -> None:
        if hasattr(self, "world"):
            everyone = {entity for entity, _ in esper.get_component(Position)}
            rows = self.world.table.rows(Position)
            assert everyone == set(self.world.table.serial[rows].tolist())
            self.world.close()

    def forget_the_dead(self) -> None:
        alive = {*living(self.world), *self.plain}
        self.asked &= alive
        self.clouds &= alive

    def pick(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(sorted(living(self.world))))

    @rule(prefab=st.sampled_from(sorted(PREFABS)), count=st.integers(0, 20), in_tick=st.booleans())
    def spawn(self, prefab: str, count: int, in_tick: bool) -> None:
        if in_tick:
            self.world.begin_tick()
        self.world.spawn(prefab, count, {"Position.x": 5.0})
        self.world.commit()

    @rule(data=st.data())
    def despawn(self, data: st.DataObject) -> None:
        self.world.despawn(data.draw(st.lists(st.integers(1, self.world.next_serial), max_size=20)))
        self.forget_the_dead()

    @precondition(lambda self: self.world.table.size)
    @rule(data=st.data(), kind=st.sampled_from([Motion, Look]))
    def give_or_take(self, data: st.DataObject, kind: type) -> None:
        entity = self.pick(data)
        if not self.world.table.has(self.world.table.row(entity), kind):
            self.world.add(entity, kind)
        else:
            self.asked.add(entity)
            self.world.remove(entity, kind)

    @precondition(lambda self: self.world.table.size)
    @rule(data=st.data(), as_numpy=st.booleans())
    def look_at_one(self, data: st.DataObject, as_numpy: bool) -> None:
        entity = self.pick(data)
        self.held += esper.components_for_entity(np.int64(entity) if as_numpy else entity)  # type: ignore[arg-type]
        self.asked.add(entity)

    @rule(kinds=st.sampled_from([(Look,), (Motion, Look), (Position, Motion), (Position, Velocity)]))
    def query(self, kinds: tuple[type, ...]) -> None:
        table = self.world.table
        found = dict(esper.get_components(*kinds))
        rows = table.rows_by_serial(*kinds)
        assert list(found) == table.serial[rows].tolist()
        assert all(isinstance(handle, kind) for own in found.values() for handle, kind in zip(own, kinds, strict=True))
        fewest = min((table.rows(kind) for kind in kinds), key=len)
        self.asked |= set(table.serial[fewest].tolist())

    @precondition(lambda self: self.world.table.size)
    @rule(data=st.data())
    def give_what_is_espers_alone(self, data: st.DataObject) -> None:
        entity = self.pick(data)
        esper.add_component(entity, Cloud())
        self.asked.add(entity)
        self.clouds.add(entity)

    @rule()
    def make_one_without_a_row(self) -> None:
        self.plain.add(esper.create_entity(Cloud()))
        self.clouds |= self.plain

    @precondition(lambda self: self.plain)
    @rule()
    def delete_one_without_a_row(self) -> None:
        esper.delete_entity(self.plain.pop(), immediate=True)
        self.forget_the_dead()

    @rule(seed=st.integers(0, 99))
    def reorder(self, seed: int) -> None:
        self.world.table.reorder(np.random.default_rng(seed).permutation(self.world.table.size))

    @rule()
    def take(self) -> None:
        self.kept.append(Savepoint.take(self.world))

    @precondition(lambda self: self.kept)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(self.kept)).restore(self.world)
        self.forget_the_dead()

    @invariant()
    def only_those_who_were_asked_for_have_handles(self) -> None:
        assert looked_at() == self.asked | self.plain

    @invariant()
    def everybody_exists(self) -> None:
        everyone = [*living(self.world), *self.plain]
        assert sorted(esper.get_entities()) == sorted(everyone)
        assert len(esper._entities) == len(everyone)
        assert all(map(esper.entity_exists, everyone))

    @invariant()
    def handles_are_those_of_the_table(self) -> None:
        table = self.world.table
        for entity in self.asked:
            own = [*table.components_in(table.presence[table.row(entity)]), *[Cloud] * (entity in self.clouds)]
            assert {type(handle) for handle in esper.components_for_entity(entity)} == set(own)
            handles = [handle for handle in esper._entities[entity].values() if type(handle) is not Cloud]
            assert [(handle.entity, type(handle.entity)) for handle in handles] == [(entity, int)] * len(handles)
        assert {entity for entity, _ in esper.get_component(Cloud)} == self.clouds

    @invariant()
    def handles_that_are_held_read_their_row(self) -> None:
        table, alive = self.world.table, {*living(self.world)}
        for handle in self.held:
            if isinstance(handle, Position) and handle.entity in alive:
                assert handle.x == table.columns["Position.x"][table.row(handle.entity)] == 5
            elif isinstance(handle, Position):
                with pytest.raises(KeyError, match="gone"):
                    _ = handle.x


HandlesAgainstTable.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestHandles = HandlesAgainstTable.TestCase


def test_nobody_has_handles_before_somebody_asks(world: World) -> None:
    world.spawn("boid", 1000)
    world.spawn("stone", 3)
    assert looked_at() == set()
    one = living(world)[7]
    assert esper.entity_exists(one)
    assert looked_at() == set()
    assert esper.has_components(one, Position, Motion)
    assert world.get(one, Position) is esper.component_for_entity(one, Position)
    assert looked_at() == {one}


def test_a_query_looks_at_the_fewest_it_can(world: World) -> None:
    world.spawn("boid", 1000)
    world.spawn("stone", 3)
    assert len(esper.get_components(Position, Look)) == 3
    assert looked_at() == set(living(world)[1000:])
    assert len(esper.get_components(Position, Velocity)) == 1000


def test_who_never_lived_or_lives_no_more_is_not_there(world: World) -> None:
    world.spawn("stone", 2)
    first, second = living(world)
    world.despawn([1])
    for entity in (0, -1, first, 10**9):
        assert not esper.entity_exists(entity)
        assert esper.try_component(entity, Position) is None
        with pytest.raises(KeyError):
            esper.component_for_entity(entity, Position)
    assert looked_at() == set()
    assert esper.try_components(second, Position, Look) is not None
    assert esper.try_component(second, Motion) is None


def test_esper_itself_makes_and_ends_no_rows(world: World) -> None:
    world.spawn("stone")
    (entity,) = living(world)
    for change in (
        lambda: esper.delete_entity(entity, immediate=True),
        lambda: esper.add_component(entity, Position()),
        lambda: esper.remove_component(entity, Look),
        lambda: esper.create_entity(Position()),
    ):
        with pytest.raises(TypeError, match=r"use world\.spawn, despawn, add and remove"):
            change()
    assert [living(world), world.has(entity, Look)] == [[entity], True]
    with pytest.raises(TypeError, match=r"use world\.despawn"):
        esper.delete_entity(entity)
    assert esper.entity_exists(entity)
    esper.process(world)


def test_those_who_were_looked_at_get_the_handles_of_a_newer_declaration(world: World) -> None:
    def declared(default: float) -> type:
        @component
        class Hat:
            """What it wears."""

            height: float = number(default, "u", 0, 100, "how high")

        return Hat

    older, newer = declared(1), declared(2)
    world.table.declare(older)
    world.spawn("stone", 2)
    asked, other = living(world)
    for entity in (asked, other):
        world.add(entity, older, height=7.0)
    assert world.get(asked, older).height == 7
    assert looked_at() == {asked}
    world.redeclare(newer)
    assert [world.has(asked, newer), world.has(asked, older)] == [True, False]
    assert {entity: hat.height for entity, hat in esper.get_component(newer)} == {asked: 7, other: 7}
    assert esper.get_component(older) == []
