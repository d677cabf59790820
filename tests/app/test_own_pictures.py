"""Pictures of a person's own behind the world: dropped, chosen, kept in the scene file, drawn under all else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import sandbox
from sandbox.app.drawing.picture import draw_picture
from sandbox.app.window import FlockWindow
from sandbox.design.pictures import (
    SUFFIXES,
    TOO_LARGE,
    TOO_MANY,
    PictureError,
    Pictures,
    open_picture,
    picture_file,
    wrong_files,
    wrong_pictures,
)
from sandbox.edit import SetTables
from sandbox.files.read_recording import open_recording
from sandbox.files.write_recording import write_recording
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.past.timeline import Timeline
from sandbox.scenes.reader import SceneError, read_scene
from sandbox.scenes.writer import save_scene
from tests.recordings import meta_in, rewritten

from .conftest import OpenWindow, at, drifting
from .widgets import click as click_widget
from .widgets import look

RED, GREEN, BLUE = (200, 30, 30), (30, 200, 30), (30, 30, 200)


def painted(path: Path, *columns: tuple[int, int, int], size: tuple[int, int] = (40, 40)) -> Path:
    """A picture file of upright stripes."""
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    for index, colour in enumerate(columns):
        pixels[:, index * size[0] // len(columns) : (index + 1) * size[0] // len(columns)] = colour
    Image.fromarray(pixels).save(path, quality=95)
    return path


def pictures(window: FlockWindow) -> dict[str, dict[str, object]]:
    window.on_update(0.0)
    return Pictures.now(window.simulation.world)


def shown_pictures(window: FlockWindow) -> dict[str, bytes]:
    """The bytes of the pictures behind the world, by name."""
    folder = window.simulation.scene.folder
    files = {name: picture_file(own, folder) for name, own in pictures(window).items()}
    return {name: file.read_bytes() for name, file in files.items() if file}


def test_one_that_is_dropped_stands_behind_the_world_until_it_is_undone(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(300, 200)), (640, 400))
    for name in ("pond.jpg", "pond.png", "pond.webp"):
        file = painted(tmp_path / name, RED)
        window.on_file_drop(10, 10, [str(file)])
        assert shown_pictures(window) == {"pond": file.read_bytes()}
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
    painted(tmp_path / "pond.png", RED)
    window.simulation.scene.folder = tmp_path
    window.session.submit(SetTables("pictures", {"pond": {"file": "pond.png", "light": 0.5}}))
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


@pytest.mark.parametrize("said", ["/etc/pond.png", "../pond.png", "a/../../pond.png", "C:/pond.png", "C:pond.png"])
@pytest.mark.parametrize("slash", ["/", "\\"])
def test_a_scene_names_no_picture_outside_of_its_folder(tmp_path: Path, said: str, slash: str) -> None:
    said = said.replace("/", slash)
    for wrong in (said, f"{slash}{slash}host{slash}share{slash}pond.png"):
        (tmp_path / "pond.toml").write_text(f"format = 1\n[pictures.pond]\nfile = '{wrong}'\n")
        with pytest.raises(SceneError) as refused:
            read_scene(tmp_path / "pond.toml")
        assert str(refused.value).startswith(f"{tmp_path / 'pond.toml'}:3:1: pictures.pond.file = '{wrong}': must lie")
        assert 'copy it there, and write file = "pond.png"' in str(refused.value)
        with sandbox.new() as world, pytest.raises(ValueError, match="must lie in the folder of this file"):
            world.submit(SetTables("pictures", {"pond": {"file": wrong}}))


@pytest.mark.parametrize("said", ["id_rsa", "notes.txt", "runs.parquet", "pond.png/x"])
def test_what_is_no_picture_by_its_name_is_refused(said: str) -> None:
    with pytest.raises(SceneError, match=f"must be a picture: {', '.join(SUFFIXES)}"):
        sandbox.loads(f'format = 1\n[pictures.pond]\nfile = "{said}"\n')


def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "scene" / "photos").mkdir(parents=True)
    painted(tmp_path / "secret.png", RED)
    painted(tmp_path / "scene" / "photos" / "own.png", GREEN)
    (tmp_path / "scene" / "out.png").symlink_to("../secret.png")
    (tmp_path / "scene" / "up").symlink_to("..")
    (tmp_path / "scene" / "in.png").symlink_to("photos/own.png")
    found = [picture_file({"file": name}, tmp_path / "scene") for name in ("out.png", "up/secret.png", "in.png")]
    assert found == [None, None, tmp_path / "scene" / "in.png"]


def test_a_dropped_one_is_copied_beside_the_scene_when_that_is_saved(open_on: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    photo = painted(tmp_path / "photos" / "Our pond.png", RED)
    window = open_on(drifting(at(300, 200)), (640, 400))
    window.on_file_drop(10, 10, [str(photo)])
    dropped = photo.read_bytes()
    photo.unlink()
    name = str(pictures(window)["our-pond"]["file"])
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    (tmp_path / "two" / name).write_text("something else")
    for folder, kept in (("one", name), ("two", name.replace(".png", "-2.png"))):
        save_scene(window.simulation, tmp_path / folder / "pond.toml")
        assert f'file = "{kept}"' in (tmp_path / folder / "pond.toml").read_text()
        assert (tmp_path / folder / kept).read_bytes() == dropped
        assert str(tmp_path) not in (tmp_path / folder / "pond.toml").read_text()
    assert (tmp_path / "two" / name).read_text() == "something else"


def test_a_copy_that_fails_is_told_and_leaves_the_scene_as_it_was(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    (tmp_path / "one" / "pond.png").write_bytes(b"no longer a picture")
    (tmp_path / "one" / "a.toml").write_text('format = 1\n[pictures.pond]\nfile = "pond.png"\n')
    (tmp_path / "two" / "b.toml").write_text("# before\n")
    with (
        sandbox.load(tmp_path / "one" / "a.toml") as world,
        pytest.raises(ValueError, match=r"^pond.png: is not a readable picture: use PNG, JPEG or WebP$"),
    ):
        world.save(tmp_path / "two" / "b.toml")
    assert [path.name for path in (tmp_path / "two").iterdir()] == ["b.toml"]
    assert (tmp_path / "two" / "b.toml").read_text() == "# before\n"


def test_a_scene_that_is_saved_elsewhere_takes_its_pictures_along(tmp_path: Path) -> None:
    (tmp_path / "one" / "photos").mkdir(parents=True)
    (tmp_path / "two").mkdir()
    painted(tmp_path / "one" / "photos" / "pond.png", RED)
    scene = tmp_path / "one" / "a.toml"
    scene.write_text('format = 1\n[pictures.pond]\nfile = "photos/pond.png"  # mine\nlight = 0.5\n')
    with sandbox.load(scene) as world:
        world.save(tmp_path / "two" / "b.toml")
        world.save(tmp_path / "one" / "c.toml")
    assert 'file = "pond.png"  # mine' in (tmp_path / "two" / "b.toml").read_text()
    assert (tmp_path / "one" / "c.toml").read_text() == scene.read_text()
    with sandbox.load(tmp_path / "two" / "b.toml") as world:
        (own,) = Pictures.now(world.world).values()
        found = picture_file(own, world.scene.folder)
    assert found == tmp_path / "two" / "pond.png"
    assert found.read_bytes() == (tmp_path / "one" / "photos" / "pond.png").read_bytes()


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
        simulation.save(tmp_path / "pond.boids")
        simulation.submit(SetTables("pictures", {}))
        simulation.step()
        assert simulation.tick == 1
        assert Pictures.now(simulation.world) == {}
    with sandbox.load(tmp_path / "pond.boids") as again:
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
        simulation.save(away / "state.boids")
        timeline = Timeline(simulation.simulation)
        timeline.step()
        write_recording(timeline, away / "pond.boids")
    for name in ("state", "pond"):
        assert str(tmp_path) not in json.dumps(meta_in(away / f"{name}.boids"))
    rewritten(away / "state.boids", away / "state.boids", folder=str(home))  # as one that wants to reach another folder
    for moved in (False, True):
        missing = ["gone.png"] if moved else ["stripes.png", "gone.png"]
        if moved:
            (home / "stripes.png").rename(away / "stripes.png")
            (home / "pond.toml").unlink()
            home.rmdir()
        with sandbox.load(away / "state.boids") as state:
            assert [*wrong_pictures(Pictures.now(state.world), state.scene.folder)] == missing
        with closing(open_recording(away / "pond.boids", NO_MODS)) as past:
            world, scene = past.simulation.world, past.simulation.scene
            assert [*wrong_pictures(Pictures.now(world), scene.folder)] == missing


def test_one_that_is_painted_anew_is_seen_anew(tmp_path: Path) -> None:
    (tmp_path / "pond.toml").write_text(SCENE)
    with sandbox.load(tmp_path / "pond.toml") as simulation:
        for colour in (RED, GREEN):
            painted(tmp_path / "stripes.png", colour)
            os.utime(tmp_path / "stripes.png", ns=(colour[0], colour[0]))
            draw_picture(simulation, tmp_path / "seen.png", (400, 200))
            seen = np.asarray(Image.open(tmp_path / "seen.png").convert("RGB"))
            assert np.abs(seen[100, 200].astype(int) - np.array(colour) // 2).max() <= 3


def plain_picture(path: Path, size: tuple[int, int], mode: str = "RGB") -> Path:
    """A picture of one colour: a small file."""
    how = {".webp": {"lossless": True}, ".jpg": {"progressive": True, "optimize": True}}.get(path.suffix, {})
    Image.new(mode, size).save(path, **how)
    return path


PEAK = """
import resource, sys
from pathlib import Path
from sandbox.app.drawing.own_pictures import MOST, decoded
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
content = decoded(Path(sys.argv[1]), MOST).tobytes()
print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="units of Linux")
@pytest.mark.parametrize(
    ("name", "size", "mode"),
    [("a.webp", (4000, 3000), "RGB"), ("a.png", (5000, 4000), "RGBA"), ("a.jpg", (6000, 4000), "CMYK")],
)
def test_the_largest_of_a_small_file_is_decoded_in_little_memory(
    name: str, size: tuple[int, int], mode: str, tmp_path: Path
) -> None:
    path = plain_picture(tmp_path / name, size, mode)
    assert path.stat().st_size < 1_000_000
    child = subprocess.run([sys.executable, "-c", PEAK, path], capture_output=True, text=True, check=True)
    assert int(child.stdout) < 300 * 1024
    larger = plain_picture(path, (size[0] + 1, size[1]), mode)
    with pytest.raises(PictureError, match=rf"^{name}: is too large: a picture may have 64 MB; 12 "):
        open_picture(larger)
    with larger.open("ab") as file:
        file.write(bytes(1_000_000))  # a file of this size may have more
    open_picture(larger).close()


def test_all_pictures_of_a_world_have_one_budget_of_pixels(tmp_path: Path) -> None:
    files = [plain_picture(tmp_path / f"{n}.png", (5000, 4000)) for n in range(5)]
    assert wrong_files([*files, *files]) == {files[4]: TOO_MANY}
    (tmp_path / "4.png").unlink()
    large, small = plain_picture(tmp_path / "l.webp", (4001, 3000)), plain_picture(tmp_path / "s.webp", (40, 40))
    assert wrong_files([large, *files[:3], small]) == {large: TOO_LARGE}
    tables = {file.stem: {"file": file.name} for file in [*files[:4], small]}
    assert wrong_pictures(tables, tmp_path) == {"s.webp": TOO_MANY}
