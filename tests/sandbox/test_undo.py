"""Undo is exact while the world stands; while it runs, what was done is taken back and time is not."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from components.store.fields import AMOUNT_SCALE
from components.store.prefab import Prefab
from components.store.savepoint import Savepoint
from components.store.world import World
from sandbox.design.origins import Origins
from sandbox.design.scene import Circle, Entry, Scene
from sandbox.edit import (
    Clear,
    Command,
    CommandQueue,
    Despawn,
    Erase,
    Move,
    NewPrefab,
    Paste,
    Redo,
    RenamePrefab,
    SetEnabled,
    SetField,
    SetHand,
    SetParameter,
    SetPrefabs,
    SetSetting,
    Spawn,
    Undo,
    copy_of,
)
from sandbox.files.state.meta import meta_of
from sandbox.files.state.state import arrays_of
from sandbox.serials import Serials
from sandbox.simulation import Simulation
from sandbox.undo.history import MOST_STEPS, History
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from tests.edits import Fails, do, impossible_edit, random_edit
from tests.sandbox.test_same_everywhere import every_kind

BOID = {"Position": {}, "Velocity": {}, "Motion": {"min_speed": 50.0}, "Perception": {}, "Flocker": {}, "Look": {}}
PREFABS = {
    "boid": BOID,
    "stone": {"Position": {}, "Obstacle": {"radius": 30.0}},
    "wall": {"Wall": {}},
    "amoeba": {
        "Position": {},
        "Energy": {"level": 190 * AMOUNT_SCALE, "rest_burn": 0.0},
        "Life": {"birth_level": 10 * AMOUNT_SCALE},
    },
}


def world(*entries: Entry, edges: str = "wrap") -> Simulation:
    prefabs = {name: Prefab(name, components) for name, components in PREFABS.items()}
    return Simulation(Scene(seed=4, settings=Settings(500, 400, edges), prefabs=prefabs, entries=list(entries)))


def flock() -> Simulation:
    return world(Entry("boid", 60))


def steps(simulation: Simulation) -> tuple[int, int]:
    """How many can be undone, and redone."""
    history = simulation.world.resource(History)
    return len(history.undoable), len(history.redoable)


def state_of(simulation: Simulation, serials: Any) -> dict[str, list[Any]]:
    """All values of those of these serials who have them, by column."""
    arrays = arrays_of(Savepoint.take(simulation.world))
    found = {}
    for key, values in arrays.items():
        who = arrays.get(key.split(".", 1)[0])
        if "." in key and who is not None:
            found[key] = values[np.isin(who, list(serials))].tolist()
    return found


def living(simulation: Simulation) -> set[int]:
    table = simulation.world.table
    return set(table.serial[: table.size].tolist())


def kept(simulation: Simulation) -> tuple[str, str]:
    """Everything that a snapshot holds, to the bit: also what is only drawn or read, which no digest tells."""
    return simulation.digest(), repr(meta_of(simulation.world))


def whole_state(simulation: Simulation) -> tuple[tuple[str, str], Serials, str]:
    """Everything that undoing gives back, to the bit: what a snapshot holds, who is edited alone, and the entries."""
    origins = simulation.world.resource(Origins)
    return kept(simulation), origins.edited_alone, repr(origins.entries)


def asked(simulation: Simulation, rng: np.random.Generator, joins: bool) -> bool:
    """Ask for some edit, maybe an impossible one; whether it can be done."""
    try:
        edit = impossible_edit if rng.random() < 0.25 else random_edit
        simulation.submit(edit(simulation, rng), joins)
    except ValueError:
        return False
    return True


FEW, MANY = 2, 500


@pytest.mark.parametrize("seed", [*range(FEW), *(pytest.param(n, marks=pytest.mark.verify) for n in range(FEW, MANY))])
def test_while_it_stands_every_undo_and_redo_leads_to_exactly_the_state_there_was(seed: int) -> None:
    """Also among commands that are refused, or fail: these change nothing and take no other with them."""
    rng = np.random.default_rng(seed)
    with Simulation(every_kind()) as simulation:
        simulation.step(int(rng.integers(0, 30)))
        log = simulation.world.resource(CommandQueue).log
        states, at, open_step = [whole_state(simulation)], 0, False
        for _ in range(200):
            chance = rng.random()
            if chance < 0.3:
                do(simulation, Undo() if chance < 0.2 else Redo())
                at = max(at - 1, 0) if chance < 0.2 else min(at + 1, len(states) - 1)
                assert whole_state(simulation) == states[at]
                open_step = False
                continue
            joins, failing = bool(rng.random() < 0.3), rng.random() < 0.1
            if failing:
                simulation.submit(Fails(), joins)
            done, able = len(log), asked(simulation, rng, joins)
            simulation.settle_commands()
            assert len(log) == done + able
            assert not simulation.world.waiting.on
            if not able:
                assert whole_state(simulation) == states[at]
                continue
            open_step &= joins
            if (state := whole_state(simulation)) == states[at]:
                continue
            if not open_step:
                del states[at + 1 :]
                at += 1
            states[at:] = [state]
            open_step = steps(simulation)[0] == at
            at, states = (at, states) if open_step else (at - 1, states[:-1])  # what joined took all back
        assert steps(simulation) == (at, len(states) - 1 - at)
        while at > 0:
            at -= 1
            do(simulation, Undo())
            assert whole_state(simulation) == states[at]
        while at < len(states) - 1:
            at += 1
            do(simulation, Redo())
            assert whole_state(simulation) == states[at]
        assert steps(simulation) == (at, 0)


@pytest.mark.parametrize("seed", [*range(FEW), *(pytest.param(n, marks=pytest.mark.verify) for n in range(FEW, 40))])
def test_with_undo_and_redo_while_it_runs_a_session_still_replays(seed: int) -> None:
    rng = np.random.default_rng(seed)
    with Simulation(every_kind()) as session, Simulation(every_kind()) as replay:
        for _ in range(60):
            for _ in range(rng.integers(1, 5)):
                chance = rng.random()
                command = Undo() if chance < 0.25 else Redo() if chance < 0.4 else random_edit(session, rng)
                if chance > 0.95:
                    command = SetHand(*rng.uniform((0, 0, -900), (800, 600, 900)).tolist())
                with suppress(ValueError):
                    session.submit(command, bool(rng.random() < 0.3))
                if rng.random() < 0.3:
                    session.settle_commands()
            session.step(int(rng.integers(0, 6)))
            alive = session.world.table.serial[: session.world.table.size]
            assert len(np.unique(alive)) == len(alive)
            assert alive.max(initial=0) < session.world.next_serial
        session.settle_commands()
        for done in session.world.resource(CommandQueue).log:
            replay.step(done.tick - replay.tick)
            replay.submit(done.command, done.joins)
        replay.step(session.tick - replay.tick)
        replay.settle_commands()
        assert replay.digest() == session.digest()


EVERY_KIND: list[Command] = [
    Spawn(Entry("boid", 12)),
    Despawn((3, 4)),
    Erase(250, 200, 100),
    Clear("boid"),
    Move((5, 6, 7), 450, 300),
    SetField("Flocker.cohesion_strength", 7, prefab="boid"),
    SetField("Flocker.cohesion_strength", 8, serials=(5,)),
    SetField("Position.x", 3, serials=(5,)),
    SetPrefabs((("boid", "Look.size", 9), ("boid", "Motion.max_speed", 90))),
    SetParameter("commit", "reorder_every", 7),
    SetEnabled("flocking", False),
    *(SetSetting(name, value) for name, value in (("width", 210), ("edges", "bounce"), ("margin", 9), ("seed", 3))),
    *(SetSetting(name, value) for name, value in (("tick_rate", 50), ("population_limit", 70), ("backdrop", "sea"))),
    NewPrefab("bird", "boid"),
    RenamePrefab("boid", "bird"),
]


@pytest.mark.parametrize("command", EVERY_KIND, ids=lambda command: type(command).__name__)
def test_each_command_is_undone_and_redone_exactly_and_the_world_goes_on_as_if_it_had_never_been(
    command: Command,
) -> None:
    with flock() as simulation, flock() as other:
        simulation.step(5)
        edited = simulation.world.resource(Origins).edited_alone
        before = kept(simulation)
        do(simulation, command)
        after, edited_then = kept(simulation), simulation.world.resource(Origins).edited_alone
        assert before != after
        for step, expected in ((Undo(), before), (Redo(), after), (Undo(), before)):
            do(simulation, step)
            assert kept(simulation) == expected
        assert simulation.world.resource(Origins).edited_alone == edited
        do(simulation, Redo())
        assert simulation.world.resource(Origins).edited_alone == edited_then
        do(simulation, Undo())
        simulation.step(20)
        other.step(25)
        assert kept(simulation) == kept(other)


def test_what_was_placed_goes_while_the_world_runs_and_nobody_else_changes() -> None:
    with flock() as simulation:
        do(simulation, Spawn(Entry("boid", 12)))
        simulation.step(10)
        others = state_of(simulation, range(1, 61))
        do(simulation, Undo())
        assert living(simulation) == set(range(1, 61))
        assert state_of(simulation, range(1, 61)) == others
        assert simulation.world.next_serial == 73  # in the meantime they lived: their serials are not given again


def test_what_was_removed_comes_back_with_its_serial_in_the_state_in_which_it_went() -> None:
    with flock() as simulation:
        simulation.step(10)
        removed = state_of(simulation, (7, 8, 9))
        do(simulation, Despawn((7, 8, 9)))
        simulation.step(10)
        others = state_of(simulation, set(range(1, 61)) - {7, 8, 9})
        do(simulation, Undo())
        assert state_of(simulation, (7, 8, 9)) == removed
        assert state_of(simulation, set(range(1, 61)) - {7, 8, 9}) == others
        assert living(simulation) == set(range(1, 61))


def test_fields_and_parameters_go_back_while_the_world_runs() -> None:
    with flock() as simulation:
        do(simulation, SetField("Flocker.cohesion_strength", 3, serials=(5,)))
        before = state_of(simulation, range(1, 61))["Flocker.cohesion_strength"]
        prefab = simulation.world.prefabs["boid"]
        do(simulation, SetField("Flocker.cohesion_strength", 9), SetParameter("commit", "reorder_every", 7))
        do(simulation, SetEnabled("flocking", False), SetSetting("tick_rate", 30))
        simulation.step(10)
        do(simulation, *[Undo()] * 4)
        assert state_of(simulation, range(1, 61))["Flocker.cohesion_strength"] == before
        assert simulation.world.prefabs["boid"] == prefab
        assert vars(simulation.pipeline.by_name["commit"])["reorder_every"] == 120
        assert simulation.pipeline.by_name["flocking"].enabled
        assert simulation.world.resource(Settings).tick_rate == 60


def test_those_placed_who_died_already_are_passed_over() -> None:
    with flock() as simulation:
        do(simulation, Spawn(Entry("boid", 3)))
        simulation.step()
        simulation.world.despawn([62])
        do(simulation, Undo())
        assert living(simulation) == set(range(1, 61))
        do(simulation, Redo())
        assert living(simulation) == {*range(1, 61), 61, 63}


def test_an_obstacle_that_was_dragged_goes_back_and_whom_it_pushed_flies_on() -> None:
    with world(Entry("stone", at=(100, 200)), Entry("boid", at=(300, 200), velocity=(60, 0))) as simulation:
        before = simulation.digest()
        pushed = do(simulation, Move((1,), 200, 0))
        assert state_of(simulation, (2,))["Position.x"] != [300]
        assert (do(simulation, Undo()), do(simulation, Redo())) == (before, pushed)
        simulation.step(30)
        boid = state_of(simulation, (2,))
        do(simulation, Undo())
        assert state_of(simulation, (2,)) == boid
        assert state_of(simulation, (1,))["Position.x"] == [100]


def test_whoever_stood_inside_something_stands_there_again() -> None:
    with world(Entry("stone", at=(250, 200)), Entry("boid", at=(200, 200), velocity=(60, 0))) as simulation:
        do(simulation, SetEnabled("collision", False))
        simulation.step(60)
        x = state_of(simulation, (2,))["Position.x"]
        assert 220 < x[0] < 280
        before = simulation.digest()
        assert do(simulation, Spawn(Entry("boid", at=(10, 10)))) != before
        assert state_of(simulation, (2,))["Position.x"] != x
        assert do(simulation, Undo()) == before


def test_who_comes_back_is_drawn_where_it_was() -> None:
    with flock() as simulation:
        simulation.step(5)
        table = simulation.world.table
        keys = [f"Position.{name}" for name in ("x", "y", "previous.x", "previous.y")]
        before = [table.columns[key][table.rows_of(np.array([7]))].tolist() for key in keys]
        assert before[:2] != before[2:]
        do(simulation, Despawn((7,)), Undo())
        assert [table.columns[key][table.rows_of(np.array([7]))].tolist() for key in keys] == before


def test_what_changed_between_two_that_are_joined_stays_changed() -> None:
    hungry = {"Energy.level": 100 * AMOUNT_SCALE, "Energy.rest_burn": 5.0}
    with world(Entry("amoeba", 2, values={**hungry, "Life.birth_level": 0})) as simulation:
        simulation.submit(SetField("Energy.level", 150))
        simulation.step(30)
        level = state_of(simulation, (1,))["Energy.level"]
        simulation.submit(SetField("Energy.level", 160), joins=True)
        simulation.settle_commands()
        do(simulation, Undo())
        assert state_of(simulation, (1,))["Energy.level"] == level


def test_what_comes_back_onto_someone_pushes_him_out() -> None:
    with world(Entry("stone", at=(100, 200)), Entry("boid", at=(300, 200), velocity=(0, 0))) as simulation:
        do(simulation, Despawn((1,)))
        simulation.step()
        simulation.submit(Move((2,), -200, 0))
        simulation.step()
        simulation.world.resource(History).undoable.pop()  # the step before is taken back alone
        do(simulation, Undo())
        x, y = (state_of(simulation, (2,))[f"Position.{axis}"][0] for axis in "xy")
        assert np.hypot(x - 100, y - 200) > 30


def test_a_stroke_is_undone_at_once() -> None:
    with flock() as simulation:
        before = simulation.digest()
        after = do(simulation, *(Spawn(Entry("boid", 12, area=Circle(x, 100, 30))) for x in (50, 90, 130)), joins=True)
        assert steps(simulation) == (1, 0)
        assert simulation.world.resource(History).undoable[0].label == "place boid × 36"
        assert do(simulation, Undo()) == before
        assert do(simulation, Redo()) == after


def test_a_slider_that_is_dragged_while_the_world_runs_is_one_step_and_small() -> None:
    with flock() as simulation:
        before = state_of(simulation, range(1, 61))["Motion.max_speed"]
        for n in range(100):
            simulation.submit(SetField("Motion.max_speed", 100 + n, prefab="boid"), joins=n > 0)
            simulation.step()
        assert steps(simulation) == (1, 0)
        assert len(simulation.world.resource(History).undoable[0].changes) == 2  # of the prefab, of the living
        do(simulation, Undo())
        assert state_of(simulation, range(1, 61))["Motion.max_speed"] == before


def test_five_hundred_pasted_are_one_step() -> None:
    with world(Entry("boid", 499), Entry("wall", points=((10, 10), (60, 60)))) as simulation:
        before = simulation.digest()
        copied = copy_of(simulation.world, range(1, 501))
        after = do(simulation, Paste(copied, 30, 40))
        assert len(living(simulation)) == 1000
        assert simulation.world.resource(History).undoable[0].label == "paste × 500"
        assert do(simulation, Undo()) == before
        assert do(simulation, Redo()) == after


def test_two_hundred_steps_are_kept() -> None:
    with flock() as simulation:
        states = [do(simulation, SetParameter("commit", "reorder_every", 200 + n)) for n in range(MOST_STEPS + 5)]
        assert MOST_STEPS == 200
        assert steps(simulation) == (200, 0)
        do(simulation, *[Undo()] * 201)
        assert simulation.digest() == states[4]
        assert steps(simulation) == (0, 200)


def test_a_new_command_leaves_nothing_to_redo() -> None:
    with flock() as simulation:
        do(simulation, Spawn(Entry("boid")), Undo())
        assert steps(simulation) == (0, 1)
        after = do(simulation, Despawn((1,)))
        assert steps(simulation) == (1, 0)
        assert do(simulation, Redo()) == after


def test_what_changes_nothing_is_no_step_and_leaves_what_can_be_redone() -> None:
    nothing = [
        Despawn((900,)),
        Erase(250, 200, 0),
        Clear("stone"),
        Move((900,), 5, 5),
        Move((1,), 0, 0),
        SetParameter("commit", "reorder_every", 120),
        SetEnabled("flocking", True),
        SetSetting("width", 500),
        RenamePrefab("boid", "boid"),
        SetHand(10, 10, 0),
        SetHand(10, 10, 50),
        Spawn(Entry("boid", 0)),
    ]
    with flock() as simulation:
        do(simulation, Spawn(Entry("boid", at=(1, 1))), Undo())
        edited = simulation.world.resource(Origins).edited_alone
        do(simulation, *nothing)
        assert steps(simulation) == (0, 1)
        assert simulation.world.resource(Origins).edited_alone == edited


def test_a_stroke_that_takes_itself_back_is_no_step() -> None:
    with flock() as simulation:
        there_and_back = (SetParameter("commit", "reorder_every", 9), SetParameter("commit", "reorder_every", 120))
        do(simulation, *there_and_back, joins=True)
        assert steps(simulation) == (0, 0)
        do(simulation, *there_and_back)
        assert steps(simulation) == (2, 0)


def test_with_nothing_to_undo_or_redo_nothing_happens() -> None:
    with flock() as simulation:
        before = simulation.digest()
        assert do(simulation, Undo(), Redo()) == before
        assert [type(done.command) for done in simulation.world.resource(CommandQueue).log] == [Undo, Redo]


def test_what_joins_after_an_undo_begins_a_step() -> None:
    with flock() as simulation:
        do(simulation, Spawn(Entry("boid")), Spawn(Entry("boid")))
        do(simulation, Undo(), Spawn(Entry("boid")), Spawn(Entry("boid")), joins=True)
        assert steps(simulation) == (2, 0)
        before = do(simulation, Undo())
        assert len(living(simulation)) == 61
        assert do(simulation, Redo(), Undo()) == before


def test_what_joins_a_command_that_changed_nothing_is_a_step_of_its_own() -> None:
    with flock() as simulation:
        do(simulation, Spawn(Entry("boid")))
        do(simulation, Erase(250, 200, 0), Despawn((1,)), joins=True)
        assert steps(simulation) == (2, 0)


def test_the_serials_of_those_who_are_born_since_are_not_given_to_those_who_come_again() -> None:
    with world(Entry("amoeba", 20), Entry("boid", 2)) as simulation:
        do(simulation, Spawn(Entry("boid", 3)), SetField("Look.size", 99, serials=(24,)), Despawn((25,)))
        do(simulation, *[Undo()] * 3)
        assert simulation.world.next_serial == 23
        simulation.step(5)
        born, next_serial = living(simulation), simulation.world.next_serial
        assert next_serial > 26
        everyone = state_of(simulation, born)
        do(simulation, *[Redo()] * 3)
        assert living(simulation) == born | {next_serial, next_serial + 1, next_serial + 2}
        assert state_of(simulation, born) == everyone  # though one of them has serial 24, and one 25
        assert simulation.world.next_serial == next_serial + 3
        assert steps(simulation) == (1, 0)
        do(simulation, Undo())
        assert living(simulation) == born
        assert simulation.world.resource(Origins).edited_alone == ()


def test_where_nobody_was_born_since_they_come_again_with_their_serials() -> None:
    with flock() as simulation:
        do(simulation, Spawn(Entry("boid", 3)), SetField("Look.size", 99, serials=(62,)), Despawn((63,)))
        do(simulation, *[Undo()] * 3)
        simulation.step(5)
        do(simulation, *[Redo()] * 3)
        assert living(simulation) == set(range(1, 63))
        assert state_of(simulation, [62])["Look.size"] == [99]
        assert simulation.world.next_serial == 64
        do(simulation, *[Undo()] * 3)
        assert living(simulation) == set(range(1, 61))


class Failing(System):
    phase = Phase.COMMANDS

    def run(self, world: World) -> None:
        raise RuntimeError("can't settle")


def test_a_redo_that_fails_leaves_the_steps_as_they_were() -> None:
    """Those who come again would get new serials, because others were born since."""
    with world(Entry("amoeba", 20), Entry("boid", 2)) as simulation:
        do(simulation, Spawn(Entry("boid", 3)), SetField("Look.size", 99, serials=(24,)), Despawn((25,)))
        do(simulation, *[Undo()] * 3)
        simulation.step(5)
        history, before = simulation.world.resource(History), simulation.digest()
        changes = [list(step.changes) for step in history.redoable]
        history.let_go()  # as time has gone on
        with pytest.raises(RuntimeError, match="can't settle"):
            history.redo(simulation.world, [Failing()])
        assert [step.changes for step in history.redoable] == changes
        assert (simulation.digest(), steps(simulation)) == (before, (0, 3))
        next_serial = simulation.world.next_serial
        do(simulation, Redo())
        assert {next_serial, next_serial + 1, next_serial + 2} <= living(simulation)


@pytest.mark.parametrize("at", ["changes_since", "size_of"])
@pytest.mark.parametrize("ticks", [0, 3])
@pytest.mark.parametrize("command", [Despawn((5, 6)), SetField("Look.size", 40, serials=(24,)), Undo(), Redo()])
def test_a_command_changes_nothing_if_memory_runs_out_when_it_is_noted(
    command: Command, ticks: int, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whatever way it fails, the world, the log and the steps stay as they were, and it succeeds later."""
    with world(Entry("boid", 20)) as simulation, world(Entry("boid", 20)) as other:
        for one in (simulation, other):
            do(one, Spawn(Entry("boid", 30)), SetField("Look.size", 20, serials=(24,)), Undo())
            one.step(ticks)
        before, labels = simulation.digest(), steps(simulation)
        with monkeypatch.context() as memory:
            memory.setattr(f"sandbox.undo.history.{at}", out_of_memory)
            simulation.submit(command)
            simulation.settle_commands()
        assert simulation.world.resource(CommandQueue).refused == [
            f"{type(command).__name__} failed and changed nothing: no memory"
        ]
        assert (simulation.digest(), steps(simulation)) == (before, labels)
        for one in (simulation, other):
            do(one, command)
        assert (simulation.digest(), steps(simulation)) == (other.digest(), steps(other))
        for one in (simulation, other):
            do(one, Undo(), Undo(), Redo())
        assert (simulation.digest(), steps(simulation)) == (other.digest(), steps(other))


def test_a_command_that_joins_a_step_makes_no_other_one() -> None:
    """So that who began it, as the hand does with a drag, knows it again."""
    with world(Entry("boid", 20)) as simulation:
        do(simulation, SetField("Look.size", 20, serials=(4,)))
        step = simulation.world.resource(History).undoable[-1]
        for size in (25, 30):
            simulation.submit(SetField("Look.size", size, serials=(4,)), joins=True)
            simulation.settle_commands()
        assert simulation.world.resource(History).undoable == [step]
        simulation.step()
        simulation.submit(SetField("Look.size", 35, serials=(4,)), joins=True)
        simulation.settle_commands()
        assert simulation.world.resource(History).undoable == [step]
        do(simulation, Undo())
        assert steps(simulation) == (0, 1)
        assert simulation.world.table.columns["Look.size"][3] < 20


def test_a_step_goes_on_after_an_undo_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recording does not hold what failed, so its replay has one step too."""
    with world(Entry("boid", 20)) as simulation:
        do(simulation, SetField("Look.size", 20, serials=(4,)))
        with monkeypatch.context() as memory:
            memory.setattr("sandbox.undo.history.changes_since", out_of_memory)
            do(simulation, Undo())
        simulation.submit(SetField("Look.size", 30, serials=(4,)), joins=True)
        simulation.settle_commands()
        assert steps(simulation) == (1, 0)


def out_of_memory(*_: object) -> None:
    raise MemoryError("no memory")


def test_a_prefab_that_some_who_were_born_since_need_stays() -> None:
    with world() as simulation:
        do(simulation, NewPrefab("paramecium", "amoeba"), Spawn(Entry("paramecium", 5)))
        simulation.step(3)
        do(simulation, Undo(), Undo())
        assert "paramecium" in simulation.world.prefabs
        assert set(simulation.populations()) == {"paramecium"}
        do(simulation, Redo(), Redo(), Clear("paramecium"))
        assert simulation.populations() == {}


def test_a_renamed_prefab_keeps_its_members_its_place_and_the_entry_that_made_them() -> None:
    with flock() as simulation:
        do(simulation, RenamePrefab("boid", "Bird 1"))
        assert next(iter(simulation.world.prefabs)) == "Bird 1"
        assert simulation.populations() == {"Bird 1": 60}
        assert simulation.world.resource(Origins).entries[0][2].prefab == "Bird 1"
        do(simulation, Undo())
        assert simulation.populations() == {"boid": 60}
        assert simulation.world.resource(Origins).entries[0][2].prefab == "boid"


def test_a_smaller_world_that_comes_back_while_it_runs_holds_all() -> None:
    with flock() as simulation:
        do(simulation, SetSetting("width", 2000))
        simulation.step(300)
        do(simulation, Undo())
        x = np.array(state_of(simulation, range(1, 61))["Position.x"])
        assert ((x >= 0) & (x < 500)).all()


def test_a_torus_does_not_come_back_while_someone_sees_everyone() -> None:
    hydra = {**PREFABS["amoeba"], "Perception": {}}
    with world(edges="open") as simulation:
        simulation.world.prefabs["amoeba"] = Prefab("amoeba", hydra)
        do(simulation, SetSetting("edges", "wrap"), Spawn(Entry("amoeba", 3)), SetSetting("edges", "open"))
        do(simulation, SetField("Perception.reach", "everyone"))
        simulation.step(2)
        do(simulation, Undo(), Undo())
        assert simulation.world.resource(Settings).edges == "open"


def test_holding_out_the_hand_is_no_step_also_where_someone_is_freed_meanwhile() -> None:
    with world(Entry("stone", at=(250, 200)), Entry("boid", at=(400, 200))) as simulation:
        do(simulation, SetParameter("commit", "reorder_every", 9), Undo())
        table = simulation.world.table
        table.write("Position.x", table.rows_of(np.array([2])), 240)  # it flew into the stone
        do(simulation, SetHand(10, 10, 500))
        assert state_of(simulation, (2,))["Position.x"] != [240]
        assert steps(simulation) == (0, 1)


def test_minus_zero_and_zero_are_one_value() -> None:
    with flock() as simulation:
        do(simulation, SetField("Velocity.x", 0), SetField("Flocker.cohesion_strength", 0), SetSetting("margin", 0))
        before, known = simulation.digest(), steps(simulation)
        minus = SetField("Velocity.x", -0.0), SetField("Flocker.cohesion_strength", -0.0), SetSetting("margin", -0.0)
        assert do(simulation, *minus) == before
        assert steps(simulation) == known


@pytest.mark.parametrize("odd", [0.1, 1 / 3, 1e-40])
def test_a_setting_is_undone_and_redone_to_the_bit(odd: float) -> None:
    with flock() as simulation:
        settings = simulation.world.resource(Settings)
        settings.margin = odd
        begun = settings.margin
        for command, margin in ((SetSetting("margin", 0), 0.0), (Undo(), begun), (Redo(), 0.0), (Undo(), begun)):
            do(simulation, command)
            assert repr(settings.margin) == repr(margin)


def test_steps_that_hold_too_much_are_forgotten_the_oldest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    with world(Entry("boid", 2000)) as simulation:
        history = simulation.world.resource(History)
        sizes = []
        for n in range(8):
            do(simulation, Move(tuple(range(1, 2001)), 10.0 + n, 5.0))
            sizes.append(history.undoable[-1].size)
        assert min(sizes) > 2000 * 8  # at least a serial each
        monkeypatch.setattr("sandbox.undo.history.MOST_BYTES", sum(sizes[-2:]) + sizes[-1])
        do(simulation, Move((1,), 3.0, 0.0))
        assert 1 < len(history.undoable) < 5
        monkeypatch.setattr("sandbox.undo.history.MOST_BYTES", 1)
        before = simulation.digest()
        do(simulation, Clear())
        assert len(history.undoable) == 1  # the last one stays, whatever it holds
        assert do(simulation, Undo()) == before


def test_joined_commands_about_the_same_hold_no_more_than_one() -> None:
    with flock() as simulation:
        history = simulation.world.resource(History)
        do(simulation, SetField("Look.size", 2.0))
        one = history.undoable[-1].size
        for n in range(50):
            simulation.submit(SetField("Look.size", 2.5 + n / 10), joins=True)
            simulation.settle_commands()
        assert len(history.undoable) == 1
        assert history.undoable[-1].size <= 2 * one


def test_the_log_keeps_the_last_commands_and_counts_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.edit.queue.MOST_LOGGED", 10)
    with flock() as simulation:
        queue = simulation.world.resource(CommandQueue)
        for n in range(37):
            do(simulation, SetHand(float(n), 0.0, 5.0))
            assert len(queue.log) <= 10
        assert queue.count == 37
        assert queue.log[-1].command == SetHand(36.0, 0.0, 5.0)


def test_the_log_holds_only_so_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.edit.queue.MOST_BYTES", 40_000)
    with world(Entry("boid", 2000)) as simulation:
        queue, everyone = simulation.world.resource(CommandQueue), Serials(range(1, 2001))
        for n in range(20):  # as a slider does
            do(simulation, SetField("Look.size", 2.0 + n, everyone))
        assert len(queue.log) == 20
        for n in range(20):
            do(simulation, Move(range(1, 2000 - n), 1.0, 0.0))
        assert 0 < len(queue.log) <= 3
        assert queue.count == 40
        do(simulation, Move(range(1, 1000), 1.0, 0.0))
        assert queue.log[-1].command == Move(range(1, 1000), 1.0, 0.0)
        monkeypatch.setattr("sandbox.edit.queue.MOST_BYTES", 1)
        do(simulation, Move(everyone, 2.0, 0.0))
        assert [done.command for done in queue.log] == [Move(everyone, 2.0, 0.0)]


def test_the_places_of_a_stroke_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.edit.queue.MOST_BYTES", 40_000)
    with flock() as simulation:
        queue = simulation.world.resource(CommandQueue)
        for n in range(30):
            places = tuple((float(x), float(n)) for x in range(100))
            do(simulation, Spawn(Entry("boid", len(places)), places))
        assert len(queue.log) < 10
        assert queue.count == 30
