"""Films that the window makes: where its camera looked, a part of what was recorded, made while play goes on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import psutil
import pytest
from arcade import key
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui
from PIL import Image

from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.picture import drawn as picture_of
from sandbox.app.drawing.picture import graphics, painter_of
from sandbox.app.jobs import jobs
from sandbox.app.jobs.command_job import CommandJob
from sandbox.app.viewer import Viewer
from sandbox.app.window import FlockWindow
from sandbox.design.depth import with_depth
from sandbox.edit import SetField
from sandbox.extras.film.window import panel as film
from sandbox.extras.film.window.filming import Filming
from sandbox.files.read_recording import open_recording
from sandbox.files.write_recording import hold_for
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.past.views import Seen, seen_at
from sandbox.simulation import Simulation
from tests.app.conftest import OpenWindow, at, drifting, screen, send
from tests.app.drawn import drawn
from tests.app.fields import A_WHILE, frame, press, type_into
from tests.app.modded import named, with_overlay, write_mod
from tests.app.mouse import hit
from tests.app.playing import TICK, arrive, run
from tests.app.widgets import click, look
from tests.command_line import boids

MODS = Path(__file__).parents[3] / "mods"


def seen(window: FlockWindow, tick: int) -> Seen | None:
    return seen_at(window.session.document.timeline.branch, tick)


def test_where_the_camera_looks_is_recorded_while_the_present_is_made(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 200)), (900, 500), panels=["inspector", "palette"])
    run(window, 10)
    camera = window.session.camera
    assert any(camera.insets)
    camera.zoom_at(300, 200, 3)
    run(window, 10)
    corners = (
        camera.to_world(camera.insets[0], camera.insets[1]),
        camera.to_world(900 - camera.insets[2], 500 - camera.insets[3]),
    )
    window.session.playback.go(5)
    for _ in range(3):
        window.on_update(TICK)
    camera.pan(50, 50)
    window.on_update(TICK)
    assert window.simulation.tick == 5
    for tick in range(11):
        assert seen(window, tick) == Seen(320, 180, 640, 360)
    for tick in range(11, 21):
        x, y, width, height = seen(window, tick) or Seen(0, 0, 0, 0)
        assert (x - width / 2, y - height / 2, x + width / 2, y + height / 2) == pytest.approx(
            [*corners[0], *corners[1]]
        )


def filming(window: FlockWindow) -> Filming:
    """What the panel Film makes films with."""
    return next(panel.filming for panel in window.session.app.panels if panel.name == "film")


def ended(window: FlockWindow) -> None:
    """Frames until the film is made, or not."""
    until = time.monotonic() + 60
    while filming(window).job and time.monotonic() < until:
        window.on_update(0.0)
        time.sleep(0.01)
    assert filming(window).job is None


def process_of(window: FlockWindow) -> tuple[CommandJob, psutil.Process]:
    """What makes a film, which has just begun."""
    process = filming(window).job
    assert isinstance(process, CommandJob)
    return process, psutil.Process(process._process.pid)


def begun(window: FlockWindow) -> psutil.Process:
    """The process that makes a film, as soon as it writes one."""
    until = time.monotonic() + 60
    process, child = process_of(window)
    while time.monotonic() < until and not process.done:
        time.sleep(0.01)
    return child


def made_here(window: FlockWindow) -> Path:
    """The film of a process that has just begun, by its command but in this process, which is quicker."""
    process, child = process_of(window)
    child.suspend()
    words = process._process.args  # not those of the child, which may not have its own yet
    made = boids(*words[words.index("film") :], cwd=Path(child.cwd()))
    assert made.returncode == 0, made.stderr
    window.switch_to()
    filming(window).cancel(window.session)
    return Path(words[words.index("--out") + 1])


@pytest.fixture
def window(open_on: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlockWindow:
    """A red dot that has flown to the right for two seconds, whose films are small."""
    monkeypatch.setitem(film.SIZES, "1280 x 720", (64, 64))
    window = open_on(drifting(at(100, 200, (50, 0)), size=14), (900, 600), panels=["film", "time bar"])
    filming(window).folder = tmp_path / "films"
    run(window, 20)
    return window


def choose(window: FlockWindow, caption: str, option: str) -> None:
    click(window, f"##film {caption}")
    click(window, option)


def test_the_menu_file_leads_to_the_panel_beside_screenshot_and_gif(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 200)), (900, 600))
    click(window, "File")
    places = look(window).places
    gif, film = (next(label for label in places if label.startswith(words)) for words in ("GIF", "Film"))
    assert places[gif][1] > places[film][1]
    click(window, film)
    assert "film" in window.session.view.panels


@pytest.mark.painted
def test_the_panel_makes_a_film_of_what_the_painter_draws(window: FlockWindow, tmp_path: Path) -> None:
    camera = window.session.camera
    camera.zoom_at(400, 300, 1.5)
    run(window, 20)
    window.session.shown.add("grid")
    window.session.playback.go(30)
    arrive(window)
    click(window, "Here##from")
    window.session.playback.present()
    arrive(window)
    choose(window, "format", "webp")
    assert "1.0 s. You can play on while it is made." in look(window).texts
    click(window, f"{icons.ICON_FA_FILM}  Make the film")
    ended(window)
    path = tmp_path / "films" / "drifting-40.webp"
    assert window.session.messages.newest == f"saved film {path}"
    assert f"Saved film {path}" in look(window).texts
    with Simulation(window.simulation.scene, 1) as simulation, Image.open(path) as webp:
        viewer = Viewer(simulation, ["grid"])
        simulation.step(30)
        viewer.take()
        seen = Camera((640, 360), (64, 64), wraps=True)
        seen.zoom, seen.fitted = min(64 * camera.zoom / side for side in camera.free), False
        seen.look_at(*camera.looks_at)
        under, over = viewer.layers()
        expected = np.asarray(picture_of(painter_of(graphics()), seen, under=under, over=over)).astype(int)
        assert (webp.n_frames, webp.size) == (60, (64, 64))
        wrong = np.asarray(picture_of(painter_of(graphics()), seen)).astype(int)  # without the grid
        frame = np.asarray(webp.convert("RGB")).astype(int)
        assert np.abs(frame - expected).mean() < 4  # WebP has losses
        assert np.abs(frame - expected).mean() < 0.7 * np.abs(frame - wrong).mean()


@pytest.mark.painted
def test_a_film_of_a_world_with_depth_can_orbit_around_it(
    open_on: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(film.SIZES, "1280 x 720", (128, 72))
    window = open_on(with_depth(drifting(at(100, 100, (5, 0))), 300), (900, 640), panels=["film"])
    filming(window).folder = tmp_path
    run(window, 20)
    choose(window, "camera", "once around the world")
    choose(window, "format", "webp")
    click(window, f"{icons.ICON_FA_FILM}  Make the film")
    with Image.open(made_here(window)) as webp:
        first = np.asarray(webp.convert("RGB")).astype(int)
        webp.seek(webp.n_frames - 1)
        last = np.asarray(webp.convert("RGB")).astype(int)
    assert np.abs(first - last).mean() > 2  # the world's edges have turned


def test_who_rests_on_a_camera_learns_what_it_does_and_why_it_can_not_be_had(window: FlockWindow) -> None:
    click(window, "##film camera")
    before, told = look(window), {}
    for camera in film.CAMERAS:
        send(window, ("on_mouse_motion", *before.places[camera], 0, 0))
        frame(window)
        frame(window, A_WHILE)
        told[camera] = [text for text in look(window).texts if text.endswith(".") and text not in before.texts]
    turns = "Turns once around the world in the length of the film; all of the world is in each picture."
    assert told == {
        "as seen": ["Looks where you looked while it was recorded."],
        "whole world": ["Stands still and looks at the whole world."],
        "once around the world": [turns, "This world is flat."],
        "selected one": ["Goes along with the selected one, near to it.", "Select a single entity to follow."],
        "ride on selected one": ["Looks ahead from the head of the selected one.", "This world is flat."],
    }


def test_play_goes_on_and_the_panel_tells_how_far_the_film_is(window: FlockWindow) -> None:
    choose(window, "format", "gif")
    choose(window, "size", "1920 x 1080")
    click(window, f"{icons.ICON_FA_FILM}  Make the film")
    shown = []
    while filming(window).job:
        run(window, 1)
        with_bar = look(window)
        shown += [text for text in with_bar.texts if " of 50" in text]
        assert "##film size" in with_bar.places
    assert window.simulation.tick > 20
    numbers = [int(text.split()[0]) for text in shown]
    assert numbers == sorted(numbers)
    assert len({*numbers}) > 3
    assert numbers[0] == 0
    assert any(text.endswith("0:00 left") or text.endswith("0:01 left") for text in shown)


@pytest.mark.skipif(sys.platform == "win32", reason="there a killed process leaves a hidden file for an hour")
@pytest.mark.parametrize("how", ["by Cancel", "by leaving"])
def test_a_film_ended_early_leaves_nothing(window: FlockWindow, tmp_path: Path, how: str) -> None:
    filming(window).make(window.session, (0, 20), (640, 640), "fit", ".mp4")
    child = begun(window)
    work = Path(child.cwd())
    assert work.exists()
    if how == "by Cancel":
        click(window, f"{icons.ICON_FA_XMARK}  Cancel##film")
        assert window.session.messages.newest == "The film was cancelled."
    else:
        window.close()
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
    assert filming(window).job is None
    assert os.listdir(tmp_path / "films") == []
    assert not work.exists()


def test_who_leaves_while_a_film_is_made_is_asked(window: FlockWindow) -> None:
    filming(window).make(window.session, (0, 20), (640, 640), "fit", ".mp4")
    begun(window)
    window.session.act("quit")
    click(window, "Stay")
    assert not window._leaving
    window.session.act("quit")
    click(window, "Leave")
    assert window._leaving


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("ending", ["mp4", *(pytest.param(each, marks=pytest.mark.verify) for each in ("gif", "webp"))])
def test_a_window_that_is_killed_takes_its_film_along(tmp_path: Path, ending: str) -> None:
    program = f"""
import sandbox, tempfile, time
from pathlib import Path
from sandbox.app.jobs.command_job import CommandJob
from sandbox.files.write_recording import hold_for
from sandbox.past.timeline import Timeline
timeline = Timeline(sandbox.load("reef").simulation)
for _ in range(300):
    timeline.step()
work = tempfile.TemporaryDirectory()
hold_for(timeline, 0).write(Path(work.name, "reef.boids"))
words = ["film", "reef.boids", "--progress", "--out", {str(tmp_path / f"a.{ending}")!r}, "--size", "160x90"]
film = CommandJob("", words, Path(work.name), print)
while not film.done:
    time.sleep(0.01)
print(film._process.pid, flush=True)
time.sleep(60)
"""
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = psutil.Process(int(parent.stdout.readline()))
    parent.kill()
    parent.communicate()
    child.wait(20)
    assert os.listdir(tmp_path) == []


def test_what_goes_wrong_is_told_in_a_sentence(window: FlockWindow) -> None:
    filming(window).make(window.session, (0, 20), (64, 64), "follow:99", ".gif")
    ended(window)
    said = window.session.messages.newest
    assert said == "no film: there is no entity 99 with a position at tick 0, where the film begins"


def asked_for_two(window: FlockWindow, monkeypatch: pytest.MonkeyPatch) -> CommandJob:
    """F3, and while the GIF is made, the button for a film; return what makes the GIF."""
    monkeypatch.setattr(jobs, "MOMENT", 0.03)
    hit(window, key.F3)
    until = time.monotonic() + 60
    while not isinstance(filming(window).job, CommandJob) and time.monotonic() < until:
        window.on_update(0.0)
    gif, child = process_of(window)
    child.suspend()
    click(window, f"{icons.ICON_FA_FILM}  Make the film")
    assert window.session.messages.newest == "another film waits for its turn"
    for _ in range(30):
        window.on_update(0.01)
        time.sleep(0.01)
    assert filming(window).job is gif
    child.resume()
    return gif


@pytest.mark.parametrize("cancels", [False, True])
def test_a_film_that_is_asked_for_while_a_gif_is_made_follows_it(
    window: FlockWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cancels: bool
) -> None:
    gif = asked_for_two(window, monkeypatch)
    if cancels:
        click(window, f"{icons.ICON_FA_XMARK}  Cancel##film")
    until = time.monotonic() + 60
    while not gif.over or window.session.services.jobs.shown or filming(window).job:
        window.on_update(0.0)
        time.sleep(0.01)
        assert time.monotonic() < until
    made = ["drifting-20.mp4"] if cancels else ["drifting-20.gif", "drifting-20.mp4"]
    assert sorted(os.listdir(tmp_path / "films")) == made


def test_a_film_that_waits_can_be_cancelled_alone(
    window: FlockWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked_for_two(window, monkeypatch)
    for job in window.session.services.jobs.shown:
        job.begun -= 60
    seen = look(window).texts
    assert "Another film waits for its turn" in seen
    assert any(re.fullmatch(r"1:0\d so far", text) for text in seen)
    click(window, f"{icons.ICON_FA_XMARK}  Cancel##cancel")
    ended(window)
    for _ in range(10):
        window.on_update(0.01)
    assert os.listdir(tmp_path / "films") == ["drifting-20.gif"]


@pytest.mark.skipif(sys.platform == "win32", reason="there a killed process leaves a hidden file for an hour")
def test_who_leaves_while_films_wait_leaves_nothing(
    window: FlockWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gif = asked_for_two(window, monkeypatch)
    window.close()
    assert gif.over
    assert filming(window).job is None
    assert os.listdir(tmp_path / "films") == []


def test_the_second_press_of_the_button_makes_the_film(window: FlockWindow, tmp_path: Path) -> None:
    window.session.preferences.open.remove("film")
    idle = f"{icons.ICON_FA_CIRCLE}##film_here"
    click(window, idle)
    assert filming(window).begin == 20
    assert "Press again where it ends" in look(window).text
    run(window, 15)
    hit(window, key.F4)
    assert (filming(window).begin, filming(window).span) == (None, (20, 35))
    made = made_here(window)
    assert made.parent == tmp_path / "films"
    assert made.stat().st_size > 0
    seen = look(window)
    assert "film" not in window.session.preferences.open
    assert idle in seen.places
    assert "Press again where it ends" not in seen.text
    window.session.act("restart")
    assert filming(window).span is None


def test_how_far_a_film_is_stands_in_one_place(window: FlockWindow) -> None:
    filming(window).make(window.session, (0, 20), (640, 640), "fit", ".mp4")
    begun(window)

    def cancels() -> list[str]:
        return [label for label in look(window).places if "Cancel" in label]

    assert cancels() == [f"{icons.ICON_FA_XMARK}  Cancel##film"]
    window.session.toggle_panel("film")
    assert cancels() == [f"{icons.ICON_FA_XMARK}  Cancel##cancel"]
    filming(window).cancel(window.session)


def test_until_the_first_picture_it_is_said_that_the_film_is_prepared(window: FlockWindow) -> None:
    filming(window).make(window.session, (0, 20), (640, 640), "fit", ".mp4")
    job, child = process_of(window)
    child.suspend()
    job.begun = time.monotonic() - 62
    assert re.search(r"getting ready, 1:0\d so far", look(window).text)
    job.tell(0, 120)
    assert "0 of 120" in look(window).texts
    filming(window).cancel(window.session)


@pytest.mark.painted
def test_while_a_film_is_made_the_button_is_pale_and_says_that_another_one_waits(window: FlockWindow) -> None:
    label, about = f"{icons.ICON_FA_FILM}  Make the film", f"Into {filming(window).folder}"
    told = []

    def brightest() -> int:
        """The words of the button; then the mouse rests on it and is told something."""
        send(window, ("on_mouse_motion", 5, 5, 0, 0))
        seen = look(window)
        left, low, right, high = map(round, seen.boxes[label])
        found = int(screen(window)[low:high, left:right].max())
        send(window, ("on_mouse_motion", *seen.places[label], 0, 0))
        frame(window)
        frame(window, A_WHILE)
        told.append([text for text in look(window).texts if text.startswith(about)])
        return found

    idle = brightest()
    filming(window).make(window.session, (0, 20), (640, 640), "fit", ".mp4")
    _, child = process_of(window)
    child.suspend()
    assert brightest() < idle - 40
    filming(window).cancel(window.session)
    assert brightest() == idle
    assert told == [[about], [f"{about}, after the one that is being made"], [about]]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_last_film_is_whole_in_the_panel_while_another_is_made(open_on: OpenWindow, language: str) -> None:
    window = open_on(drifting(at(100, 200)), (1440, 900), panels=["palette", "inspector", "time bar", "film"])
    run(window, 20)
    filming(window).made = "saved film /home/somebody/Pictures/boids/starlings over the reeds-1234.mp4"
    filming(window).make(window.session, (0, 20), (640, 640), "fit", ".mp4")
    assert not drawn(window, language).cut
    boxes, panel = look(window).boxes, imgui.internal.find_window_by_name("###film")
    assert panel.dock_node is not None
    folder = next(box for label, box in boxes.items() if label.startswith(icons.ICON_FA_FOLDER_OPEN))
    assert folder[1] >= 900 - panel.inner_rect.max.y
    drawn(window, "en")
    filming(window).cancel(window.session)


def test_the_end_of_a_film_is_told_and_its_folder_offered_in_sight(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200)), (1440, 780), panels=["palette", "inspector", "time bar", "film"])
    filming(window).folder = tmp_path / "films"
    run(window, 20)
    look(window)
    filming(window).make(window.session, (0, 5), (32, 32), "fit", ".gif")
    ended(window)
    seen, panel = look(window), imgui.internal.find_window_by_name("###film")
    assert panel.scroll_max.y > 0  # it is too low for all of its contents
    label, lowest = f"{icons.ICON_FA_FOLDER_OPEN}  Show in folder##film", 780 - panel.inner_rect.max.y
    assert seen.boxes[label][1] >= lowest
    assert seen.texts.count(f"Saved film {tmp_path / 'films' / 'drifting-20.gif'}") == 2  # also over the world
    for _ in range(10):
        window.on_update(1.0)
    assert "drifting-20.gif" in window.session.messages.newest
    over = seen.places[label]
    send(window, ("on_mouse_motion", *over, 0, 0))
    look(window)
    send(window, ("on_mouse_scroll", *over, 0, 9))
    assert look(window, 9).boxes[label][1] < lowest  # people may scroll it away


@pytest.mark.skipif(sys.platform == "win32", reason="there the desktop always shows folders")
@pytest.mark.parametrize("program", ["none", "fails", "shows"])
def test_show_in_folder_shows_it_or_says_that_no_program_does(
    window: FlockWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    made, programs = filming(window), tmp_path / "programs"
    made.made, made.folder = "saved film a.mp4", tmp_path
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    if program != "none":
        for name in ("xdg-open", "open"):
            (programs / name).write_text(
                f'#!/bin/sh\necho "$1" > {tmp_path / "shown"}\nexit {0 if program == "shows" else 3}\n'
            )
            (programs / name).chmod(0o755)
    click(window, f"{icons.ICON_FA_FOLDER_OPEN}  Show in folder##film")
    until = time.monotonic() + 20
    while window.session.services.jobs._running and time.monotonic() < until:
        window.on_update(0.01)
        time.sleep(0.01)
    if program == "shows":
        assert (tmp_path / "shown").read_text() == f"{tmp_path}\n"
        assert not window.session.messages.shown
    else:
        assert f"No program to show folders was found; the folder is {tmp_path}" in look(window).texts


def test_a_film_that_would_end_where_it_starts_still_waits_for_its_end(window: FlockWindow) -> None:
    hit(window, key.F4)
    hit(window, key.F4)
    assert "let the world run" in look(window).text
    assert filming(window).begin == 20


def test_where_the_film_can_not_be_made_as_it_is_chosen_the_panel_opens_and_it_is_said_why(window: FlockWindow) -> None:
    window.session.selection.choose([1])
    choose(window, "camera", "selected one")
    window.session.preferences.open.remove("film")
    window.session.selection.choose([])
    hit(window, key.F4)
    run(window, 5)
    hit(window, key.F4)
    assert window.session.messages.newest == "Select a single entity to follow."
    look(window)
    assert "film" in window.session.view.panels
    assert filming(window).job is None


def test_where_one_end_passes_the_other_it_takes_it_along(window: FlockWindow) -> None:
    filming(window).span = 5, 10
    click(window, "Here##from")
    assert filming(window).span == (20, 20)
    assert "The end must be after the start." in look(window).texts
    filming(window).span = 12, 16
    window.session.playback.go(8)
    arrive(window)
    click(window, "Here##to")
    assert filming(window).span == (4, 8)


def test_seconds_are_typed(window: FlockWindow) -> None:
    filming(window).span = 5, 20
    for text, span in (("1.2", (12, 20)), ("0.40 s", (4, 20)), ("1:00", (4, 20)), ("9", (4, 20))):
        type_into(window, "##film from", text)
        look(window)
        assert filming(window).span == span
    assert window.session.messages.log[-1].text == "From must be at most 2."
    assert window.session.messages.log[-2].text == "“1:00” is not a number."


@pytest.mark.parametrize("caption", ["from", "to"])
def test_who_rests_on_seconds_learns_how_to_type_them(window: FlockWindow, caption: str) -> None:
    label = f"##film {caption}"
    send(window, ("on_mouse_motion", *look(window).places[label], 0, 0))
    frame(window)
    frame(window, A_WHILE)
    tip = "Drag it, click to type seconds, or take the moment that is shown."
    assert tip in look(window).texts
    press(window, label)
    frame(window, A_WHILE)
    assert tip not in look(window).texts  # it would hide what is typed


@pytest.mark.parametrize("text", ["nan", "inf", "abc", "9"])
def test_wrong_seconds_are_refused_also_where_tab_ends_typing(window: FlockWindow, text: str) -> None:
    filming(window).span = 5, 20
    for caption in ("from", "to"):
        type_into(window, f"##film {caption}", text, end=key.TAB)
        look(window)
        assert filming(window).span == (5, 20)
        assert re.search("is not a number|must be at most 2", window.session.messages.log[-1].text)
        window.session.messages.clear()


def test_the_seconds_that_are_shown_can_be_typed(open_on: OpenWindow) -> None:
    scene = drifting(at(100, 200))
    scene.settings.tick_rate = 60
    window = open_on(scene, (900, 600), panels=["time bar", "film"])
    window.session.clock.now = lambda: 0
    while window.simulation.tick < 118:
        window.on_update(1 / 60)
    window.session.clock.paused = True
    type_into(window, "##film to", "1.97")
    assert filming(window).span in (None, (0, 118))
    assert not window.session.messages.log


def test_a_loop_is_offered_and_taken(window: FlockWindow) -> None:
    window.session.playback.loop = 5, 15
    assert "1.0 s. You can play on while it is made." in look(window).texts
    click(window, "Here##to")
    assert filming(window).span == (5, 20)
    click(window, "From the loop##film")
    assert filming(window).span == (5, 15)


def test_what_can_not_be_had_is_not_offered_and_says_why(window: FlockWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "find_ffmpeg", lambda: None)
    window.session.act("film")
    look(window)
    window.session.act("film")
    look(window)
    click(window, "##film format")
    click(window, "mp4")  # it stays as it is
    hit(window, key.ESCAPE)
    assert "webp" in look(window).texts
    choose(window, "camera", "selected one")
    hit(window, key.ESCAPE)
    assert "selected one" not in look(window).texts
    window.session.selection.choose([1])
    choose(window, "camera", "selected one")
    assert "selected one" in look(window).texts
    window.session.selection.choose([])
    assert "Select a single entity to follow." in look(window).texts
    click(window, f"{icons.ICON_FA_FILM}  Make the film")
    assert filming(window).job is None


def test_a_film_of_a_world_with_a_mod_has_the_mod(open_on: OpenWindow, tmp_path: Path) -> None:
    library = Library(Trust(tmp_path / "trust.toml"), [MODS / "magnet"])
    window = open_on(drifting(at(100, 200)), (640, 360), library=library)
    filming(window).folder = tmp_path / "films"
    assert "magnet" in window.simulation.mods.mods
    run(window, 5)
    filming(window).make(window.session, (0, 5), (32, 32), "recorded", ".gif")
    assert made_here(window).read_bytes()[:3] == b"GIF"


@pytest.mark.painted
def test_a_film_has_the_pictures_behind_its_world(open_on: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    Image.new("RGB", (40, 40), "red").save(tmp_path / "maps" / "red.png")
    (tmp_path / "pond.toml").write_text('format = 1\n[pictures.red]\nfile = "maps/red.png"\n')
    window = open_on(drifting(at(100, 200)), (640, 360))
    window.filing.open(tmp_path / "pond.toml")
    filming(window).folder = tmp_path / "films"
    run(window, 5)
    filming(window).make(window.session, (0, 5), (32, 32), "fit", ".gif")
    with Image.open(made_here(window)) as gif:
        assert gif.convert("RGB").getpixel((16, 16)) == pytest.approx((255, 0, 0), abs=9)


@pytest.mark.parametrize(("overlay", "keyframe"), [("grid", 220), ("heat", 40)])
def test_the_process_begins_only_as_long_before_the_film_as_its_overlays_remember(
    window: FlockWindow, overlay: str, keyframe: int
) -> None:
    window.session.toggle_overlay(overlay)
    run(window, 230)
    filming(window).make(window.session, (240, 250), (640, 640), "fit", ".gif")
    _, child = process_of(window)
    with zipfile.ZipFile(Path(child.cwd()) / "drifting-250.boids") as recording:
        assert [name for name in recording.namelist() if "keyframes" in name] == [f"keyframes/0-{keyframe}.npy"]


@pytest.mark.painted
def test_a_film_has_what_the_overlay_of_a_mod_shows(open_on: OpenWindow, tmp_path: Path) -> None:
    mod = write_mod(tmp_path, with_overlay())  # a red disc
    window = open_on(drifting(at(10, 10)), panels=["film"], library=named(mod))
    filming(window).folder = tmp_path
    run(window, 5)
    filming(window).make(window.session, (0, 5), (640, 360), "fit", ".gif")
    with Image.open(made_here(window)) as gif:
        assert gif.convert("RGB").getpixel((100, 260)) == pytest.approx((255, 0, 0), abs=9)


def test_after_long_play_a_film_begins_at_a_keyframe(window: FlockWindow, tmp_path: Path) -> None:
    """Also where something was taken back before; what comes after it is the same."""
    window.session.submit(SetField("Velocity.x", -20.0, [1]))
    run(window, 20)
    window.session.document.undo()
    run(window, 200)
    ended_with = window.simulation.digest()
    timeline = window.session.document.timeline
    hold_for(timeline, 155).write(tmp_path / "a.boids")
    again = open_recording(tmp_path / "a.boids", NO_MODS)
    assert [*again.branch.keyframes] == [0, 150]
    again.seek(240)
    assert again.simulation.digest() == ended_with
    hold_for(timeline, 35).write(tmp_path / "b.boids")
    early = open_recording(tmp_path / "b.boids", NO_MODS)
    assert [*early.branch.keyframes] == [0]  # what is taken back at tick 40 was done before it
    early.seek(240)
    assert early.simulation.digest() == ended_with
    again.close()
    early.close()
