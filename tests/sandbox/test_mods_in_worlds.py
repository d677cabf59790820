"""Mods in a running world: newer versions, those that fail, and commands, undo and snapshots with them."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

import sandbox
from components.store.prefab import Prefab
from sandbox.design.scene import Entry
from sandbox.edit import CommandQueue, SetEnabled, SetField, SetParameter, SetResource, Spawn, Undo
from sandbox.files.container import RecordingError
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.loading import LoadError
from sandbox.mods.load.together import mods_from
from sandbox.mods.run.host import SwitchMod
from sandbox.mods.run.upgrade import UseMods
from sandbox.opening import load
from sandbox.scenes.writer import save_scene, scene_text
from sandbox.simulation import Simulation
from tests.edits import do
from tests.mods import write_mod

API = "from sandbox.api import *\n"
GUST = """
@component
class Gust:
    force: float = number(5, "", 0, 100, "how strong")
    kind: int = choice("cold", "warm", default="warm", help="what it is like")

def install(app):
    app.add_component(Gust)
    app.add_prefabs('[prefabs.kite]\\nextends = "boid"\\nGust = { force = 90, kind = "cold" }')
"""
IDLE_SYSTEM = """
class Idle(System):
    phase = Phase.LIFE
    strength: float = number(1, "", 0, 10, "of nothing")
    def run(self, world):
        pass
"""
IDLE = f"""{IDLE_SYSTEM}
def install(app):
    app.add_system(Idle)
"""
BAD = """
class Bad(System):
    phase = Phase.LIFE
    def run(self, world):
        if world.tick >= 3:
            raise ValueError("no more")

def install(app):
    app.add_system(Bad)
"""
PART = "    x: float = number(0, '', 0, 1, 'x')\n"


def written(here: Path, mod: str, code: str, *depends: str) -> Path:
    return write_mod(here / mod, API + code, depends=list(depends))


def library_of(here: Path, *mods: str) -> Library:
    """The library of someone who named these mods."""
    library = Library(Trust(here / "trust.toml"), [here / mod for mod in mods])
    library.look()
    return library


def assert_replays(simulation: Simulation, mods: LoadedMods) -> None:
    """The log makes the same world of the scene again."""
    with load("ronan", mods=mods) as again:
        for done in simulation.world.resource(CommandQueue).log:
            again.step(done.tick - again.tick)
            again.submit(done.command)
        again.step(simulation.tick - again.tick)
        assert again.digest() == simulation.digest()


def test_mods_in_a_world_stand_in_the_order_in_which_a_later_start_loads_them(tmp_path: Path) -> None:
    written(tmp_path, "gust", GUST)
    dragon = "def install(app):\n    app.add_prefabs('[prefabs.dragon]\\nextends = \"kite\"')\n"
    written(tmp_path, "attic", dragon, "gust")
    library = library_of(tmp_path, "gust", "attic")
    with load("ronan", mods=library) as simulation:
        assert list(simulation.mods.mods) == ["gust", "attic"]
        written(tmp_path, "attic", f"# newer\n{dragon}", "gust")
        simulation.submit(UseMods(library.reload("attic")))
        simulation.step()
        assert list(simulation.mods.mods) == ["gust", "attic"]


def test_a_component_that_a_mod_names_twice_is_one_that_it_brings(tmp_path: Path) -> None:
    written(tmp_path, "gust", GUST.replace("add_component(Gust)", "add_component(Gust, Gust); app.add_component(Gust)"))
    with load("ronan", mods=library_of(tmp_path, "gust")) as simulation:
        assert [one.__name__ for one in simulation.mods.parts["gust"].components] == ["Gust"]


def test_prefabs_keep_of_a_newer_version_what_it_allows(tmp_path: Path) -> None:
    written(tmp_path, "gust", GUST)
    library = library_of(tmp_path, "gust")
    with load("ronan", mods=library) as simulation:
        do(simulation, SetField("Gust.force", 80, prefab="kite"))
        newer = GUST.replace("0, 100,", "0, 50,").replace('"cold", "warm", default', '"hot", "warm", default')
        written(tmp_path, "gust", newer.replace('force = 90, kind = "cold"', "force = 9"))
        do(simulation, UseMods(library.reload("gust")))
        simulation.submit(Spawn(Entry("kite", at=(9, 9))))
        simulation.step()
        assert simulation.world.prefabs["kite"].components["Gust"] == {"force": 50, "kind": 1}
        simulation.save(tmp_path / "state.boids")
        load(tmp_path / "state.boids", mods=library).close()


def test_what_nobody_changed_is_what_the_newer_version_says(tmp_path: Path) -> None:
    tide = "@resource\nclass Tide:\n    level: float = number(3, '', 0, 9, 'high')\n"
    code = tide + GUST.replace("install(app):", "install(app):\n    app.add_resource(Tide)\n    app.add_system(Idle)")
    code += IDLE_SYSTEM
    newer = code.replace("number(3", "number(4").replace("number(1", "number(5").replace("force = 90", "force = 9")
    written(tmp_path, "gust", code)
    library = library_of(tmp_path, "gust")
    with load("ronan", mods=library) as simulation:
        written(tmp_path, "gust", newer)
        do(simulation, UseMods(library.reload("gust")))
        world = simulation.world
        assert simulation.pipeline.by_name["idle"].strength == 5
        assert world.prefabs["kite"].components["Gust"]["force"] == 9
        assert [kept.level for kind, kept in world.resources.items() if kind.__name__ == "Tide"] == [4]
        do(simulation, SetParameter("idle", "strength", 7))
        written(tmp_path, "gust", code)
        do(simulation, UseMods(library.reload("gust")))
        assert simulation.pipeline.by_name["idle"].strength == 7


MOOD = (
    IDLE_SYSTEM
    + """
@component
class Mood:
    joy: float = number(1, "", 0, 9, "how merry")
    drift: tuple = vector("", "where to")

@resource
class Hour:
    now: float = number(1, "", 0, 9, "o'clock")

def install(app):
    app.add_component(Mood)
    app.add_resource(Hour)
    app.add_system(Idle)
    app.add_prefabs('[prefabs.clown]\\nextends = "boid"\\nMood = { joy = 8 }')
"""
)
RENAMED = (
    MOOD.replace('"how merry")', '"how merry", was="joy")\n    more: int = integer(3, "", 0, 9, "new")')
    .replace("joy:", "glee:")
    .replace("joy =", "glee =")
    .replace('drift: tuple = vector("", "where to")', 'way: tuple = vector("", "where to", was="drift")')
    .replace(
        """now: float = number(1, "", 0, 9, "o'clock")""", """hour: float = number(1, "", 0, 9, "o'clock", was="now")"""
    )
    .replace(
        'strength: float = number(1, "", 0, 10, "of nothing")',
        'might: float = number(1, "", 0, 10, "of nothing", was="strength")',
    )
)


def clowns(simulation: Simulation) -> None:
    """Three, with values of their own, that no version began with."""
    do(simulation, Spawn(Entry("clown", 3)))
    columns = simulation.world.table.columns
    columns["Mood.joy"][: simulation.world.table.size][-3:] = 5
    columns["Mood.drift.x"][: simulation.world.table.size][-3:] = 6
    next(kept for kind, kept in simulation.world.resources.items() if kind.__name__ == "Hour").now = 7
    do(simulation, SetParameter("idle", "strength", 4))


def assert_kept(simulation: Simulation) -> None:
    world = simulation.world
    rows = world.table.rows(world.table.components["Mood"])
    kept = {key: set(world.table.columns[f"Mood.{key}"][rows].tolist()) for key in ("glee", "way.x", "more")}
    assert kept == {"glee": {5}, "way.x": {6}, "more": {3}}
    assert world.prefabs["clown"].components["Mood"]["glee"] == 8
    assert next(kept for kind, kept in world.resources.items() if kind.__name__ == "Hour").hour == 7
    assert simulation.pipeline.by_name["idle"].might == 4


OLD_SCENE = """\
format = 1
mods.required = ["mood"]

[systems]
idle = { strength = 4 }

[resources.Hour]  # as it begins
now = 7

[prefabs.clown]
extends = "boid"
Mood.joy = 8  # merry

[[spawn]]
prefab = "clown"
count = 2

[[spawn]]
prefab = "clown"
Mood = { joy = { mean = 5, sd = 0 } }
"""


def test_a_scene_may_call_fields_as_they_were_and_is_saved_with_their_new_names(tmp_path: Path) -> None:
    written(tmp_path, "mood", RENAMED)
    library = library_of(tmp_path, "mood")
    (tmp_path / "old.toml").write_text(OLD_SCENE)
    with load(tmp_path / "old.toml", mods=library) as simulation:
        world = simulation.world
        rows = world.table.rows(world.table.components["Mood"])
        assert sorted(world.table.columns["Mood.glee"][rows]) == [5, 8, 8]
        assert next(kept for kind, kept in world.resources.items() if kind.__name__ == "Hour").hour == 7
        assert simulation.pipeline.by_name["idle"].might == 4
        assert scene_text(simulation) == OLD_SCENE
        simulation.submit(SetResource("Hour.now", 2))
        simulation.submit(SetParameter("idle", "strength", 6))
        simulation.submit(SetField("Mood.joy", 3, prefab="clown"))
        simulation.settle_commands()
        text = scene_text(simulation)
    assert "[resources.Hour]  # as it begins\nhour = 2\n" in text
    assert "idle = { might = 6 }" in text
    assert "Mood.glee = 3" in text
    assert "joy" not in text.replace("as it begins", "")
    (tmp_path / "new.toml").write_text(text)
    with load(tmp_path / "new.toml", mods=library) as simulation:
        assert simulation.pipeline.by_name["idle"].might == 6


def test_a_scene_that_says_both_names_of_a_field_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "mood", RENAMED)
    (tmp_path / "old.toml").write_text(OLD_SCENE.replace("now = 7", "now = 7\nhour = 8"))
    with pytest.raises(ValueError, match=r"old.toml:8:.*now.*is now called hour, which is also given: leave one out"):
        load(tmp_path / "old.toml", mods=library_of(tmp_path, "mood"))


def test_fields_that_were_renamed_keep_their_values_in_snapshots_and_in_a_running_world(tmp_path: Path) -> None:
    written(tmp_path, "mood", MOOD)
    library = library_of(tmp_path, "mood")
    with load("ronan", mods=library) as simulation:
        clowns(simulation)
        simulation.save(tmp_path / "old.boids")
        written(tmp_path, "mood", RENAMED)
        do(simulation, UseMods(library.reload("mood")))
        assert_kept(simulation)
    with load(tmp_path / "old.boids", mods=library) as simulation:
        assert_kept(simulation)


@pytest.mark.parametrize("named", [None, "mood", "mood >= 0.5"])
def test_a_snapshot_with_a_field_that_a_mod_lost_names_mod_field_and_versions(
    tmp_path: Path, named: str | None
) -> None:
    with load("ronan", mods=mods_from([written(tmp_path, "mood", MOOD)])) as simulation:
        clowns(simulation)
        simulation.scene.mods = {"required": [named]} if named else {}
        simulation.save(tmp_path / "old.boids")
    newer = write_mod(tmp_path / "mood", API + MOOD.replace("joy", "glee"), version="2.0")
    with pytest.raises(
        RecordingError,
        match=r"Mood\.joy: unknown key \(written with mood 1\.0, and there is 2\.0: "
        r"a field that was renamed must say was = \.\.\.\)",
    ):
        load(tmp_path / "old.boids", mods=mods_from([newer]))
    same = write_mod(tmp_path / "mood", API + MOOD.replace("joy", "glee"), version="1.0.0")
    with pytest.raises(RecordingError, match=r"Mood\.joy: unknown key[^(]*$"):
        load(tmp_path / "old.boids", mods=mods_from([same]))


def test_undoing_a_switch_leaves_off_what_needs_one_that_failed_since(tmp_path: Path) -> None:
    both = [written(tmp_path, "bad", BAD), written(tmp_path, "idle", IDLE, "bad")]
    with load("ronan", mods=mods_from(both)) as simulation:
        simulation.submit(SwitchMod("idle", False))
        simulation.step(5)
        simulation.submit(Undo())
        simulation.step()
        assert simulation.mods.off == {"bad", "idle"}
        assert not simulation.pipeline.by_name["idle"].enabled


def test_what_a_person_did_to_an_older_version_can_not_be_undone_in_a_newer_one(tmp_path: Path) -> None:
    written(tmp_path, "idle", IDLE)
    library = library_of(tmp_path, "idle")
    with load("ronan", mods=library) as simulation:
        simulation.submit(SetParameter("idle", "strength", 3))
        simulation.step()
        written(tmp_path, "idle", "def install(app):\n    pass\n")
        simulation.submit(UseMods(library.reload("idle")))
        simulation.submit(Undo())
        simulation.step()
        assert "idle" not in simulation.pipeline.by_name


def test_a_newer_version_of_a_mod_stays_off_while_one_that_it_needs_is_off(tmp_path: Path) -> None:
    write_mod(tmp_path / "base")
    written(tmp_path, "idle", IDLE, "base")
    library = library_of(tmp_path, "base", "idle")
    with load("ronan", mods=library) as simulation:
        simulation.submit(SwitchMod("base", False))
        simulation.step()
        written(tmp_path, "idle", f"# newer\n{IDLE}", "base")
        simulation.submit(UseMods(library.reload("idle")))
        simulation.step()
        assert simulation.mods.off == {"base", "idle"}
        assert not simulation.pipeline.by_name["idle"].enabled
        simulation.submit(SwitchMod("idle", True))
        simulation.step()
        assert simulation.pipeline.by_name["idle"].enabled


@pytest.mark.parametrize("name", ["state.boids", "scene.toml"])
def test_a_mod_that_is_off_when_the_world_is_saved_is_off_when_it_is_opened(tmp_path: Path, name: str) -> None:
    show = written(tmp_path, "show", "def install(app):\n    pass\n", "idle")  # it has no system that could be off
    mods = mods_from([written(tmp_path, "idle", IDLE), show])
    with load("ronan", mods=mods) as simulation:
        simulation.submit(SwitchMod("idle", False))
        simulation.step()
        if name == "state.boids":
            simulation.save(tmp_path / name)
        else:
            save_scene(simulation, tmp_path / name)
    with load(tmp_path / name, mods=mods) as simulation:
        assert simulation.mods.off == {"idle", "show"}
        simulation.submit(SwitchMod("idle", True))
        simulation.step()
        assert simulation.pipeline.by_name["idle"].enabled


def test_undoing_a_switch_leaves_others_off_that_failed_since(tmp_path: Path) -> None:
    with load("ronan", mods=mods_from([written(tmp_path, "idle", IDLE), written(tmp_path, "bad", BAD)])) as simulation:
        simulation.submit(SwitchMod("idle", False))
        simulation.step(5)
        assert simulation.mods.off == {"idle", "bad"}
        simulation.submit(Undo())
        simulation.step()
        assert simulation.mods.off == {"bad"}
        assert simulation.pipeline.by_name["idle"].enabled
        assert not simulation.pipeline.by_name["bad"].enabled


def test_a_system_of_a_stopped_mod_that_a_person_switches_on_is_stopped_again(tmp_path: Path) -> None:
    mods = mods_from([written(tmp_path, "bad", BAD)])
    with load("ronan", mods=mods) as simulation:
        simulation.step(5)
        simulation.submit(SetEnabled("bad", True))
        simulation.step(5)
        assert len(simulation.mods.faults) == 2
        assert not simulation.pipeline.by_name["bad"].enabled
        assert_replays(simulation, mods)


@pytest.mark.parametrize("phase", ["COMMANDS", "SENSE", "MEASURE"])
def test_a_mod_that_fails_while_the_world_stands_is_off_and_the_log_tells_it(tmp_path: Path, phase: str) -> None:
    mods = mods_from([written(tmp_path, "bad", BAD.replace("LIFE", phase))])
    with load("ronan", mods=mods) as simulation:
        simulation.step(3)
        do(simulation, Spawn(Entry("boid", at=(9, 9))))
        simulation.measures()
        simulation.step(3)
        assert len(simulation.mods.faults) == 1
        assert_replays(simulation, mods)


@pytest.mark.parametrize("name", ["Measures", "History"])
def test_a_resource_may_be_called_like_one_of_the_program(tmp_path: Path, name: str) -> None:
    written(tmp_path, "clash", f"@resource\nclass {name}:\n{PART}\ndef install(app):\n    app.add_resource({name})\n")
    library = library_of(tmp_path, "clash")
    assert library.loaded
    with load("ronan") as simulation:
        simulation.submit(UseMods(library.loaded))
        simulation.step()
        assert simulation.world.declared[name].__module__.startswith("boids_mods")
        assert simulation.measures()


RUN = "    def run(self, world):\n        pass\n"


@pytest.mark.parametrize(
    ("code", "adds", "why"),
    [
        (f"@resource\nclass Ledger:\n{PART}", "resource(Ledger)", "two resources are called Ledger, .*: rename one"),
        (f"@resource\nclass Settings:\n{PART}", "resource(Settings)", "two resources are called Settings"),
        (f"@component\nclass prefab:\n{PART}", "component(prefab)", "prefab must begin with a capital letter"),
        (f"class S(System):\n    phase = 'STEER'\n{RUN}", "system(S())", "does not say its phase"),
        (
            f"class S(System):\n    phase = Phase.MOVE\n    after = 'edges'\n{RUN}",
            "system(S())",
            "after = 'edges': must",
        ),
        (f"class S(System):\n    phase = Phase.MOVE\n    reads = (5,)\n{RUN}", "system(S())", r"reads = \(5,\): must"),
        (f"class S(System):\n    phase = property(lambda s: 1 / 0)\n{RUN}", "system(S())", "does not say its phase"),
    ],
)
def test_what_would_fail_later_is_refused_at_once(tmp_path: Path, code: str, adds: str, why: str) -> None:
    folder = written(tmp_path, "bad", f"{code}\ndef install(app):\n    app.add_{adds}\n")
    library = library_of(tmp_path, "bad")
    assert library.loaded == ()
    with pytest.raises(LoadError, match=why):
        load("ronan", mods=mods_from([folder])).close()


def test_a_snapshot_with_as_many_prefabs_as_fit_tells_that_those_of_mods_do_not(tmp_path: Path) -> None:
    with load("ronan") as simulation:
        prefabs = simulation.world.prefabs
        for n in range(64 - len(prefabs)):
            prefabs[f"p{n}"] = Prefab(f"p{n}", prefabs["boid"].components)
        simulation.save(tmp_path / "full.boids")
    mods = mods_from([written(tmp_path, "gust", GUST)])
    with pytest.raises(RecordingError, match="more than 64 prefabs"):
        load(tmp_path / "full.boids", mods=mods).close()


def test_components_that_versions_left_behind_are_counted(tmp_path: Path) -> None:
    def write(n: int) -> None:
        written(tmp_path, "many", f"@component\nclass C{n}:\n{PART}\ndef install(app):\n    app.add_component(C{n})\n")

    write(0)
    library = library_of(tmp_path, "many")
    with load("ronan", mods=library) as simulation:
        for n in range(1, 65 - len(simulation.world.table.components)):
            write(n)
            do(simulation, UseMods(library.reload("many")))
        write(99)
        with pytest.raises(ValueError, match="more than 64 components"):
            simulation.submit(UseMods(library.reload("many")))
        simulation.step()


def test_a_vector_of_a_component_is_kept_by_prefabs_and_snapshots(tmp_path: Path) -> None:
    code = "@component\nclass Push:\n    way: tuple[float, float] = vector('u/s', 'where to')\n"
    brings = "    app.add_component(Push)\n    app.add_prefabs('[prefabs.pushed]\\nextends = \"boid\"\\nPush = {}')\n"
    mods = mods_from([written(tmp_path, "push", f"{code}\ndef install(app):\n{brings}")])
    with load("ronan", mods=mods) as simulation:
        simulation.submit(Spawn(Entry("pushed", at=(9, 9))))
        simulation.step()
        table = simulation.world.table
        table.columns["Push.way.y"][table.rows(table.components["Push"])] = 3
        simulation.save(tmp_path / "state.boids")
        with load(tmp_path / "state.boids", mods=mods) as again:
            assert again.digest() == simulation.digest()
            push = again.world.table.components["Push"]
            assert again.world.table.columns["Push.way.y"][again.world.table.rows(push)] == 3


def test_a_world_with_a_mod_that_is_never_closed_is_freed(tmp_path: Path) -> None:
    dropped = sandbox.new(mods=[write_mod(tmp_path / "idle", API + IDLE)])
    dropped.step()
    world = weakref.ref(dropped.world)
    del dropped
    with sandbox.new() as other:
        other.step()  # esper's current world is another one now
        gc.collect()
        assert world() is None
