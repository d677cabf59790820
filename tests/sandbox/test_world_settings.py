"""The world's settings and prefabs as commands: whatever is set, a legal world is left."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox
from components.store.prefab import Prefab
from sandbox.design.scene import Entry, Scene
from sandbox.edit import Clear, NewPrefab, RenamePrefab, SetEnabled, SetField, SetSetting, Spawn
from sandbox.simulation import Simulation
from systems.engine.settings import EDGES, Settings
from systems.space.obstacles import obstacles_of
from tests.edits import do
from tests.sandbox.test_same_everywhere import every_kind


def places(simulation: Simulation) -> np.ndarray:
    table = simulation.world.table
    rows = table.rows(table.components["Position"])
    keys = [f"Position.{name}" for name in ("x", "y", "previous.x", "previous.y")]
    return np.stack([table.columns[key][rows] for key in keys])


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("to", EDGES)
def test_a_world_of_another_shape_goes_on(edges: str, to: str, tmp_path: Path) -> None:
    scene = every_kind()
    scene.settings.edges = edges
    for prefab in list(scene.prefabs.values()):
        if prefab.values().get("Perception.reach") == 2:  # everyone: not on a torus
            scene.entries = [entry for entry in scene.entries if entry.prefab != prefab.name]
            del scene.prefabs[prefab.name]
    with Simulation(scene) as simulation:
        simulation.step(10)
        do(
            simulation,
            SetEnabled("push_out", False),
            SetSetting("edges", to),
            SetSetting("width", 333.3),
            SetSetting("height", 99),
        )
        x, y, before_x, before_y = places(simulation)
        if to != "open":
            for column, size in ((x, 333.3), (y, 99), (before_x, 333.3), (before_y, 99)):
                assert (column >= 0).all()
                assert (column < np.float32(size) if to == "wrap" else column <= np.float32(size)).all()
        do(simulation, SetEnabled("push_out", True))
        simulation.step(10)
        assert np.isfinite(places(simulation)).all()
        simulation.save(tmp_path / "a.boids")
        with sandbox.load(tmp_path / "a.boids") as again:
            for each in (simulation, again):
                each.step(5)
            assert again.digest() == simulation.digest()


def test_obstacles_stand_in_the_world_as_it_is_now() -> None:
    prefabs = {"stone": Prefab("stone", {"Position": {}, "Obstacle": {}})}
    with Simulation(Scene(settings=Settings(500, 400), prefabs=prefabs, entries=[Entry("stone", 3)])) as simulation:
        do(simulation, SetSetting("width", 300))
        assert obstacles_of(simulation.world).capsules.torus == (300, 400)
        do(simulation, SetSetting("edges", "open"))
        assert obstacles_of(simulation.world).capsules.torus is None


def test_a_larger_torus_moves_nobody() -> None:
    with sandbox.load("ronan") as simulation:
        simulation.step(5)
        before = places(simulation)
        do(simulation, SetSetting("width", 9000), SetSetting("edges", "bounce"))
        assert (places(simulation) == before).all()


def test_another_seed_is_for_what_is_random_from_now_on() -> None:
    with sandbox.load("ronan") as simulation, sandbox.load("ronan") as other:
        do(simulation, SetSetting("seed", 77))
        assert simulation.world.seed == 77
        for each in (simulation, other):
            do(each, Spawn(Entry("ronan", 5)))
        assert (places(simulation)[:, :100] == places(other)[:, :100]).all()
        assert (places(simulation)[:, 100:] != places(other)[:, 100:]).all()


@pytest.mark.parametrize("of", ["a prefab", "someone"])
def test_a_world_where_someone_sees_everyone_becomes_no_torus(of: str) -> None:
    with sandbox.load("ronan") as simulation:
        do(simulation, SetSetting("edges", "open"))
        everyone = SetField("Perception.reach", "everyone", serials=(5,) if of == "someone" else ())
        do(simulation, everyone)
        with pytest.raises(ValueError, match=r"edges = 'wrap': .* undefined"):
            simulation.submit(SetSetting("edges", "wrap"))
        do(simulation, SetField("Perception.reach", "metric"), SetSetting("edges", "wrap"))


def test_sixty_four_prefabs_have_room() -> None:
    with sandbox.load("ronan") as simulation:
        for n in range(64 - len(simulation.world.prefabs)):
            do(simulation, NewPrefab(f"new {n}", "ronan"))
        with pytest.raises(ValueError, match="there are 64 prefabs: a scene has room for 64"):
            simulation.submit(NewPrefab("one more", "ronan"))


def test_a_new_prefab_is_like_the_other_and_has_members_of_its_own() -> None:
    with sandbox.load("ronan") as simulation:
        do(simulation, NewPrefab("mine", "ronan"), Spawn(Entry("mine", 4)))
        do(simulation, SetField("Look.size", 20, prefab="mine"))
        assert simulation.world.prefabs["mine"].components["Look"]["size"] == 20
        assert simulation.world.prefabs["ronan"].components["Look"]["size"] != 20
        assert simulation.populations() == {"ronan": 100, "mine": 4}
        do(simulation, Clear("ronan"))
        assert simulation.populations() == {"mine": 4}


def test_sets_of_prefabs_name_the_same_after_one_is_renamed() -> None:
    with Simulation(every_kind()) as simulation:
        do(simulation, SetField("Predator.hunts", ["boid", "fish"]))
        table = simulation.world.table
        before = table.columns["Predator.hunts"][table.rows(table.components["Predator"])].tolist()
        do(simulation, RenamePrefab("boid", "bird"), SetField("Predator.hunts", ["bird", "fish"]))
        assert table.columns["Predator.hunts"][table.rows(table.components["Predator"])].tolist() == before
