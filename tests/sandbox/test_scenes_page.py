"""docs/scenes.md is true: its examples open, and its tables are those of the declarations."""

from __future__ import annotations

import re
import runpy
from itertools import chain
from pathlib import Path

import pytest

from sandbox.design.scene_schema import scene_schema
from sandbox.parts import BUILT_IN
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.toml.source import TomlSource
from systems.engine.app import installed

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "scenes.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_opens_and_runs(text: str) -> None:
    with Simulation(scene_of(TomlSource("docs/scenes.md", text.encode()))) as simulation:
        simulation.step(2)
        assert simulation.tick == 2


def test_the_component_tables_are_current() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "component_table.py"))
    assert tool["current"](PAGE) == PAGE, "run python tools/component_table.py"


def test_every_key_is_explained() -> None:
    app = installed(BUILT_IN)
    components = {component.__name__ for component in app.components}
    keys = scene_schema(app).keys
    tables = "world", "systems", "resources", "presets", "everybody", "labels", "pictures", "mods"
    top = {"format", "name", "description", "seed", *(f"[{key}]" for key in tables)}
    assert top | {"prefabs", "spawn"} == {f"[{key}]" if f"[{key}]" in top else key for key in keys}
    inner = [
        *(keys[table].each.keys for table in ("prefabs", "spawn", "presets", "everybody", "labels", "pictures")),
        keys["world"].keys,
    ]
    outer = [key for key in keys if key not in (*tables, "prefabs", "spawn")]
    for key in chain(outer, *inner):
        assert f"### {key}\n" in PAGE if key in components else f"| `{key}` |" in PAGE, key
