"""The world: spawning, handles, changes during a tick, serials, and worlds side by side."""

import json
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import esper
import numpy as np
import pytest

from components.flock import Flocker, Perception
from components.look import Look
from components.motion import Motion, Position, Velocity
from components.store import declare
from components.store.declare import number, vector
from components.store.prefab import Prefab
from components.store.world import MOST_ENTITIES, World
from tests.worlds import bring

PREFABS = {
    "boid": Prefab("boid", {"Position": {}, "Velocity": {"x": 3.0}, "Motion": {"max_speed": 90.0}}),
    "stone": Prefab("stone", {"Position": {"x": 5.0}}),
}


@pytest.fixture
def world():
    made = World(prefabs=dict(PREFABS))
    for component in (Position, Velocity, Motion, Perception, Flocker, Look):
        made.table.declare(component)
    yield made
    made.close()


def test_spawn_takes_given_values_then_the_prefabs_then_the_defaults(world):
    world.spawn("boid", 2, {"Position.x": [1, 2]})
    c = world.table.columns
    assert c["Position.x"][:2].tolist() == [1, 2]
    assert c["Velocity.x"][:2].tolist() == [3, 3]
    assert (c["Motion.max_speed"][0], c["Motion.drag"][0]) == (90, 0)


def test_a_world_is_shown_in_one_line(world):
    world.spawn("boid", 1200)
    world.tick = 3600
    assert repr(world) == "<World of 1,200 entities at tick 3,600>"


def test_a_newcomer_was_before_where_it_is(world):
    world.spawn("boid", 1, {"Position.x": 7.0})
    assert world.get(1, Position).previous == (7, 0)


def test_naming_a_field_adds_its_component(world):
    world.spawn("stone", 1, {"Look.size": 9.0})
    assert world.has(1, Look)
    assert not world.has(1, Velocity)


@pytest.mark.parametrize(("prefab", "values"), [("bird", {}), ("boid", {"Motion.speed": 1.0})])
def test_unknown_prefabs_and_fields_are_refused_and_spend_no_serial(world, prefab, values):
    with pytest.raises(KeyError, match="there is no"):
        world.spawn(prefab, 1, values)
    assert (world.table.size, world.next_serial) == (0, 1)


@pytest.mark.parametrize("count", [2.5, -1, "3", None, np.float64(2)])
def test_what_is_no_number_of_entities_is_refused(world, count):
    with pytest.raises(ValueError, match="must be a whole number, 0 or more"):
        world.spawn("boid", count)
    assert (world.table.size, world.next_serial) == (0, 1)
    assert world.spawn("boid", np.int8(2)).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("key", "value"),
    [("Velocity.x", 10**400), ("Look.colour", -1), ("Look.colour", np.array([-1])), ("Look.colour", 1 << 40)],
)
def test_a_number_that_no_column_holds_is_refused_in_a_sentence(world, key, value):
    (serial,) = world.spawn("boid")
    owner, name = key.split(".")
    with pytest.raises(ValueError, match=f"^{key}: must be one value or 1, of "):
        world.spawn("boid", 1, {key: value})
    with pytest.raises(ValueError, match=f"^{key}: must be one value or 1, of "):
        world.add(serial, world.table.components[owner], **{name: value})
    assert world.table.size == 1


def test_serials_count_on_and_are_never_used_again(world):
    assert world.spawn("boid", 3).tolist() == [1, 2, 3]
    world.despawn([2, 3])
    assert world.spawn("stone", 2).tolist() == [4, 5]
    assert sorted(world.table.serial[: world.table.size]) == [1, 4, 5]


def test_handles_read_and_write_the_columns(world):
    world.spawn("boid", 3)
    world.enter()
    for index, (_, (position, velocity)) in enumerate(esper.get_components(Position, Velocity)):
        position.x = index * 10
        velocity.y = position.x + velocity.x
    assert world.table.columns["Position.x"][:3].tolist() == [0, 10, 20]
    assert world.table.columns["Velocity.y"][:3].tolist() == [3, 13, 23]


def test_handles_find_their_rows_after_rows_have_moved(world):
    world.spawn("boid", 6, {"Position.x": np.arange(6)})
    handles = {serial: world.get(serial, Position) for serial in range(1, 7)}
    world.despawn([1, 4])
    world.table.reorder(np.array([2, 0, 3, 1]))
    assert {serial: handles[serial].x for serial in (2, 3, 5, 6)} == {2: 1, 3: 2, 5: 4, 6: 5}
    with pytest.raises(KeyError, match="gone"):
        _ = handles[4].x


def test_what_a_handle_reads_may_be_written_and_nothing_wrong(world):
    world.spawn("boid", 1, {"Perception.reach": 2, "Look.size": 4.0})
    look, perception = world.get(1, Look), world.get(1, Perception)
    look.colour, perception.reach = look.colour, perception.reach
    assert (look.colour, perception.reach) == (0xE8D9A0, "everyone")
    look.colour, perception.reach = "#102030", "topological"
    assert (look.colour, perception.reach) == (0x102030, "topological")
    for handle, name, value in ((perception, "reach", 3), (perception, "fov", 400), (look, "colour", -1)):
        with pytest.raises(ValueError, match=name):
            setattr(handle, name, value)
    assert (look.colour, perception.reach, perception.fov) == (0x102030, "topological", 300)


def test_a_choice_reads_as_its_word_and_is_never_compared_in_vain(world):
    serials = world.spawn("boid", 2, {"Perception.reach": [0, 2]})
    one, other = (world.get(serial, Perception) for serial in serials)
    assert [one.reach, other.reach] == ["metric", "everyone"]
    assert one.reach != "topological"
    assert one.reach != other.reach
    assert one.reach in ("metric", "topological")
    assert {"metric": 5}[one.reach] == 5
    assert json.dumps([one.reach]) == '["metric"]'
    assert type(pickle.loads(pickle.dumps(one.reach))) is str
    near = r"Perception.reach == 'metrical': must be one of metric, topological, everyone; did you mean 'metric'"
    with pytest.raises(ValueError, match=near):
        _ = one.reach == "metrical"
    with pytest.raises(ValueError, match=r"Perception.reach == 0: must be one of metric, topological, everyone"):
        _ = one.reach == 0
    other.reach = one.reach
    assert world.table.columns["Perception.reach"][:2].tolist() == [0, 0]


def test_during_a_tick_changes_of_structure_wait_for_commit(world):
    world.spawn("boid", 2)
    first = 1
    world.begin_tick()
    assert world.spawn("stone", 2).tolist() == [3, 4]
    world.despawn(2)
    world.add(first, Look, size=8.0)
    world.remove(first, Motion)
    assert world.table.size == 2
    assert world.has(first, Motion)
    world.commit()
    assert sorted(world.table.serial[: world.table.size]) == [1, 3, 4]
    assert world.get(first, Look).size == 8
    assert not world.has(first, Motion)
    assert world.table.rows(Position, Motion).tolist() == []


def test_who_dies_in_the_tick_is_passed_over_by_later_changes(world):
    world.spawn("boid", 2)
    first = 1
    world.begin_tick()
    world.despawn([1, 1, 99])
    world.despawn(1)
    world.add(first, Look)
    world.remove(first, Motion)
    world.spawn("stone")
    world.commit()
    assert sorted(world.table.serial[: world.table.size]) == [2, 3]


def test_add_and_remove_refuse_what_can_not_be(world):
    world.spawn("stone")
    stone = 1
    with pytest.raises(ValueError, match="last component"):
        world.remove(stone, Position)
    for refused in (world.remove, world.get):
        with pytest.raises(KeyError, match="entity 1 has no Motion"):
            refused(stone, Motion)
        with pytest.raises(KeyError, match="entity 1 has no 'Motion'"):
            refused(stone, "Motion")
        with pytest.raises(KeyError, match=r"entity 51 .* gone"):
            refused(stone + 50, Motion)
    with pytest.raises(KeyError, match="gone"):
        world.add(stone + 50, Look)
    with pytest.raises(KeyError, match="has no field 'sise'; did you mean 'size'"):
        world.add(stone, Look, sise=3.0)
    with pytest.raises(KeyError, match="the world has no component 'Look'"):
        world.add(stone, "Look")
    with pytest.raises(TypeError, match=r"Look takes no values: world\.add\(serial, Look, \.\.\.\) gives them"):
        world.add(stone, Look(size=3.0))


def test_raw_esper_entities_have_no_row_and_are_left_alone(world):
    world.spawn("boid")
    world.enter()
    raw = esper.create_entity()
    with pytest.raises(KeyError, match=r"not made by world\.spawn"):
        world.table.row(raw)
    world.despawn(1)
    assert esper.entity_exists(raw)
    assert world.table.size == 0


def test_those_whom_a_loop_finds_are_those_who_die(world):
    world.spawn("boid", 20, {"Position.x": np.arange(20)})
    world.despawn([3, 1, 9])
    world.enter()
    for one, (at,) in esper.get_components(Position):
        if at.x >= 12:
            world.despawn(one)
    left = world.table.columns["Position.x"][: world.table.size]
    assert sorted(left.tolist()) == [1, 3, 4, 5, 6, 7, 9, 10, 11]


def test_one_number_names_an_entity_everywhere(world):
    (serial,) = world.spawn("boid").tolist()
    world.add(serial, Look, size=7.0)
    assert world.has(serial, Look)
    assert world.get(serial, Look).size == world.get(serial, Look).size == 7
    assert world.get(serial, Look).entity == serial
    world.remove(serial, Look)
    world.despawn(serial)
    assert world.table.size == 0


def test_who_is_esper_s_alone_is_never_taken_for_one_with_a_row(world):
    world.enter()
    raws = [esper.create_entity() for _ in range(3)]
    serials = world.spawn("stone", 2000)
    assert not set(raws) & set(serials.tolist())
    with pytest.raises(ValueError, match=r"was not made by world\.spawn: use esper\.delete_entity"):
        world.despawn(raws[1])
    with pytest.raises(KeyError, match=r"not made by world\.spawn"):
        world.add(raws[1], Look)
    assert world.table.size == 2000
    esper.clear_database()  # esper counts from 1 again
    with pytest.raises(TypeError, match="entity 1 has a row"):
        esper.create_entity()
    assert world.get(1, Position).x == 5


def test_two_worlds_live_side_by_side(world):
    other = World(prefabs=dict(PREFABS))
    for component in (Position, Velocity, Motion, Look):
        other.table.declare(component)
    world.spawn("boid", 1, {"Position.x": 1.0})
    other.spawn("boid", 2, {"Position.x": 2.0})
    world.enter()
    other.remove(1, Motion)
    assert world.get(1, Position).x == 1
    assert other.get(1, Position).x == 2
    assert world.has(1, Motion)
    assert not other.has(1, Motion)
    other.close()
    assert other.name not in esper.list_worlds()
    assert world.get(1, Position).x == 1


def test_a_component_of_a_name_is_declared_once(world):
    twin = type("Look", (Look,), {})
    with pytest.raises(ValueError, match="two components are called Look"):
        world.table.declare(twin)


def test_what_was_asked_for_since_can_be_taken_back(world):
    world.spawn("boid", 3)
    world.begin_tick()
    world.spawn("stone", 2)
    world.despawn([1])
    asked = world.asked
    world.spawn("boid", 5)
    world.despawn([2, 3])
    world.take_back(asked)
    assert world.spawn("boid").tolist() == [6]
    world.commit()
    assert sorted(world.table.serial[: world.table.size].tolist()) == [2, 3, 4, 5, 6]


def test_the_last_component_stays_when_all_are_taken_in_one_tick(world):
    one = int(world.spawn("boid")[0])
    world.begin_tick()
    for component in (Position, Velocity, Motion):
        world.remove(one, component)
    world.commit()
    assert world.has(one, Motion)
    assert not world.has(one, Velocity)


def state(world: World) -> dict[str, list]:
    table = world.table
    found = {key: column[: table.size].tolist() for key, column in table.columns.items()}
    world.enter()
    return found | {
        "entities": sorted(esper._entities),
        "next serial": world.next_serial,
        "presence": table.presence[: table.size].tolist(),
        "rows": table.rows(Position).tolist(),
        "serials": table.serial[: table.size].tolist(),
    }


WRONG_SPAWNS = {
    "too few values": ("boid", 5, {"Velocity.x": np.zeros(3)}),
    "too many values": ("boid", 5, {"Position.x": 1.0, "Velocity.x": np.zeros(6)}),
    "values in two dimensions": ("boid", 5, {"Position.x": np.zeros((5, 5))}),
    "a text": ("boid", 1, {"Position.x": "left"}),
    "fewer than none": ("boid", -1, {}),
    "more than there is room for": ("boid", MOST_ENTITIES, {}),
}


@pytest.mark.parametrize("in_a_tick", [False, True])
@pytest.mark.parametrize("wrong", WRONG_SPAWNS)
def test_a_spawn_that_fails_leaves_the_world_as_it_was(world, wrong, in_a_tick):
    prefab, count, values = WRONG_SPAWNS[wrong]
    world.spawn("boid", 2)
    before = state(world)
    if in_a_tick:
        world.begin_tick()
    with pytest.raises(ValueError, match=r"Velocity\.x|Position\.x|-1 entities|room for 999,998 more"):
        world.spawn(prefab, count, values)
    world.commit()
    assert state(world) == before


def test_a_component_with_a_value_that_does_not_fit_is_not_added(world):
    world.spawn("stone")
    before = state(world)
    with pytest.raises(ValueError, match=r"Look\.size"):
        world.add(1, Look, size="large")
    assert state(world) == before
    assert not world.has(1, Look)


def test_a_spawn_that_fails_in_commit_takes_no_other_change_with_it(world):
    world.spawn("boid", 2)
    first = 1
    world.begin_tick()
    world.spawn("stone", 3)
    world.spawn("boid", 2)
    world.add(first, Look, size=8.0)
    del world.prefabs["stone"]
    with pytest.raises(KeyError, match="there is no prefab 1 any more: there are boid"):
        world.commit()
    assert world.table.serial[: world.table.size].tolist() == [1, 2, 6, 7]
    assert world.table.rows(Position).tolist() == [0, 1, 2, 3]
    assert world.get(first, Look).size == 8


def test_what_is_spawned_in_a_tick_has_the_values_of_when_it_was_asked_for(world):
    world.spawn("boid", 1, {"Position.x": 7.0})
    here = world.table.columns["Position.x"][:1]
    world.begin_tick()
    world.spawn("boid", 1, {"Position.x": here})
    here[:] = 9
    world.commit()
    assert world.table.columns["Position.x"][:2].tolist() == [9, 7]


def test_newcomers_of_any_kind_leave_values_known_as_they_were_and_who_comes_back_does_not(world):
    world.spawn("boid", 2)
    before = dict(world.table.value_clocks)
    world.begin_tick()
    for serials in ([3, 6], [4, 5]):
        bring(world, "boid", serials, [Position], {})
    world.commit()
    assert world.table.value_clocks == before
    world.despawn([4])
    bring(world, "boid", [4], [Position], {})
    assert world.table.value_clocks["Position"] != before["Position"]


def test_no_more_entities_live_than_there_is_room_for(world):
    world.spawn("boid", 2)
    world.begin_tick()
    world.despawn([1])
    world.spawn("boid", 10)
    asked = world.asked
    world.spawn("boid", 20)
    world.take_back(asked)
    assert world.waiting.coming == 10
    assert world.has_room(MOST_ENTITIES - 11)
    assert not world.has_room(MOST_ENTITIES - 10)
    with pytest.raises(ValueError, match="room for 999,989 more"):
        bring(world, "boid", np.arange(100, 100 + MOST_ENTITIES - 10), [Position], {})
    world.commit()
    assert (world.table.size, world.waiting.coming) == (11, 0)


def test_a_field_named_previous_is_a_field_like_any_other():
    @declare.component
    class Trail:
        """Where it was."""

        previous: float = number(3, "u", 0, 10, "how far back")

    @declare.component
    class Leap:
        """Where it leaps to."""

        x: float = number(0, "u", 0, 10, "to the right")
        y: float = number(0, "u", 0, 10, "upward")
        previous: tuple[float, float] = vector("u", "where it leapt to before")
        begin: tuple[float, float] = vector("u", "where it leaps from", starts=("x", "y"))

    world = World(prefabs={"frog": Prefab("frog", {"Trail": {}, "Leap": {"x": 4.0}})})
    for kind in (Trail, Leap):
        world.table.declare(kind)
    world.spawn("frog", 2, {"Leap.y": [1.0, 2.0]})
    handles = [world.get(serial, Leap) for serial in (1, 2)]
    assert [handle.begin for handle in handles] == [(4, 1), (4, 2)]
    assert [handle.previous for handle in handles] == [(0, 0), (0, 0)]
    assert world.get(1, Trail).previous == 3
    world.close()


def test_a_handle_speaks_of_its_own_world_whichever_is_entered(world):
    other = World(prefabs=dict(PREFABS))
    for kind in (Position, Velocity, Motion):
        other.table.declare(kind)
    world.spawn("boid", 1, {"Position.x": 1.0})
    other.spawn("boid", 1, {"Position.x": 2.0})
    mine, theirs = (each.get(1, Position) for each in (world, other))
    assert mine.entity == theirs.entity
    for each in (world, other):
        each.enter()
        assert (mine.x, theirs.x) == (1, 2)
        mine.y, theirs.y = 10, 20
        assert (each is world, world.table.columns["Position.y"][0], other.table.columns["Position.y"][0]) == (
            each is world, 10, 20,
        )  # fmt: skip
    other.close()
    with pytest.raises(RuntimeError, match="closed"):
        _ = theirs.x
    assert mine.x == 1


def test_worlds_can_be_changed_by_several_threads_at_once():
    """esper has one current world: who needs it waits for the others."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    worlds = [World(prefabs=dict(PREFABS)) for _ in range(3)]

    def live(world):
        for component in (Position, Velocity, Motion):
            world.table.declare(component)
        for n in range(300):
            (entity,) = world.spawn("stone")
            world.get(entity, Position).x = n
            assert world.has(entity, Position)
            world.add(entity, Velocity, x=1.0)
            world.despawn(world.table.serial[:1])
            with world.at_work():
                assert len(esper.get_components(Position)) == world.table.size
        return True

    try:
        worlds[0].enter()
        with ThreadPoolExecutor(3) as threads:
            assert all(threads.map(live, worlds))
        assert esper.current_world == worlds[0].name
    finally:
        sys.setswitchinterval(before)
        for world in worlds:
            world.close()
