"""Marks that recordings make by themselves: the first of a kind is born, the last one dies, a mod fails."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from sandbox.design.scene import Entry
from sandbox.edit import Clear, Spawn
from sandbox.files.read_recording import open_recording
from sandbox.files.write_recording import write_recording
from sandbox.mods.load.library import Library
from sandbox.mods.load.loaded_mods import NO_MODS, LoadedMods
from sandbox.opening import load
from sandbox.past.recording import AGAIN, MOST_NOTED
from sandbox.past.replay import replayed
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation
from tests.command_line import boids
from tests.sandbox.test_mods_in_worlds import library_of, written

ANIMALS = """
format = 1
[world]
size = [300, 200]
tick_rate = 10
[prefabs.hare]
extends = "boid"
Life = { max_age = 3 }
[prefabs.fox]
extends = "boid"
Life = { max_age = 5 }
[prefabs.owl]
extends = "boid"
[[spawn]]
prefab = "hare"
count = 5
Life = { age = { mean = 1, sd = 0.4 } }
[[spawn]]
prefab = "fox"
"""
COMES_AND_GOES = """
class Comes(System):
    phase = Phase.LIFE
    after = ("lifecycle",)
    every: int = integer(EVERY, "ticks", 1, 1000, "how long an owl lives")

    def run(self, world):
        if world.tick % self.every == 0:
            owls = world.table.rows(Position)[world.table.prefab[world.table.rows(Position)] == OWL]
            world.despawn(world.table.serial[owls])
            if not len(owls):
                world.spawn("owl", 3, {"Position.x": 50.0, "Position.y": 50.0})

def install(app):
    app.add_system(Comes)
"""
FAILS = """
class Early(System):
    phase = Phase.SENSE
    def run(self, world):
        pass

class Fails(System):
    phase = Phase.LIFE
    def run(self, world):
        if world.tick == 7:
            raise ValueError("no more")

def install(app):
    app.add_system(Early)
    app.add_system(Fails)
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    (tmp_path / "animals.toml").write_text(ANIMALS)
    return tmp_path / "animals.toml"


def marks(timeline: Timeline) -> dict[int, str]:
    return {tick: name for (_, tick), name in timeline.recording.markers.items()}


def kinds_that_turn(simulation: Simulation, ticks: int) -> dict[int, str]:
    """What a look at all that live, after every tick, tells."""
    found, before = {}, simulation.populations()
    for _ in range(ticks):
        simulation.step()
        now = simulation.populations()
        words = [f"the last {name} dies" for name in before if name not in now]
        words += [f"the first {name} is born" for name in now if name not in before]
        if words:
            found[simulation.tick] = "; ".join(words)
        before = now
    return found


def ran(scene: Path, ticks: int, mods: LoadedMods = NO_MODS) -> Timeline:
    timeline = Timeline(load(scene, mods=mods))
    with warnings.catch_warnings(action="ignore"):
        for _ in range(ticks):
            timeline.step()
    return timeline


def owls(tmp_path: Path, every: int) -> Library:
    code = COMES_AND_GOES.replace("EVERY", str(every)).replace("OWL", "INDEX")
    with load(tmp_path / "animals.toml") as simulation:
        code = code.replace("INDEX", str([*simulation.world.prefabs].index("owl")))
    written(tmp_path, "comes", code)
    return library_of(tmp_path, "comes")


def test_the_tick_in_which_the_last_of_a_kind_dies_is_marked(scene: Path) -> None:
    with load(scene) as plain:
        expected = kinds_that_turn(plain, 80)
    assert sorted(expected.values()) == ["the last fox dies", "the last hare dies"]
    assert marks(ran(scene, 80)) == expected


def test_the_first_one_that_is_born_is_marked(scene: Path, tmp_path: Path) -> None:
    library = owls(tmp_path, 20)
    timeline = ran(scene, 75, library)
    assert marks(timeline)[1] == "the first owl is born"
    assert marks(timeline)[21] == "the last owl dies"


def test_who_is_placed_or_erased_is_not(scene: Path) -> None:
    timeline = Timeline(load(scene))
    for tick in range(20):
        if tick in (5, 9):  # as in the window, where commands are carried out between two ticks, and without one
            timeline.simulation.submit(Spawn(Entry("owl", 4)) if tick == 5 else Clear("owl"))
        timeline.step()
    timeline.simulation.submit(Spawn(Entry("owl", 4)))
    timeline.simulation.settle_commands()
    timeline.step()
    assert marks(timeline) == {}


def test_marks_are_in_the_file_and_no_replay_doubles_them(scene: Path, tmp_path: Path) -> None:
    timeline = ran(scene, 80)
    expected = marks(timeline)
    for tick in (0, 60, 20, 80):
        timeline.seek(tick)
    assert marks(timeline) == expected
    write_recording(timeline, tmp_path / "a.boids")
    again = open_recording(tmp_path / "a.boids", NO_MODS)
    for _ in replayed(again):
        pass
    assert marks(again) == expected
    assert again.differs is None


def test_a_branch_has_marks_of_its_own(scene: Path) -> None:
    timeline = ran(scene, 80)
    ends = {name: tick for tick, name in marks(timeline).items()}
    timeline.seek(10)
    timeline.simulation.submit(Spawn(Entry("hare", 3)))
    while timeline.tick < 80:
        timeline.step()
    own = {name: tick for (branch, tick), name in timeline.recording.markers.items() if branch is timeline.branch}
    assert own["the last hare dies"] > ends["the last hare dies"]
    assert own["the last fox dies"] == ends["the last fox dies"]


def test_a_run_without_a_window_finds_them_too(scene: Path, tmp_path: Path) -> None:
    assert boids("run", scene, "--ticks", 80, "--record", tmp_path / "a.boids").returncode == 0
    assert marks(open_recording(tmp_path / "a.boids", NO_MODS)) == marks(ran(scene, 80))


def test_the_fault_of_a_mod_is_marked_once(scene: Path, tmp_path: Path) -> None:
    written(tmp_path, "wind", FAILS)
    library = library_of(tmp_path, "wind")
    timeline = ran(scene, 15, library)
    assert marks(timeline) == {8: "fault of the mod wind"}
    write_recording(timeline, tmp_path / "a.boids")
    again = open_recording(tmp_path / "a.boids", library)
    for _ in replayed(again):
        pass
    assert marks(again) == {8: "fault of the mod wind"}
    assert again.differs is None


def test_what_happens_all_the_time_does_not_fill_the_bar(scene: Path, tmp_path: Path) -> None:
    timeline = ran(scene, 4 * AGAIN, owls(tmp_path, 1))
    words = [*marks(timeline).values()]
    assert words.count("the first owl is born") == words.count("the last owl dies") == 4
    for n in range(2 * MOST_NOTED):
        timeline.recording.note(timeline.branch, n, f"event {n}")
    assert len(timeline.recording.markers) == MOST_NOTED


def test_a_mark_of_a_person_stays_where_something_happens(scene: Path) -> None:
    timeline = ran(scene, 5)
    timeline.recording.markers[timeline.branch, 5] = "Mark 1"
    timeline.recording.note(timeline.branch, 5, "the last owl dies")
    assert marks(timeline) == {5: "Mark 1; the last owl dies"}
