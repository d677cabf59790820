"""What a scene file says is what the scene holds, and what the world starts with."""

from __future__ import annotations

import numpy as np
import pytest

from components.flock import TOPOLOGICAL
from components.store.fields import AMOUNT_SCALE
from sandbox.design.scene import Circle, Entry, Rect, Scene
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.toml.mistakes import SceneError
from sandbox.toml.schemas import Spread
from sandbox.toml.source import TomlSource


def scene(*lines: str) -> Scene:
    return scene_of(TomlSource("s.toml", "\n".join(["format = 1", *lines]).encode()))


def columns(made: Scene) -> dict[str, np.ndarray]:
    with Simulation(made) as simulation:
        table = simulation.world.table
        return {key: column[: table.size].copy() for key, column in table.columns.items()}


BUILT_IN_PREFABS = [
    "boid",
    "leader",
    "predator",
    "obstacle",
    "wall",
    "wind",
    "food",
    "goal",
    "starling",
    "fish",
    "pedestrian",
    "car",
    "spaceship",
    "sheep",
    "wolf",
    "hawk",
    "shark",
]


def test_an_empty_scene_has_defaults() -> None:
    made = scene()
    assert (made.name, made.seed, made.entries) == ("s", 0, [])
    assert list(made.prefabs) == BUILT_IN_PREFABS
    assert (made.settings.width, made.settings.height, made.settings.edges) == (1280, 720, "wrap")


def test_world_settings() -> None:
    made = scene(
        "[world]", "size = [300, 200.5]", 'edges = "turn"', "turn = { margin = 9, acceleration = 8 }", "tick_rate = 30"
    )
    settings = made.settings
    assert (settings.width, settings.height, settings.edges, settings.margin) == (300, 200.5, "turn", 9)
    assert (settings.acceleration, settings.tick_rate, settings.population_limit) == (8, 30, 1_000_000)


def test_a_prefab_takes_another_ones_values_and_defaults_for_the_rest() -> None:
    made = scene(
        "[prefabs.fast]",
        'extends = "slow"',
        "Motion.max_speed = 90",
        "[prefabs.slow]",
        'help = "takes its time"',
        "Position = {}",
        "Motion = { min_speed = 5, max_speed = 9 }",
        "[prefabs.slow.Perception]",
        'reach = "topological"',
    )
    assert list(made.prefabs) == ["fast", "slow", *BUILT_IN_PREFABS]
    fast = made.prefabs["fast"].components
    assert list(fast) == ["Position", "Motion", "Perception"]
    assert (fast["Motion"]["min_speed"], fast["Motion"]["max_speed"], fast["Motion"]["drag"]) == (5, 90, 0)
    assert (fast["Perception"]["reach"], fast["Perception"]["radius"]) == (TOPOLOGICAL, 50)
    assert made.prefabs["slow"].components["Motion"]["max_speed"] == 9
    assert (made.prefabs["slow"].help, made.prefabs["fast"].help) == ("takes its time", "")


def test_a_prefab_that_extends_its_own_name_changes_the_built_in_one() -> None:
    boid = scene("[prefabs.boid]", 'extends = "boid"', "Look.size = 9").prefabs["boid"].components
    assert (boid["Look"]["size"], boid["Motion"]["min_speed"]) == (9, 50)
    assert "Motion" not in scene("[prefabs.boid]", "Look.size = 9").prefabs["boid"].components


def test_entries() -> None:
    made = scene(
        "[[spawn]]",
        'prefab = "boid"',
        "at = [1, 2]",
        "velocity = [3, 4]",
        "[[spawn]]",
        'prefab = "boid"',
        "count = 7",
        "area = { circle = [1, 2, 3] }",
        "speed = [60, 120]",
        "heading = 45",
        "Flocker = { cohesion_strength = { mean = 12, sd = 2 }, cohesion_mixes = true }",
        "[[spawn]]",
        'prefab = "boid"',
        "area.rect = [1, 2, 3, 4]",
    )
    values = {"Flocker.cohesion_strength": Spread(12, 2), "Flocker.cohesion_mixes": True}
    assert made.entries == [
        Entry("boid", at=(1, 2), velocity=(3, 4)),
        Entry("boid", 7, area=Circle(1, 2, 3), speed=(60, 120), heading=45, values=values),
        Entry("boid", area=Rect(1, 2, 3, 4)),
    ]


def test_systems_are_switched_off_and_set() -> None:
    made = scene("[systems]", "flocking = false", "wrap = { enabled = true }")
    assert made.systems == {"flocking": {"enabled": False}, "wrap": {"enabled": True}}
    with Simulation(made) as simulation:
        assert not simulation.pipeline.by_name["flocking"].enabled
        assert simulation.pipeline.by_name["wrap"].enabled


def test_what_an_absent_optional_mod_would_understand_is_passed_over() -> None:
    lines = ["[prefabs.owl]", 'extends = "boid"', "Night = { sees = 3 }", "[[spawn]]", 'prefab = "owl"', "Night = {}"]
    lines += ["[systems]", "moonlight = { bright = 2 }", "[mods]"]
    made = scene(*lines, 'optional = ["night"]')
    assert "Night" not in made.prefabs["owl"].components
    assert made.systems == {}
    with pytest.raises(SceneError, match="Night: unknown key"):
        scene(*lines)
    with pytest.raises(SceneError, match='Floker: unknown key; did you mean "Flocker"'):
        scene("[prefabs.owl]", "Floker = {}", "[mods]", 'optional = ["night"]')


def test_tables_of_an_absent_optional_mod_are_kept() -> None:
    made = scene("[daylight]", "hour = 7", "[mods]", 'optional = ["daylight >= 2.1", "moss"]')
    assert made.kept == {"daylight": {"hour": 7}}
    assert made.mods == {"optional": ["daylight >= 2.1", "moss"]}


def test_individuals_differ_within_the_fields_bounds() -> None:
    look = "Look = { size = { mean = 1, sd = 2 } }"
    perception = "Perception = { neighbours = { mean = 7, sd = 4 } }"
    energy = "Energy = { level = { mean = 90, sd = 20 } }"
    found = columns(scene("[[spawn]]", 'prefab = "boid"', "count = 4000", look, perception, energy))
    sizes, neighbours = found["Look.size"], found["Perception.neighbours"]
    assert sizes.min() == np.float32(0.1)
    assert 1.9 < (np.percentile(sizes, 84) - 1) < 2.1
    assert neighbours.dtype == np.int32
    assert (neighbours.min(), 6.8 < neighbours.mean() < 7.4) == (1, True)
    levels = found["Energy.level"] / AMOUNT_SCALE
    assert (levels.mean(), levels.std()) == (pytest.approx(90, rel=0.05), pytest.approx(20, rel=0.05))


@pytest.mark.parametrize("lines", [["at = [-3, 250]"], ["area.rect = [-30, 210, 4, 9]"], ["area.circle = [0, 0, 40]"]])
def test_on_a_torus_everyone_starts_inside(lines: list[str]) -> None:
    world = ["[world]", "size = [300, 200]"]
    found = columns(scene(*world, "[[spawn]]", 'prefab = "boid"', "count = 500", *lines))
    x, y = found["Position.x"], found["Position.y"]
    assert x.min() >= 0
    assert y.min() >= 0
    assert x.max() < 300
    assert y.max() < 200
    if lines[0].startswith("at"):
        assert (x[0], y[0]) == (297, 50)


def far_outside(edges: str) -> dict[str, np.ndarray]:
    """What those have who are to start round (-900,000, 0) u in a world with these edges."""
    world = ["[world]", "size = [300, 200]", f'edges = "{edges}"']
    return columns(scene(*world, "[[spawn]]", 'prefab = "boid"', "count = 500", "area.circle = [-900000, 0, 40]"))


@pytest.mark.parametrize("edges", ["turn", "open"])
def test_where_no_edge_holds_them_they_may_start_beyond_it(edges: str) -> None:
    found = far_outside(edges)
    distance = np.hypot(found["Position.x"].astype(float) + 900_000, found["Position.y"])
    assert 38 < distance.max() <= 40.1


def test_where_edges_reflect_they_start_inside() -> None:
    found = far_outside("bounce")
    assert np.abs(found["Position.x"]).max() == 0
    assert found["Position.y"].min() >= 0
    assert found["Position.y"].max() <= 40


def test_start_speeds_and_headings() -> None:
    found = columns(scene("[[spawn]]", 'prefab = "boid"', "count = 500", "speed = [60, 70]", "heading = 90"))
    assert np.abs(found["Velocity.x"]).max() < 1e-3
    assert (found["Velocity.y"].min() >= 60, found["Velocity.y"].max() <= 70) == (True, True)
    found = columns(scene("[[spawn]]", 'prefab = "boid"', "count = 500"))
    speed = np.hypot(found["Velocity.x"], found["Velocity.y"])
    assert 50 <= speed.min() < 60
    assert 140 < speed.max() <= 150.001
    assert abs(found["Velocity.x"].mean()) < 12


def test_a_spawn_can_add_a_component() -> None:
    lines = ["[prefabs.ghost]", "Position = {}", "Velocity = {}", "[[spawn]]", 'prefab = "ghost"', "count = 3"]
    found = columns(scene(*lines, "Motion = { min_speed = 20 }"))
    speed = np.hypot(found["Velocity.x"], found["Velocity.y"])
    assert 20 <= speed.min() <= speed.max() <= 150
    assert set(np.hypot(columns(scene(*lines))["Velocity.x"], 0)) == {0}


def test_the_seed_decides_where_they_start() -> None:
    spawn = ["[[spawn]]", 'prefab = "boid"', "count = 50"]
    one, same, other = (columns(scene(f"seed = {seed}", *spawn)) for seed in (1, 1, 2))
    assert (one["Position.x"] == same["Position.x"]).all()
    assert (one["Position.x"] != other["Position.x"]).any()
