"""A system of a mod that fails leaves no trace: the world is that of a run in which it was disabled before."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
import pytest

from components.life import Energy
from components.motion import Velocity
from components.store.world import World
from sandbox.design.field_rules import NO_MEAN_PLACE, NO_MOVING_OBSTACLE, check_world
from systems.engine.kernel import kernel
from systems.engine.system import Phase
from tests.sandbox.guarded import NAMES, Faulty, Season, modded, state

AT, LAST = 5, 12


@cache
def without(at: int, last: int) -> Any:
    """The world after some ticks in which the system was disabled before its tick."""
    with modded(faulty := Faulty(last)) as mine:
        mine.simulation.step(at)
        faulty.enabled = False
        mine.simulation.step(last - at)
        assert not mine.faults
        return state(mine.simulation)


@kernel
def halve(x: Any, y: Any) -> None:
    for row in range(len(x)):
        y[row] = x[row] / 2


NAMES["halve"] = halve
LOOKS = "what this line writes to is read-only: declare it in `writes` or `adds` of faulty"
OWNED = "use world.spawn, despawn, add and remove, not esper's"
WRITES = """
columns["Velocity.y"][::2] = 77
columns["Energy.level"][:] = 0
1 / 0
"""
SPAWNS = """
serials = world.spawn("boid", 7, {"Position.x": 10.0})
world.despawn(serials[:2])
world.despawn(table.serial[table.rows(Energy)])
world.add(entity, Flocker)
world.remove(entity, Energy)
1 / 0
"""
CHANGES_RESOURCES = """
season = world.resource(Season)
season.warmth, season.drift = 0.9, (3, 4)
world.resource(Ledger).births += 5
world.resource(Measures).values["leaves"] = 3
1 / 0
"""
CANNOT_BE_PRINTED = """
class OddError(Exception):
    def __str__(self):
        raise self
raise OddError
"""
BY_A_VARIABLE = """
x, y = columns["Position.x"], columns["Position.y"]
y[table.rows(Position)] = x[table.rows(Position)]
"""
TRESPASSES = {
    # it raises
    "1 / 0": "ZeroDivisionError: division by zero",
    WRITES: "ZeroDivisionError: division by zero",
    SPAWNS: "ZeroDivisionError: division by zero",
    CHANGES_RESOURCES: "ZeroDivisionError: division by zero",
    "system.strength = 3; 1 / 0": "ZeroDivisionError: division by zero",
    "sys.exit('bye')": "SystemExit: bye",
    "def deeper(): deeper()\ndeeper()": "RecursionError: maximum recursion depth exceeded",
    "np.zeros(1 << 50)": "MemoryError: Unable to allocate 8.00 PiB",
    "raise GeneratorExit": "GeneratorExit",
    "next(iter(()))": "StopIteration",
    CANNOT_BE_PRINTED: "OddError: (it can't be printed)",
    # it writes what can't be
    "columns['Velocity.x'][first] = np.nan": "Velocity.x of entity {serial} became nan: must be -10,000 to 10,000",
    "columns['Velocity.y'][:] = np.inf": "others became inf: must be",
    "columns['Velocity.x'][first] = 10_001": "Velocity.x of entity {serial} became 10001.0: must be -10,000 to 10,000",
    "columns['Energy.level'][first] = -524288": "Energy.level of entity {serial} became -524288, which is -0.5: must",
    "columns['Velocity.x'][:] = np.ones(3)": "ValueError: could not broadcast input array",
    "columns['Velocity.x'][:] = 'fast'": "ValueError: could not convert string to float",
    "columns['Velocity.x'].resize(3)": "ValueError: resize only works on single-segment arrays",
    "columns['Velocity.z'][:] = 1": "KeyError: no component has a column 'Velocity.z'; did you mean 'Velocity.y'?",
    "columns['Position.x'][:] += 1": LOOKS,
    BY_A_VARIABLE: LOOKS,
    "np.add(columns['Position.x'], 1, out=columns['Position.y'])": LOOKS,
    "table.vectors('Position')[1][:] += 1": LOOKS,
    "halve(columns['Position.y'], columns['Position.x'])": LOOKS,
    "handle(Motion).max_speed = 5.0": LOOKS,
    "handle(Velocity).x = np.nan": "ValueError: Velocity.x = nan: must be -10,000 to 10,000 (u/s)",
    "table.records(Position)['x'] = 0": LOOKS,
    "columns['Position.x']; table.serial[:] = 1": LOOKS,
    # it asks for what can't be
    "while True: world.spawn('boid', 500)": "spawns more than the world has room for: its population_limit is 900",
    "world.spawn('boid', 100_001)": "spawns more than 100,000 in one run",
    "world.spawn('boid', 2, {'Position.x': [1, np.nan]})": "ValueError: Position.x = nan: must be -1,000,000 to 1,000,",
    "world.spawn('boid', 3, {'Position.x': [1, 2]})": "ValueError: Position.x: must be one value or 3, of float32",
    "world.spawn('boid', 1, {'Energy.level': 0.5})": "ValueError: Energy.level: must be one value or 1, of int64",
    "world.spawn('boid', 1, {'Position.x': 'left'})": "ValueError: Position.x: must be one value or 1, of float32",
    "world.spawn('boid', -1)": "ValueError: can't spawn -1 entities: must be a whole number, 0 or more",
    "world.spawn('boid', 2.5)": "ValueError: can't spawn 2.5 entities: must be a whole number, 0 or more",
    "world.spawn('bird')": "KeyError: there is no prefab 'bird'",
    "world.spawn('boid', 1, {'Velocity.z': 0})": "KeyError: there is no field 'Velocity.z'",
    "world.despawn(np.array([0.5]))": "ValueError: serials must be whole numbers, not float64",
    "world.despawn(['one'])": "ValueError: serials must be whole numbers, not <U3",
    "world.add(entity, Hat)": "KeyError: the world has no component Hat: `app.add_component` makes it known",
    "world.add(entity, Energy, capacity=-1)": "ValueError: Energy.capacity = -1: must be",
    "world.add(entity, Energy, capacity=(1, 2))": "ValueError: Energy.capacity: must be one value or 1, of int64",
    "world.spawn('obstacle', 1, {'Velocity.x': 5.0})": f"ValueError: {NO_MOVING_OBSTACLE}",
    "world.spawn('boid', 2, {'Obstacle.radius': [5.0, 6.0]})": f"ValueError: {NO_MOVING_OBSTACLE}",
    "world.add(entity, Obstacle)": f"ValueError: {NO_MOVING_OBSTACLE}",
    # it changes what is not its own
    "world.tick = 77": "world.tick was changed, which belongs to the program",
    "esper.delete_entity(entity, immediate=True)": OWNED,
    "esper.delete_entity(entity)": "use world.despawn, not esper's delete_entity",
    "esper.remove_component(entity, Energy)": OWNED,
    "world.resource(Settings).width = 100": "Settings was changed by a system, and only commands may change it",
    "world.resources[Season] = Season()": "Season was replaced or removed: write into the resource's fields",
    "world.resources.clear()": "was replaced or removed: write into the resource's fields",
    "world.resource(Hat)": "KeyError: the world has no resource Hat: `app.add_resource(Hat)` adds one",
    "world.resource(Season).warmth = 7": "ValueError: Season.warmth = 7: must be 0 to 1",
    "world.resource(Season).wramth = 7": "AttributeError: 'Season' object has no attribute 'wramth'",
    "world.resource(Ledger).births += 0.5": "must be a whole number",
    "world.resource(Ledger).births = -1": "ValueError: Ledger.births = -1: must be 0 to",
    "world.resource(Measures).wanted = 5": "Measures.wanted was replaced: put numbers into Measures.values, by name",
    "world.resource(Measures).values = 5": "Measures.values was replaced: put numbers into Measures.values, by name",
    "world.resource(Measures).values['mood'] = 10**400": "the measure 'mood' became 1000000",
    "world.resource(Measures).values['mood'] = 'good'": "the measure 'mood' became 'good': must be a number",
    "world.resource(Measures).values['mood'] = 1.0": "measures were set in LIFE, where they are lost: set them in a",
    "world.resource(Measures).values[None] = 1.0": "a measure is called None: must be a text in one line",
    "system.times = 2.5": "faulty.times became 2.5: must be a whole number",
    "system.strength = np.nan": "faulty.strength became nan: must be 0 to 10 (u/s²)",
}
BY_FORCE = """
column = columns["Motion.max_speed"]
column.flags.writeable = True
column[:] = 5
"""
IN_NATIVE_CODE = """
import ctypes
column = columns["Motion.min_speed"]
ctypes.memset(column.ctypes.data, 0, 4 * column.strides[0])
"""
BELONGS = "changed, which belongs to the program"
NOT_IN_A_TICK = {  # what is found by `boids mod check` alone
    BY_FORCE: "Motion.max_speed was changed, which faulty does not declare: add it to `writes` or `adds`",
    "table.records(Perception)['radius'] = 7": "Perception.radius was changed, which faulty does not declare: add it",
    IN_NATIVE_CODE: "Motion.min_speed was changed, which faulty does not declare: add it to `writes` or `adds`",
    "columns['Velocity.x'] = np.zeros(len(table.serial))": "the array of Velocity.x was replaced",
    "table.columns |= {'Velocity.x': np.zeros(3)}": "the array of Velocity.x was replaced",
    "columns.clear()": "was replaced",
    "del columns['Velocity.x']": "the array of Velocity.x was replaced",
    "columns['Velocity.x'].dtype = np.int32": "the array of Velocity.x was replaced, or has another shape or dtype",
    "columns['Velocity.x'].shape = (1, -1)": "the array of Velocity.x was replaced, or has another shape or dtype",
    "table.rows(Velocity)[:2] = 0": f"the list of rows {BELONGS}",
    "table.prefab.flags.writeable = True; table.prefab[0] = 3": f"the order of rows {BELONGS}",
    "world.prefabs['boid'].components['Motion']['max_speed'] = 1": f"a prefab {BELONGS}",
    "esper.create_entity()": f"esper {BELONGS}",
    "esper.add_component(entity, Hat())": f"esper {BELONGS}",
    "esper.try_remove_component(entity, Energy)": "AttributeError",
    "esper.clear_database()": f"esper {BELONGS}",
    "esper.switch_world('elsewhere')": f"esper {BELONGS}",
    "esper.add_processor(Faulty(0))": f"esper {BELONGS}",
    "esper.remove_processor(Faulty)": f"esper {BELONGS}",
    "world.commit()": "",
    "world.cancel()": "world.waiting was changed, which belongs to the program",
    "world.resource(FlockGrid)": "FlockGrid is not for mods: resources are those of sandbox.api, and what @resource",
}


@pytest.mark.parametrize("trespass", TRESPASSES)
def test_a_system_that_trespasses_has_not_run_and_is_named(trespass: str) -> None:
    with modded(Faulty(AT, trespass)) as mine:
        mine.simulation.step(AT)
        table = mine.simulation.world.table
        serial = table.serial[table.rows(Velocity, Energy)[0]]
        mine.simulation.step(LAST - AT)
        found = state(mine.simulation)
    fault = mine.faults[0]
    assert TRESPASSES[trespass].format(serial=serial) in fault.message
    assert fault.where == f"system faulty, tick {AT}"
    assert "\n" not in fault.sentence
    assert found == without(AT, LAST)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # numpy's, for setting shapes and dtypes
@pytest.mark.parametrize("trespass", [*TRESPASSES, *NOT_IN_A_TICK])
def test_the_check_finds_what_a_tick_does_and_more(trespass: str) -> None:
    with modded(Faulty(0, trespass), strict=True) as mine:
        with suppress(Exception):  # the world may be broken now
            mine.simulation.step()
        assert NOT_IN_A_TICK.get(trespass, "") in mine.faults[0].message


@pytest.mark.parametrize(
    "trespass",
    [
        "world.spawn('boid', 2, {'Perception.reach': [0, EVERYONE]})",
        "columns['Perception.reach'][:] = EVERYONE",
        "handle(Perception).reach = EVERYONE",
        "world.add(int(table.serial[table.rows(Obstacle)[0]]), Perception, reach=EVERYONE)",
    ],
)
def test_on_a_torus_nobody_is_made_to_see_everyone(trespass: str) -> None:
    with modded(Faulty(0, trespass), edges="wrap") as mine:
        mine.simulation.step()
        assert NO_MEAN_PLACE in mine.faults[0].message
        check_world(mine.simulation.world)
    with modded(Faulty(0, trespass), edges="open") as mine:
        mine.simulation.step()
        assert not mine.faults


def test_who_gives_up_its_velocity_may_become_an_obstacle() -> None:
    with modded(Faulty(AT, "world.remove(entity, Velocity); world.add(entity, Obstacle)")) as mine:
        mine.simulation.step(AT + 1)
        assert not mine.faults
        check_world(mine.simulation.world)


class Second(Faulty):
    """It comes after the other."""

    after = (*Faulty.after, "faulty")


def test_two_systems_do_not_make_one_obstacle_fly() -> None:
    adds = "world.add(int(table.serial[table.rows(Food)[0]]), {})".format
    with modded(Faulty(0, adds("Obstacle")), Second(0, adds("Velocity"))) as mine:
        mine.simulation.step()
        assert [fault.where for fault in mine.faults] == ["system second, tick 0"]
        check_world(mine.simulation.world)


@pytest.mark.usual_threads
@pytest.mark.parametrize("at", [0, 1, 125])  # rows are put in order every 120 ticks
def test_whenever_it_fails(at: int) -> None:
    with modded(Faulty(at, SPAWNS)) as mine:
        mine.simulation.step(at + 20)
        assert [fault.where for fault in mine.faults] == [f"system faulty, tick {at}"]
        assert state(mine.simulation) == without(at, at + 20)


PLACES = {
    "\n1 / 0": "mine.py:2",
    "def leave():\n    sys.exit('bye')\n\nleave()": "mine.py:2",
    BY_A_VARIABLE: "mine.py:3",
    "handle(Motion).max_speed = 5.0": "mine.py:1",
    "\nworld.spawn('bird')": "mine.py:2",
    "\nesper.delete_entity(entity)": "mine.py:2",
    "columns['Velocity.x'][:] = np.nan": f"guarded.py:{Faulty.run.__code__.co_firstlineno}",  # found after the run
}


@pytest.mark.parametrize("trespass", PLACES)
def test_the_line_to_blame_is_the_deepest_of_the_mod(trespass: str) -> None:
    with modded(Faulty(0, trespass)) as mine:
        mine.simulation.step()
        assert mine.faults[0].place == PLACES[trespass]
        assert mine.faults[0].sentence.startswith(f"mine: {PLACES[trespass]}: ")


def test_how_numpy_treats_errors_is_the_mods_own_affair() -> None:
    with modded(Faulty(0, "np.seterr(all='raise')")) as mine:
        before = np.geterr()
        mine.simulation.step()
        assert not mine.faults
        assert np.geterr() == before


def test_two_systems_do_not_spawn_more_than_there_is_room_for_both() -> None:
    most = "room = world.resource(Settings).population_limit - table.size + len(world.dying)"
    with modded(*(kind(0, f"{most}\nworld.spawn('boid', room * 2 // 3)") for kind in (Faulty, Second))) as mine:
        mine.simulation.step()
        assert [fault.where for fault in mine.faults] == ["system second, tick 0"]
        assert "population_limit is 900" in mine.faults[0].message
        assert mine.simulation.world.table.size <= 900


def test_an_interrupt_puts_back_and_goes_on() -> None:
    lines = "columns['Velocity.y'][:] = 77; world.resource(Season).warmth = 1; world.spawn('boid', 3)"
    with modded(faulty := Faulty(0, f"{lines}; raise KeyboardInterrupt")) as mine:
        before = state(mine.simulation)
        with pytest.raises(KeyboardInterrupt):
            faulty.process(mine.simulation.world)
        assert not mine.faults
        assert faulty.enabled
        assert state(mine.simulation) == before


# ---- what a system may do


GROWS_AND_DIES = """
columns["Energy.level"][table.rows(Energy)] //= 2
world.despawn(world.spawn("boid", 3, {"Position.x": [1, 2.5, 3], "Motion.max_speed": 70})[:1])
for _ in range(2):
    world.despawn(table.serial[table.rows(Energy)[:2]])
    world.despawn(table.serial[table.rows(Energy)[:2]])
season = world.resource(Season)
season.warmth, season.drift = 0.25, (season.drift[0] + 1, 0)
"""


def test_a_guarded_system_does_what_it_does_without_a_guard() -> None:
    found = []
    for guarded in (True, False):
        with modded(faulty := Faulty(3, GROWS_AND_DIES)) as mine:
            if not guarded:
                faulty.guard = None
            mine.simulation.step(LAST)
            assert not mine.faults
            assert mine.simulation.world.resource(Season).drift == (LAST - 3, 0)
            found.append(state(mine.simulation))
    assert found[0] == found[1]


def test_what_it_reads_by_a_handle_is_what_it_wrote_into_the_column_and_the_other_way_round() -> None:
    lines = """
velocity = world.get(entity, Velocity)
columns["Velocity.x"][first] = 3
velocity.y = velocity.x + 1
assert columns["Velocity.y"][first] == 4
"""
    with modded(Faulty(0, lines)) as mine:
        mine.simulation.step()
        assert not mine.faults


def test_an_array_kept_from_an_earlier_tick_is_worth_nothing_between_two_runs() -> None:
    kept: list[Any] = []
    with modded(Faulty(0, lambda world: kept.append(world.table.columns["Velocity.y"]))) as mine:
        mine.simulation.step()
        before = state(mine.simulation)
        kept[0][:] = 1234
        assert state(mine.simulation) == before
        mine.simulation.step(LAST - 1)
        assert not mine.faults
        mine.simulation.pipeline.by_name["faulty"].enabled = False
        assert state(mine.simulation) == without(LAST, LAST)


def test_values_in_rows_that_lack_the_component_are_nobodys() -> None:
    lines = """
lack = np.ones(len(table.serial), bool)
lack[table.rows(Velocity)] = False
assert lack.any()
columns["Velocity.x"][lack] = np.nan
"""
    with modded(Faulty(0, lines)) as mine:
        mine.simulation.step()
        assert not mine.faults


class Counting(Faulty):
    """Only looks, or should."""

    phase = Phase.MEASURE

    def run(self, world: World) -> None:
        self.trespass(world)


@pytest.mark.parametrize(
    ("trespass", "message"),
    [
        (
            "world.resource(Season).warmth = 0.75",
            "Season was changed in MEASURE, which only measures or draws: do it in",
        ),
        ("world.spawn('boid')", "can't spawn in MEASURE, which only measures or draws: do it in LIFE"),
        ("world.despawn(entity)", "can't spawn or despawn in MEASURE, which only measures or draws: do it in LIFE"),
        ("columns['Velocity.x'][:] = 1", "what this line writes to is read-only: MEASURE only measures or draws"),
    ],
)
def test_a_system_of_measure_only_looks(trespass: str, message: str) -> None:
    with modded(Counting(0, trespass)) as mine:
        before = state(mine.simulation)
        mine.simulation.measures()
        assert mine.faults[0].message.startswith(message)
        mine.simulation.pipeline.by_name["counting"].enabled = True
        assert state(mine.simulation) == before


def test_what_else_it_writes_into_the_records_of_a_draft_is_dropped() -> None:
    with modded(Faulty(AT, "table.records(Perception)['radius'] = 7")) as mine:
        mine.simulation.step(LAST)
        mine.simulation.pipeline.by_name["faulty"].enabled = False
        assert not mine.faults
        assert state(mine.simulation) == without(LAST, LAST)


class Silent(Faulty):
    """Changes a resource, and doesn't say so."""

    writes = (Velocity,)


def test_a_resource_that_a_system_changes_is_declared() -> None:
    with modded(Silent(0, "world.resource(Season).warmth = 0.75")) as mine:
        mine.simulation.step()
        assert mine.faults[0].message == "Season was changed by a system that doesn't declare it: add it to `writes`"
        assert mine.simulation.world.resource(Season).warmth == 0.5
