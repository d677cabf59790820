"""`pillar` in files, commands and recordings: an obstacle of a world with depth is a column instead of a ball."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox
from components.motion import Position
from components.terrain import Obstacle
from sandbox.edit import SetField
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import TomlSource
from systems.space.obstacles import obstacles_of

SCENE = """
format = 1
[world]
size = {size}
[prefabs.stone]
extends = "obstacle"
Obstacle = {{ {stone} }}
[[spawn]]
prefab = "stone"
at = [100, 100]
[[spawn]]
prefab = "obstacle"
at = [200, 200]
Obstacle = {{ {other} }}
[[spawn]]
prefab = "boid"
count = 200
"""
DEEP, FLAT = "[400, 300, 500]", "[400, 300]"
SENTENCE = r"this world is flat: give \[world\] size a third number"


def scene(size: str = DEEP, stone: str = "radius = 30", other: str = "radius = 20") -> str:
    return SCENE.format(size=size, stone=stone, other=other)


def pillars(simulation: Simulation) -> list[bool]:
    table = simulation.world.table
    found: list[bool] = table.columns["Obstacle.pillar"][table.rows_by_serial(Position, Obstacle)].tolist()
    return found


def test_a_prefab_and_a_spawn_say_it_and_the_others_are_balls() -> None:
    with sandbox.loads(scene(stone="radius = 30, pillar = true")) as sim:
        assert pillars(sim.simulation) == [True, False]
        obstacles = obstacles_of(sim.world)
        assert obstacles.capsules.ends.tolist() == [[100, 100, 100, 100]]
        assert obstacles.balls.ends.tolist() == [[200, 200, 250, 200, 200, 250]]
    with sandbox.loads(scene(other="pillar = true")) as sim:
        assert pillars(sim.simulation) == [False, True]


@pytest.mark.parametrize(("where", "place"), [("stone", "7:14"), ("other", "14:14")])
def test_in_a_flat_world_it_is_refused_in_one_sentence(where: str, place: str) -> None:
    text = scene(FLAT, **{where: "pillar = true"})
    with pytest.raises(SceneError, match=rf"{place}: Obstacle\.pillar = true: {SENTENCE}"):
        scene_of(TomlSource("flat.toml", text.encode()))


def test_a_flat_world_has_no_such_column_and_can_not_set_it() -> None:
    with sandbox.loads(scene(FLAT)) as sim:
        assert "Obstacle.pillar" not in sim.world.table.columns
        assert obstacles_of(sim.world).balls is None
        with pytest.raises(ValueError, match=rf"Obstacle\.pillar: {SENTENCE}"):
            sim.simulation.submit(SetField("Obstacle.pillar", True))


def test_a_flat_scene_with_depth_has_balls_in_the_middle(tmp_path: Path) -> None:
    (tmp_path / "flat.toml").write_text(scene(FLAT))
    with sandbox.load(tmp_path / "flat.toml", depth=500) as sim:
        assert obstacles_of(sim.world).balls.ends[:, 2].tolist() == [250, 250]


def test_a_command_makes_one_a_pillar_and_who_is_inside_goes_out() -> None:
    with sandbox.loads(scene(other="radius = 90")) as sim:
        serials = sim.world.table.serial[sim.world.table.rows_by_serial(Position, Obstacle)]
        sim.simulation.submit(SetField("Obstacle.pillar", True, serials=serials[1:]))
        sim.step()
        assert pillars(sim.simulation) == [False, True]
        away = np.linalg.norm(sim.positions[len(serials) :, :2] - (200, 200), axis=1)
        assert away.min() >= 90
        with pytest.raises(ValueError, match="must be true or false"):
            sim.simulation.submit(SetField("Obstacle.pillar", 1))


def test_scene_files_and_recordings_keep_it(tmp_path: Path) -> None:
    with sandbox.loads(scene(stone="pillar = true", other="radius = 7, pillar = true")) as sim:
        sim.save(tmp_path / "a.toml")
        first = sim.digest()
        sim.step(20)
        sim.save(tmp_path / "now.boids")
        digest = sim.digest()
    with sandbox.load(tmp_path / "a.toml") as again:
        assert again.digest() == first
    with sandbox.load(tmp_path / "now.boids") as again:
        assert again.digest() == digest
        again.save(tmp_path / "b.toml")
    assert (tmp_path / "b.toml").read_text().count("pillar = true") == 2


def test_a_ball_that_became_one_again_is_as_before(tmp_path: Path) -> None:
    empty = scene().replace("200\n", "0\n")  # boids would be pushed out
    with sandbox.loads(empty) as sim, sandbox.loads(empty) as other:
        for value in (True, False):
            sim.simulation.submit(SetField("Obstacle.pillar", value, prefab="stone"))
            sim.simulation.settle_commands()
        assert not sim.column("Obstacle.pillar").any()
        for _ in range(2):
            sim.undo()
        assert sim.digest() == other.digest()
        sim.save(tmp_path / "a.toml")
        assert "pillar" not in (tmp_path / "a.toml").read_text()
