"""The last seconds as a GIF: what was seen, at the pace it was seen at, in a small file, and the window stays alive."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sandbox.app.drawing.gif import WIDTH, Gif, choose_colours, write_gif
from sandbox.app.drawing.recent import MOST_BYTES, SECONDS, Recent
from sandbox.app.window import FlockWindow
from sandbox.scene import Entry

from .conftest import OpenWindow, at, drifting, middle, pixels, places

FRAME = 1 / 60  # s


def watched(window: FlockWindow, seconds: float, ticks_each: int = 0) -> Recent:
    """What is kept while a window runs for so long, at 60 frames a second."""
    recent = Recent()
    for number in range(round(seconds / FRAME)):
        window.simulation.step(ticks_each or int(number % 6 == 0))  # 10 ticks a second
        window.painter.take(window.simulation)
        recent.take(window.simulation, window.session.camera, FRAME)
    return recent


def written(window: FlockWindow, recent: Recent, path: Path) -> list[np.ndarray]:
    """The frames of the GIF, each (height, width, 3), the first row lowest."""
    list(write_gif(window.painter, list(recent.moments), path))
    with Image.open(path) as gif:
        frames = []
        for number in range(gif.n_frames):
            gif.seek(number)
            frames.append(np.asarray(gif.convert("RGB"))[::-1])
    return frames


def test_the_last_four_seconds_are_kept(open_on: OpenWindow) -> None:
    recent = watched(open_on(drifting(at(100, 100, (50, 0)))), 6)
    times = [moment.at for moment in recent.moments]
    assert times[-1] - times[0] == pytest.approx(SECONDS, abs=0.1)
    assert len(times) == pytest.approx(50, abs=2)


def test_of_a_large_world_as_much_as_fits(open_on: OpenWindow) -> None:
    recent = watched(open_on(drifting(Entry("red", 100_000))), 4)
    assert sum(moment.still.nbytes for moment in recent.moments) <= MOST_BYTES
    assert len(recent.moments) >= 12
    assert recent.moments[-1].at - recent.moments[0].at > 1.8


def test_another_simulation_begins_anew(open_on: OpenWindow) -> None:
    first, second = open_on(drifting(at(100, 100))), open_on(drifting(at(200, 100)))
    recent = watched(first, 1)
    second.painter.take(second.simulation)
    recent.take(second.simulation, second.session.camera, FRAME)
    assert len(recent.moments) == 1


def test_the_file_shows_what_was_seen_at_its_pace(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200, (100, 0)), size=14))
    recent = watched(window, 2)
    frames = written(window, recent, tmp_path / "a.gif")
    assert len(frames) == len(recent.moments)
    for frame, moment in zip(frames, recent.moments, strict=True):
        assert frame.shape == (360, WIDTH, 3)
        x, y = moment.still.instances["position"][0]
        assert middle(places(frame)) == pytest.approx((x, y), abs=1.5)
    with Image.open(tmp_path / "a.gif") as gif:
        durations = []
        for number in range(gif.n_frames):
            gif.seek(number)
            durations.append(gif.info["duration"])
        assert gif.info["loop"] == 0
    assert sum(durations[:-1]) / 1000 == pytest.approx(recent.moments[-1].at - recent.moments[0].at, abs=0.15)


def test_it_is_seen_as_the_camera_saw_it(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200), size=6), size=(800, 600))
    window.session.camera.look_at(110, 190)
    window.session.camera.zoom = 4.0
    recent = watched(window, 0.3)
    x, y = window.session.camera.to_screen(100, 200)
    window.session.camera.fit()
    frame = written(window, recent, tmp_path / "a.gif")[0]
    assert frame.shape == (480, 640, 3)
    assert middle(places(frame)) == pytest.approx((0.8 * x, 0.8 * y), abs=1.5)


def test_the_window_goes_on_as_it_was_and_may_run_meanwhile(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200, (100, 0))))
    recent = watched(window, 1)
    moments = list(recent.moments)
    before = pixels(window)
    shares = []
    for share in write_gif(window.painter, moments, tmp_path / "a.gif"):
        shares.append(share)
        assert (pixels(window) == before).all()
        if len(shares) == 5:
            window.simulation.step(3)
            window.painter.take(window.simulation)
            before = pixels(window)
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] < 1
    with Image.open(tmp_path / "a.gif") as gif:
        assert gif.n_frames == len(moments)


def test_what_stands_still_costs_nothing(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200)))
    recent = watched(window, 4)
    written(window, recent, tmp_path / "a.gif")
    whole = (tmp_path / "a.gif").stat().st_size
    list(write_gif(window.painter, list(recent.moments)[:1], tmp_path / "b.gif"))
    assert whole < 1.6 * (tmp_path / "b.gif").stat().st_size


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


def test_without_anything_seen_it_says_so(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting())
    with pytest.raises(ValueError, match="let the world run"):
        next(write_gif(window.painter, [], tmp_path / "a.gif"))


def test_a_file_that_can_not_be_written_leaves_nothing(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 100)))
    recent = watched(window, 0.2)
    with pytest.raises(OSError, match="missing"):
        list(write_gif(window.painter, list(recent.moments), tmp_path / "missing" / "a.gif"))
