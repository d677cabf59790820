"""Pictures of a person's own behind the world: dropped, chosen, kept in the scene file, drawn under all else."""

from __future__ import annotations

import json
import os
import zipfile
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import sandbox
from sandbox.app.drawing.picture import draw_picture
from sandbox.app.window import FlockWindow
from sandbox.design.pictures import Pictures, missing_pictures, picture_file
from sandbox.edit import SetTables
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.past.read_recording import open_recording
from sandbox.past.recording_file import write_recording
from sandbox.past.timeline import Timeline

from .conftest import OpenWindow, at, drifting
from .widgets import click as click_widget
from .widgets import look

RED, GREEN, BLUE = (200, 30, 30), (30, 200, 30), (30, 30, 200)


def painted(path: Path, *columns: tuple[int, int, int], size: tuple[int, int] = (40, 40)) -> Path:
    """A picture file of upright stripes."""
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    for place, colour in enumerate(columns):
        pixels[:, place * size[0] // len(columns) : (place + 1) * size[0] // len(columns)] = colour
    Image.fromarray(pixels).save(path, quality=95)
    return path


def pictures(window: FlockWindow) -> dict[str, dict[str, object]]:
    window.on_update(0.0)
    return Pictures.now(window.simulation.world)


def test_one_that_is_dropped_stands_behind_the_world_until_it_is_undone(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(300, 200)), (640, 400))
    for name in ("pond.jpg", "pond.png", "pond.webp"):
        file = painted(tmp_path / name, RED)
        window.on_file_drop(10, 10, [str(file)])
        assert pictures(window) == {"pond": {"file": str(file)}}
        assert f"{name} is now the background" in window.session.messages.newest
        window.session.document.undo()
        assert pictures(window) == {}


@pytest.mark.parametrize("name", ["broken.jpg", "text.webp", "gone.png"])
def test_what_is_no_picture_is_refused_in_a_sentence(open_on: OpenWindow, tmp_path: Path, name: str) -> None:
    window = open_on(drifting(at(300, 200)), (640, 400))
    if name != "gone.png":
        (tmp_path / name).write_bytes(b"\xff\xd8\xff no picture")
    window.on_file_drop(10, 10, [str(tmp_path / name)])
    assert pictures(window) == {}
    assert window.session.messages.newest == f"{name}: is not a readable picture: use PNG, JPEG or WebP"


def test_the_panel_world_dims_and_removes_it(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(300, 200)), (900, 900), panels=["world"])
    file = str(painted(tmp_path / "pond.png", RED))
    window.session.submit(SetTables("pictures", {"pond": {"file": file, "light": 0.5}}))
    window.on_update(0.0)
    (light,) = (label for label in look(window).places if label.endswith("light") and "pond" in label)
    click_widget(window, light)  # the middle of a slider from 0 to 1
    window.on_update(0.0)
    assert pictures(window)["pond"]["light"] == pytest.approx(0.5, abs=0.1)
    (trash,) = (label for label in look(window).places if label.endswith("##pictures 0") and label[0] != "#")
    click_widget(window, trash)
    assert pictures(window) == {}


def test_the_button_asks_for_a_picture(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(300, 200)), (900, 900), panels=["world"])
    (button,) = (label for label in look(window).places if label.endswith("Own picture##world"))
    click_widget(window, button)
    dialog = window.session.asking.dialog
    assert dialog is not None
    dialog.folder, dialog.name = tmp_path, painted(tmp_path / "map.png", GREEN).name
    dialog.confirm()
    assert [*pictures(window)] == ["map"]


SCENE = """
format = 1
[world]
size = [400, 200]
edges = "bounce"
[pictures.below]
file = "stripes.png"
light = 0.5
[pictures.gone]
file = "gone.png"
"""


def drawn_scene(folder: Path, text: str = SCENE) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    (folder / "pond.toml").write_text(text)
    with sandbox.load(folder / "pond.toml") as simulation:
        draw_picture(simulation, folder / "seen.png", (400, 200))
    return np.asarray(Image.open(folder / "seen.png").convert("RGB"))


def test_it_covers_the_world_as_bright_as_the_scene_says(tmp_path: Path) -> None:
    painted(tmp_path / "stripes.png", RED, GREEN, size=(80, 20))  # twice as wide for its height as the world
    seen = drawn_scene(tmp_path)
    assert np.abs(seen[100, 60].astype(int) - [100, 15, 15]).max() <= 3
    assert np.abs(seen[100, 340].astype(int) - [15, 100, 15]).max() <= 3


def test_it_is_found_beside_the_scene_wherever_that_was_moved(tmp_path: Path) -> None:
    painted(tmp_path / "stripes.png", BLUE)
    seen = drawn_scene(tmp_path, SCENE.replace("stripes.png", "/home/somebody/pictures/stripes.png"))
    assert np.abs(seen[100, 200].astype(int) - [15, 15, 100]).max() <= 3


def test_a_scene_that_is_saved_elsewhere_says_where_it_is_from_there(tmp_path: Path) -> None:
    (tmp_path / "one" / "photos").mkdir(parents=True)
    (tmp_path / "two").mkdir()
    painted(tmp_path / "one" / "photos" / "pond.png", RED)
    scene = tmp_path / "one" / "a.toml"
    scene.write_text('format = 1\n[pictures.pond]\nfile = "photos/pond.png"  # mine\nlight = 0.5\n')
    with sandbox.load(scene) as world:
        world.save(tmp_path / "two" / "b.toml")
        world.save(tmp_path / "one" / "c.toml")
    assert 'file = "../one/photos/pond.png"' in (tmp_path / "two" / "b.toml").read_text()
    assert (tmp_path / "one" / "c.toml").read_text() == scene.read_text()
    with sandbox.load(tmp_path / "two" / "b.toml") as world:
        (own,) = Pictures.now(world.world).values()
        found = picture_file(own, world.scene.folder)
    assert found is not None
    assert found.samefile(tmp_path / "one" / "photos" / "pond.png")


def test_the_window_says_which_is_not_there(open_on: OpenWindow, tmp_path: Path) -> None:
    painted(tmp_path / "stripes.png", BLUE)
    (tmp_path / "pond.toml").write_text(SCENE)
    window = open_on(drifting(at(300, 200)), (640, 400))
    window.filing.open(tmp_path / "pond.toml")
    assert "gone.png: there is no such picture" in [message.text for message in window.session.messages.log]


def test_it_changes_no_digest_and_lasts(tmp_path: Path) -> None:
    painted(tmp_path / "stripes.png", BLUE)
    (tmp_path / "pond.toml").write_text(SCENE)
    with sandbox.load(tmp_path / "pond.toml") as simulation:
        digest = simulation.digest()
        simulation.save(tmp_path / "pond.npz")
        simulation.submit(SetTables("pictures", {}))
        simulation.step()
        assert simulation.tick == 1
        assert Pictures.now(simulation.world) == {}
    with sandbox.load(tmp_path / "pond.npz") as again:
        assert Pictures.now(again.world) == {
            "below": {"file": "stripes.png", "light": 0.5},
            "gone": {"file": "gone.png"},
        }
        assert again.digest() == digest


def test_a_state_and_a_recording_tell_no_folder_and_find_pictures_beside_themselves(tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    away.mkdir()
    painted(home / "stripes.png", BLUE)
    (home / "pond.toml").write_text(SCENE)
    with sandbox.load(home / "pond.toml") as simulation:
        simulation.save(away / "pond.npz")
        timeline = Timeline(simulation)
        timeline.step()
        write_recording(timeline, away / "pond.boids")
    with np.load(away / "pond.npz") as state:
        meta = json.loads(bytes(state["meta"]))
    assert str(tmp_path) not in json.dumps(meta)
    with zipfile.ZipFile(away / "pond.boids") as recording, np.load(recording.open("start.npz")) as start:
        assert str(tmp_path) not in bytes(start["meta"]).decode()
    with np.load(away / "pond.npz") as state:
        meta = np.frombuffer(json.dumps({**meta, "folder": str(home)}).encode(), np.uint8)
        np.savez(away / "pond.npz", **{**state, "meta": meta})  # as one that wants to reach another folder
    for moved in (False, True):
        missing = ["gone.png"] if moved else ["stripes.png", "gone.png"]
        if moved:
            (home / "stripes.png").rename(away / "stripes.png")
            (home / "pond.toml").unlink()
            home.rmdir()
        with sandbox.load(away / "pond.npz") as state:
            assert missing_pictures(Pictures.now(state.world), state.scene.folder) == missing
        with closing(open_recording(away / "pond.boids", NO_MODS)) as past:
            world, scene = past.simulation.world, past.simulation.scene
            assert missing_pictures(Pictures.now(world), scene.folder) == missing


def test_one_that_is_painted_anew_is_seen_anew(tmp_path: Path) -> None:
    (tmp_path / "pond.toml").write_text(SCENE)
    with sandbox.load(tmp_path / "pond.toml") as simulation:
        for colour in (RED, GREEN):
            painted(tmp_path / "stripes.png", colour)
            os.utime(tmp_path / "stripes.png", ns=(colour[0], colour[0]))
            draw_picture(simulation, tmp_path / "seen.png", (400, 200))
            seen = np.asarray(Image.open(tmp_path / "seen.png").convert("RGB"))
            assert np.abs(seen[100, 200].astype(int) - np.array(colour) // 2).max() <= 3
