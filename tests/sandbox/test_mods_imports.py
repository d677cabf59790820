"""Of ours a mod may import sandbox.api alone: told by reading it, with the place."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.mods.find.content import Content
from sandbox.mods.find.imports import foreign_imports


def told(**files: str) -> list[str]:
    content = Content(Path("mods/x"), {f"{name}.py": text.encode() for name, text in files.items()})
    return foreign_imports(content, {"x", "wind"})


def why(place: str, module: str) -> str:
    return f"{place}: imports {module}: of the sandbox a mod may import sandbox.api alone"


@pytest.mark.parametrize(
    "text",
    [
        "from sandbox.api import App, System",
        "import sandbox.api",
        "import sandbox.api as api",
        "from sandbox import api",
        "from sandbox.api import *",
        "import numpy, esper, math",
        "from . import other",
        "from .systems import flock",
        "from boids_mods.wind import Gust",
        "import sandboxes, systematic",
        "'import sandbox.simulation'",
    ],
)
def test_what_it_may_import(text: str) -> None:
    assert told(x=text) == []


@pytest.mark.parametrize(
    ("text", "place", "module"),
    [
        ("import sandbox", "1:1", "sandbox"),
        ("import math, sandbox.simulation", "1:1", "sandbox.simulation"),
        ("from sandbox import api, simulation", "1:1", "sandbox.simulation"),
        ("from sandbox.apis import x", "1:1", "sandbox.apis.x"),
        ("\n\ndef f():\n    from systems.space.grid import Grid\n", "4:5", "systems.space.grid.Grid"),
        ("try:\n  import components\nexcept ImportError: pass", "2:3", "components"),
        ("if 0: from components.store.world import *", "1:7", "components.store.world.*"),
    ],
)
def test_what_it_may_not(text: str, place: str, module: str) -> None:
    assert told(x=text) == [why(f"x.py:{place}", module)]


def test_all_files_are_read_in_order_but_what_is_no_python() -> None:
    files = {
        "b": "import sandbox\nimport systems",
        "a": "x = 1",
        "sub/c": "import components",
    }
    assert told(**files, broken="import sandbox(", null="\0") == [
        why("b.py:1:1", "sandbox"),
        why("b.py:2:1", "systems"),
        why("sub/c.py:1:1", "components"),
    ]


def test_other_mods_are_named_in_its_manifest() -> None:
    assert told(a="from boids_mods.wind import blow\nimport boids_mods.x.b") == []
    assert told(a="from boids_mods.storm.storm import Storm") == [
        "a.py:1:1: imports the mod storm, which it does not name: depends = ['storm'] in mod.toml"
    ]
    assert told(a="from boids_mods import storm") == [
        "a.py:1:1: imports the mod storm, which it does not name: depends = ['storm'] in mod.toml"
    ]


def test_what_leads_out_of_its_folder_is_another_mod() -> None:
    here = "from . import y\nfrom ..wind import z\nfrom ..food import z"
    files = {"x": here, "inner/x": "from .. import y\nfrom ...food import z"}
    needs = "imports the mod food, which it does not name: depends = ['food'] in mod.toml"
    assert told(**files) == [f"x.py:3:1: {needs}", f"inner/x.py:2:1: {needs}"]
