"""The example mods in a window: their scenes open, their panels set what they say, their charts and tools work."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.app.window import FlockWindow
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.scenes.reader import read_scene
from tests.bundled import MODS

from .conftest import OpenWindow, drifting
from .fields import press, type_into
from .mouse import click, settled
from .test_charts import pass_time
from .test_keys import press as press_key
from .widgets import look

PANELS = {"magnet": "magnets", "vicsek": "vicsek", "couzin": "couzin", "evolution": "evolution", "ink": "ink"}
SCENES = {"magnet": "magnets", "vicsek": "vicsek", "couzin": "couzin-torus", "evolution": "evolution", "ink": "ink"}
SHOWN = {
    "magnet": ["strength", "radius"],
    "vicsek": ["radius", "noise", "max speed"],
    "couzin": ["repulsion", "orientation", "attraction", "blind", "turning", "noise"],
    "evolution": ["base", "speed cost", "sight cost", "mutation"],
    "ink": ["lays", "distance", "angle", "turning"],
}
CHARTS = {
    "vicsek": ["Vicsek", "polarization"],
    "couzin": ["Couzin", "polarization", "milling"],
    "evolution": ["Top speed of foragers", "mean", "spread", "Sight of foragers"],
}


def window_on(open_on: OpenWindow, tmp_path: Path, mod: str, *panels: str) -> FlockWindow:
    """A window on the scene of a mod."""
    library = Library(Trust(tmp_path / "mods.toml"), [MODS / mod])
    library.look()
    scene = read_scene(MODS / mod / "scenes" / f"{SCENES[mod]}.toml", library)
    return open_on(scene, (1280, 720), panels=panels, library=library)


@pytest.mark.parametrize("mod", PANELS)
def test_the_panel_of_a_mod_shows_what_it_declares(open_on: OpenWindow, tmp_path: Path, mod: str) -> None:
    window = window_on(open_on, tmp_path, mod, f"{mod}.{PANELS[mod]}")
    texts = look(window).texts
    assert [words for words in SHOWN[mod] if words not in texts] == []
    assert not window.simulation.mods.faults


@pytest.mark.parametrize("mod", CHARTS)
def test_its_measures_stand_in_the_charts(open_on: OpenWindow, tmp_path: Path, mod: str) -> None:
    window = window_on(open_on, tmp_path, mod, "charts")
    pass_time(window, 3)
    texts = look(window).texts
    assert [words for words in CHARTS[mod] if words not in texts] == []
    assert "Alignment" in texts  # theirs too: everything that moves counts


def test_the_ink_is_shown_with_a_key(open_on: OpenWindow, tmp_path: Path) -> None:
    window = window_on(open_on, tmp_path, "ink")
    assert window.session.shown == set()
    press_key(window, "I")
    assert window.session.shown == {"ink.ink"}
    pass_time(window, 1)
    look(window)
    assert not window.simulation.mods.faults


def test_magnets_are_placed_with_a_tool_and_set_in_a_panel(open_on: OpenWindow, tmp_path: Path) -> None:
    window = window_on(open_on, tmp_path, "magnet", "palette", "magnet.magnets")
    press(window, "##tool magnet.magnet")
    assert window.session.hand.tool.name == "magnet.magnet"
    click(window, 700, 100)
    assert settled(window)["magnet"] == 4
    type_into(window, "##magnet/Magnet.radius", "90")
    table = window.simulation.world.table
    assert (table.columns["Magnet.radius"][table.rows(table.components["Magnet"])] == 90).all()
    window.session.document.undo()
    settled(window)
    assert (table.columns["Magnet.radius"][table.rows(table.components["Magnet"])] == 150).all()
    assert not window.simulation.mods.faults


def test_a_panel_of_fields_says_where_a_world_has_none_of_them(open_on: OpenWindow, tmp_path: Path) -> None:
    library = Library(Trust(tmp_path / "mods.toml"), [MODS / "magnet"])
    window = open_on(drifting(), (1280, 720), panels=["magnet.magnets"], library=library)
    window.simulation.world.prefabs.pop("magnet", None)
    assert "This world has none of these." in look(window).texts
