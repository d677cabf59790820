"""Giving a world depth, and taking it away, is an edit: undone to the bit, recorded, replayed, saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox
from components.motion import Position, Velocity
from sandbox.design.scene import Entry
from sandbox.edit import CommandQueue, Despawn, Move, Paste, Redo, SetField, SetSetting, Spawn, Undo, copy_of
from sandbox.files.journal import Journal
from sandbox.files.read_recording import open_recording
from sandbox.files.write_recording import write_recording
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.mods.run.upgrade import UseMods
from sandbox.opening import load
from sandbox.past.keyframe import Keyframe
from sandbox.past.replay import replayed
from sandbox.past.timeline import Timeline
from sandbox.scenes.reader import scene_of
from sandbox.scenes.writer import scene_text
from sandbox.simulation import Simulation
from sandbox.toml.source import TomlSource
from sandbox.warning import SandboxWarning
from tests.edits import do
from tests.mods import write_mod

from .test_mods_in_depth import IDLE

MAGNET = Path(__file__).parents[2] / "mods" / "magnet"
POND = """
format = 1
[world]
size = [600, 400]
edges = "turn"
[[spawn]]
prefab = "boid"
count = 200
area = { circle = [300, 200, 100] }
[[spawn]]
prefab = "boid"
count = 5
heading = 90
[[spawn]]
prefab = "obstacle"
at = [500, 300]
[[spawn]]
prefab = "wall"
points = [[20, 20], [20, 90]]
"""


def pond() -> Simulation:
    return Simulation(scene_of(TomlSource("pond.toml", POND.encode())))


def everyone(simulation: Simulation, key: str = "Position") -> np.ndarray:
    table = simulation.world.table
    return table.stacked(key, table.rows_by_serial(Position)).astype(float)


def stacked(simulation: Simulation, key: str = "Position") -> np.ndarray:
    """A vector of all that move."""
    table = simulation.world.table
    return table.stacked(key, table.rows_by_serial(Velocity)).astype(float)


def test_all_lie_where_they_would_if_the_scene_had_had_the_depth() -> None:
    with pond() as simulation, sandbox.loads(POND.replace("[600, 400]", "[600, 400, 500]")) as deep:
        do(simulation, SetSetting("depth", 500))
        for key in ("Position", "Position.previous"):
            assert everyone(simulation, key).tolist() == everyone(deep.simulation, key).tolist()


def test_who_lives_stays_who_it_is_and_where_it_is_seen_from_the_front() -> None:
    with pond() as simulation:
        simulation.step(30)
        before, velocities, tick = stacked(simulation), stacked(simulation, "Velocity"), simulation.tick
        do(simulation, SetSetting("depth", 500))
        now = stacked(simulation)
        assert simulation.tick == tick
        assert now[:, :2].tolist() == before.tolist()
        assert 0 <= now[:, 2].min() < 50 < 450 < now[:, 2].max() <= 500
        assert stacked(simulation, "Velocity").tolist() == [[x, y, 0] for x, y in velocities.tolist()]
        simulation.step(30)
        assert np.abs(stacked(simulation, "Velocity")[:, 2]).max() > 1  # soon they turn to their mates


def test_undo_brings_the_flat_world_back_to_the_bit_and_redo_the_deep_one() -> None:
    with pond() as simulation:
        simulation.step(30)
        flat = simulation.digest()
        deep = do(simulation, SetSetting("depth", 500))
        assert (do(simulation, Undo()), do(simulation, Redo()), do(simulation, Undo())) == (flat, deep, flat)
        do(simulation, Redo())
        simulation.step(20)
        with pond() as other:
            other.step(30)
            other.submit(SetSetting("depth", 500))
            other.step(20)
            assert other.digest() == simulation.digest()


def test_a_script_undoes_it_too() -> None:
    with sandbox.loads(POND) as sim:
        before = sim.digest()
        sim.submit(SetSetting("depth", 300))
        sim.step(0)
        sim.undo()
        assert sim.digest() == before


def test_once_time_has_gone_on_undo_takes_the_depth_away_and_nothing_else() -> None:
    with pond() as simulation:
        do(simulation, SetSetting("depth", 500))
        simulation.step(30)
        before = stacked(simulation)
        do(simulation, Undo())
        assert stacked(simulation).tolist() == before[:, :2].tolist()
        simulation.step(30)
        do(simulation, Redo())
        assert stacked(simulation).shape == (205, 3)


def test_a_deep_world_loses_its_depth_and_what_only_deep_worlds_have(tmp_path: Path) -> None:
    with sandbox.load("canyon") as sim:
        simulation = sim.simulation
        before = simulation.digest()
        do(simulation, SetSetting("depth", 0))
        assert stacked(simulation).shape[1] == 2
        assert "Obstacle.pillar" not in simulation.world.table.columns
        simulation.step(5)
        assert np.isfinite(stacked(simulation)).all()
        simulation.save(tmp_path / "flat.boids")
        with load(tmp_path / "flat.boids") as again:
            assert again.digest() == simulation.digest()
    with sandbox.load("canyon") as sim:
        do(sim.simulation, SetSetting("depth", 0), Undo())
        assert sim.digest() == before


def deep_part(sim: sandbox.Sandbox) -> dict[str, list[float]]:
    """What only worlds with depth have, by column and entity."""
    table = sim.simulation.world.table
    keys = ("Position.z", "Position.previous.z", "Velocity.z", "Obstacle.pillar", "Wind.tilt", "Wind.axis")
    owners = {key: table.components[key.split(".")[0]] for key in keys}
    return {key: table.columns[key][table.rows_by_serial(owner)].tolist() for key, owner in owners.items()}


WINDY = (
    POND.replace("[600, 400]", "[600, 400, 500]").replace('"turn"', '"open"')
    + """
[[spawn]]
prefab = "wind"
at = [300, 200, 50]
Wind = { kind = "vortex", axis = "y", tilt = 30 }
[[spawn]]
prefab = "obstacle"
at = [100, 300]
Obstacle = { pillar = true }
"""
)


def test_once_time_has_gone_on_undo_gives_back_all_that_a_flat_world_lacks() -> None:
    with sandbox.loads(WINDY) as sim:
        sim.step(5)
        before = deep_part(sim)
        assert all(any(values) for values in before.values())
        sim.submit(SetSetting("depth", 0))
        sim.step(1)
        sim.submit(Spawn(Entry("boid", 2, at=(50, 50))))
        sim.step(0)
        sim.undo()
        sim.step(0)
        sim.undo()
        sim.step(0)
        assert deep_part(sim) == before


def test_redo_gives_back_what_an_undo_took_away_with_the_depth() -> None:
    with pond() as simulation:
        do(simulation, SetSetting("depth", 500))
        simulation.step(30)
        before = stacked(simulation)[:, 2].tolist()
        do(simulation, Undo())
        simulation.step(5)
        do(simulation, Redo())
        assert stacked(simulation)[:, 2].tolist() == before


def test_what_was_done_together_with_the_depth_is_undone_together_with_it() -> None:
    with sandbox.loads(WINDY) as sim:
        simulation = sim.simulation
        wind = int(sim.select("wind")[0])
        for depth in (0, 400):
            table = simulation.world.table
            before = {key: table.columns[key][table.row_of(wind)].item() for key in table.columns if "Wind." in key}
            do(simulation, Despawn([wind]), SetField("Motion.max_speed", 77.0), SetSetting("depth", depth), joins=True)
            simulation.step(2)
            do(simulation, Undo())
            table = simulation.world.table
            assert {key: table.columns[key][table.row_of(wind)].item() for key in before} == before
            assert 77.0 not in table.columns["Motion.max_speed"][: table.size]
            do(simulation, SetSetting("depth", 0))


def test_depth_given_and_taken_in_one_step_is_undone_with_what_moved_in_it() -> None:
    with pond() as simulation:
        simulation.submit(SetSetting("depth", 500))
        simulation.step(2)
        simulation.submit(Move([1], 3, 4, 5), joins=True)
        simulation.step(2)
        simulation.submit(SetSetting("depth", 0), joins=True)
        simulation.step(2)
        simulation.submit(Undo())
        simulation.step(2)
        assert not simulation.world.resource(CommandQueue).refused


def test_earlier_steps_are_undone_after_it() -> None:
    with pond() as simulation:
        first = simulation.digest()
        do(simulation, Spawn(Entry("boid", 3, at=(50, 50))), SetField("Motion.max_speed", 200.0, prefab="boid"))
        simulation.step(3)
        do(simulation, SetSetting("depth", 400), Spawn(Entry("boid", 2, at=(9, 9, 9))))
        simulation.step(3)
        do(simulation, Undo(), Undo(), Undo(), Undo())
        with pond() as other:
            assert other.digest() == first
            assert simulation.populations() == other.populations()
            assert simulation.world.table.axes == "xy"


def recorded(ticks: int = 40) -> Timeline:
    """A pond that gets depth at tick 70, loses it again at 110 by an undo, and gets another one at 150."""
    timeline = Timeline(pond())
    edits = {70: SetSetting("depth", 500), 110: Undo(), 150: SetSetting("depth", 300), 160: SetSetting("height", 350)}
    for tick in range(180 + ticks):
        if tick in edits:
            timeline.simulation.submit(edits[tick])
        timeline.step()
    return timeline


def test_the_past_has_the_world_in_both_forms() -> None:
    timeline = recorded()
    now = timeline.simulation.digest()
    with pond() as simulation:
        simulation.step(70)
        for tick, axes in ((69, "xy"), (90, "xyz"), (130, "xy"), (155, "xyz"), (0, "xy")):
            timeline.seek(tick)
            assert timeline.simulation.world.table.axes == axes
        timeline.seek(71)
        timeline.seek(70)  # before its command, the world of a plain run
    timeline.seek(timeline.branch.last)
    assert timeline.simulation.digest() == now
    timeline.close()


@pytest.mark.parametrize("by", ["save", "journal"])
def test_a_recording_that_contains_it_is_replayed_exactly(by: str, tmp_path: Path) -> None:
    timeline, path = recorded(), tmp_path / "pond.boids"
    for tick in (30, 90, 120, 170):
        timeline.seek(tick)
        timeline.note_digest()
    timeline.seek(timeline.branch.last)
    timeline.note_end()
    if by == "save":
        write_recording(timeline, path)
    else:
        journal = Journal(path)
        journal.write(journal.hold(timeline, keyframe=True))
    again = open_recording(path, NO_MODS)
    for _ in replayed(again):
        pass
    assert again.differs is None
    assert again.checked >= 4
    assert again.simulation.digest() == timeline.simulation.digest()
    again.close()
    timeline.close()


def test_a_scene_is_saved_with_three_numbers_and_opens_as_deep() -> None:
    with pond() as simulation:
        do(simulation, SetSetting("depth", 500))
        text = scene_text(simulation)
        assert "size = [600, 400, 500]" in text
        assert "circle = [300, 200, 100]" in text
        with sandbox.loads(text) as again:
            assert again.positions.shape == (206, 3)
        do(simulation, Undo())
        assert scene_text(simulation) == POND


def test_a_snapshot_of_it_opens_as_deep(tmp_path: Path) -> None:
    with pond() as simulation:
        do(simulation, SetSetting("depth", 500))
        simulation.step(5)
        simulation.save(tmp_path / "deep.boids")
        with load(tmp_path / "deep.boids") as again:
            assert again.digest() == simulation.digest()


def test_what_was_copied_before_cannot_be_pasted_after() -> None:
    with pond() as simulation:
        copies = copy_of(simulation.world, [1, 2])
        do(simulation, SetSetting("depth", 500))
        with pytest.raises(ValueError, match="what was copied from a flat world can't be pasted into one with depth"):
            simulation.submit(Paste(copies))


def test_a_world_with_a_mod_that_runs_only_in_flat_ones_keeps_flat(tmp_path: Path) -> None:
    write_mod(tmp_path / "level", IDLE.format(name="Level"))
    mods = Library(Trust(tmp_path / "trust.toml"), [tmp_path / "level"])
    (tmp_path / "pond.toml").write_text(POND)
    with load(tmp_path / "pond.toml", mods=mods) as simulation:
        with pytest.raises(ValueError, match="the mod level can't be used: it runs only in flat worlds"):
            simulation.submit(SetSetting("depth", 500))
        do(simulation, SetSetting("height", 500))


def test_a_world_that_lost_depth_takes_mods_of_flat_worlds_and_stays_flat_with_them(tmp_path: Path) -> None:
    write_mod(tmp_path / "level", IDLE.format(name="Level"))
    mods = Library(Trust(tmp_path / "trust.toml"), [tmp_path / "level"])
    mods.look()
    with sandbox.loads(POND.replace("[600, 400]", "[600, 400, 500]")) as sim:
        world = sim.simulation
        do(world, SetSetting("depth", 0))
        do(world, UseMods(mods.loaded))
        world.step(2)
        keyframe = Keyframe.take(world, world.world.resource(CommandQueue).count)
        with keyframe.simulation() as again:
            again.step(2)
            world.step(2)
            assert again.digest() == world.digest()
        world.submit(Undo())
        with pytest.warns(SandboxWarning, match="runs only in flat worlds"):
            world.step()
        assert sim.positions.shape[1] == 2


def test_a_prefab_of_a_world_made_flat_keeps_what_only_deep_worlds_have(tmp_path: Path) -> None:
    """With a mod, whose prefabs are looked through when a file is written."""
    with sandbox.loads(POND.replace("[600, 400]", "[600, 400, 500]"), mods=[MAGNET]) as sim:
        do(sim.simulation, SetField("Obstacle.pillar", True, prefab="obstacle"), SetSetting("depth", 0))
        sim.save(tmp_path / "flat.boids")
    with sandbox.load(tmp_path / "flat.boids", mods=[MAGNET]) as sim:
        do(sim.simulation, SetSetting("depth", 500))
        assert sim.simulation.world.prefabs["obstacle"].values()["Obstacle.pillar"]


def test_less_than_one_is_no_depth() -> None:
    with pond() as simulation, pytest.raises(ValueError, match=r"world\.depth = 0\.5: must be 1 to 1,000,000 \(u\)"):
        simulation.submit(SetSetting("depth", 0.5))


def test_a_torus_without_anything_solid_gets_depth_changes_it_and_loses_it() -> None:
    open_water = POND.split('[[spawn]]\nprefab = "obstacle"')[0].replace('"turn"', '"wrap"')
    with Simulation(scene_of(TomlSource("pond.toml", open_water.encode()))) as simulation:
        for depth in (0.0, 400.0, 90.0, 0.0):
            do(simulation, SetSetting("depth", depth))
            simulation.step(3)
            size = np.array([600, 400, depth][: 3 if depth else 2])
            assert ((everyone(simulation) >= 0) & (everyone(simulation) <= size)).all()
