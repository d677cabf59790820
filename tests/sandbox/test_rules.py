"""Rules across fields hold at every door: scene files, commands and snapshots."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandbox
from components.flock import EVERYONE
from components.store.prefab import Prefab
from sandbox.design.field_rules import NO_MEAN_PLACE, NO_MOVING_OBSTACLE
from sandbox.design.scene import Entry, Scene
from sandbox.edit import Command, Paste, SetField, SetSetting, Spawn, copy_of
from sandbox.files.container import RecordingError
from sandbox.scenes.reader import scene_of
from sandbox.scenes.writer import save_scene
from sandbox.simulation import Simulation
from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import TomlSource
from systems.engine.settings import Settings

ANIMAL = {"Position": {}, "Velocity": {}, "Perception": {}}
PREFABS = {
    "boid": ANIMAL,
    "stone": {"Position": {}, "Obstacle": {}},
    "rolling stone": {**ANIMAL, "Obstacle": {}},
    "seer": {**ANIMAL, "Perception": {"reach": EVERYONE}},
}
ROLLING, SEEING = {"Obstacle.radius": 5.0}, {"Perception.reach": EVERYONE}


def world(*entries: Entry, edges: str = "wrap", prefabs: tuple[str, ...] = ("boid", "stone")) -> Simulation:
    known = {name: Prefab(name, PREFABS[name]) for name in prefabs}
    return Simulation(Scene(settings=Settings(500, 400, edges), prefabs=known, entries=list(entries)))


@pytest.mark.parametrize(
    ("entries", "prefab", "sentence"),
    [
        ((), "rolling stone", NO_MOVING_OBSTACLE),
        ((Entry("boid", 2, values=ROLLING),), "boid", NO_MOVING_OBSTACLE),
        ((), "seer", NO_MEAN_PLACE),
        ((Entry("boid", 2, values=SEEING),), "boid", NO_MEAN_PLACE),
    ],
)
def test_a_snapshot_of_a_world_that_breaks_a_rule_is_refused(
    entries: tuple[Entry, ...], prefab: str, sentence: str, tmp_path: Path
) -> None:
    with world(*entries, prefabs=(prefab,)) as simulation:
        simulation.save(tmp_path / "broken.boids")
    with pytest.raises(RecordingError) as refused:
        sandbox.load(tmp_path / "broken.boids")
    assert str(refused.value).endswith(sentence)


def test_a_snapshot_of_a_world_that_keeps_the_rules_is_read(tmp_path: Path) -> None:
    with world(Entry("seer", 2), Entry("stone", 3), edges="open", prefabs=("seer", "stone")) as simulation:
        simulation.save(tmp_path / "right.boids")
        with sandbox.load(tmp_path / "right.boids") as again:
            assert again.digest() == simulation.digest()


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (Spawn(Entry("boid", values=ROLLING)), NO_MOVING_OBSTACLE),
        (Spawn(Entry("boid", values=SEEING)), NO_MEAN_PLACE),
        (SetField("Perception.reach", "everyone"), NO_MEAN_PLACE),
        (SetField("Perception.reach", "everyone", serials=(1,)), NO_MEAN_PLACE),
    ],
)
def test_a_command_that_would_break_a_rule_is_refused(command: Command, sentence: str) -> None:
    with world(Entry("boid", 2)) as simulation, pytest.raises(ValueError, match=r"is undefined|can't move") as refused:
        simulation.submit(command)
    assert str(refused.value).endswith(sentence)


def test_neither_edges_nor_what_is_pasted_break_a_rule() -> None:
    with world(Entry("seer"), edges="open", prefabs=("seer",)) as simulation, world(prefabs=("seer",)) as torus:
        with pytest.raises(ValueError, match=r"edges = 'wrap': prefab 'seer': Perception.reach = 'everyone': a mean"):
            simulation.submit(SetSetting("edges", "wrap"))
        with pytest.raises(ValueError, match="a mean position"):
            torus.submit(Paste(copy_of(simulation.world, (1,))))


def test_an_entry_that_breaks_a_rule_with_its_prefab_is_a_mistake_at_its_place() -> None:
    text = 'format = 1\n[[spawn]]\nprefab = "obstacle"\nVelocity = {}\n'
    with pytest.raises(SceneError) as refused:
        scene_of(TomlSource("s.toml", text.encode()))
    assert [(m.line, m.sentence) for m in refused.value.mistakes] == [(2, f"spawn[0]: {NO_MOVING_OBSTACLE}")]


@pytest.mark.parametrize("seed", [5_000_000_000, 2**62])
def test_a_seed_that_a_world_may_have_can_be_set_and_saved_everywhere(seed: int, tmp_path: Path) -> None:
    with sandbox.load("ronan", seed=seed) as simulation:
        save_scene(simulation, tmp_path / "seed.toml")
        simulation.save(tmp_path / "seed.boids")
        simulation.submit(SetSetting("seed", seed))
    for name in ("seed.toml", "seed.boids"):
        with sandbox.load(tmp_path / name) as again:
            assert again.world.seed == seed


def test_a_larger_seed_is_refused_everywhere() -> None:
    with pytest.raises(ValueError, match="seed"):
        sandbox.load("ronan", seed=2**62 + 1)
    with sandbox.load("ronan") as simulation, pytest.raises(ValueError, match="seed"):
        simulation.submit(SetSetting("seed", 2**62 + 1))
    with pytest.raises(SceneError, match="seed"):
        scene_of(TomlSource("s.toml", f"format = 1\nseed = {2**62 + 1}\n".encode()))
