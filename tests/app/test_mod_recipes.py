"""docs/mod-recipes.md: every recipe is a mod that loads, and does in a world and in a window what it says."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT

from sandbox.design.scene import Entry
from sandbox.edit import Spawn
from sandbox.mods.check.checking import check
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from tests.command_line import ROOT, boids
from tests.mods import write_mod

from .conftest import OpenWindow, at, send
from .mouse import click, with_tools
from .test_charts import pass_time
from .test_keys import press
from .widgets import click as click_widget
from .widgets import look

PAGE = (ROOT / "docs" / "mod-recipes.md").read_text("utf-8")
RECIPES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    return [write_mod(tmp_path / f"recipe{number}", text) for number, text in enumerate(RECIPES)]


def test_all_recipes_together_do_what_they_say(open_on: OpenWindow, folders: list[Path], tmp_path: Path) -> None:
    library = Library(Trust(tmp_path / "trust.toml"), folders)
    library.look()
    assert len(library.loaded) == len(RECIPES) == 17
    scene = with_tools(at(300, 180))
    scene.prefabs["boid"] = replace(scene.prefabs["red"], name="boid")
    window = open_on(scene, (1280, 900), panels=["charts"], library=library)
    session, simulation = window.session, window.simulation
    for entry in (Entry("painter", 2), Entry("sheet"), Entry("moody", 5), Entry("predator")):
        simulation.submit(Spawn(entry))
    pass_time(window, 1)
    parts = *session.app.panels, *session.app.overlays, *session.app.tools
    names = {part.name.rpartition(".")[2]: part.name for part in parts}
    session.toggle_panel(names["nursery"])
    for overlay in ("danger", "paths", "graves", "fed"):
        session.toggle_overlay(names[overlay])
    press(window, "O")
    assert names["middle"] in session.shown
    pass_time(window, 1)
    texts = look(window).texts
    assert {"Headings", "to the left", "Speed across"} <= set(texts)
    before = simulation.world.table.size
    click_widget(window, "Ten more")
    pass_time(window, 1)
    assert simulation.world.table.size == before + 10
    flocks: Any = simulation.pipeline.by_name["flocks"]
    left, low, right, high = look(window).boxes["link"]
    across = [round(left + share * (right - left)) for share in (0.1, 0.2, 0.3)]
    links = [flocks.link]
    for event, x in zip(("on_mouse_press", "on_mouse_drag", "on_mouse_drag"), across, strict=True):
        drags = event == "on_mouse_drag"
        send(window, (event, x, round((low + high) / 2), *((10, 0, LEFT) if drags else (LEFT,)), 0))
        pass_time(window, 2)
        links.append(flocks.link)
    send(window, ("on_mouse_release", across[-1], round((low + high) / 2), LEFT, 0))
    assert len(set(links)) == 4
    press(window, "Ctrl+Z")
    pass_time(window, 1)
    assert (flocks.link, simulation.world.table.size) == (links[0], before + 10)
    tool = next(tool for tool in session.hand.tools if tool.name == names["dye"])
    session.hand.take(session, tool)
    session.hand.brush = 400
    for name in (names["nursery"], "charts"):
        session.toggle_panel(name)
    pass_time(window, 2)
    click(window, 640, 360)
    pass_time(window, 1)
    table = simulation.world.table
    session.selection.choose(table.serial[:4])
    before = table.size
    press(window, "Ctrl+T")
    pass_time(window, 1)
    assert table.size <= before - 2
    assert 0xFF7AC6 in table.columns["Look.colour"][: table.size]
    assert table.columns["Sheet.ink"][table.rows(table.components["Sheet"])].min() > 0
    grass: Any = simulation.world.resource(simulation.world.declared["Grass"])
    assert grass.trodden.amounts.sum() > 0
    file, before = tmp_path / "party.guests", table.size
    for content in ("many", "7"):
        file.write_text(content)
        window.filing.open(file)
        pass_time(window, 1)
    assert "party.guests: must be a number of guests" in [message.text for message in session.messages.log]
    assert table.size == before + 7
    session.toggle_panel(names["guests"])
    assert "7 guests came" in look(window).texts
    assert not simulation.mods.faults


def test_the_command_of_a_recipe_is_one_of_the_command_line_while_its_mod_is_enabled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_mod(tmp_path / "mods" / "party", next(recipe for recipe in RECIPES if "add_command" in recipe))
    assert "guest-list" not in boids("--help").stdout
    assert boids("guest-list", "party.guests").returncode == 2
    assert boids("mod", "enable", "party").returncode == 0
    assert "Write a guest list: how many boids come." in boids("--help").stdout
    assert boids("guest-list", "party.guests", "--count", 12).returncode == 0
    assert (tmp_path / "party.guests").read_text() == "12"
    failed = boids("guest-list", "no/such")
    assert failed.returncode == 1
    assert "party.py:8: FileNotFoundError" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert boids("mod", "disable", "party").returncode == 0
    assert "guest-list" not in boids("--help").stdout


@pytest.mark.verify
def test_each_recipe_passes_the_check(folders: list[Path], tmp_path: Path) -> None:
    for folder in folders:
        assert check(folder, Trust(tmp_path / "trust.toml")) == []
