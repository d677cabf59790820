"""The last seconds as a GIF: what was seen, at its pace, in a small file, while the window plays on."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from arcade import key
from numpy.typing import NDArray
from PIL import Image

from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.extras.film.gif import Gif, choose_colours
from sandbox.extras.film.window.filming import LONG_SIDE
from tests.app.conftest import OpenWindow, at, drifting, middle, pixels, places, send

from .test_filming import filming, made_here

pytestmark = pytest.mark.painted

FPS = 25
TICK = 0.1  # s
Frames = list[NDArray[np.uint8]]


def run(window: FlockWindow, seconds: float) -> None:
    """Let the world run for so long, 10 ticks a second, then stand."""
    window.session.clock.now = lambda: 0
    window.session.clock.paused = False
    for _ in range(round(seconds / TICK)):
        window.on_update(TICK)
    window.session.clock.paused = True


def frames_of(path: Path) -> Frames:
    """The frames of a GIF, each (height, width, 3), the first row lowest."""
    with Image.open(path) as gif:
        frames = []
        for number in range(gif.n_frames):
            gif.seek(number)
            frames.append(np.asarray(gif.convert("RGB"))[::-1])
    return frames


def pressed_f3(window: FlockWindow, folder: Path) -> Path:
    """What F3 writes."""
    filming(window).folder = folder
    send(window, ("on_key_press", key.F3, 0))
    assert window.session.messages.newest == "making a GIF of the last seconds"
    return made_here(window)


@pytest.mark.parametrize(("ran", "shown"), [(3, 2), (1.2, 1.2)], ids=["long", "short"])
def test_it_shows_the_last_seconds_or_what_there_is(
    open_on: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ran: float, shown: float
) -> None:
    monkeypatch.setattr("sandbox.extras.film.window.filming.SECONDS", 2)
    window = open_on(drifting(at(20, 200, (50, 0)), size=14), (160, 90))
    run(window, ran)
    frames = frames_of(pressed_f3(window, tmp_path))
    assert len(frames) == round(shown * FPS)
    for number in (0, len(frames) // 2, len(frames) - 1):
        x = 20 + 50 * (ran - shown + number / FPS)
        assert middle(places(frames[number])) == pytest.approx((x, 200), abs=2)


def test_of_a_large_world_as_much_as_of_a_small_one(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(Entry("red", 20_000), size=0.5), (160, 90))
    run(window, 1)
    assert len(frames_of(pressed_f3(window, tmp_path))) == FPS


def test_less_than_a_second_is_too_little_and_another_world_begins_anew(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 100)), (160, 90))
    run(window, 3)
    window.session.act("restart")
    run(window, 0.9)
    filming(window).folder = tmp_path
    send(window, ("on_key_press", key.F3, 0))
    assert "no GIF: less than a second was recorded" in window.session.messages.newest
    assert filming(window).job is None
    run(window, 0.1)
    assert len(frames_of(pressed_f3(window, tmp_path))) == FPS


def test_it_ends_with_the_moment_that_is_shown(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(20, 200, (50, 0)), size=14), (160, 90))
    run(window, 2)
    window.session.playback.go(12)
    for _ in range(3):
        window.on_update(0.0)
    frames = frames_of(pressed_f3(window, tmp_path))
    assert len(frames) == round(1.2 * FPS)
    assert middle(places(frames[-1]))[0] == pytest.approx(20 + 50 * (1.2 - 1 / FPS), abs=2)


def test_overlays_are_seen_and_what_is_in_hand_is_not(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200)), panels=["inspector"])
    send(window, ("on_mouse_motion", 300, 200, 0, 0))
    window.on_draw()
    run(window, 1)
    plain = frames_of(pressed_f3(window, tmp_path / "plain"))[-1]
    assert np.median(np.ptp(plain[150:250, 250:350].astype(int), axis=1)) < 40  # stars, but no ring of a brush
    window.session.act("grid")
    with_grid = frames_of(pressed_f3(window, tmp_path / "grid"))[-1]
    assert np.abs(with_grid.astype(int) - plain).max(-1).mean() > 1


@pytest.mark.parametrize("pressed", [key.F2, key.F3])
def test_a_picture_is_of_the_area_that_panels_leave_free_without_margins_where_they_are(
    open_on: OpenWindow, tmp_path: Path, pressed: int
) -> None:
    window = open_on(drifting(at(320, 180), size=14), (640, 360), panels=["inspector", "palette"])
    for _ in range(2):
        window.on_draw()
    assert any(window.session.camera.insets)
    run(window, 1)
    if pressed == key.F3:
        frame = frames_of(pressed_f3(window, tmp_path))[-1]
    else:
        window.shots.folder = tmp_path
        send(window, ("on_key_press", key.F2, 0))
        with Image.open(next(tmp_path.glob("*.png"))) as picture:
            frame = np.asarray(picture.convert("RGB"))[::-1]
    (high, wide), free = frame.shape[:2], window.session.camera.free
    assert wide / high == pytest.approx(free[0] / free[1], rel=0.01)
    assert middle(places(frame)) == pytest.approx((wide / 2, high / 2), abs=2)
    assert frame[high // 2, 5].sum() > 60  # sky up to the edge, not the dark around a world


def test_it_has_the_pace_at_which_it_was_seen(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200, (100, 0)), size=14), (320, 180))
    run(window, 1.2)
    path = pressed_f3(window, tmp_path)
    for number, frame in enumerate(frames_of(path)):
        assert frame.shape == (360, LONG_SIDE, 3)
        assert middle(places(frame)) == pytest.approx((100 + 100 * number / FPS, 200), abs=1.5)
    with Image.open(path) as gif:
        durations = []
        for number in range(gif.n_frames):
            gif.seek(number)
            durations.append(gif.info["duration"])
        assert gif.info["loop"] == 0
    assert sum(durations) == 1200


def test_it_is_seen_as_the_camera_saw_it(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200), size=6), size=(800, 600))
    window.session.camera.look_at(110, 190)
    window.session.camera.zoom = 4.0
    run(window, 1)
    x, y = window.session.camera.project((100, 200))
    window.session.camera.fit()
    frame = frames_of(pressed_f3(window, tmp_path))[0]
    assert frame.shape == (480, 640, 3)
    assert middle(places(frame)) == pytest.approx((0.8 * x, 0.8 * y), abs=1.5)


def test_the_window_goes_on_as_it_was_and_may_run_meanwhile(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200, (20, 0)), size=14))
    run(window, 1)
    before = pixels(window)
    filming(window).folder = tmp_path
    send(window, ("on_key_press", key.F3, 0))
    ticks, process = 0, filming(window).job
    assert process is not None
    while filming(window).job and ticks < 5000:
        if ticks == 0 and process.done:
            assert (pixels(window) == before).all()
        if process.done:
            run(window, TICK)
            ticks += 1
        window.on_update(0.0)
        time.sleep(0.01)
    assert ticks > 1
    assert window.simulation.tick == 10 + ticks
    frames = frames_of(next(tmp_path.glob("*.gif")))
    assert len(frames) == FPS
    assert middle(places(frames[-1]))[0] == pytest.approx(100 + 20 * (1 - 1 / FPS), abs=2)


def test_a_file_that_can_not_be_written_leaves_nothing(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 100)))
    run(window, 1)
    (tmp_path / "file").write_text("mine")
    filming(window).folder = tmp_path / "file"
    send(window, ("on_key_press", key.F3, 0))
    assert window.session.messages.newest.startswith(f"no film: {tmp_path / 'file'}: can't be created")
    assert filming(window).job is None
    assert (tmp_path / "file").read_text() == "mine"


def test_what_stands_still_costs_nothing() -> None:
    random = np.random.default_rng(5)
    still = random.integers(0, 255, (90, 160, 3), np.uint8)
    sizes = []
    for count in (1, 50):
        gif = Gif((160, 90), (still, still, still))
        for _ in range(count):
            gif.add(still, 0.08)
        sizes.append(len(gif.finished()))
    assert sizes[1] < 1.6 * sizes[0]


def test_few_bright_things_before_a_large_sky_keep_their_colours() -> None:
    frames = [np.zeros((360, 640, 3), np.uint8) for _ in range(2)]
    for number, frame in enumerate(frames):
        frame[:] = np.linspace(10, 120, 640).astype(np.uint8)[None, :, None]
        frame[100:104, 100 + 50 * number : 104 + 50 * number] = 255, 40, 30
        frame[200:204, 100 + 50 * number : 104 + 50 * number] = 40, 220, 255
    palette = choose_colours(frames).astype(int)
    assert len(palette) <= 255
    for colour in ((255, 40, 30), (40, 220, 255)):
        assert np.abs(palette - colour).max(-1).min() <= 8


def test_every_frame_is_near_what_was_drawn(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    y, x = np.mgrid[:90, :160]
    frames = [np.stack([x, y * 2, (x + y + 20 * n) % 256], axis=-1).astype(np.uint8) for n in range(4)]
    frames[2][10:20, 10:20] = random.integers(0, 255, 3)
    gif = Gif((160, 90), frames)
    for frame in frames:
        gif.add(frame, 0.08)
    (tmp_path / "a.gif").write_bytes(gif.finished())
    with Image.open(tmp_path / "a.gif") as opened:
        for number, frame in enumerate(frames):
            opened.seek(number)
            off = np.abs(np.asarray(opened.convert("RGB")).astype(int) - frame)
            assert off.mean() < 8
