"""Commands are checked when they are submitted, by the rules that hold for scene files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sandbox
from sandbox.design.scene import Circle, Entry, Rect
from sandbox.edit import (
    Clear,
    Command,
    CommandQueue,
    Despawn,
    Erase,
    Move,
    NewPrefab,
    Paste,
    RenamePrefab,
    SetEnabled,
    SetField,
    SetHand,
    SetParameter,
    SetPrefabs,
    SetSetting,
    SetTables,
    Spawn,
    Undo,
    copy_of,
)
from sandbox.edit.queue import MOST_READ
from sandbox.mods.run.host import SwitchMod
from sandbox.simulation import Simulation
from sandbox.toml.schemas import Spread
from tests.edits import Fails, do
from tests.values import anything


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (Spawn(Entry("biod")), "did you mean 'boid'"),
        (Spawn(Entry("boid", count=1_000_000)), "room for 999,900 more"),
        (Spawn(Entry("boid", at=(2e6, 0))), "must be -1,000,000 to 1,000,000"),
        (Spawn(Entry("boid", at=(float("nan"), 0))), "must be"),
        (SetField("Perception.reach", "everyone"), "a mean position is undefined if edges"),
        (SetField("Perception.radius", -1), "must be 0 to 10,000"),
        (SetField("Perception.radius", 9, serials=(5000,)), "there is no entity 5000"),
        (SetField("Perception.radius", 9, prefab="bird"), "no prefab 'bird'"),
        (SetField("Motion.acceleration", 9), "there is no field"),
        (SetParameter("commit", "reorder_evry", 9), "did you mean 'reorder_every'"),
        (SetParameter("commit", "reorder_every", 0), "must be 1 to"),
        (SetEnabled("flockin", False), "did you mean 'flocking'"),
        (Erase(0, 0, 10, prefab="boidd"), "did you mean 'boid'"),
        (SetEnabled("spatial_hash", False), "can't be disabled"),
        (SetEnabled("flocking", "maybe"), "must be true or false"),  # type: ignore[arg-type]
        (Spawn(Entry("ronan", values={"Foo.bar": 1})), "no field 'Foo.bar'"),
        (Spawn(Entry("ronan", values={"Perception.reach": 2})), "a mean position is undefined if edges"),
        (Spawn(Entry("ronan", velocity=(float("nan"), 0))), "must be"),
        (Spawn(Entry("ronan", points=((1, 1), (2, 2)))), "ronan has no Wall"),
        (Spawn(Entry("wall", points=((1, 1), (2, float("inf"))))), "points\\[1\\]\\[1\\] = inf: must be a finite"),
        (Clear("boidd"), "did you mean 'boid'"),
        (Move((1,), float("nan"), 0), "dx = nan: must be"),
        (Move((1,), 0, 1e7), "dy = 10000000.0: must be -2,000,000 to 2,000,000"),
        (SetSetting("widht", 9), "there is no field 'world.widht'; did you mean 'world.width'"),
        (SetSetting("width", 0), "width = 0: must be 1 to 1,000,000"),
        (SetSetting("edges", "warp"), "did you mean 'wrap'"),
        (SetSetting("tick_rate", 60.5), "must be a whole number"),
        (SetSetting("seed", -1), "seed = -1: must be 0 to"),
        (NewPrefab("ronan", "ronan"), "there is already a prefab 'ronan'"),
        (NewPrefab("", "ronan"), "a name must be 1 to 64 printable characters"),
        (NewPrefab("x" * 65, "ronan"), "a name must be 1 to 64 printable characters"),
        (NewPrefab("a\nb", "ronan"), "a name must be 1 to 64 printable characters"),
        (NewPrefab("mine", "ronnan"), "did you mean 'ronan'"),
        (RenamePrefab("ronnan", "mine"), "did you mean 'ronan'"),
        (RenamePrefab("ronan", "boid"), "there is already a prefab 'boid'"),
        (SetHand(0, 0, 1, 0), "radius = 0: must be above 0"),
        (SetHand(float("nan"), 0, 1), "x = nan: must be"),
        (Spawn(Entry("ronan", values={"Motion.max_speed": -5e9})), "Motion.max_speed = -5000000000.0: must be 0 to"),
        (Spawn(Entry("ronan", values={"Motion.max_speed": float("nan")})), "Motion.max_speed = nan: must be"),
        (Spawn(Entry("ronan", values={"Look.colour": "#ff0000"})), "Look.colour = '#ff0000': must be 0 to 0xffffff"),
        (Spawn(Entry("ronan", values={"Look.shape": 999})), "Look.shape = 999: must be 0 to"),
        (Spawn(Entry("ronan", values={"Look.size": Spread(9, -1)})), "Look.size.sd = -1: must be 0 to"),
        (Spawn(Entry("ronan", values={"Look.shape": Spread(1, 1)})), "must be one value for all"),
        (Spawn(Entry("ronan", values={"Predator.hunts": 1 << 63})), "must name some of the"),
        (Spawn(Entry("ronan", area=Circle(1e6, 0, 9))), "must lie within 1,000,000 u"),
        (Spawn(Entry("ronan", area=Rect(0, 0, float("nan"), 1))), "area.rect\\[2\\] = nan: must be a finite"),
        (Spawn(Entry("ronan", speed=(9, 1))), "must be \\[slowest, fastest\\]"),
        (Spawn(Entry("ronan", heading=float("inf"))), "heading = inf: must be"),
        (Spawn(Entry("wall", points=((1, 1),))), "points: must be 2 points or more"),
        (Spawn(Entry("wall", points=((1, 1), (1, 1)))), "points\\[1\\]: is the same point"),
        (SetField("Predator.hunts", [["ronan"]]), "there is no prefab \\['ronan'\\]"),
        (Spawn(Entry("ronan", count=2), ((1.0, 2.0),)), "1 places for 2: there must be one each"),
        (Spawn(Entry("ronan", count=2), ((1.0, 2.0), (3.0, 2e6))), "must be -1,000,000 to 1,000,000"),
    ],
)
def test_what_can_not_be_done_is_refused_and_changes_nothing(command: Command, said: str) -> None:
    with sandbox.load("ronan") as simulation:
        before = simulation.digest()
        with pytest.raises(ValueError, match=said):
            simulation.submit(command)
        simulation.settle_commands()
        assert simulation.digest() == before


def test_serials_are_whole_numbers() -> None:
    for serials in (("a",), (1.5,), (True,), (None,), (2**70,), ([1],), 5, "12"):
        with pytest.raises(ValueError, match="serials must be whole numbers"):
            Despawn(serials)  # type: ignore[arg-type]


PARTS: dict[type[Command], tuple[str, ...]] = {
    Spawn: ("entry", "places"),
    Despawn: ("serials",),
    Erase: ("x", "y", "radius", "prefab"),
    Clear: ("prefab",),
    Move: ("serials", "dx", "dy"),
    Paste: ("copies", "dx", "dy"),
    SetField: ("key", "value", "serials", "prefab"),
    SetParameter: ("system", "name", "value"),
    SetPrefabs: ("values", "words"),
    SetTables: ("table", "tables", "words"),
    SetEnabled: ("system", "enabled"),
    SwitchMod: ("mod", "on"),
    SetSetting: ("name", "value"),
    NewPrefab: ("name", "like"),
    RenamePrefab: ("name", "to"),
    SetHand: ("x", "y", "strength", "radius"),
}
ENTRY = ("prefab", "count", "at", "area", "velocity", "speed", "heading", "points", "closed", "values")


@pytest.fixture(scope="module")
def ronan() -> Iterator[Simulation]:
    with sandbox.load("ronan") as simulation:
        yield simulation


@pytest.mark.parametrize("kind", PARTS, ids=lambda kind: kind.__name__)
@given(data=st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_stands_in_a_command_is_refused_or_can_be_carried_out(
    kind: type[Command], data: st.DataObject, ronan: Simulation
) -> None:
    usual = {"entry": Entry("ronan"), "serials": (1,), "copies": copy_of(ronan.world, (1,)), "prefab": "ronan"}
    usual |= {
        "key": "Look.size",
        "value": 5,
        "system": "commit",
        "on": True,
        "enabled": True,
        "name": "reorder_every",
        "like": "ronan",
    }
    usual |= {"to": "mine", "x": 1, "y": 1, "radius": 1, "strength": 1, "dx": 1, "dy": 1, "places": (), "mod": "no"}
    usual |= {
        "values": (("ronan", "Look.size", 5),),
        "table": "presets",
        "tables": {"tight": {"size": 2.0}},
        "words": "resize",
    }
    given = {name: usual[name] for name in PARTS[kind]}
    wrong = data.draw(st.sampled_from(PARTS[kind]))
    given[wrong] = data.draw(anything())
    if kind is Spawn and data.draw(st.booleans()):
        given["entry"] = replace(Entry("ronan"), **{data.draw(st.sampled_from(ENTRY)): data.draw(anything())})
    queue, before = ronan.world.resource(CommandQueue), ronan.digest()
    try:
        ronan.submit(kind(**given))
    except ValueError:
        assert ronan.digest() == before
        return
    done = len(queue.log)
    ronan.settle_commands()
    assert len(queue.log) == done + 1
    assert not ronan.world.waiting.on
    do(ronan, Undo())


@pytest.mark.parametrize("error", [ValueError, TypeError, ZeroDivisionError])
def test_a_command_that_fails_changes_nothing_and_takes_no_other_with_it(error: type[Exception]) -> None:
    with sandbox.load("ronan") as simulation, sandbox.load("ronan") as other:
        simulation.submit(SetField("Look.size", 9, serials=(4,)))
        simulation.submit(Fails(error))
        simulation.submit(Spawn(Entry("ronan", 3)))
        simulation.settle_commands()
        queue = simulation.world.resource(CommandQueue)
        assert len(queue.refused) == 1
        assert "oh dear" in queue.refused[0]
        assert [type(done.command) for done in queue.log] == [SetField, Spawn]
        assert not simulation.world.waiting.on
        for done in queue.log:
            other.submit(done.command)
        other.settle_commands()
        assert simulation.digest() == other.digest()


def test_entities_that_are_asked_for_take_up_room() -> None:
    with sandbox.load("ronan") as simulation:
        simulation.submit(Spawn(Entry("ronan", count=999_000)))
        with pytest.raises(ValueError, match="room for 900 more"):
            simulation.submit(Spawn(Entry("ronan", count=901)))


def test_many_can_be_placed_each_at_its_own_place() -> None:
    with sandbox.load("ronan") as simulation:
        do(simulation, Spawn(Entry("ronan", count=3), ((10.0, 20.0), (30.0, 40.0), (50.0, 60.0))))
        columns = simulation.world.table.columns
        assert columns["Position.x"][100:103].tolist() == [10, 30, 50]
        assert columns["Position.y"][100:103].tolist() == [20, 40, 60]
        assert len(set(columns["Velocity.x"][100:103].tolist())) == 3


def test_removing_the_dead_is_no_mistake() -> None:
    with sandbox.load("ronan") as simulation:
        simulation.submit(Despawn((1, 2, 2, 9000)))
        simulation.submit(Despawn((1,)))
        simulation.step()
        assert simulation.populations() == {"ronan": 98}


def test_a_command_may_build_on_one_that_waits() -> None:
    with sandbox.load("ronan") as simulation:
        simulation.submit(NewPrefab("mine", "ronan"))
        simulation.submit(Spawn(Entry("mine", 3)))
        simulation.submit(RenamePrefab("mine", "ours"))
        simulation.submit(Spawn(Entry("ours", 4)))
        simulation.step()
        assert simulation.populations() == {"ronan": 100, "ours": 7}


def test_what_the_commands_before_it_make_impossible_is_passed_over_and_says_why() -> None:
    with sandbox.load("ronan") as simulation:
        simulation.submit(RenamePrefab("ronan", "mine"))
        simulation.submit(Spawn(Entry("ronan", 3)))
        simulation.step()
        queue = simulation.world.resource(CommandQueue)
        assert simulation.populations() == {"mine": 100}
        assert [told.partition(": ")[0] for told in queue.refused] == ["there is no prefab 'ronan'"]
        assert [type(done.command) for done in queue.log] == [RenamePrefab]


def test_readers_of_a_copy_see_the_latest_commands() -> None:
    queue = CommandQueue()
    for number in range(MOST_READ + 5):
        queue.note(number, Despawn([number]))
    copied = queue.for_readers()
    assert copied.count == queue.count
    assert copied.since(queue.count - 2) == queue.since(queue.count - 2) == queue.log[-2:]
    assert copied.since(0) == queue.log[-MOST_READ:]
