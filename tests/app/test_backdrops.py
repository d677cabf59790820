"""Backdrops: each of its kind, with numbers that a scene may change."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import sandbox
from sandbox.app.drawing import scenery_shaders
from sandbox.app.drawing.backdrops import BACKDROPS, Kind
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.picture import camera_on, drawn, graphics, painter_of
from sandbox.app.drawing.sky_shaders import shaders_of, stars_of
from sandbox.app.drawing.view_block import view_program
from sandbox.edit import SetSetting, Undo
from sandbox.scenes.writer import save_scene
from sandbox.simulation import Simulation
from sandbox.toml.mistakes import SceneError
from systems.engine import settings
from tests.edits import do

SIZE = 160, 90


def shown(path: Path, backdrop: str, own: str = "", size: tuple[int, int] = SIZE) -> NDArray[np.int64]:
    """The picture of an empty world with this backdrop, and a scene's own numbers."""
    path.write_text(f'format = 1\n[world]\nbackdrop = "{backdrop}"\n[resources.Backdrop]\n{own}\n')
    painter = painter_of(graphics())
    with sandbox.load(path) as simulation:
        painter.take(simulation)
        return np.asarray(drawn(painter, Camera((1280, 720), size))).astype(np.int64)


def test_every_name_has_a_backdrop() -> None:
    assert BACKDROPS.keys() == {*settings.BACKDROPS}
    assert {name for name, place in BACKDROPS.items() if place.kind.name == "ground"} == {*settings.GROUNDS}


def test_a_scene_s_colours_go_from_top_to_bottom(tmp_path: Path) -> None:
    picture = shown(tmp_path / "a.toml", "noon", 'colours = ["#ff0000", "#0000ff"]\nglow = -1\nclouds = -1')
    red, _, blue = picture.mean(1).T
    assert red[0] > 200 > 50 > blue[0]
    assert blue[-1] > 200 > 50 > red[-1]


@pytest.mark.parametrize(
    ("own", "brighter"),
    [
        ("brightness = -0.6", False),
        ("brightness = 0.4", True),
        ("glow = 0.4", True),
        ('glow_colour = ["#000000"]', False),
    ],
)
def test_a_scene_can_change_the_named_backdrop(tmp_path: Path, own: str, brighter: bool) -> None:
    usual, changed = (shown(tmp_path / "a.toml", "dawn", text).mean() for text in ("", own))
    assert (changed > usual + 2) if brighter else (changed < usual - 2)


def test_the_glow_is_where_the_scene_says(tmp_path: Path) -> None:
    for x, y in ((0.2, 0.7), (0.8, 0.3)):
        own = f'colours = ["#101010"]\nglow_colour = ["#ffffff"]\nglow_at = [{x}, {y}]\nclouds = -1\nstars = -1'
        light = shown(tmp_path / "a.toml", "dusk", own).sum(2)
        line, column = np.unravel_index(light.argmax(), light.shape)
        assert (column / SIZE[0], 1 - line / SIZE[1]) == pytest.approx((x, y), abs=0.05)


@pytest.mark.parametrize("size", ["[640, 360]", "[640, 360, 300]"])
def test_another_backdrop_comes_whole_and_undo_brings_the_changed_one_back(tmp_path: Path, size: str) -> None:
    file = tmp_path / "a.toml"
    changed = '[resources.Backdrop]\ncolours = ["#ff0000", "#8000ff"]\nbrightness = 0.2\n'
    file.write_text(f'format = 1\n[world]\nsize = {size}\nbackdrop = "sunset"\n{changed}')
    painter = painter_of(graphics())

    def seen(simulation: Simulation) -> bytes:
        painter.take(simulation)
        return drawn(painter, camera_on(simulation, SIZE)).tobytes()

    with sandbox.load(file) as simulation:
        begun = seen(simulation)
        do(simulation, SetSetting("backdrop", "sunset"))
        assert seen(simulation) == begun
        do(simulation, SetSetting("backdrop", "meadow"))
        meadow = seen(simulation)
        save_scene(simulation, tmp_path / "saved.toml")
        do(simulation, Undo())
        assert seen(simulation) == begun
    assert "Backdrop" not in (tmp_path / "saved.toml").read_text()
    file.write_text(f'format = 1\n[world]\nsize = {size}\nbackdrop = "meadow"\n')
    with sandbox.load(file) as plain:
        assert meadow == seen(plain)


def test_a_number_beyond_its_bounds_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match=r"a.toml:5:1.*clouds.*must be -1 to 1"):
        shown(tmp_path / "a.toml", "dusk", "clouds = 7")


def test_half_a_place_of_the_glow_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match=r"a.toml:5:1.*glow_at.*must be a list of at least 2 entries, or empty"):
        shown(tmp_path / "a.toml", "dusk", "glow_at = [0.5]")


@pytest.mark.parametrize("kind", sorted({place.kind for place in BACKDROPS.values()}), ids="-".join)
def test_all_shaders_of_a_place_compile_for_graphics_cards_too(kind: Kind) -> None:
    context = graphics()
    pairs = [shaders_of(kind, True, (4, 4)), shaders_of(kind, False, (4, 4)), stars_of(kind)]
    pairs += [scenery_shaders.shaders_of(sort, kind, rich) for sort in scenery_shaders.SORTS for rich in (True, False)]
    for vertex, fragment in pairs:
        assert view_program(context, vertex, fragment).glo


def test_clouds_drift_with_the_simulated_time_and_stand_still_where_motion_is_reduced() -> None:
    painter = painter_of(graphics())
    with sandbox.new((640, 360), backdrop="storm") as simulation:
        pictures = []
        for still in (False, True):
            painter.animals.still = still
            for _ in range(2):
                painter.take(simulation)
                pictures.append(drawn(painter, Camera((640, 360), SIZE)))
                simulation.step(600)
        painter.animals.still = False
    assert pictures[0] != pictures[1]
    assert pictures[2] == pictures[3]


def test_a_wall_is_of_its_place(tmp_path: Path) -> None:
    wall = '[[spawn]]\nprefab = "wall"\npoints = [[100, 360], [1180, 360]]\nWall = { thickness = 80 }'
    found = {}
    for backdrop in ("meadow", "night"):
        bare, walled = (shown(tmp_path / "a.toml", backdrop, own) for own in ("", wall))
        changed = np.abs(walled - bare).max(2) > 20
        assert changed[42:48, 15:145].mean() > 0.5
        found[backdrop] = walled[changed].mean(0)
    hedge, barrier = found["meadow"], found["night"]
    assert hedge[1] > max(hedge[0], hedge[2]) + 20  # green
    assert barrier[2] > barrier[0] + 20  # bluish light
