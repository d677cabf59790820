"""What a person needs to be told is told, and what is shown can be read, in both themes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from imgui_bundle import imgui
from pyglet import gl

import sandbox
from sandbox.app.gui.chart_lines import _luminance
from sandbox.app.gui.theme import THEMES, Rgba, Theme, apply
from sandbox.design.scene import Entry
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from systems.engine.settings import Settings

from .conftest import OpenWindow, at, drifting, pixels, screen
from .fields import duck, pond
from .mouse import point
from .widgets import click, look


def contrast(one: Rgba, other: Rgba) -> float:
    low, high = sorted(_luminance(np.array(colour[:3])) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def over(colour: Rgba, ground: Rgba) -> Rgba:
    """A colour that lets the ground through, as it is seen."""
    red, green, blue = (colour[3] * a + (1 - colour[3]) * b for a, b in zip(colour[:3], ground[:3], strict=True))
    return red, green, blue, 1.0


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("state", ["slider_grab", "slider_grab_active"])
def test_a_number_is_readable_over_the_knob_of_its_slider(open_on: OpenWindow, name: str, state: str) -> None:
    open_on(drifting()).gui.enter()
    theme: Theme = apply(name, 1.0)
    knob = imgui.get_style().color_(getattr(imgui.Col_, state))
    assert contrast(theme.ink, over((knob.x, knob.y, knob.z, knob.w), theme.well)) > 4.5


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("hovered", [False, True])
def test_a_button_in_the_accent_is_readable_also_under_the_mouse(open_on: OpenWindow, name: str, hovered: bool) -> None:
    window = open_on(drifting(at(100, 100)), (900, 600), panels=["palette"])
    window.session.preferences.theme = name
    window.session.act("compare")
    x, y = look(window).places["Upper##side"] if hovered else (450, 300)
    point(window, x, y)
    left, low, right, high = look(window).boxes["Upper##side"]
    gl.glDisable(gl.GL_RASTERIZER_DISCARD)
    window.on_draw()
    size = int(right - left) - 4, int(high - low) - 4
    data = window.ctx.screen.read(viewport=(int(left) + 2, int(low) + 2, *size), components=3)
    shown = np.frombuffer(data, np.uint8).reshape(-1, 3) / 255
    ground = np.median(shown, axis=0)
    inks = [contrast((*pixel, 1.0), (*ground, 1.0)) for pixel in shown]
    assert max(inks) > 4.5


def test_an_empty_world_says_what_to_do_until_something_is_there(open_on: OpenWindow) -> None:
    window = open_on(drifting())
    assert "This world is empty." in look(window).text
    window.session.act("pipeline")  # it lies over the world
    assert "This world is empty." not in look(window, 3).text
    window.session.act("pipeline")
    assert "This world is empty." in look(window, 3).text
    window.session.submit(sandbox.edit.Spawn(at(100, 100)))
    window.on_update(0.01)
    assert "This world is empty." not in look(window).text


def test_a_comma_and_a_slash_are_spelt_out_in_the_menu(open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    window, shortcuts = open_on(drifting(), (640, 480)), {}
    original = imgui.menu_item

    def noting(label: str, shortcut: str, *rest: object) -> object:
        shortcuts[label] = shortcut
        return original(label, shortcut, *rest)

    click(window, "Time")
    monkeypatch.setattr(imgui, "menu_item", noting)
    window.on_draw()
    assert (shortcuts["Slower"], shortcuts["Faster"], shortcuts["One tick"]) == ("Comma", "Slash", "Full stop")


def test_the_settings_call_tools_by_their_names(open_on: OpenWindow) -> None:
    texts = look(open_on(drifting(), (900, 700), panels=["settings"]), 3).texts
    assert {"Select", "Boid", "Predator"} <= set(texts)
    assert "Tool 1" not in texts


def test_a_mod_that_comes_with_the_program_is_enabled_at_once(open_on: OpenWindow, tmp_path: Path) -> None:
    library = Library(Trust(tmp_path / "mods.toml"))
    window = open_on(drifting(at(100, 100)), (1000, 700), panels=["mods"], library=library)
    click(window, "##on magnet")
    assert window.session.asking.question is None
    assert "magnet" in {mod.id for mod in library.loaded}


@pytest.mark.painted
def test_the_picture_of_explain_has_the_ground_of_the_theme(open_on: OpenWindow) -> None:
    window = open_on(pond(duck(300, 300), duck(330, 300)), (1000, 700), panels=["explain"])
    window.session.selection.choose([1])
    window.session.messages.log.clear()
    shares = {}
    for name in THEMES:
        window.session.preferences.theme = name
        for _ in range(4):
            window.on_update(0.0)
            window.on_draw()
        picture = screen(window)[:, 610:].astype(int)
        dark = np.abs(picture - (20, 23, 42)).max(-1) < 4
        shares[name] = dark.mean()
    assert shares["dark"] > 0.05
    assert shares["light"] < 0.01  # letters


def test_the_lines_of_the_grid_cover_the_world_and_nothing_else(open_on: OpenWindow) -> None:
    scene = drifting(at(200, 100), at(300, 200))  # animals in a part of the world only
    scene.settings.edges = "turn"
    window = open_on(scene, (640, 360))
    window.session.clock.paused = True
    before = pixels(window)
    window.session.shown.add("grid")
    differs = (pixels(window) != before).any(-1)
    y, x = np.nonzero(differs)
    camera = window.session.camera
    left, low = camera.project((0, 0))
    right, high = camera.project((640, 360))
    assert x.min() == pytest.approx(left, abs=2)
    assert x.max() == pytest.approx(right, abs=2)
    assert y.min() == pytest.approx(low, abs=2)
    assert y.max() == pytest.approx(high, abs=2)
    assert differs[(int((low + high) / 2))].sum() > 3


def test_a_wall_is_plain_on_the_dusk(open_on: OpenWindow) -> None:
    def shown(*entries: Entry) -> np.ndarray:
        scene = sandbox.load("hunters").scene
        scene.resources.clear()
        scene.settings = Settings(2600, 1500, edges="turn", backdrop="dusk")
        scene.entries = list(entries)
        window = open_on(scene, (900, 560))
        return pixels(window) / 255

    ends = {"ax": 300.0, "ay": 750.0, "bx": 2300.0, "by": 750.0}
    with_wall = shown(Entry("wall", values={f"Wall.{name}": value for name, value in ends.items()}))
    column = with_wall[:, 450]
    ground = _luminance(column[300])
    lit = [_luminance(pixel) for pixel in column[255:305]]
    assert (max(lit) + 0.05) / (ground + 0.05) > 3
    assert sum((value + 0.05) / (ground + 0.05) > 2 for value in lit) >= 3
