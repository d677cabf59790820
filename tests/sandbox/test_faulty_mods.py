"""Faulty mods: the program outlives each, names it with file, line and reason, and the world goes on without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.edit import CommandQueue
from sandbox.mods.check.strict import StrictGuard
from sandbox.mods.find.states import ModState
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.together import mods_from
from sandbox.mods.run.host import SwitchMod
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.toml.source import TomlSource
from tests.mods import write_mod

SCENE = b"""format = 1
seed = 4
[world]
population_limit = 300000
[[spawn]]
prefab = "boid"
count = 40
[[spawn]]
prefab = "predator"
"""

HEAD = """import os, sys
import esper
import numpy as np
from sandbox.api import *
"""

IN_A_TICK = (
    HEAD
    + '''

@component
class Twist:
    """Turns."""

    much: float = number(1, "u/s²", 0, 10, "how much")


@resource
class Count:
    """How often."""

    runs: int = integer(0, "", 0, 100000, "how often it ran")


@kernel
def harm(column):
    column[0] = 1


@kernel
def fail(column):
    raise ValueError("inside a kernel")


@for_each_row
def fail_in_a_row(row, column):
    raise ValueError("inside a row")


@kernel
def misspells(data):
    return data.motoin


@for_each_row
def misspells_a_field(row, data):
    data.motion[row].acceleration_x = data.motion[row].dragg


@for_each_row
def accelerates_by_text(row, data):
    accelerate(data.motion[row], "left")


@for_each_row
def lists_in_a_row(row, data):
    many = [data.motion[row].drag * n for n in range(3)]
    accelerate(data.motion[row], (many[0], many[1]))


@kernel
def unknown(column):
    return nothing_such


class BadError(Exception):
    def __str__(self):
        raise self


def deeper(n):
    return deeper(n + 1) + 1


class Twisting(System):
    """Pushes all to the right, until it goes wrong."""

    phase = Phase.STEER
    adds = ("Motion.acceleration",)
    writes = (Count,)

    def run(self, world: World) -> None:
        table = world.table
        columns, rows = table.columns, table.rows(Position, Motion)
        world.resource(Count).runs += 1
        columns["Motion.acceleration.x"][rows] += 7
        if world.tick == TICK:
            BAD


def install(app: App) -> None:
    app.add_component(Twist)
    app.add_resource(Count)
    app.add_system(Twisting)
'''
)
TICKS = {  # test_guard.py has all that a system can do wrong
    "raise BadError": "BadError: (it can't be printed)",
    "sys.exit(3)": "SystemExit: 3",
    "deeper(0)": "RecursionError",
    'columns["Motion.acceleration.x"][3] = np.nan': "Motion.acceleration.x of entity",
    'columns["Velocity.x"][:] = 0': "is read-only: declare it in `writes` or `adds` of twisting",
    'harm(columns["Velocity.x"])': "is read-only: declare it in `writes` or `adds` of twisting",
    'fail(columns["Velocity.x"])': "inside a kernel",
    'fail_in_a_row(rows, columns["Velocity.x"])': "ValueError: inside a row",
    'unknown(columns["Velocity.x"])': "nothing_such",
    "misspells(data_of(self, world))": "there is no 'motoin': data has the components that a system declares",
    "misspells_a_field(rows, data_of(self, world))": "KeyError: there is no 'dragg'; did you mean 'drag'?",
    "accelerates_by_text(rows, data_of(self, world))": "must be a vector: a tuple of two or three numbers",
    "lists_in_a_row(rows, data_of(self, world))": "can't make a list or an array",
    'world.spawn("boid", 50); world.despawn(table.serial[:20]); raise ValueError("after all")': "ValueError: after all",
    "esper.delete_entity(int(table.serial[0]))": "esper",
    "world.resource(Count).runs = -4": "Count.runs",
}


def line_of(words: str) -> int:
    return IN_A_TICK[: IN_A_TICK.index(words)].count("\n") + 1


def write_bad(folder: Path, bad: str, tick: int = 5) -> LoadedMods:
    write_mod(folder, IN_A_TICK.replace("BAD\n", f"{bad}\n").replace("TICK", str(tick)))
    return mods_from([folder])


def assert_goes_on(mods: LoadedMods, tick: int, place: str, words: str) -> None:
    """It is stopped in that tick, and the world becomes what it does when a command switches it off by then."""
    scene = scene_of(TomlSource("scene.toml", SCENE), mods)
    with Simulation(scene) as faulty, Simulation(scene) as told:
        faulty.step(tick + 4)
        assert len(faulty.mods.faults) == 1
        fault = faulty.mods.faults[0]
        assert fault.sentence.startswith(f"bad: {place}"), fault.sentence
        assert words in fault.message
        assert fault.where == f"system twisting, tick {tick}"
        assert "\n" not in fault.sentence
        told.step(tick)
        told.submit(SwitchMod("bad", False))
        told.step(4)
        assert faulty.mods.off == told.mods.off == {"bad"}
        assert faulty.digest() == told.digest()
        with Simulation(scene) as replayed:
            log = {done.tick: done.command for done in faulty.world.resource(CommandQueue).log}
            for now in range(tick + 4):
                if now in log:
                    replayed.submit(log[now])
                replayed.step()
            assert replayed.digest() == faulty.digest()
            assert not replayed.mods.faults


@pytest.mark.parametrize("bad", TICKS)
def test_what_goes_wrong_in_a_tick(tmp_path: Path, bad: str) -> None:
    at_the_end = "of entity" in TICKS[bad]
    elsewhere = {
        "deeper(0)": "return deeper",
        'harm(columns["Velocity.x"])': "column[0] = 1",
        'fail(columns["Velocity.x"])': "raise ValueError",
        'unknown(columns["Velocity.x"])': "return nothing_such",
        'fail_in_a_row(rows, columns["Velocity.x"])': 'raise ValueError("inside a row")',
        "misspells(data_of(self, world))": "return data.motoin",
        "misspells_a_field(rows, data_of(self, world))": "data.motion[row].acceleration_x",
        "accelerates_by_text(rows, data_of(self, world))": "accelerate(data.motion[row]",
        "lists_in_a_row(rows, data_of(self, world))": "many = [",
    }
    line = line_of("def run" if at_the_end else elsewhere.get(bad, "BAD\n"))
    assert_goes_on(write_bad(tmp_path / "bad", bad), 5, f"bad.py:{line}", TICKS[bad])


def test_one_that_spawns_in_every_tick_is_stopped_where_the_world_is_full(tmp_path: Path) -> None:
    code = IN_A_TICK.replace("        if world.tick == TICK:\n            BAD\n", '        world.spawn("boid", 70)\n')
    write_mod(tmp_path / "bad", code)
    mods = mods_from([tmp_path / "bad"])
    scene = scene_of(TomlSource("scene.toml", SCENE.replace(b"300000", b"300")), mods)
    with Simulation(scene) as simulation:
        simulation.step(10)
        assert simulation.world.table.size == 41 + 3 * 70
        assert [fault.message for fault in simulation.mods.faults] == [
            "spawns more than the world has room for: its population_limit is 300"
        ]


TWO = (
    HEAD
    + """
class Early(System):
    phase = Phase.SENSE
    writes = ("Velocity.y",)
    before = ("spatial_hash", "hunters")

    def run(self, world):
        world.table.columns["Velocity.y"][world.table.rows(Velocity)] += 5


class Late(System):
    phase = Phase.LIFE
    writes = ("Velocity.x",)
    before = ("metabolism",)

    def run(self, world):
        if world.tick == 5:
            world.spawn("boid", 3)
            raise ValueError("too late")


class Measuring(System):
    phase = Phase.MEASURE
    adds = (Measures,)

    def run(self, world):
        if world.tick == 20:
            raise ValueError("measured")


def install(app):
    app.add_system(Early, Late, Measuring)
"""
)


def test_what_its_other_systems_did_in_that_tick_stays_and_the_log_says_so(tmp_path: Path) -> None:
    write_mod(tmp_path / "two", TWO)
    scene = scene_of(TomlSource("scene.toml", SCENE), mods_from([tmp_path / "two"]))
    with Simulation(scene) as first, Simulation(scene) as again:
        first.step(10)
        assert [fault.place for fault in first.mods.faults] == ["two.py:23"]
        log = list(first.world.resource(CommandQueue).log)
        assert [done.tick for done in log] == [5]
        for tick in range(10):
            for done in log:
                if done.tick == tick:
                    again.submit(done.command)
            again.step()
        assert again.digest() == first.digest()
        assert not again.mods.faults


SETS = (
    HEAD
    + """
class Still(System):
    phase = Phase.STEER
    adds = ("Motion.acceleration", "Energy.level")
    after = ("pursuit", "hunger", "flee")

    def run(self, world):
        columns, rows = world.table.columns, world.table.rows(Motion)
        x, y, level = (columns[key] for key in ("Motion.acceleration.x", "Motion.acceleration.y", "Energy.level"))
        {does}

def install(app):
    app.add_system(Still)
"""
)
HUNGRY = SCENE + b'[prefabs.eater]\nextends = "boid"\nEnergy = { level = 5 }\n[[spawn]]\nprefab = "eater"\ncount = 9\n'


@pytest.mark.parametrize(
    "does",
    ["x[:] = 0", "y[rows] = 3", "x *= 0.5", "x[rows] -= x[rows]", "level[:] = 0", "level //= 2", "np.copyto(y, 1)"],
)
def test_the_check_finds_that_what_is_declared_as_added_to_is_set(tmp_path: Path, does: str) -> None:
    mods = mods_from([write_mod(tmp_path / "still", SETS.replace("{does}", does))])
    with Simulation(scene_of(TomlSource("scene.toml", HUNGRY), mods)) as simulation:
        StrictGuard(simulation.pipeline.by_name["still"])
        simulation.step()
        (fault,) = simulation.mods.faults
    assert fault.message.endswith(
        "was set, and still declares that it only adds to it: use +=, or declare it in `writes`"
    )


@pytest.mark.parametrize(
    "does", ["pass", "x[rows] += 3; x[rows] -= 1; y += 1e-3", "level[rows] += 1", "x[rows] += 1e9"]
)
def test_what_is_added_is_added_and_may_be_sums(tmp_path: Path, does: str) -> None:
    mods = mods_from([write_mod(tmp_path / "still", SETS.replace("{does}", does))])
    with Simulation(scene_of(TomlSource("scene.toml", HUNGRY), mods)) as simulation:
        StrictGuard(simulation.pipeline.by_name["still"])
        simulation.step(3)
        assert not simulation.mods.faults


def test_one_that_sets_takes_nothing_from_what_others_added(tmp_path: Path) -> None:
    later = SETS.replace("{does}", "if world.tick > 2: x[:] = y[:] = 0")
    mods = mods_from([write_mod(tmp_path / "still", later)])
    with (
        Simulation(scene_of(TomlSource("scene.toml", HUNGRY), mods)) as simulation,
        Simulation(scene_of(TomlSource("scene.toml", HUNGRY))) as without,
    ):
        simulation.step(9)
        without.step(9)
        assert simulation.digest() == without.digest()


SYSTEM = """
class Late(System):
    phase = Phase.LIFE
    writes = tuple([{writes}])
    {more}
    def run(self, world): pass
def install(app): app.add_system(Late)"""

AT_IMPORT = {
    "def install(app:": ("bad.py:1", "SyntaxError"),
    "def install(app):\npass": ("bad.py:2", "IndentationError"),
    "import nothing_such": ("bad.py:1", "No module named 'nothing_such'"),
    "\n1 / 0": ("bad.py:2", "ZeroDivisionError"),
    "raise SystemExit(1)": ("bad.py:1", "SystemExit: 1"),
    "x = 1": ("mod.toml", "entry: bad has no function 'install'"),
    "install = 3": ("mod.toml", "entry: bad has no function 'install'"),
    "from sandbox.simulation import Simulation": ("bad.py:1:1", "sandbox.api"),
    "import systems.space.grid": ("bad.py:1:1", "sandbox.api"),
    "from sandbox.api import Wings": ("bad.py:1", "cannot import name 'Wings'"),
    "from . import nothing_such": ("bad.py:1", "cannot import name 'nothing_such'"),
    HEAD + SYSTEM.format(writes="", more="needs = (Position, 3)"): ("bad.py:6", "must be a tuple like (Velocity,)"),
    HEAD + SYSTEM.format(writes="", more="reads = Position"): ("bad.py:6", "must be a tuple like (Velocity, "),
}


@pytest.mark.parametrize("code", AT_IMPORT)
def test_what_goes_wrong_at_import(tmp_path: Path, code: str) -> None:
    place, words = AT_IMPORT[code]
    assert refusal(tmp_path, code).startswith(f"bad: {place}: ")
    assert words in refusal(tmp_path, code)


AT_INSTALL = {
    "def install(app): 1 / 0": ("bad.py:5", "ZeroDivisionError"),
    "def install(): pass": ("", "takes 0 positional arguments"),
    "def install(app): app.add_wings(3)": ("bad.py:5", "no attribute 'add_wings'"),
    "def install(app): app.add_system(3)": ("", "add_system got the int 3"),
    "def install(app): app.add_component(Position())": ("", "a component is a class with @component before it"),
    "def install(app): app.add_resource(dict)": ("", "a resource is a class with @resource before it"),
    "def install(app): app.add_prefabs(3)": ("", "it takes a text in TOML"),
    "def install(app): app.add_prefabs('[prefabs.a]\\nWings = {}')": ("", "Wings: unknown key"),
    "def install(app): app.add_prefabs('[prefabs.a')": ("", "add_prefabs:1:"),
    "def install(app): app.add_prefabs('[prefabs.boid]')": ("", "there is already a prefab 'boid'"),
    "@component\nclass Velocity: pass\ndef install(app): app.add_component(Velocity)": (
        "",
        "two components are called Velocity, this one of the mod bad (bad.py) and one of the program: rename one",
    ),
    "class Flocking(System):\n    phase = Phase.STEER\n    def run(self, world): pass\n"
    "def install(app): app.add_system(Flocking)": (
        "",
        "two systems are called flocking, this one of the mod bad (bad.py) and one of the program: rename one",
    ),
    "def install(app): app.add_scenes('scenes')": ("", "add_scenes got the str 'scenes': it takes a folder"),
    SYSTEM.format(writes="", more="needs = (Settings,)"): ("", "needs Settings, which is not a component"),
    SYSTEM.format(writes="", more="def process(self, world): pass"): (
        "",
        "defines process or perform, which the program calls: define run",
    ),
    "class Late(System):\n    def run(self, world): pass\ndef install(app): app.add_system(Late)": (
        "",
        "does not say its phase",
    ),
    "class Late(System):\n    phase = Phase.LIFE\ndef install(app): app.add_system(Late)": ("", "abstract"),
    SYSTEM.format(writes='"Velocity.x"', more="essential = True"): (
        "",
        "is essential, which a system of a mod can't be",
    ),
    SYSTEM.format(writes='"Velocity.w"', more=""): ("", "did you mean 'Velocity."),
    SYSTEM.format(writes='"Velocity.x"', more=""): (
        "",
        "both touch Velocity.x in LIFE and neither says which goes first",
    ),
    SYSTEM.format(writes='"Velocity.x"', more='before = after = ("metabolism",)'): ("", "circular order"),
    "@component\nclass Scent:\n    draws: int = prefabs('whom', having='Nose')\n"
    "def install(app): app.add_component(Scent)": ("", "Scent.draws: having = 'Nose': must be the name of a component"),
}


@pytest.mark.parametrize("code", AT_INSTALL)
def test_what_goes_wrong_at_install(tmp_path: Path, code: str) -> None:
    place, words = AT_INSTALL[code]
    told = refusal(tmp_path, HEAD + code)
    assert told.startswith(f"bad: {place}")
    assert told.endswith(" (install)")
    assert words in told


def refusal(folder: Path, code: str) -> str:
    """Why a mod that is enabled is not on; the others are, and the world runs."""
    write_mod(folder / "mods" / "bad", code)
    write_mod(folder / "mods" / "good")
    library = Library(Trust(folder / "trust.toml"))
    library.look(folder / "scene.toml")
    library.enable("bad")
    library.enable("good")
    listed = {one.id: one for one in library.listed()}
    assert listed["good"].state is ModState.ON
    assert listed["bad"].state is ModState.FAILED
    with Simulation(scene_of(TomlSource("scene.toml", SCENE), library)) as simulation:
        simulation.step()
        assert list(simulation.mods.parts) == ["good"]
    return listed["bad"].reason
