"""Any moment of a recorded world can be had again, exactly: in the program, from a file, and on every branch."""

from __future__ import annotations

import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

from components.motion import Velocity
from sandbox.design.scene import Entry
from sandbox.edit import Paste, Redo, SetField, Spawn, Undo, copy_of
from sandbox.files.journal import Journal
from sandbox.files.read_recording import open_recording
from sandbox.files.write_recording import KEYFRAMES, write_recording
from sandbox.mods.load.loaded_mods import NO_MODS, LoadedMods
from sandbox.mods.load.together import mods_from
from sandbox.opening import load
from sandbox.past.branch import Branch
from sandbox.past.differences import first_divergence
from sandbox.past.recording import DIGEST_EVERY
from sandbox.past.replay import replayed
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation
from tests.command_line import boids_alone
from tests.edits import random_edit
from tests.mods import write_mod

SCENES = ("reef", "pasture", "hunters", "maze")


def recorded(scene: str = "reef", ticks: int = 130) -> Timeline:
    """A world in which something was edited at tick 70."""
    timeline = Timeline(load(scene))
    for _ in range(ticks):
        if timeline.tick == 70:
            prefab = next(iter(timeline.simulation.populations()))
            timeline.simulation.submit(Spawn(Entry(prefab, 5)))
        timeline.step()
    return timeline


def plain_run(scene: str, branch: Branch, tick: int, mods: LoadedMods = NO_MODS) -> str:
    """The digest of a moment of a branch, from a plain run of its commands."""
    with load(scene, mods=mods) as simulation:
        for done in branch.commands[: branch.commands_through(tick)]:
            simulation.step(done.tick - simulation.tick)
            simulation.submit(done.command, done.joins)
        simulation.step(tick - simulation.tick)
        simulation.settle_commands()
        return simulation.digest()


def act(timeline: Timeline, rng: np.random.Generator) -> None:
    """Do something a person could do, or nothing."""
    turn = rng.random()
    if turn < 0.03:
        branch = timeline.recording.branches[int(rng.integers(len(timeline.recording.branches)))]
        timeline.seek(int(rng.integers(timeline.recording.first, branch.last + 1)), branch)
    elif turn < 0.15:
        edit = Undo() if rng.random() < 0.2 else Redo() if rng.random() < 0.1 else random_edit(timeline.simulation, rng)
        try:
            timeline.simulation.submit(edit, joins=rng.random() < 0.3)
        except ValueError:
            return
        if rng.random() < 0.5:
            timeline.simulation.settle_commands()


def session(scene: str, seed: int, steps: int) -> Timeline:
    rng = np.random.default_rng(seed)
    timeline = Timeline(load(scene))
    with warnings.catch_warnings(action="ignore"):
        for _ in range(steps):
            act(timeline, rng)
            timeline.step()
    timeline.simulation.settle_commands()
    timeline.take_up()
    return timeline


def check_session(seed: int, path: Path) -> None:
    scene = SCENES[seed % len(SCENES)]
    rng, timeline = np.random.default_rng(seed), session(scene, seed, 200)
    moments = [(timeline.branch, timeline.tick)]
    for branch in timeline.recording.branches:
        moments += [(branch, int(tick)) for tick in rng.integers(0, branch.last + 1, 2)]
    expected = [plain_run(scene, *moment) for moment in moments]
    for place in rng.permutation(len(moments)):
        branch, tick = moments[place]
        timeline.seek(tick, branch)
        assert timeline.simulation.digest() == expected[place], (scene, seed, tick)
    write_recording(timeline, path, keyframes=KEYFRAMES * (seed % 2))
    again = open_recording(path, NO_MODS)
    assert not again.cut
    for place in rng.permutation(len(moments)):
        branch, tick = moments[place]
        again.seek(tick, again.recording.branches[timeline.recording.branches.index(branch)])
        assert again.simulation.digest() == expected[place], (scene, seed, tick)
    for _ in replayed(again):
        pass
    assert again.differs is None
    timeline.close()
    again.close()


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(n, marks=pytest.mark.verify) for n in range(2, 20))])
def test_every_moment_of_a_session_is_that_of_a_plain_run(seed: int, tmp_path: Path) -> None:
    check_session(seed, tmp_path / "a.boids")


@pytest.mark.verify
@pytest.mark.parametrize("seed", range(4, 504, 20))
def test_every_moment_of_many_sessions_is_that_of_a_plain_run(seed: int, tmp_path: Path) -> None:
    for each in range(seed, seed + 20):
        check_session(each, tmp_path / "a.boids")


def test_acting_in_the_past_leaves_a_branch_to_come_back_to() -> None:
    timeline = recorded()
    end, was = timeline.simulation.digest(), timeline.branch
    timeline.seek(40)
    assert timeline.in_past
    timeline.simulation.submit(Spawn(Entry("minnow" if "minnow" in timeline.simulation.world.prefabs else "fish", 3)))
    timeline.step()
    assert timeline.branch is not was
    assert (timeline.branch.parent, timeline.branch.at, timeline.branch.last) == (was, 40, 41)
    assert not timeline.in_past
    timeline.seek(was.last, was)
    assert timeline.simulation.digest() == end


def test_acting_again_where_a_branch_begins_keeps_what_was_done_there() -> None:
    timeline = recorded()
    prefab = next(iter(timeline.simulation.populations()))
    for count in (3, 4):
        timeline.seek(40)
        timeline.simulation.submit(Spawn(Entry(prefab, count)))
        timeline.simulation.settle_commands()
        for _ in range(10):
            timeline.step()
    assert [done.command.count for done in timeline.branch.commands] == [3, 4]  # type: ignore[attr-defined]
    assert timeline.branch.parent is timeline.recording.branches[1]
    assert timeline.simulation.digest() == plain_run("reef", timeline.branch, 50)


def test_what_is_undone_in_the_past_is_undone_as_it_was() -> None:
    timeline = Timeline(load("reef"))
    for _ in range(100):
        if timeline.tick in (30, 90):
            edit = Undo() if timeline.tick == 90 else SetField("Motion.max_speed", 44.0)
            timeline.simulation.submit(edit)
        timeline.step()
    end = timeline.simulation.digest()
    timeline.seek(0)
    timeline.seek(75)  # from a keyframe that remembers the step
    timeline.seek(100)
    assert timeline.simulation.digest() == end


def test_keyframes_stay_within_their_budget() -> None:
    timeline = Timeline(load("hunters"), budget=100_000)
    for _ in range(60 * 30):
        timeline.step()
    end = timeline.simulation.digest()
    ticks = [*timeline.branch.keyframes]
    assert timeline.recording.size <= 100_000
    assert ticks[0] == 0
    assert ticks[-1] == 1800
    assert max(np.diff(ticks)) <= 3 * 1800 / len(ticks)
    timeline.seek(7)
    timeline.seek(1800)
    assert timeline.simulation.digest() == end


def changed(timeline: Timeline, tick: int, serial: int) -> None:
    """Change one bit of a keyframe."""
    savepoint = timeline.branch.keyframes[tick].savepoint
    kept = savepoint.records["Velocity"]
    values = kept.values.copy()
    values["y"].view(np.uint32)[serial - 1] ^= np.uint32(1)
    savepoint.records["Velocity"] = kept._replace(values=values)  # type: ignore[index]


def test_a_bit_that_was_changed_is_found() -> None:
    one, other = recorded("murmuration"), recorded("murmuration")
    assert first_divergence(one, other) is None
    changed(other, 120, serial=17)
    found = first_divergence(one, other)
    assert found is not None
    assert (found.tick, found.serial, found.field, found.system) == (120, 17, "Velocity.y", None)


def test_another_command_is_found() -> None:
    one, other = recorded(), recorded()
    done = other.branch.own[0]
    other.branch.own[0] = done.__class__(done.tick, Spawn(Entry(done.command.entry.prefab, 6)))  # type: ignore[attr-defined]
    other.branch.keyframes = {tick: keyframe for tick, keyframe in other.branch.keyframes.items() if tick <= 60}
    other.seek(0)
    found = first_divergence(one, other)
    assert found is not None
    assert (found.tick, found.field, found.system) == (70, "entity", "commands")


def test_a_system_that_does_something_else_is_found() -> None:
    one, other = recorded(), recorded()
    other.seek(0)
    other.branch.keyframes = {0: other.branch.keyframes[0]}
    wander = other.simulation.pipeline.by_name["movement"]
    run = wander.run

    def run_otherwise(world: object) -> None:
        run(world)  # type: ignore[arg-type]
        simulation: Simulation = other.simulation
        if simulation.tick == 33:
            table = simulation.world.table
            row = table.rows(Velocity)[0]
            table.write("Velocity.x", row, np.nextafter(table.columns["Velocity.x"][row], np.float32(1e9)))

    wander.run = run_otherwise  # type: ignore[method-assign]
    found = first_divergence(one, other)
    assert found is not None
    assert (found.tick, found.field, found.system) == (34, "Velocity.x", "movement")


def test_what_another_program_made_is_told_by_its_digests(tmp_path: Path) -> None:
    for name in ("a", "b"):
        timeline = Timeline(load("hunters"))
        if name == "b":
            timeline.simulation.pipeline.by_name["wander"].enabled = False  # and no command says so
        for _ in range(30):
            timeline.step()
        write_recording(timeline, tmp_path / f"{name}.boids")
        timeline.close()
    one, other = (open_recording(tmp_path / f"{name}.boids", NO_MODS) for name in ("a", "b"))
    found = first_divergence(one, other)
    assert found is not None
    assert (found.tick, found.serial, found.field) == (30, None, "digest")
    assert "the digest is" in found.one


@pytest.mark.verify
def test_ten_minutes_of_starlings_with_many_edits_can_be_mailed(tmp_path: Path) -> None:
    rng, timeline = np.random.default_rng(1), Timeline(load("murmuration"), budget=0)
    edits = {*rng.integers(0, 36_000, 500).tolist()}
    for tick in range(36_000):
        if tick in edits:
            speed = float(rng.uniform(60, 140))
            timeline.simulation.submit(SetField("Motion.max_speed", speed, tuple(rng.integers(1, 3000, 5).tolist())))
        timeline.step()
    write_recording(timeline, tmp_path / "a.boids", keyframes=0)
    assert (tmp_path / "a.boids").stat().st_size <= 300_000


@pytest.mark.verify
def test_a_minute_of_a_hundred_thousand_is_sought_anywhere_by_another_program(tmp_path: Path) -> None:
    path, rng = tmp_path / "a.boids", np.random.default_rng(1)
    assert boids_alone("run", "hundred-thousand", "--ticks", 3600, "--record", path).returncode == 0
    ticks = rng.permutation(3600)[:200]
    expected = {}
    with load("hundred-thousand") as plain:
        for tick in sorted(ticks.tolist()):
            plain.step(tick - plain.tick)
            expected[tick] = plain.digest()
    again = open_recording(path, NO_MODS)
    for tick in ticks.tolist():
        again.seek(tick)
        assert again.simulation.digest() == expected[tick], tick


def test_what_was_copied_once_is_written_once_however_often_it_is_opened(tmp_path: Path) -> None:
    timeline = Timeline(load("reef"))
    copies = copy_of(timeline.simulation.world, [1, 2, 3])
    for place in range(6):
        timeline.simulation.submit(Paste(copies, 10.0 * place, 0.0))
        timeline.step()
    path = tmp_path / "a.boids"
    write_recording(timeline, path)
    for _ in range(2):
        again = open_recording(path, NO_MODS)
        again.seek(again.branch.last)
        assert again.simulation.digest() == timeline.simulation.digest()
        write_recording(again, path)
        with zipfile.ZipFile(path) as archive:
            assert [name for name in archive.namelist() if name.startswith("copies")] == ["copies/0.npy"]
        again.close()
    timeline.close()


FAILS = """
from sandbox.api import *


class {name}Early(System):
    phase = Phase.SENSE
    writes = ("Velocity.y",)
    before = ("spatial_hash", "hunters")
    after = ("{after}",)

    def run(self, world):
        world.table.columns["Velocity.y"][world.table.rows(Velocity)] += 5


class {name}Late(System):
    phase = Phase.LIFE
    writes = ("Velocity.x",)
    before = ("metabolism",)
    after = ("{after_late}",)

    def run(self, world):
        if world.tick == {tick}:
            raise ValueError("too late")


def install(app):
    app.add_system({name}Early, {name}Late)
"""


@pytest.mark.parametrize("tick", [10, DIGEST_EVERY - 1])
def test_mods_that_fail_in_one_tick_are_recorded(tmp_path: Path, tick: int) -> None:
    """Each has a system that ran in that tick before the one that fails, and is the last moment of a second, too."""
    one = FAILS.format(name="One", after="remember", after_late="feeding", tick=tick)
    two = FAILS.format(name="Two", after="one_early", after_late="one_late", tick=tick)
    mods = mods_from([write_mod(tmp_path / "one", one), write_mod(tmp_path / "two", two)])
    timeline, journal = Timeline(load("ronan", mods=mods)), Journal(tmp_path / "journal.boids")
    with warnings.catch_warnings(action="ignore"):
        for _ in range(tick + 50):
            timeline.step()
            if timeline.tick in (tick, tick + 1):
                journal.write(journal.hold(timeline, keyframe=False))
    assert len(timeline.simulation.mods.faults) == 2
    journal.write(journal.hold(timeline, keyframe=False))
    write_recording(timeline, tmp_path / "file.boids")
    for path in (tmp_path / "file.boids", tmp_path / "journal.boids"):
        again = open_recording(path, mods)
        assert (again.cut, again.branch.last) == ("", tick + 50)
        again.seek(tick + 50)
        again.settle_digests()
        assert again.simulation.digest() == timeline.simulation.digest()
        assert (again.differs, again.simulation.mods.faults) == (None, [])
        again.close()
    for at in (tick, tick + 1, tick + 50):
        expected = plain_run("ronan", timeline.branch, at, mods)
        timeline.seek(at)
        assert timeline.simulation.digest() == expected
    timeline.close()
