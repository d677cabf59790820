"""The rule table: what is prepared for many is what would be prepared for each alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from components.flock import EVERYONE, Flocker, Perception
from components.store.savepoint import Savepoint
from components.store.world import World
from systems.engine.settings import Settings
from systems.flocking.rule_table import rule_table
from tests.flocks import EDGES, LAYOUTS, Flock, generated


@settings(deadline=None)
@given(st.sampled_from(LAYOUTS), st.sampled_from(EDGES), st.integers(0, 1000))
def test_rules_of_many_are_those_of_each_alone(layout: str, edges: str, seed: int) -> None:
    flock = generated(layout, edges, seed)
    world = flock.world()
    table, found = world.table, rule_table(world.table)
    for row in range(table.size):
        values = {key: table.columns[key][[row]] for key in flock.values}
        single = Flock(flock.settings, flock.kind[:1], values).world()
        alone = rule_table(single.table)
        assert found.rules[found.of[row]] == alone.rules[alone.of[0]]
        single.close()
    reaches = table.columns["Perception.reach"][: table.size]
    widest = found.rules["widest"][found.of[: table.size]]
    assert found.everyone == (reaches == EVERYONE).any()
    assert found.one_prefab == (len(np.unique(flock.kind)) <= 1)
    assert found.farthest == widest.max(initial=0)
    world.close()


def of_prefabs(*kinds: int) -> World:
    return Flock(Settings(), np.array(kinds), {"Position.x": np.zeros(len(kinds))}).world()


def test_boids_with_equal_values_share_an_entry_whatever_their_prefab() -> None:
    world = of_prefabs(0, 0, 0, 1, 1)
    table = world.table
    table.write("Flocker.cohesion_radius", [1, 4], 33)
    of = rule_table(table).of[:5].tolist()
    assert (of[0], of[1]) == (of[2], of[4])
    assert (of[0], of[0] == of[1]) == (of[3], False)
    world.close()


def test_newcomers_with_known_values_get_their_entry_and_others_one_of_their_own() -> None:
    world = of_prefabs(*[0] * 200)
    before = rule_table(world.table)
    for radius in (33, 33, 34):
        world.spawn(next(iter(world.prefabs)), 1, {"Position.x": 0, "Flocker.cohesion_radius": radius})
        assert rule_table(world.table) is before
    world.despawn([1, 2, 3])  # the last rows move into theirs
    assert rule_table(world.table) is before
    *newcomers, other = before.of[[*world.table.rows_of(np.array([201, 202, 203])), 50]].tolist()
    assert newcomers[0] == newcomers[1]
    assert len({*newcomers, other}) == 3
    assert set(before.of[3:200].tolist()) == {other}
    world.close()


def test_it_is_prepared_anew_when_values_or_rows_change_and_only_then() -> None:
    world = of_prefabs(0, 0, 0, 0, 0)
    table = world.table
    before = rule_table(table)
    table.write("Motion.acceleration.x", 0, 3)
    assert rule_table(table) is before
    for component, key in ((Perception, "radius"), (Flocker, "alignment_strength")):
        table.write(f"{component.__name__}.{key}", 2, 7)
        now = rule_table(table)
        assert now is not before
        assert now.rules[now.of[2]] != now.rules[now.of[0]]
        before = now
    world.close()


def test_after_going_back_in_time_each_boid_has_its_rules_again() -> None:
    world = of_prefabs(0, 0, 0)
    world.table.write("Flocker.cohesion_radius", 1, 33)
    rules = rule_table(world.table).rules[rule_table(world.table).of[:3]].copy()
    before = Savepoint.take(world)
    world.spawn(next(iter(world.prefabs)), 1, {"Position.x": 0})
    before.restore(world)
    assert (rule_table(world.table).rules[rule_table(world.table).of[:3]] == rules).all()
    world.close()


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(("mixed radii", "spread")), st.integers(0, 1000), st.data())
def test_brought_up_to_date_it_is_what_it_would_be_made_anew(layout: str, seed: int, data: st.DataObject) -> None:
    world = generated(layout, "wrap", seed).world()
    table = world.table
    for _ in range(4):
        rule_table(table)
        rows = data.draw(st.lists(st.integers(0, table.size - 1), unique=True, max_size=table.size // 2))
        if data.draw(st.booleans()):
            world.despawn_rows(np.array(sorted(rows), np.int64))
        else:
            table.reorder(np.random.default_rng(len(rows)).permutation(table.size))
        other = generated(layout, "wrap", seed).world()
        Savepoint.take(world).restore(other)  # a table in which nothing was prepared before
        found, anew = rule_table(table), rule_table(other.table)
        other.close()
        size = table.size
        assert np.array_equal(found.rules[found.of[:size]], anew.rules[anew.of[:size]])
        assert found.farthest >= anew.farthest
        assert found.everyone >= anew.everyone
        assert found.one_prefab <= anew.one_prefab
    world.close()
