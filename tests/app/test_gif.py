"""The last seconds as a GIF: what was seen, at the pace it was seen at, in a small file, and the window stays alive."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from arcade import key
from PIL import Image

from sandbox.app.drawing.gif import Gif, choose_colours, write_gif
from sandbox.app.drawing.gif_recorder import LONG_SIDE, SECONDS, GifRecorder
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry

from .conftest import OpenWindow, at, drifting, middle, pixels, places, send

pytestmark = pytest.mark.painted

FRAME = 1 / 60  # s


def watched(window: FlockWindow, seconds: float, ticks_each: int = 0) -> GifRecorder:
    """What is kept while a window runs for so long, at 60 frames a second."""
    recorder = GifRecorder(window.ctx)
    for number in range(round(seconds / FRAME)):
        if ticks := ticks_each or int(number % 6 == 0):  # 10 ticks a second
            window.simulation.step(ticks)
            window.painter.take(window.simulation)
        keep(window, recorder)
    return recorder


def keep(window: FlockWindow, recorder: GifRecorder) -> None:
    camera = window.session.camera
    recorder.take(camera.screen, FRAME, lambda ratio: window.painter.draw(camera, 1.0, ratio))


def written(recorder: GifRecorder, path: Path) -> list[np.ndarray]:
    """The frames of the GIF, each (height, width, 3), the first row lowest."""
    list(write_gif(list(recorder.moments), path))
    return frames_of(path)


def frames_of(path: Path) -> list[np.ndarray]:
    with Image.open(path) as gif:
        frames = []
        for number in range(gif.n_frames):
            gif.seek(number)
            frames.append(np.asarray(gif.convert("RGB"))[::-1])
    return frames


def pressed_f3(window: FlockWindow, folder: Path) -> list[np.ndarray]:
    """What F3 writes after the world ran for a second."""
    window.shots.folder = folder
    window.session.preferences.gifs = True
    for _ in range(30):
        window.on_update(1 / 30)
    send(window, ("on_key_press", key.F3, 0))
    while window.shots.writes:
        window.on_update(1 / 30)
    return frames_of(next(folder.glob("*.gif")))


def test_the_last_four_seconds_are_kept(open_on: OpenWindow) -> None:
    recorder = watched(open_on(drifting(at(100, 100, (50, 0)))), 6)
    times = [moment.at for moment in recorder.moments]
    assert times[-1] - times[0] == pytest.approx(SECONDS, abs=0.1)
    assert len(times) == pytest.approx(50, abs=2)


def test_of_a_large_world_as_much_as_of_a_small_one(open_on: OpenWindow) -> None:
    recorder = watched(open_on(drifting(Entry("red", 100_000), size=0.5)), 1)
    assert len(recorder.moments) == pytest.approx(12, abs=1)


def test_another_size_of_the_window_begins_anew(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 100)))
    recorder = watched(window, 1)
    send(window, ("on_resize", 400, 400))
    keep(window, recorder)
    assert len(recorder.moments) == 1


def test_overlays_are_seen_and_what_is_in_hand_is_not(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200)), panels=["inspector"])
    send(window, ("on_mouse_motion", 300, 200, 0, 0))
    window.on_draw()
    plain = pressed_f3(window, tmp_path / "plain")[-1]
    assert (np.ptp(plain[150:250, 250:350].astype(int), axis=1) < 40).all()  # no ring of a brush
    window.session.act("grid")
    with_grid = pressed_f3(window, tmp_path / "grid")[-1]
    assert np.abs(with_grid.astype(int) - plain).max(-1).mean() > 1


@pytest.mark.parametrize("pressed", [key.F2, key.F3])
def test_a_picture_of_the_whole_world_has_no_margins_where_panels_are(
    open_on: OpenWindow, tmp_path: Path, pressed: int
) -> None:
    window = open_on(drifting(at(320, 180), size=14), (640, 360), panels=["inspector", "palette"])
    for _ in range(2):
        window.on_draw()
    assert any(window.session.camera.insets)
    if pressed == key.F3:
        frame = pressed_f3(window, tmp_path)[-1]
    else:
        window.shots.folder = tmp_path
        send(window, ("on_key_press", key.F2, 0))
        window.shots.wait()
        with Image.open(next(tmp_path.glob("*.png"))) as picture:
            frame = np.asarray(picture.convert("RGB"))[::-1]
    assert middle(places(frame)) == pytest.approx((320, 180), abs=2)
    assert frame[180, 5].sum() > 60  # sky up to the edge, not the dark around a world


def test_another_simulation_begins_anew(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 100)))
    window.session.preferences.gifs = True
    for _ in range(10):
        window.on_update(0.1)
    recorder = window.shots._recorder
    assert len(recorder.moments) > 5
    window.session.act("restart")
    assert len(recorder.moments) == 0


def test_until_someone_makes_a_gif_nothing_is_kept(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200, (50, 0))))
    window.shots.folder = tmp_path
    for _ in range(10):
        window.on_update(0.1)
    assert len(window.shots._recorder.moments) == 0


def test_the_first_gif_is_of_the_seconds_that_follow_and_all_others_of_the_last_ones(
    open_on: OpenWindow, tmp_path: Path
) -> None:
    window = open_on(drifting(at(20, 200, (100, 0))))
    window.shots.folder = tmp_path
    lengths, begins = [], []
    for _ in range(2):
        begun = window.simulation.tick
        send(window, ("on_key_press", key.F3, 0))
        while window.shots.writes:
            window.on_update(0.1)
        path = max(tmp_path.glob("*.gif"), key=lambda path: path.stat().st_mtime_ns)
        frames = frames_of(path)
        lengths.append(len(frames) / 10)
        begins.append(middle(places(frames[0]))[0] - (20 + 10 * begun))
        path.unlink()
    assert lengths == pytest.approx([SECONDS, SECONDS], abs=0.3)
    assert begins[0] == pytest.approx(0, abs=25)
    assert begins[1] == pytest.approx(-100 * SECONDS, abs=25)


def test_the_file_shows_what_was_seen_at_its_pace(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200, (100, 0)), size=14))
    recorder = watched(window, 2)
    frames = written(recorder, tmp_path / "a.gif")
    assert len(frames) == len(recorder.moments)
    for frame, moment in zip(frames, recorder.moments, strict=True):
        assert frame.shape == (360, LONG_SIDE, 3)
        ticks = (round(moment.at / FRAME) - 1) // 6 + 1
        assert middle(places(frame)) == pytest.approx((100 + 10 * ticks, 200), abs=1.5)
    with Image.open(tmp_path / "a.gif") as gif:
        durations = []
        for number in range(gif.n_frames):
            gif.seek(number)
            durations.append(gif.info["duration"])
        assert gif.info["loop"] == 0
    assert sum(durations[:-1]) / 1000 == pytest.approx(recorder.moments[-1].at - recorder.moments[0].at, abs=0.15)


def test_it_is_seen_as_the_camera_saw_it(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200), size=6), size=(800, 600))
    window.session.camera.look_at(110, 190)
    window.session.camera.zoom = 4.0
    recorder = watched(window, 0.3)
    x, y = window.session.camera.to_screen(100, 200)
    window.session.camera.fit()
    frame = written(recorder, tmp_path / "a.gif")[0]
    assert frame.shape == (480, 640, 3)
    assert middle(places(frame)) == pytest.approx((0.8 * x, 0.8 * y), abs=1.5)


def test_the_window_goes_on_as_it_was_and_may_run_meanwhile(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200, (100, 0))))
    recorder = watched(window, 1)
    moments = list(recorder.moments)
    before = pixels(window)
    shares = []
    for share in write_gif(moments, tmp_path / "a.gif"):
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
    recorder = watched(window, 4)
    written(recorder, tmp_path / "a.gif")
    whole = (tmp_path / "a.gif").stat().st_size
    list(write_gif(list(recorder.moments)[:1], tmp_path / "b.gif"))
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


def test_without_anything_seen_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="let the world run"):
        next(write_gif([], tmp_path / "a.gif"))


def test_a_file_that_can_not_be_written_leaves_nothing(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 100)))
    recorder = watched(window, 0.2)
    with pytest.raises(OSError, match="missing"):
        list(write_gif(list(recorder.moments), tmp_path / "missing" / "a.gif"))
