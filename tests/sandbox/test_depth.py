"""Worlds with depth: a third number in their size gives all in them a third axis; flat worlds stay as they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox
from components.motion import Motion, Position, Velocity
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.opening import load, scene_at
from sandbox.scenes.bundled import bundled_scenes
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import TomlSource
from systems.engine.threads import exactly

FLOCK = """
format = 1
[world]
size = [400, 300, 500]
edges = "{edges}"
[[spawn]]
prefab = "boid"
count = 200
"""
DEEP = FLOCK.format(edges="wrap")
SCENES = [path.stem for path in bundled_scenes()]
A_MINUTE_TAKES_LONG = (pytest.mark.timeout(3600),)
CROWDS = dict.fromkeys(("hundred-thousand", "krill", "million"), A_MINUTE_TAKES_LONG)
NO_DEPTH = r"this world is flat: give \[world\] size a third number"


def world_of(text: str) -> Simulation:
    return Simulation(scene_of(TomlSource("deep.toml", text.encode())))


def spawned(more: str, size: str = "[400, 300, 500]") -> Simulation:
    return world_of(f'format = 1\n[world]\nsize = {size}\n[[spawn]]\nprefab = "boid"\n{more}')


def positions(simulation: Simulation) -> np.ndarray:
    table = simulation.world.table
    return table.stacked("Position", table.rows(Position))


def test_all_have_a_place_and_a_heading_in_space() -> None:
    with sandbox.loads(DEEP) as sim:
        assert sim.positions.shape == (200, 3)
        assert (sim.positions.max(axis=0) > (350, 250, 450)).all()
        assert (sim.positions.min(axis=0) < (50, 50, 50)).all()
        headings = sim.velocities / np.linalg.norm(sim.velocities, axis=1, keepdims=True)
        assert np.abs(headings.mean(axis=0)).max() < 0.2  # they point anywhere
        assert np.square(headings).mean(axis=0) == pytest.approx([1 / 3] * 3, abs=0.08)
        before = sim.column("Velocity.z").copy()
        sim.step(30)
        assert (sim.column("Velocity.z") != before).mean() > 0.5  # of those who see somebody


def test_a_flat_world_has_no_third_axis() -> None:
    with spawned("count = 3", "[400, 300]") as simulation:
        table = simulation.world.table
        assert not [key for key in table.columns if key.endswith(".z")]
        assert table.records(Position).itemsize == 16
        assert positions(simulation).shape == (3, 2)


def test_a_place_of_two_numbers_lies_in_the_middle_of_the_depth_and_one_of_three_where_it_says() -> None:
    with spawned("at = [10, 20]") as simulation:
        assert positions(simulation).tolist() == [[10, 20, 250]]
    with spawned("at = [10, 20, 30]\nvelocity = [60, 0, 70]") as simulation:
        assert positions(simulation).tolist() == [[10, 20, 30]]
        assert simulation.world.table.columns["Velocity.z"][0] == 70


def test_an_area_without_depth_goes_through_all_of_it() -> None:
    with spawned("count = 500\narea = { circle = [100, 100, 50] }") as simulation:
        x, y, z = positions(simulation).T
        assert np.hypot(x - 100, y - 100).max() <= 50
        assert (z.min(), z.max()) == pytest.approx((0, 500), abs=10)


def test_a_ball_is_filled_evenly() -> None:
    with spawned("count = 4000\narea = { ball = [100, 150, 200, 50] }") as simulation:
        away = np.linalg.norm(positions(simulation) - (100, 150, 200), axis=1)
        assert away.max() <= 50.001
        assert (away < 25).mean() == pytest.approx(1 / 8, abs=0.02)


def test_a_box_is_filled_evenly() -> None:
    with spawned("count = 4000\narea = { box = [10, 20, 30, 100, 50, 200] }") as simulation:
        places = positions(simulation)
        assert places.min(axis=0) == pytest.approx([10, 20, 30], abs=2)
        assert places.max(axis=0) == pytest.approx([110, 70, 230], abs=2)


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("at = [1, 2, 3]", "at"),
        ("velocity = [1, 2, 3]", "velocity"),
        ("area = { ball = [1, 2, 3, 4] }", "area"),
        ("area = { box = [1, 2, 3, 4, 5, 6] }", "area"),
    ],
)
def test_z_in_a_flat_world_is_refused_in_one_sentence(given: str, key: str) -> None:
    with pytest.raises(SceneError, match=rf"^deep\.toml:6:1: {key} = .*: {NO_DEPTH}"):
        spawned(given, "[400, 300]")


WIND = """
format = 1
[world]
size = {size}
[prefabs.tornado]
extends = "wind"
Wind = {{ kind = "vortex", {own} }}
[[spawn]]
prefab = "tornado"
at = [100, 100]
[[spawn]]
prefab = "wind"
at = [200, 200]
Wind = {{ {more} }}
"""


def windy(own: str = 'axis = "y"', more: str = "tilt = { mean = 30, sd = 5 }", size: str = "[400, 300, 500]") -> str:
    return WIND.format(size=size, own=own, more=more)


def test_prefabs_and_entries_set_what_only_worlds_with_depth_have(tmp_path: Path) -> None:
    with sandbox.loads(windy()) as sim:
        assert sim.column("Wind.axis").tolist() == ["y", "z"]
        assert sim.column("Wind.tilt").tolist() == [0, pytest.approx(30, abs=30)]
        sim.set("tornado.Wind.axis", "x")
        sim.set("Wind.tilt", -20, serials=2)
        digest = sim.digest()
        for name in ("now.toml", "now.boids"):
            sim.save(tmp_path / name)
    for name in ("now.toml", "now.boids"):
        with sandbox.load(tmp_path / name) as again:
            assert again.digest() == digest
            assert (again.column("Wind.axis")[0], again.column("Wind.tilt")[1]) == ("x", -20)


@pytest.mark.parametrize(
    ("own", "more", "place"),
    [
        ('axis = "y"', "", r'7:27: Wind\.axis = "y"'),
        ("", "tilt = 3", r"14:10: Wind\.tilt = 3"),
    ],
)
def test_a_flat_world_refuses_what_only_worlds_with_depth_have(own: str, more: str, place: str) -> None:
    with pytest.raises(SceneError, match=rf"^deep\.toml:{place}: {NO_DEPTH}"):
        world_of(windy(own, more, "[400, 300]"))
    with sandbox.loads(windy("", "", "[400, 300]")) as sim:
        assert "Wind.tilt" not in sim.world.table.columns
        with pytest.raises(ValueError, match=rf"^Wind\.tilt: {NO_DEPTH}$"):
            sim.set("Wind.tilt", 10)


def test_a_flat_scene_opens_with_depth_and_a_recording_keeps_its_own(tmp_path: Path) -> None:
    with sandbox.load("hunters", depth=250) as sim:
        assert sim.positions.shape[1] == 3
        assert np.ptp(sim.positions[:, 2]) > 200
        sim.save(tmp_path / "now.boids")
        sim.save(tmp_path / "deep.toml")
        digest = sim.digest()
    with pytest.raises(ValueError, match=r"now\.boids: the world of a recording keeps its depth"):
        sandbox.load(tmp_path / "now.boids", depth=100)
    with pytest.raises(ValueError, match=r"depth = 0: must be 1 to 1,000,000 \(u\)"):
        sandbox.load("hunters", depth=0)
    with sandbox.load(tmp_path / "deep.toml") as again:
        assert again.digest() == digest


@pytest.mark.parametrize("edges", ["wrap", "turn", "bounce", "open"])
def test_it_is_the_same_after_saving_and_loading(edges: str, tmp_path: Path) -> None:
    with sandbox.loads(FLOCK.format(edges=edges)) as sim:
        sim.step(20)
        sim.save(tmp_path / "now.boids")
        sim.step(20)
        digest = sim.digest()
    with sandbox.load(tmp_path / "now.boids") as again:
        again.step(20)
        assert again.digest() == digest


def test_a_saved_scene_has_the_depth_and_the_places(tmp_path: Path) -> None:
    text = DEEP + '\n[[spawn]]\nprefab = "boid"\nat = [1, 2, 3]\nvelocity = [50, 60, 70]\n'
    with sandbox.loads(text) as sim:
        sim.save(tmp_path / "a.toml")
        digest = sim.digest()
    with sandbox.load(tmp_path / "a.toml") as again:
        assert again.digest() == digest
    written = (tmp_path / "a.toml").read_text()
    assert "size = [400, 300, 500]" in written
    assert "at = [1, 2, 3]" in written


def test_threads_and_the_order_of_rows_change_no_bit() -> None:
    digests = set()
    for threads, shuffled in ((1, False), (2, False), (2, True)):
        with world_of(DEEP.replace("200", "2000")) as simulation, exactly(threads):
            if shuffled:
                simulation.world.reorder(np.random.default_rng(1).permutation(simulation.world.table.size))
            simulation.step(60)
            digests.add(simulation.digest())
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("name", "seconds"),
    [(name, 1) for name in SCENES if name not in CROWDS]
    + [pytest.param(name, 60, marks=(pytest.mark.verify, *CROWDS.get(name, ()))) for name in SCENES],
)
def test_each_scene_goes_on_with_depth(tmp_path: Path, name: str, seconds: int) -> None:
    """Alive, none outside, and exact."""
    scene = scene_at(name, NO_MODS)
    scene.settings.depth = 600.0
    with Simulation(scene) as simulation:
        simulation.step(seconds * scene.settings.tick_rate)
        table, size = simulation.world.table, np.array(scene.settings.size)
        rows = table.rows(Position, Velocity, Motion)
        speed = np.linalg.norm(table.stacked("Velocity", rows), axis=1)
        assert speed.mean() > 0.12 * table.columns["Motion.max_speed"][rows].mean()
        assert np.isfinite(positions(simulation)).all()
        places = table.stacked("Position", rows)
        if scene.settings.edges in ("wrap", "bounce"):
            assert ((places >= 0) & (places <= size)).all()
        simulation.save(tmp_path / "later.boids")
        simulation.step(5)
        for threads in (1, 2):
            with load(tmp_path / "later.boids", mods=NO_MODS) as again, exactly(threads):
                again.world.reorder(np.random.default_rng(threads).permutation(again.world.table.size))
                again.step(5)
                assert again.digest() == simulation.digest()
