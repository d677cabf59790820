"""The JSON Schema says the same as the reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sandbox.parts import BUILT_IN
from sandbox.scenes.bundled import bundled_scenes
from sandbox.scenes.reader import scene_of
from sandbox.scenes.schema import schema
from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import TomlSource, read_toml
from systems.engine.app import installed

VALIDATOR = Draft202012Validator(schema(installed(BUILT_IN)))


def test_it_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(schema(installed(BUILT_IN)))


@pytest.mark.parametrize("path", bundled_scenes(), ids=lambda path: path.stem)
def test_bundled_scenes_are_valid(path: Path) -> None:
    assert not list(VALIDATOR.iter_errors(read_toml(path).data))


@pytest.mark.parametrize(
    "text",
    [
        "[prefabs.a]\nextends = 'boid'\nPerception = { radius = 3, reach = 'topological' }",
        "[[spawn]]\nprefab = 'boid'\narea.circle = [0, 0, 5]\nLook = { size = { mean = 5, sd = 2 }, shape = 'dot' }",
        "[prefabs.a]\nFood = { amount = 12.5, feeds = ['boid'] }",
        "[[spawn]]\nprefab = 'boid'\nEnergy = { level = { mean = 80, sd = 20.5 }, capacity = 1e6 }",
        "[systems]\nflocking = false\nwrap = { enabled = true }",
        "[resources.Backdrop]\nglow_at = []\ncolours = ['#000000']",
        "[resources.Backdrop]\nglow_at = [0.5, 1]",
        "[mods]\noptional = ['daylight']",
    ],
)
def test_what_is_read_is_valid(text: str) -> None:
    source = TomlSource("s.toml", f"format = 1\n{text}".encode())
    scene_of(source)
    assert not list(VALIDATOR.iter_errors(source.data))


@pytest.mark.parametrize(
    "text",
    [
        "unknown = 1",
        "seed = -1",
        "[world]\nsize = [1]",
        "[world]\nsize = [1, 2, 3, 4]",
        "[world]\nwidth = 3",
        "[prefabs.a]\nFloker = {}",
        "[prefabs.a.Flocker]\ncohesion = 1",
        "[prefabs.a.Look]\nshape = 'round'",
        "[prefabs.a.Look]\ncolour = 'red'",
        "[prefabs.a.Look]\nsize = { mean = 1, sd = 1 }",
        "[prefabs.a.Energy]\nlevel = -1",
        "[prefabs.a.Energy]\nlevel = '5'",
        "[prefabs.a.Food]\ncapacity = 1_000_001",
        "[prefabs.a.Food]\namount = { mean = 1, sd = 1 }",
        "[[spawn]]\nprefab = 'boid'\nEnergy.level = { mean = 1e7, sd = 1 }",
        "[[spawn]]\ncount = 3",
        "[[spawn]]\nprefab = 'boid'\narea = {}",
        "[[spawn]]\nprefab = 'boid'\nLook.size = { mean = 1 }",
        "[resources.Backdrop]\nglow_at = [0.5]",
        "[systems]\nfloking = false",
    ],
)
def test_what_is_refused_is_not_valid(text: str) -> None:
    source = TomlSource("s.toml", f"format = 1\n{text}".encode())
    data: dict[str, Any] = source.data
    assert not VALIDATOR.is_valid(data)
    with pytest.raises(SceneError):
        scene_of(source)
