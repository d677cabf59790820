"""The scenes to choose from, each with its picture."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sandbox.app.gui import previews
from sandbox.app.gui.previews import GONE, REST
from sandbox.app.window import FlockWindow
from sandbox.edit import Erase
from sandbox.opening import load
from sandbox.scenes.bundled import bundled_scenes, picture_of

from .conftest import OpenWindow, at, drifting, living, screen, send
from .test_files import TWO
from .widgets import click, look

pytestmark = pytest.mark.painted


@pytest.fixture
def window(open_on: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlockWindow:
    monkeypatch.setenv("XDG_DOCUMENTS_DIR", str(tmp_path))
    (tmp_path / "boids").mkdir()
    (tmp_path / "boids" / "two.toml").write_text(TWO)
    window = open_on(drifting(at(100, 100)), (1100, 1700), panels=["scenes"])
    window.gui.enter()
    scenes = next(panel for panel in window.session.app.panels if panel.name == "scenes")
    scenes.size = 1000, 1600  # all cards in sight
    window.session.clock.paused = True
    return window


@pytest.mark.parametrize("scene", bundled_scenes(), ids=lambda path: path.stem)
def test_every_bundled_scene_has_a_picture_that_travels(scene: Path) -> None:
    with Image.open(picture_of(scene)) as picture:
        assert picture.size == (384, 216)


def test_the_best_stand_first_and_the_models_apart(window: FlockWindow) -> None:
    cards = {label: place for label, place in look(window).places.items() if label.startswith("##scene ")}
    in_order = sorted(cards, key=lambda label: (-cards[label][1], cards[label][0]))
    assert in_order[:3] == ["##scene murmuration", "##scene reef", "##scene storm"]
    assert set(in_order[-5:]) == {f"##scene {name}" for name in ("ronan", "birb", "quelea", "scarf", "pallas")}
    lowest = min(cards[label][1] for label in in_order[:-5])
    assert all(cards[label][1] < lowest for label in in_order[-5:])
    assert "Models" in look(window).texts


@pytest.mark.parametrize(("scene", "deep"), [("bait-ball", True), ("canyon", True), ("murmuration", False)])
def test_a_scene_with_depth_is_marked_beside_its_name(window: FlockWindow, scene: str, deep: bool) -> None:
    left, low, right, _ = map(round, look(window, 40).boxes[f"##scene {scene}"])
    name_line = screen(window)[low : low + 16, (left + right) // 2 : right].astype(int)
    assert (np.ptp(name_line) > 60) == deep


def test_the_pictures_are_small() -> None:
    assert sum(picture_of(scene).stat().st_size for scene in bundled_scenes()) < 500_000


def test_a_click_on_a_card_opens_the_scene(window: FlockWindow) -> None:
    look(window, 20)
    click(window, "##scene ronan")
    assert window.simulation.scene.name == "Ronan"
    assert window.session.document.file is None  # it is not to be written over
    assert len(living(window)) > 1
    assert "scenes" not in window.session.preferences.open  # it would lie over the scene


def test_a_gallery_beside_the_world_stays(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 100)), (800, 600), panels=["palette", "inspector", "scenes"])
    look(window, 20)
    click(window, "##scene murmuration")
    assert window.simulation.scene.name == "Murmuration"
    assert "scenes" in window.session.preferences.open


def test_edits_are_asked_about_before_another_scene_opens(window: FlockWindow) -> None:
    window.session.submit(Erase(100, 100, 50))
    click(window, "##scene ronan")
    click(window, "Don't save")
    assert window.simulation.scene.name == "Ronan"


def test_the_own_folder_is_listed_below(window: FlockWindow, tmp_path: Path) -> None:
    seen = look(window)
    label = next(label for label in seen.places if "two.toml" in label)
    assert seen.places[label][1] < min(seen.places[f"##scene {path.stem}"][1] for path in bundled_scenes())
    click(window, label)
    assert window.simulation.scene.name == "Two"
    assert window.session.document.file == tmp_path / "boids" / "two.toml"


def test_pictures_are_read_one_in_a_frame_and_seen(window: FlockWindow) -> None:
    look(window, 20)
    left, low, right, top = (round(edge) for edge in look(window).boxes["##scene pasture"])
    data = window.ctx.screen.read(viewport=(left, (low + top) // 2, right - left, 20), components=3)
    greens, reds = sum(data[1::3]), sum(data[0::3])
    assert greens > 1.1 * reds  # a meadow


def test_a_scene_moves_while_the_mouse_rests_on_it(window: FlockWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "DEAR", 60.0)  # however busy the machine is
    look(window, 20)
    left, low, right, top = (round(edge) for edge in look(window).boxes["##scene reef"])
    inside = left + 4, (low + top) // 2, right - left - 8, 20

    def seen() -> bytes:
        for _ in range(3):
            window.on_update(0.05)
            window.on_draw()
            while window.previews._job is not None:
                time.sleep(0.001)
                window.jobs.frame()
        return bytes(window.ctx.screen.read(viewport=inside, components=3))

    assert seen() == seen()
    send(window, ("on_mouse_motion", (left + right) // 2, (low + top) // 2, 0, 0))
    seen()
    time.sleep(REST)
    first = seen()
    assert first != seen()
    assert window.simulation.scene.name != "Reef"
    send(window, ("on_mouse_motion", 5, 5, 0, 0))
    seen()
    time.sleep(GONE)
    assert seen() == seen()
    assert not window.previews.moves


def test_a_scene_of_a_million_stands(window: FlockWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(previews, "load", lambda path, mods: opened.append(path) or load(path, mods=mods))
    for name in ("million", "reef"):
        left, low, right, top = (round(edge) for edge in look(window).boxes[f"##scene {name}"])
        send(window, ("on_mouse_motion", (left + right) // 2, (low + top) // 2, 0, 0))
        look(window)
        time.sleep(REST)
        look(window)
    assert [path.stem for path in opened] == ["reef"]


def test_a_scene_without_a_picture_is_a_plain_card(window: FlockWindow) -> None:
    object.__setattr__(window.session.services, "picture", lambda path: None)
    assert "##scene ronan" in look(window).places
