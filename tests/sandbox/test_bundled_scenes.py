"""The scenes that come along: all open, and the five models bear the numbers of their sources."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from sandbox.design.scene import Scene
from sandbox.mods.find.finding import bundled_mods_folder
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.opening import load
from sandbox.scenes.bundled import bundled_scenes, find_scene
from sandbox.scenes.headline import headline
from sandbox.scenes.reader import read_scene
from sandbox.simulation import Simulation
from sandbox.toml.source import read_toml


@pytest.mark.parametrize("path", bundled_scenes(), ids=lambda path: path.stem)
def test_it_opens_and_runs(path: Path) -> None:
    scene = read_scene(path)
    assert scene.name != path.stem
    assert scene.description
    assert headline(path) == (
        scene.name,
        scene.description.strip(),
        sum(entry.population for entry in scene.entries),
        scene.settings.depth > 0,
    )
    assert all(len(line) <= 200 for line in path.read_text("utf-8").splitlines())
    expected = dict.fromkeys(scene.prefabs, 0)
    for entry in scene.entries:
        expected[entry.prefab] += entry.population
    with Simulation(scene) as simulation:
        assert simulation.populations() == {name: count for name, count in expected.items() if count}


MODELS: dict[str, tuple[Any, ...]] = {
    # world, boids, speed, perception, cohesion, alignment, separation
    "ronan": (
        (640, 480, "wrap"),
        100,
        {"min_speed": 50, "max_speed": 150, "drag": 0.6, "drag_after_clamp": True},
        {"radius": 50, "fov": 360},
        {"strength": 12},
        {"strength": 60, "limit": 18},
        {"radius": 30, "falloff": "linear", "strength": 600},
    ),
    "scarf": (
        (960, 540, "turn", 4, 3600),
        100,
        {"min_speed": 90, "max_speed": 240},
        {"reach": "everyone", "fov": 360},
        {"strength": 1},
        {"strength": 6},
        {"radius": 20, "falloff": "distance", "strength": 150},
    ),
    "birb": (
        (960, 540, "wrap"),
        400,
        {"min_speed": 30, "max_speed": 120},
        {"radius": 60, "fov": 360},
        {"radius": 60, "strength": 1.5},
        {"steer": "desired", "strength": 1.5},
        {"radius": 26, "falloff": "constant", "mean": True, "strength": 400},
    ),
    "quelea": (
        (1000, 700, "wrap"),
        500,
        {"min_speed": 0, "max_speed": 180},
        {"radius": 50, "fov": 360},
        {"steer": "desired", "strength": 60, "limit": 720},
        {"radius": 25, "steer": "desired", "strength": 60, "limit": 1080},
        {"radius": 24, "falloff": "inverse", "steer": "desired", "strength": 60, "limit": 1440},
    ),
    "pallas": (
        (760, 440, "turn", 50, 12),
        200,
        {"min_speed": 0, "max_speed": 40},
        {"radius": 40, "fov": 360},
        {"strength": 0.03},
        {"strength": 3},
        {"radius": 8, "falloff": "distance", "strength": 3},
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_the_numbers_of_its_source(name: str) -> None:
    world, boids, speed, sight, cohesion, alignment, separation = MODELS[name]
    source = read_toml(find_scene(name)).data
    scene = read_scene(find_scene(name))
    settings = scene.settings
    assert (settings.width, settings.height, settings.edges) == world[:3]
    if settings.edges == "turn":
        assert (settings.margin, settings.acceleration) == world[3:]
    flock = [entry for entry in scene.entries if entry.prefab.endswith(name)]
    assert sum(entry.count for entry in flock) == boids
    leaders = [entry.values for entry in flock if entry.values]
    assert [values["Leader.pull"] for values in leaders] == ([pytest.approx(0.6)] * 3 if name == "pallas" else [])
    assert not any(key.startswith(("Flocker", "Perception")) for values in leaders for key in values)
    written = source["prefabs"][name]
    rules = {"cohesion": cohesion, "alignment": alignment, "separation": separation}
    expected = {f"{rule}_{key}": value for rule, keys in rules.items() for key, value in keys.items()}
    assert (written["Motion"], written["Perception"], written["Flocker"]) == (speed, sight, expected)
    # What the file leaves out has a default that changes nothing:
    flocker = scene.prefabs[name].components["Flocker"]
    assert {
        flocker[key] for key in flocker if key.endswith(("_limit", "_mixes", "_steer")) and key not in expected
    } <= {0}
    assert {flocker[key] for key in flocker if key.endswith("_radius") and key not in expected} <= {0.0}
    assert flocker["separation_mean"] == ("mean" in separation)


def murmuration() -> Scene:
    return read_scene(find_scene("murmuration"))


def test_the_default_scene_has_three_thousand_starlings_of_two_kinds_and_a_falcon() -> None:
    counts = {entry.prefab: entry.count for entry in murmuration().entries}
    assert counts == {"starling": 1900, "dusk_starling": 1100, "falcon": 1}


def test_hundred_thousand_starts_with_about_16_neighbours() -> None:
    scene = read_scene(find_scene("hundred-thousand"))
    count = sum(entry.count for entry in scene.entries)
    assert count == 100_000
    radius = scene.prefabs[scene.entries[0].prefab].components["Perception"]["radius"]
    assert 15 < 3.14159 * radius**2 * count / (scene.settings.width * scene.settings.height) < 17


def test_a_scenes_own_prefabs_come_first() -> None:
    assert next(iter(murmuration().prefabs)) == "starling"
    assert "boid" in murmuration().prefabs


def test_find_scene_by_name_and_by_path(tmp_path: Path) -> None:
    assert find_scene("ronan").name == "ronan.toml"
    mine = tmp_path / "mine.toml"
    mine.write_text("format = 1\n")
    assert find_scene(mine) == mine
    assert find_scene(str(mine)) == mine
    assert read_scene(mine).name == "mine"


def test_an_unknown_scene_suggests_the_nearest() -> None:
    with pytest.raises(FileNotFoundError, match="there is no scene 'murmaration': did you mean 'murmuration'"):
        find_scene("murmaration")
    with pytest.raises(FileNotFoundError, match="there is no scene 'xyzzy': there are murmuration, reef, "):
        find_scene("xyzzy")
    with pytest.raises(FileNotFoundError, match=r"there is no file 'scenes/none\.toml'"):
        find_scene("scenes/none.toml")


@pytest.mark.parametrize("beside", [True, False])
def test_a_scene_of_a_mod_that_is_off_is_named_with_the_command_that_opens_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, beside: bool
) -> None:
    monkeypatch.chdir(bundled_mods_folder().parent if beside else tmp_path)
    with pytest.raises(FileNotFoundError) as refused:
        find_scene("starlings")
    sentence, command = str(refused.value).split(": ")
    folder = Path("mods" if beside else bundled_mods_folder(), "stardisplay")
    assert sentence == "'starlings' is a scene of the mod stardisplay, which is not on"
    assert shlex.split(command) == ["boids", "play", "starlings", "--mod", str(folder)]
    with load("starlings", mods=Library(Trust(tmp_path / "mods.toml"), [folder])) as simulation:
        assert simulation.scene.settings.depth > 0


def test_a_folder_is_no_scene(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="is a folder, no scene"):
        find_scene(tmp_path)
