"""A system of a mod that fails leaves no trace: the world is that of a run in which it was switched off before."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import esper
import numpy as np
import pytest

from components.flock import EVERYONE, Flocker, Perception
from components.life import Energy, Food
from components.motion import Motion, Position, Velocity
from components.store.declare import component, number
from components.store.world import World
from components.terrain import Obstacle
from sandbox.design.rules import NO_MEAN_PLACE, NO_MOVING_OBSTACLE, check_world
from systems.engine.kernel import kernel
from systems.engine.ledger import Ledger
from systems.engine.measures import Measures
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.space.flock_grid import FlockGrid
from tests.sandbox.guarded import Faulty, Season, modded, state

AT, LAST = 5, 12


@cache
def without(at: int, last: int) -> Any:
    """The world after some ticks in which the system was switched off before its tick."""
    with modded(faulty := Faulty(last)) as mine:
        mine.simulation.step(at)
        faulty.enabled = False
        mine.simulation.step(last - at)
        assert not mine.faults
        return state(mine.simulation)


def fail() -> NoReturn:
    raise ZeroDivisionError("division by zero")


def first_row(world: World) -> int:
    return int(world.table.rows(Velocity, Energy)[0])


def handle(world: World, kind: Any) -> Any:
    return esper.get_component(kind)[0][1]


# ---- it raises


def raises(world: World) -> None:
    fail()


def raises_after_writing(world: World) -> None:
    world.table.columns["Velocity.y"][::2] = 77
    world.table.columns["Energy.level"][:] = 0
    fail()


def raises_after_spawning(world: World) -> None:
    serials = world.spawn("boid", 7, {"Position.x": 10.0})
    world.despawn(serials[:2])
    world.despawn_rows(world.table.rows(Energy))
    world.add(int(world.table.entity[first_row(world)]), Flocker)
    world.remove(int(world.table.entity[first_row(world)]), Energy)
    fail()


def raises_after_changing_resources(world: World) -> None:
    season = world.resource(Season)
    season.warmth, season.drift = 0.9, (3, 4)
    world.resource(Ledger).births += 5
    world.resource(Measures).values["leaves"] = 3
    fail()


def raises_after_changing_its_parameter(world: World) -> None:
    world._system.strength = 3  # type: ignore[attr-defined]
    fail()


def ends_the_program(world: World) -> None:
    sys.exit("bye")


def calls_itself(world: World) -> None:
    calls_itself(world)


def runs_out_of_memory(world: World) -> None:
    np.zeros(1 << 50)


def raises_what_is_no_error(world: World) -> None:
    raise GeneratorExit


def raises_what_cannot_be_printed(world: World) -> None:
    class OddError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    raise OddError


# ---- it writes what can't be


def writes_nan(world: World) -> None:
    world.table.columns["Velocity.x"][first_row(world)] = np.nan


def writes_infinity(world: World) -> None:
    world.table.columns["Velocity.y"][:] = np.inf


def writes_beyond_the_bounds(world: World) -> None:
    world.table.columns["Velocity.x"][first_row(world)] = 10_001


def writes_an_amount_beyond_the_bounds(world: World) -> None:
    world.table.columns["Energy.level"][first_row(world)] = -5


def writes_another_shape(world: World) -> None:
    world.table.columns["Velocity.x"][:] = np.ones(3)


def gives_the_array_another_shape(world: World) -> None:
    velocity = world.table.columns["Velocity.x"]
    velocity.shape = (1, len(velocity))


def gives_the_array_another_dtype(world: World) -> None:
    world.table.columns["Velocity.x"].dtype = np.int32  # type: ignore[misc]


def writes_text(world: World) -> None:
    world.table.columns["Velocity.x"][:] = "fast"


def resizes_a_column(world: World) -> None:
    world.table.columns["Velocity.x"].resize(3)


def replaces_a_column(world: World) -> None:
    world.table.columns["Velocity.x"] = np.zeros(world.table.size)


def updates_the_columns(world: World) -> None:
    world.table.columns |= {"Velocity.x": np.zeros(3)}


def asks_for_a_column_that_is_not(world: World) -> None:
    world.table.columns["Velocity.z"][:] = 1


def deletes_a_column(world: World) -> None:
    del world.table.columns["Velocity.x"]


def writes_an_undeclared_column(world: World) -> None:
    world.table.columns["Position.x"][:] += 1


def writes_an_undeclared_column_by_a_variable(world: World) -> None:
    x, y = (world.table.columns[f"Position.{axis}"] for axis in "xy")
    y[world.table.rows(Position)] = x[world.table.rows(Position)]


def writes_an_undeclared_column_by_a_key(world: World) -> None:
    for key in ("Position.x", "Position.y"):
        before = world.table.columns[key].copy()
        world.table.columns[key][:] = before + 1


def writes_an_undeclared_column_as_out(world: World) -> None:
    x, y = (world.table.columns[f"Position.{axis}"] for axis in "xy")
    np.add(x, 1, out=y)


def writes_an_undeclared_column_by_handle(world: World) -> None:
    handle(world, Motion).max_speed = 5.0


def writes_records(world: World) -> None:
    world.table.records(Velocity)["x"] = 0


def sorts_the_rows(world: World) -> None:
    world.table.rows(Velocity).sort()


def changes_serials(world: World) -> None:
    x = world.table.columns["Position.x"]
    assert len(x)
    world.table.serial[:] = 1


@kernel
def _halve(x: Any, y: Any) -> None:
    for row in range(len(x)):
        y[row] = x[row] / 2


def writes_an_undeclared_column_in_a_kernel(world: World) -> None:
    places = world.table.columns["Position.x"]
    _halve(world.table.columns["Position.y"], places)


def sets_a_handle_to_nan(world: World) -> None:
    handle(world, Velocity).x = float("nan")


# ---- it asks for what can't be


def spawns_without_end(world: World) -> None:
    while True:
        world.spawn("boid", 500)


def spawns_too_many_at_once(world: World) -> None:
    world.spawn("boid", 100_001)


def spawns_nan(world: World) -> None:
    world.spawn("boid", 2, {"Position.x": [1, np.nan]})


def spawns_with_too_few_values(world: World) -> None:
    world.spawn("boid", 3, {"Position.x": [1, 2]})


def spawns_with_broken_numbers(world: World) -> None:
    world.spawn("boid", 1, {"Energy.level": 0.5})


def spawns_with_text(world: World) -> None:
    world.spawn("boid", 1, {"Position.x": "left"})


def spawns_less_than_none(world: World) -> None:
    world.spawn("boid", -1)


def spawns_half_a_one(world: World) -> None:
    world.spawn("boid", 2.5)  # type: ignore[arg-type]


def spawns_what_is_unknown(world: World) -> None:
    world.spawn("bird")


def spawns_with_an_unknown_field(world: World) -> None:
    world.spawn("boid", 1, {"Velocity.z": 0})


def despawns_a_row_that_is_not(world: World) -> None:
    world.despawn_rows(np.array([0, world.table.size]))


def despawns_a_row_below_all(world: World) -> None:
    world.despawn_rows(np.array([-1]))


def despawns_broken_rows(world: World) -> None:
    world.despawn_rows(np.array([0.5]))


@component
class Hat:
    """No world knows it."""

    size: float = number(1, "u", 0, 9, "how large")


def adds_an_unknown_component(world: World) -> None:
    world.add(int(world.table.entity[0]), Hat)


def adds_a_component_with_a_wrong_value(world: World) -> None:
    world.add(int(world.table.entity[0]), Energy, capacity=-1)


def adds_a_component_with_two_values(world: World) -> None:
    world.add(int(world.table.entity[0]), Energy, capacity=(1, 2))  # type: ignore[arg-type]


def spawns_an_obstacle_that_flies(world: World) -> None:
    world.spawn("obstacle", 1, {"Velocity.x": 5.0})


def spawns_a_boid_that_is_an_obstacle(world: World) -> None:
    world.spawn("boid", 2, {"Obstacle.radius": [5.0, 6.0]})


def makes_a_boid_an_obstacle(world: World) -> None:
    world.add(int(world.table.entity[first_row(world)]), Obstacle)


def begins_a_tick_of_its_own(world: World) -> None:
    world.commit()


# ---- it changes what is not its own


def deletes_an_entity(world: World) -> None:
    esper.delete_entity(int(world.table.entity[3]), immediate=True)


def deletes_an_entity_later(world: World) -> None:
    esper.delete_entity(int(world.table.entity[3]))


def creates_an_entity(world: World) -> None:
    esper.create_entity()


def adds_a_component_by_esper(world: World) -> None:
    esper.add_component(int(world.table.entity[3]), Hat())


def removes_a_component_by_esper(world: World) -> None:
    esper.remove_component(int(world.table.entity[first_row(world)]), Energy)


def tries_to_remove_a_component_by_esper(world: World) -> None:
    esper.try_remove_component(int(world.table.entity[first_row(world)]), Energy)


def clears_everything(world: World) -> None:
    esper.clear_database()


def switches_worlds(world: World) -> None:
    esper.switch_world("elsewhere")


def adds_a_processor(world: World) -> None:
    esper.add_processor(Faulty(0))


def removes_a_processor(world: World) -> None:
    esper.remove_processor(Faulty)


def makes_a_tick_in_a_tick(world: World) -> None:
    esper.process(world)


def changes_the_settings(world: World) -> None:
    world.resource(Settings).width = 10


def replaces_a_resource(world: World) -> None:
    world.resources[Season] = Season()


def takes_resources_out(world: World) -> None:
    world.resources.clear()


def asks_for_the_grid_of_the_program(world: World) -> None:
    assert FlockGrid not in list(world.resources)
    world.resource(FlockGrid).grid.x[:] = 0


def asks_for_a_resource_that_is_not(world: World) -> None:
    world.resource(Hat)


def changes_a_resource_to_what_cannot_be(world: World) -> None:
    world.resource(Season).warmth = 7


def changes_what_a_resource_has_not(world: World) -> None:
    world.resource(Season).wramth = 7  # type: ignore[attr-defined]


def books_broken_numbers(world: World) -> None:
    world.resource(Ledger).births += 0.5  # type: ignore[assignment]


def books_less_than_none(world: World) -> None:
    world.resource(Ledger).births = -1


def measures_a_number_without_end(world: World) -> None:
    world.resource(Measures).values["mood"] = 10**400


def measures_text(world: World) -> None:
    world.resource(Measures).values["mood"] = "good"  # type: ignore[assignment]


def measures_under_no_name(world: World) -> None:
    world.resource(Measures).values[None] = 1.0  # type: ignore[index]


def changes_a_prefab(world: World) -> None:
    world.prefabs["boid"].components["Motion"]["max_speed"] = 1  # type: ignore[index]


def sets_its_parameter_to_what_cannot_be(world: World) -> None:
    world._system.strength = float("nan")  # type: ignore[attr-defined]


def sets_a_whole_parameter_to_a_broken_number(world: World) -> None:
    world._system.times = 2.5  # type: ignore[attr-defined]


LOOKS = "is for reading only: declare it in `writes` or `adds` of faulty"
TRESPASSES = {
    raises: "ZeroDivisionError: division by zero",
    raises_after_writing: "ZeroDivisionError: division by zero",
    raises_after_spawning: "ZeroDivisionError: division by zero",
    raises_after_changing_resources: "ZeroDivisionError: division by zero",
    raises_after_changing_its_parameter: "ZeroDivisionError: division by zero",
    ends_the_program: "SystemExit: bye",
    calls_itself: "RecursionError: maximum recursion depth exceeded",
    runs_out_of_memory: "MemoryError: Unable to allocate 8.00 PiB",
    raises_what_is_no_error: "GeneratorExit",
    raises_what_cannot_be_printed: "OddError: (it can't be printed)",
    writes_nan: "Velocity.x of entity {serial} became nan: must be -10,000 to 10,000 (u/s)",
    writes_infinity: "others became inf: must be",
    writes_beyond_the_bounds: "Velocity.x of entity {serial} became 10001.0: must be -10,000 to 10,000 (u/s)",
    writes_an_amount_beyond_the_bounds: "Energy.level of entity {serial} became -5",
    writes_another_shape: "ValueError: could not broadcast input array",
    gives_the_array_another_shape: "the array of Velocity.x became float32 (1,",
    gives_the_array_another_dtype: "the array of Velocity.x became int32",
    writes_text: "ValueError: could not convert string to float",
    resizes_a_column: "ValueError: cannot resize this array",
    replaces_a_column: "a column can't be replaced by another array: write into it",
    updates_the_columns: "a column can't be replaced by another array: write into it",
    asks_for_a_column_that_is_not: "KeyError: no component has a column 'Velocity.z'; did you mean 'Velocity.y'?",
    deletes_a_column: "a column can't be replaced by another array: write into it",
    writes_an_undeclared_column: f"Position.x {LOOKS}",
    writes_an_undeclared_column_by_a_variable: f"Position.y {LOOKS}",
    writes_an_undeclared_column_by_a_key: f"Position.x {LOOKS}",
    writes_an_undeclared_column_as_out: f"Position.y {LOOKS}",
    writes_an_undeclared_column_by_handle: f"Motion.max_speed {LOOKS}",
    writes_records: "what this line writes to is for reading only: declare it in `writes` or `adds` of faulty",
    sorts_the_rows: "what this line writes to is for reading only",
    changes_serials: "what this line writes to is for reading only",
    writes_an_undeclared_column_in_a_kernel: f"Position.x {LOOKS}",
    sets_a_handle_to_nan: "ValueError: Velocity.x = nan: must be -10,000 to 10,000 (u/s)",
    spawns_without_end: "spawns more than the world has room for: its population_limit is 900",
    spawns_too_many_at_once: "spawns more than 100,000 in one run",
    spawns_nan: "ValueError: Position.x = nan: must be -1,000,000 to 1,000,000 (u)",
    spawns_with_too_few_values: "ValueError: Position.x has shape (2,): must be one value or 3",
    spawns_with_broken_numbers: "ValueError: Energy.level is float64: must be int64",
    spawns_with_text: "ValueError: Position.x is <U4: must be float32",
    spawns_less_than_none: "ValueError: can't spawn -1 entities: must be a whole number, 0 or more",
    spawns_half_a_one: "ValueError: can't spawn 2.5 entities: must be a whole number, 0 or more",
    spawns_what_is_unknown: "KeyError: there is no prefab 'bird'",
    spawns_with_an_unknown_field: "KeyError: there is no field 'Velocity.z'",
    despawns_a_row_that_is_not: "IndexError: despawn_rows: row ",
    despawns_a_row_below_all: "IndexError: despawn_rows: row -1 is out of range",
    despawns_broken_rows: "ValueError: despawn_rows: rows must be whole numbers, not float64",
    adds_an_unknown_component: "KeyError: the world has no component Hat: `app.add_component` makes it known",
    adds_a_component_with_a_wrong_value: "ValueError: Energy.capacity = -1: must be",
    adds_a_component_with_two_values: "ValueError: Energy.capacity has shape (2,): must be one value",
    spawns_an_obstacle_that_flies: f"ValueError: {NO_MOVING_OBSTACLE}",
    spawns_a_boid_that_is_an_obstacle: f"ValueError: {NO_MOVING_OBSTACLE}",
    makes_a_boid_an_obstacle: f"ValueError: {NO_MOVING_OBSTACLE}",
    begins_a_tick_of_its_own: "AttributeError: 'GuardedWorld' object has no attribute 'commit'",
    deletes_an_entity: "esper.delete_entity is not for systems of mods: ask the world, `world.despawn_rows(rows)`",
    deletes_an_entity_later: "esper.delete_entity is not for systems of mods",
    creates_an_entity: "esper.create_entity is not for systems of mods: ask the world, `world.spawn(prefab)`",
    adds_a_component_by_esper: "esper.add_component is not for systems of mods",
    removes_a_component_by_esper: "esper.remove_component is not for systems of mods",
    tries_to_remove_a_component_by_esper: "esper.try_remove_component is not for systems of mods",
    clears_everything: "esper.clear_database is not for systems of mods",
    switches_worlds: "esper.switch_world is not for systems of mods",
    adds_a_processor: "esper.add_processor is not for systems of mods: add systems in install",
    removes_a_processor: "esper.remove_processor is not for systems of mods",
    makes_a_tick_in_a_tick: "esper.process is not for systems of mods",
    changes_the_settings: "the world's width can't be changed by a system",
    replaces_a_resource: "a resource can't be replaced or taken out: write into its fields",
    takes_resources_out: "a resource can't be replaced or taken out: write into its fields",
    asks_for_the_grid_of_the_program: "FlockGrid is not for mods",
    asks_for_a_resource_that_is_not: "KeyError: the world has no resource Hat: `app.add_resource(Hat)` adds one",
    changes_a_resource_to_what_cannot_be: "ValueError: Season.warmth = 7: must be 0 to 1",
    changes_what_a_resource_has_not: "AttributeError: 'Season' object has no attribute 'wramth'",
    books_broken_numbers: "must be a whole number",
    books_less_than_none: "ValueError: Ledger.births = -1: must be 0 to",
    measures_a_number_without_end: "the measure 'mood' became 1000000",
    measures_text: "the measure 'mood' became 'good': must be a number",
    measures_under_no_name: "a measure is called None: must be a text in one line",
    changes_a_prefab: "TypeError: 'mappingproxy' object does not support item assignment",
    sets_a_whole_parameter_to_a_broken_number: "faulty.times became 2.5: must be a whole number",
    sets_its_parameter_to_what_cannot_be: "faulty.strength became nan: must be 0 to 10 (u/s²)",
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # numpy's, for setting shapes and dtypes
@pytest.mark.parametrize("trespass", TRESPASSES, ids=lambda trespass: trespass.__name__)
def test_a_system_that_trespasses_has_not_run_and_is_named(trespass: Any) -> None:
    with modded(Faulty(AT, trespass)) as mine:
        mine.simulation.step(AT)
        serial = mine.simulation.world.table.serial[first_row(mine.simulation.world)]
        mine.simulation.step(LAST - AT)
        found = state(mine.simulation)
    fault = mine.faults[0]
    assert TRESPASSES[trespass].format(serial=serial) in fault.message
    assert fault.where == f"system faulty, tick {AT}"
    assert "\n" not in fault.sentence
    assert found == without(AT, LAST)
    assert fault.place.split(":")[0] in ("test_guard.py", "guarded.py")  # where no line is to blame, that of `run`


def spawns_one_who_sees_all(world: World) -> None:
    world.spawn("boid", 2, {"Perception.reach": [0, EVERYONE]})


def writes_that_all_see_all(world: World) -> None:
    world.table.columns["Perception.reach"][:] = EVERYONE


def sets_that_one_sees_all_by_handle(world: World) -> None:
    handle(world, Perception).reach = EVERYONE


def adds_that_one_sees_all(world: World) -> None:
    world.add(int(world.table.entity[world.table.rows(Obstacle)[0]]), Perception, reach=EVERYONE)


@pytest.mark.parametrize(
    "trespass",
    [spawns_one_who_sees_all, writes_that_all_see_all, sets_that_one_sees_all_by_handle, adds_that_one_sees_all],
    ids=lambda trespass: trespass.__name__,
)
def test_on_a_torus_nobody_is_made_to_see_everyone(trespass: Any) -> None:
    with modded(Faulty(0, trespass), edges="wrap") as mine:
        mine.simulation.step()
        assert NO_MEAN_PLACE in mine.faults[0].message
        check_world(mine.simulation.world)
    with modded(Faulty(0, trespass), edges="open") as mine:
        mine.simulation.step()
        assert not mine.faults


def rests_as_an_obstacle(world: World) -> None:
    entity = int(world.table.entity[first_row(world)])
    world.remove(entity, Velocity)
    world.add(entity, Obstacle)


def test_who_gives_up_its_velocity_may_become_an_obstacle() -> None:
    with modded(Faulty(AT, rests_as_an_obstacle)) as mine:
        mine.simulation.step(AT + 1)
        assert not mine.faults
        check_world(mine.simulation.world)


def test_two_systems_do_not_make_one_obstacle_fly() -> None:
    class Second(Faulty):
        """It comes after the other."""

        after = (*Faulty.after, "faulty")

    def adds_to_food(kind: type) -> Any:
        return lambda world: world.add(int(world.table.entity[world.table.rows(Food)[0]]), kind)

    with modded(Faulty(0, adds_to_food(Obstacle)), Second(0, adds_to_food(Velocity))) as mine:
        mine.simulation.step()
        assert [fault.where for fault in mine.faults] == ["system second, tick 0"]
        check_world(mine.simulation.world)


@pytest.mark.usual_threads
@pytest.mark.parametrize("at", [0, 1, 500])
def test_whenever_it_fails(at: int) -> None:
    with modded(Faulty(at, raises_after_spawning)) as mine:
        mine.simulation.step(at + 20)
        assert [fault.where for fault in mine.faults] == [f"system faulty, tick {at}"]
        assert state(mine.simulation) == without(at, at + 20)


def line_of(text: str) -> str:
    """Where in this file a line stands, as faults name places."""
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    found = [n for n, line in enumerate(lines, 1) if line.strip() == text]
    assert len(found) == 1
    return f"test_guard.py:{found[0]}"


@pytest.mark.parametrize(
    ("trespass", "line"),
    [
        (raises, 'raise ZeroDivisionError("division by zero")'),
        (ends_the_program, 'sys.exit("bye")'),
        (writes_an_undeclared_column, 'world.table.columns["Position.x"][:] += 1'),
        (writes_an_undeclared_column_by_handle, "handle(world, Motion).max_speed = 5.0"),
        (writes_an_undeclared_column_in_a_kernel, "y[row] = x[row] / 2"),
        (spawns_nan, 'world.spawn("boid", 2, {"Position.x": [1, np.nan]})'),
        (deletes_an_entity_later, "esper.delete_entity(int(world.table.entity[3]))"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_line_to_blame_is_the_deepest_of_the_mod(trespass: Any, line: str) -> None:
    with modded(Faulty(0, trespass)) as mine:
        mine.simulation.step()
        assert mine.faults[0].place == line_of(line)
        assert mine.faults[0].sentence.startswith(f"mine: {line_of(line)}: ")


def test_where_values_are_wrong_afterwards_its_run_is_blamed() -> None:
    with modded(Faulty(0, writes_nan)) as mine:
        mine.simulation.step()
        assert mine.faults[0].place == f"guarded.py:{Faulty.run.__code__.co_firstlineno}"


def test_how_numpy_treats_errors_is_the_mods_own_affair() -> None:
    with modded(Faulty(0, lambda _: np.seterr(all="raise"))) as mine:
        before = np.geterr()
        mine.simulation.step()
        assert not mine.faults
        assert np.geterr() == before


def test_a_handle_of_another_world_reads_and_writes_nothing_in_a_system_of_a_mod() -> None:
    with modded(Faulty(99)) as others, modded(Faulty(0, lambda _: setattr(theirs, "x", 5.0))) as mine:
        others.simulation.world.enter()
        theirs = handle(others.simulation.world, Velocity)
        before = state(others.simulation)
        mine.simulation.step()
        assert "is closed or not at work" in mine.faults[0].message
        assert state(others.simulation) == before


def spawns_two_thirds_of_the_room(world: World) -> None:
    room = world.resource(Settings).population_limit - world.table.size + len(world.dying)
    world.spawn("boid", room * 2 // 3)


def test_two_systems_do_not_spawn_more_than_there_is_room_for_both() -> None:
    class Second(Faulty):
        """It comes after the other."""

        after = (*Faulty.after, "faulty")

    with modded(Faulty(0, spawns_two_thirds_of_the_room), Second(0, spawns_two_thirds_of_the_room)) as mine:
        mine.simulation.step()
        assert [fault.where for fault in mine.faults] == ["system second, tick 0"]
        assert "population_limit is 900" in mine.faults[0].message
        assert mine.simulation.world.table.size <= 900


def interrupts(world: World) -> None:
    raises_after_writing_all_but_the_error(world)
    raise KeyboardInterrupt


def raises_after_writing_all_but_the_error(world: World) -> None:
    world.table.columns["Velocity.y"][:] = 77
    world.resource(Season).warmth = 1
    world.spawn("boid", 3)


def test_an_interrupt_puts_back_and_goes_on() -> None:
    with modded(faulty := Faulty(0, interrupts)) as mine:
        before = state(mine.simulation)
        with pytest.raises(KeyboardInterrupt):
            faulty.process(mine.simulation.world)
        assert not mine.faults
        assert faulty.enabled
        assert state(mine.simulation) == before


# ---- what a system may do


def grows_and_dies(world: World) -> None:
    """All that is allowed, each as plain code would do it too."""
    table = world.table
    table.columns["Energy.level"][table.rows(Energy)] //= 2
    world.despawn(world.spawn("boid", 3, {"Position.x": [1, 2.5, 3], "Motion.max_speed": 70})[:1])
    for _ in range(2):
        world.despawn_rows(table.rows(Energy)[:2])
        world.despawn(table.serial[table.rows(Energy)[:2]])
    season = world.resource(Season)
    season.warmth, season.drift = 0.25, (season.drift[0] + 1, 0)
    world.resource(Measures).values["leaves"] = np.float32(3)


def test_a_guarded_system_does_what_it_does_without_a_guard() -> None:
    found = []
    for guarded in (True, False):
        with modded(faulty := Faulty(3, grows_and_dies)) as mine:
            if not guarded:
                faulty.guard = None
            mine.simulation.step(LAST)
            assert not mine.faults
            assert mine.simulation.world.resource(Season).drift == (LAST - 3, 0)
            found.append(state(mine.simulation))
    assert found[0] == found[1]


def test_what_it_reads_by_a_handle_is_what_it_wrote_into_the_column_and_the_other_way_round() -> None:
    seen = []

    def writes(world: World) -> None:
        row = first_row(world)
        velocity = world.get(int(world.table.entity[row]), Velocity)
        world.table.columns["Velocity.x"][row] = 3
        velocity.y = velocity.x + 1
        seen.append(float(world.table.columns["Velocity.y"][row]))

    with modded(Faulty(0, writes)) as mine:
        mine.simulation.step()
        assert (mine.faults, seen) == ([], [4.0])


def test_a_world_and_its_arrays_kept_from_an_earlier_tick_are_worth_nothing() -> None:
    kept: list[Any] = []

    def keeps(world: World) -> None:
        if not kept:
            kept.extend((world, world.table.columns["Velocity.y"]))
            return
        kept[1][:] = 1234
        kept[0].spawn("boid")

    with modded(Faulty(AT - 1, keeps)) as mine:
        mine.simulation.step(LAST)
        assert mine.faults[0].message.startswith("can't spawn in a world kept from an earlier run")
        assert state(mine.simulation) == without(AT, LAST)


def test_values_in_rows_that_lack_the_component_are_nobodys() -> None:
    def writes_everywhere(world: World) -> None:
        lack = np.ones(world.table.size, bool)
        lack[world.table.rows(Velocity)] = False
        assert lack.any()
        world.table.columns["Velocity.x"][lack] = np.nan

    with modded(Faulty(0, writes_everywhere)) as mine:
        mine.simulation.step()
        assert not mine.faults


class Counting(System):
    """Changes a resource, and says so."""

    phase = Phase.MEASURE
    writes = (Season, Velocity)
    after = Faulty.after

    def __init__(self, trespass: Any) -> None:
        super().__init__()
        self.trespass = trespass

    def run(self, world: World) -> None:
        self.trespass(world)


def changes_the_season(world: World) -> None:
    world.resource(Season).warmth = 0.75


def spawns(world: World) -> None:
    world.spawn("boid")


@pytest.mark.parametrize(
    ("trespass", "message"),
    [
        (changes_the_season, "Season was changed in MEASURE, which runs whenever someone looks: do it before"),
        (spawns, "can't spawn in MEASURE, which runs whenever someone looks: do it in LIFE"),
        (writes_nan, "Velocity.x is for reading only: MEASURE runs whenever someone looks"),
    ],
)
def test_a_system_of_measure_only_looks(trespass: Any, message: str) -> None:
    with modded(Counting(trespass)) as mine:
        before = state(mine.simulation)
        mine.simulation.measures()
        assert mine.faults[0].message.startswith(message)
        mine.simulation.pipeline.by_name["counting"].enabled = True
        assert state(mine.simulation) == before


class Silent(System):
    """Changes a resource, and doesn't say so."""

    phase = Phase.LIFE

    def run(self, world: World) -> None:
        world.resource(Season).warmth = 0.75


def test_a_resource_that_a_system_changes_is_declared() -> None:
    with modded(Silent()) as mine:
        mine.simulation.step()
        assert mine.faults[0].message == "Season was changed by a system that doesn't say so: declare it in `writes`"
        assert mine.simulation.world.resource(Season).warmth == 0.5
