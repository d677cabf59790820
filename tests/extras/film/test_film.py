"""Films: the frames are those of the painter, as many as there should be, and a film is written whole or not at all."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

import sandbox
from sandbox.app.drawing.any_camera import camera_for
from sandbox.app.drawing.picture import picture_of
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.viewer import Viewer
from sandbox.edit import Despawn, Redo, SetField, SetSetting, Undo
from sandbox.extras.film.cameras import View
from sandbox.extras.film.ffmpeg import find_ffmpeg
from sandbox.extras.film.film import Film, count_of
from sandbox.files.write_recording import write_recording
from sandbox.past.timeline import Timeline
from sandbox.past.views import Seen
from sandbox.scenes.bundled import find_scene
from tests.command_line import ROOT, boids
from tests.mods import write_mod

Pixels = NDArray[np.int64]
LUMA = np.array((0.2126, 0.7152, 0.0722))

RED_DOT = """
format = 1
name = "One"
[world]
size = [320, 180]
edges = "open"
tick_rate = 10
[prefabs.dot]
Position = {}
Velocity = {}
Motion = { max_speed = 1000 }
Look = { shape = "dot", colour = "#ff0000", size = 5 }
[[spawn]]
prefab = "dot"
at = [100, 90]
velocity = [100, 0]
"""


@pytest.fixture
def one(tmp_path: Path) -> Path:
    """A scene of one red dot that flies to the right, 10 u in each of its ticks."""
    path = tmp_path / "one.toml"
    path.write_text(RED_DOT)
    return path


def film(*words: object, size: str = "160x100") -> str:
    """Make a film; returns what is said."""
    made = boids("film", *words, "--size", size)
    assert made.returncode == 0, made.stderr
    return made.stdout


def frames_in(folder: Path) -> list[Pixels]:
    return [np.asarray(Image.open(path)).astype(int) for path in sorted(folder.iterdir())]


def in_film(path: Path) -> list[Pixels]:
    """The frames of a film that ffmpeg reads."""
    command = [find_ffmpeg(), "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    read = subprocess.run(command, capture_output=True, check=True)
    return [*np.frombuffer(read.stdout, np.uint8).reshape(-1, 100, 160, 3).astype(int)]


def middle_of_red(frame: Pixels) -> tuple[float, float]:
    """Where the red dot is, pixels from the left and the upper edge."""
    y, x = np.nonzero((frame[..., 0] > 150) & (frame[..., 1:].max(-1) < 50))
    return float(x.mean() + 0.5), float(y.mean() + 0.5)


def picture(simulation: sandbox.Sandbox, path: Path, viewer: Viewer | None = None) -> Pixels:
    under, over = viewer.layers() if viewer else (None, None)
    path.write_bytes(picture_of(simulation, (160, 100), under=under, over=over))
    return np.asarray(Image.open(path)).astype(int)


@pytest.mark.parametrize("overlays", [[], ["trails", "heat"]], ids=["plain", "overlays"])
def test_the_frames_are_the_pictures_that_the_painter_draws(tmp_path: Path, overlays: list[str]) -> None:
    words = [word for name in overlays for word in ("--overlay", name)]
    said = film("reef", "--from", "30", "--to", "1s", *words, "--out", tmp_path / "film")
    frames = frames_in(tmp_path / "film")
    assert len(frames) == 30
    assert "30 frames of 160 x 100, 0.5 s" in said
    with sandbox.load("reef") as simulation:
        viewer = Viewer(simulation, overlays)
        for tick in range(1, 60):
            simulation.step()
            viewer.take()
            if tick in (30, 31, 40, 52, 59):
                drawn = picture(simulation, tmp_path / "p.png", viewer)
                assert (frames[tick - 30] == drawn).all(), tick


def test_between_two_ticks_the_frames_show_the_way(one: Path, tmp_path: Path) -> None:
    """25 frames in a second of 10 ticks."""
    film(one, "--from", "0.2s", "--to", "1s", "--fps", 25, "--out", tmp_path / "film", size="320x180")
    frames = frames_in(tmp_path / "film")
    assert len(frames) == 20
    for number, frame in enumerate(frames):
        assert middle_of_red(frame) == pytest.approx((100 + 100 * (0.2 + number / 25), 90), abs=0.6), number


@given(
    begin=st.fractions(0, 1000, max_denominator=1000),
    length=st.fractions(Fraction(1, 100), 100, max_denominator=1000),
    rate=st.integers(1, 1000),
    fps=st.integers(1, 240),
)
def test_a_frame_is_drawn_at_its_time_and_the_next_film_begins_where_one_ends(
    begin: Fraction, length: Fraction, rate: int, fps: int
) -> None:
    per_frame = Fraction(rate, fps)
    count = count_of(begin, begin + length, per_frame)
    shown = Film("reef", (), begin, per_frame, count, (2, 2), View())
    assert (count - 1) * per_frame < length <= count * per_frame
    for number in {0, count // 2, count - 1}:
        tick, alpha = shown.moment(number)
        assert 0 < alpha <= 1
        assert tick - 1 + alpha == pytest.approx(float(begin + number * per_frame))


def test_a_recording_is_filmed_with_all_that_was_done(one: Path, tmp_path: Path) -> None:
    timeline = Timeline(sandbox.load(one).simulation)
    for tick in range(20):
        if tick == 8:
            timeline.simulation.submit(SetField("Velocity.x", -100.0, [1]))
        timeline.step()
    write_recording(timeline, tmp_path / "turned.boids")
    timeline.close()
    said = film(tmp_path / "turned.boids", "--from", "5", "--fps", 10, "--out", tmp_path / "film", size="320x180")
    assert "15 frames" in said
    for number, frame in enumerate(frames_in(tmp_path / "film")):
        tick = 5 + number
        assert middle_of_red(frame)[0] == pytest.approx(100 + 10 * (tick if tick <= 8 else 16 - tick), abs=0.6), tick


def test_a_camera_looks_at_a_place_or_goes_with_somebody(one: Path, tmp_path: Path) -> None:
    words = (one, "--to", "1s", "--fps", 20, "--out")
    film(*words, tmp_path / "still", "--camera", "150,100,2", size="320x180")
    assert middle_of_red(frames_in(tmp_path / "still")[0]) == pytest.approx((160 - 100, 90 + 20), abs=0.6)
    film(*words, tmp_path / "with", "--camera", "follow:1", size="320x180")
    for frame in frames_in(tmp_path / "with"):
        assert middle_of_red(frame) == pytest.approx((160, 90), abs=0.6)


@pytest.mark.parametrize("size", ["320x180", "180x320", "400x100"])
def test_the_recorded_camera_shows_all_that_was_seen(one: Path, tmp_path: Path, size: str) -> None:
    """It looks at the whole world, then comes closer to a place."""
    timeline = Timeline(sandbox.load(one).simulation)
    timeline.branch.views |= {0: Seen(160, 90, 320, 180), 4: Seen(160, 90, 320, 180), 8: Seen(170, 100, 160, 90)}
    for _ in range(12):
        timeline.step()
    write_recording(timeline, tmp_path / "a.boids")
    timeline.close()
    words = ("--camera", "recorded", "--fps", 20, "--from", 0, "--out")
    film(tmp_path / "a.boids", *words, tmp_path / "film", size=size)
    width, height = map(int, size.split("x"))
    for number, frame in enumerate(frames_in(tmp_path / "film")):
        time = number / 2
        share = min(max((time - 4) / 4, 0), 1)
        zoom = min(width / (320 - 160 * share), height / (180 - 90 * share))
        across, down = 100 + 10 * time - (160 + 10 * share), 90 - (90 + 10 * share)
        assert middle_of_red(frame) == pytest.approx((width / 2 + zoom * across, height / 2 - zoom * down), abs=0.8)


@pytest.mark.parametrize(("camera", "flat"), [("orbit", "fit"), ("ride:1", "follow:1")])
def test_while_a_world_is_flat_a_camera_of_depth_shows_it_as_one_of_flat_worlds(
    one: Path, tmp_path: Path, camera: str, flat: str
) -> None:
    """The world gets depth on the way, loses it by undo, and gets it again; the animal dies between."""
    timeline, changes = Timeline(sandbox.load(one).simulation), {5: SetSetting("depth", 300.0), 15: Redo()}
    for tick in range(20):
        for command in [changes[tick]] if tick in changes else [Undo()] if tick == 10 else []:
            timeline.simulation.submit(command)
        timeline.step()
    timeline.simulation.submit(Despawn([1]))
    timeline.simulation.submit(SetSetting("depth", 0.0))
    for _ in range(5):
        timeline.step()
    write_recording(timeline, tmp_path / "a.boids")
    timeline.close()
    films = {}
    for view in (camera, flat):
        film(tmp_path / "a.boids", "--camera", view, "--from", 0, "--fps", 10, "--out", tmp_path / view[:3])
        films[view] = frames_in(tmp_path / view[:3])
    same = [(one == other).all() for one, other in zip(films[camera], films[flat], strict=True)]
    assert all(same[:5] + same[11:15] + same[21:])
    assert not any(same[6:10] + same[16:20])


@pytest.mark.parametrize(("length", "fps"), [("1s", 6), ("3s", 2)])
def test_an_orbit_goes_once_around_the_world_in_the_length_of_the_film(
    one: Path, tmp_path: Path, length: str, fps: int
) -> None:
    still = one.read_text().replace("[100, 0]", "[0, 0, 0]").replace("[100, 90]", "[100, 90, 60]")
    one.write_text(still.replace("[320, 180]", "[320, 180, 300]").replace("size = 5", "size = 20"))
    film(one, "--to", length, "--fps", fps, "--camera", "orbit", "--out", tmp_path / "film", size="320x180")
    with sandbox.load(one) as simulation:
        camera = camera_for(simulation.world, (320, 180))
    assert isinstance(camera, SpaceCamera)
    camera.encircle()
    found = frames_in(tmp_path / "film")
    assert len(found) == 6
    for frame in found:
        x, y = camera.project((100, 90, 60))
        down, across = np.nonzero(frame[..., 0] > 2 * frame[..., 1:].max(-1))  # the dot, also its dark side
        assert (across.mean() + 0.5, down.mean() + 0.5) == pytest.approx((x, 180 - y), abs=2)
        camera.yaw += math.tau / 6


@pytest.mark.parametrize("camera", ["orbit", "ride:1"])
def test_a_world_that_never_has_depth_is_not_filmed_by_its_cameras(one: Path, tmp_path: Path, camera: str) -> None:
    said = boids("film", one, "--to", "1s", "--camera", camera, "--out", tmp_path / "film.gif")
    assert said.returncode == 1
    assert f"--camera {camera}: this world is flat" in said.stderr


def test_the_recorded_camera_needs_a_recording_that_says_where_it_looked(one: Path, tmp_path: Path) -> None:
    boids("run", one, "--ticks", 20, "--record", tmp_path / "a.boids")
    for file in (one, tmp_path / "a.boids"):
        said = boids("film", file, "--to", "1s", "--camera", "recorded", "--out", tmp_path / "film.gif")
        assert said.returncode == 1
        assert "--camera recorded: this recording holds no camera, only those that the window" in said.stderr
    assert sorted(os.listdir(tmp_path)) == ["a.boids", "one.toml"]


def test_who_leaves_the_world_is_followed_on(one: Path, tmp_path: Path) -> None:
    film(one, "--to", "3s", "--fps", 2, "--camera", "follow:1", "--out", tmp_path / "film", size="320x180")
    for frame in frames_in(tmp_path / "film"):
        assert middle_of_red(frame) == pytest.approx((160, 90), abs=1)


def test_where_the_followed_one_dies_the_camera_stays(one: Path, tmp_path: Path) -> None:
    with open(one, "a") as file:
        file.write('[[spawn]]\nprefab = "dot"\nat = [150, 110]\nvelocity = [0, 0]\n')
        file.write('Look = { shape = "dot", colour = "#00ff00", size = 5 }\n')
    timeline = Timeline(sandbox.load(one).simulation)
    for tick in range(10):
        if tick == 6:
            timeline.simulation.submit(Despawn([1]))
        timeline.step()
    write_recording(timeline, tmp_path / "dies.boids")
    timeline.close()
    words = ("--camera", "follow:1", "--fps", 20)
    film(tmp_path / "dies.boids", *words, "--out", tmp_path / "film", size="320x180")
    green = [(frame[..., 1] > 150) & (frame[..., 0] < 90) for frame in frames_in(tmp_path / "film")]
    across = [np.nonzero(dot)[1].mean() + 0.5 for dot in green]
    assert across[4:11] == pytest.approx([250, 235, 220, 205, 190, 175, 160], abs=0.7)  # it comes nearer
    assert across[11:] == [across[10]] * 9  # and then looks at (150, 90), below the other dot


@pytest.mark.parametrize("ending", ["mp4", "webm"])
def test_a_film_holds_nearly_the_same_frames(tmp_path: Path, ending: str) -> None:
    for out in ("film", f"film.{ending}"):
        film("reef", "--from", "0.5s", "--to", "1.5s", "--fps", 15, "--out", tmp_path / out)
    exact, frames = (
        [frame @ LUMA for frame in found]  # of colour there is one value for four pixels
        for found in (frames_in(tmp_path / "film"), in_film(tmp_path / f"film.{ending}"))
    )
    assert len(frames) == len(exact) == 15
    for number in (0, 4, 7, 11, 14):
        far = [np.abs(frames[number] - other).mean() for other in exact]
        assert np.argmin(far) == number
        assert far[number] < 3, number


@pytest.mark.skipif(shutil.which("ffprobe") is None, reason="needs ffprobe")
@pytest.mark.parametrize(("ending", "codec"), [("mp4", "h264"), ("webm", "vp9")])
def test_ffprobe_reads_what_was_asked_for(tmp_path: Path, ending: str, codec: str) -> None:
    path = tmp_path / f"film.{ending}"
    film("reef", "--to", "0.5s", "--fps", 30, "--out", path)
    command = ["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    stream, sound = told["streams"]
    assert (sound["codec_type"], sound["channels"]) == ("audio", 2)
    assert (stream["codec_name"], stream["pix_fmt"], stream["color_space"]) == (codec, "yuv420p", "bt709")
    assert (stream["width"], stream["height"], stream["avg_frame_rate"]) == (160, 100, "30/1")
    assert int(stream["nb_read_frames"]) == 15
    assert float(told["format"]["duration"]) == pytest.approx(0.5, abs=0.01)


def test_a_film_is_heard_unless_it_shall_be_silent(tmp_path: Path) -> None:
    def heard(path: Path) -> NDArray[np.int16]:
        words = ["-f", "s16le", "-ac", "2", "-ar", "44100", "-"]
        read = subprocess.run([find_ffmpeg(), "-v", "error", "-i", path, *words], capture_output=True, check=False)
        return np.frombuffer(read.stdout, np.int16)

    film("reef", "--to", "0.5s", "--fps", 10, "--out", tmp_path / "film.mp4")
    film("reef", "--to", "0.5s", "--fps", 10, "--silent", "--out", tmp_path / "silent.mp4")
    samples = heard(tmp_path / "film.mp4")
    assert len(samples) / 2 / 44100 == pytest.approx(0.5, abs=0.05)
    assert np.abs(samples).max() > 300
    assert not len(heard(tmp_path / "silent.mp4"))
    assert len(in_film(tmp_path / "film.mp4")) == len(in_film(tmp_path / "silent.mp4")) == 5


@pytest.mark.parametrize(("ending", "fps"), [("gif", 30), ("webp", 40)])
def test_an_animation_has_all_frames_and_takes_as_long(tmp_path: Path, ending: str, fps: int) -> None:
    path = tmp_path / f"film.{ending}"
    for out in (path, tmp_path / "film"):
        film("reef", "--to", "0.5s", "--fps", fps, "--out", out)
    exact = frames_in(tmp_path / "film")
    shown = 0
    with Image.open(path) as animation:
        assert animation.n_frames == fps // 2
        for number in range(fps // 2):
            animation.seek(number)
            frame = np.asarray(animation.convert("RGB")).astype(int)
            shown += animation.info["duration"]
            assert np.abs(frame - exact[number]).mean() < 8, number
    assert shown == 500


def test_another_process_is_told_how_far_it_is(one: Path, tmp_path: Path) -> None:
    said = film(one, "--to", "1s", "--fps", 3, "--progress", "--out", tmp_path / "film")
    assert said.splitlines()[:-1] == ["0 3", "1 3", "2 3", "3 3"]


def test_several_processes_draw_the_same_frames(tmp_path: Path) -> None:
    scene = tmp_path / "reef.toml"  # which flock has which colour is decided by what was seen before
    scene.write_text(f'{find_scene("reef").read_text("utf-8")}\n[systems.render]\ncolour = "flock"\n', "utf-8")
    words = (scene, "--from", "0.4s", "--to", "0.6s", "--fps", 45, "--overlay", "trails", "--camera", "follow:5")
    for processes in (1, 2):
        film(*words, "--processes", processes, "--out", tmp_path / str(processes))
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / n).iterdir()} for n in "12")
    assert len(one) == 9
    assert two == one


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    "ended",
    [
        "by Ctrl+C",
        pytest.param("by Ctrl+C, with two processes", marks=pytest.mark.verify),
        "by the second process",
    ],
)
def test_a_film_that_ends_early_leaves_nothing(tmp_path: Path, ended: str) -> None:
    words = ["film.mp4"] if ended == "by Ctrl+C" else ["film", "--processes", "2"]
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "sandbox.cli.main",
            "film",
            "reef",
            "--to",
            "100s",
            "--size",
            "160x100",
            "--out",
            *words,
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while not (others := _others_drawing(process, tmp_path)) and time.monotonic() < until:
        time.sleep(0.05)
    (other,) = others
    (other if ended == "by the second process" else process).send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    if ended == "by the second process":
        assert process.returncode == 1
        assert said.startswith("boids: film: can't be written: another process stopped drawing frames: ")
    else:
        assert (process.returncode, said) == (130, "")
    assert os.listdir(tmp_path) == []
    assert not other.is_running()


def _others_drawing(process: subprocess.Popen[str], folder: Path) -> list[psutil.Process]:
    """The process beside one that makes a film, as soon as it writes the first frames."""
    parts = [path for path in folder.iterdir() if path.name.endswith(".part")]
    if any(path.is_file() or len(os.listdir(path)) >= 3 for path in parts):
        return [*filter(_has_own_session, psutil.Process(process.pid).children())]
    return []


def _has_own_session(process: psutil.Process) -> bool:
    """Whether it is a process of the film, not one that a library starts and ends to find a driver."""
    try:
        return os.getsid(process.pid) == process.pid
    except ProcessLookupError:
        return False


def test_ffmpeg_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fails = tmp_path / "bin" / "ffmpeg"
    fails.parent.mkdir()
    fails.write_text("#!/bin/sh\nhead -c 100 >/dev/null\necho 'no such codec' >&2\nexit 1\n")
    fails.chmod(0o755)
    (tmp_path / "film.mp4").write_text("mine")
    said = boids(
        "film", "reef", "--to", "5s", "--size", "160x100", "--out", tmp_path / "film.mp4",
        PATH=f"{fails.parent}:{os.environ['PATH']}",
    )  # fmt: skip
    assert said.returncode == 1
    assert "film.mp4: can't be written: ffmpeg failed: no such codec; the old file is unchanged" in said.stderr
    assert sorted(os.listdir(tmp_path)) == ["bin", "film.mp4"]
    assert (tmp_path / "film.mp4").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--from", "10s", "--to", "5s"], "the film would end before it begins: --to must be later than 10s"),
        (["--from", "1h"], "--from 1h: must be seconds, like 12.5s, or a tick, like 750"),
        (["--size", "0x100"], "--size 0x100: must be WIDTHxHEIGHT, each 1 to 8,192 pixels"),
        (["--size", "large"], "like 1280x720"),
        (["--size", "161x100"], "--size 161x100: a .mp4 has even sides, like 160x100"),
        (["--out", "film.avi"], "film.avi: a film is an .mp4, .webm, .gif or .webp, or without an ending a folder"),
        (["--out", "film.gif", "--fps", "60"], "--fps 60: a GIF has at most 50 frames a second"),
        (["--out", "no/such/film.mp4"], "there is no folder no/such that may be written"),
        (["--camera", "top"], "--camera top: must be fit, recorded, follow:SERIAL (follow:7) or x,y,zoom"),
        (["--camera", "1,2,1000"], "its zoom must be 0.01 to 64 pixels per u"),
        (["--camera", "follow:999999"], "there is no entity 999999 with a position at tick 0, where the film begins"),
        (["--overlay", "het"], "there is no overlay 'het'; did you mean 'heat'"),
        (["--fps", "0"], "--fps"),
    ],
)
def test_a_mistake_ends_in_a_sentence_and_without_a_file(tmp_path: Path, words: list[str], said: str) -> None:
    ran = boids("film", "reef", "--to", "10", "--out", "film.mp4", *words, cwd=tmp_path)
    assert ran.returncode in (1, 2)
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr
    assert os.listdir(tmp_path) == []


def test_what_a_recording_does_not_have_is_refused(one: Path, tmp_path: Path) -> None:
    timeline = Timeline(sandbox.load(one).simulation)
    for _ in range(10):
        timeline.step()
    write_recording(timeline, tmp_path / "short.boids")
    timeline.recording.physics += 1
    write_recording(timeline, tmp_path / "later.boids")
    timeline.close()
    words = ("--out", tmp_path / "film.gif")
    ink = boids("film", tmp_path / "short.boids", "--overlay", "ink.ink", "--mod", ROOT / "mods/ink", *words).stderr
    assert "no overlay 'ink.ink': this world runs without a mod 'ink'" in ink
    for option, wrong in (("--to", "2s"), ("--from", "5s")):
        said = boids("film", tmp_path / "short.boids", option, wrong, *words).stderr
        assert f"{option} {wrong}: must be at most 1s, where it ends" in said
    assert (
        "was recorded by a version that simulates differently" in boids("film", tmp_path / "later.boids", *words).stderr
    )


def test_a_film_that_shows_another_world_than_was_recorded_says_so(one: Path, tmp_path: Path) -> None:
    timeline = Timeline(sandbox.load(one).simulation)
    for _ in range(605):
        timeline.step()
    timeline.settle_digests()
    timeline.branch.digests[600] = "00" * 32
    write_recording(timeline, tmp_path / "other.boids", keyframes=0)
    timeline.close()
    words = ("--from", 602, "--fps", 10, "--size", "16x10", "--out", tmp_path / "film")
    made = boids("film", tmp_path / "other.boids", *words)
    assert made.returncode == 1
    assert "from tick 600 on this world differs from the recording" in made.stderr
    assert len(os.listdir(tmp_path / "film")) == 3


def test_without_ffmpeg_a_sentence_names_what_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    said = boids("film", "reef", "--out", tmp_path / "film.mp4", PATH=str(tmp_path)).stderr
    assert "film.mp4: needs ffmpeg: install it, or the package imageio-ffmpeg; a .gif, a .webp and a folder" in said
    ran = boids("film", "reef", "--to", "3", "--size", "16x10", "--out", tmp_path / "film.webp", PATH=str(tmp_path))
    assert ran.returncode == 0, ran.stderr


FAILING = """
from sandbox.api import Overlay

class Bad(Overlay):
    name, title, help = "bad", "Bad", "It fails."

    def draw(self, canvas, session):
        session.nothing

def install(app):
    app.add_overlay(Bad())
"""


@pytest.mark.parametrize(
    ("words", "written"),
    [
        (["run", "one.toml", "--ticks", 2, "--picture", "one.png", "--json"], True),
        (["film", "one.toml", "--to", "0.2s", "--fps", 10, "--size", "64x36", "--out", "one.gif"], True),
        (
            ["film", "one.toml", "--to", "0.2s", "--fps", 10, "--size", "64x36", "--processes", 2, "--out", "a.gif"],
            False,
        ),
    ],
    ids=["picture", "film", "film of two processes"],
)
def test_an_overlay_that_fails_is_told_with_its_line(one: Path, words: list[object], written: bool) -> None:
    mod = write_mod(one.parent / "m", FAILING)
    ran = boids(*words, "--overlay", "m.bad", "--mod", mod, cwd=one.parent)
    sentence = "m: m.py:8: AttributeError: 'Session' object has no attribute 'nothing' (overlay Bad)"
    first, *rest = ran.stderr.splitlines()
    assert (ran.returncode, first) == (1, f"boids: the mod was stopped: {sentence}")
    assert rest == ([] if written else [f"boids: several processes can't go on without an overlay: {sentence}"])
    assert (one.parent / str(words[-2 if words[0] == "run" else -1])).exists() is written
    if words[0] == "run":
        assert json.loads(ran.stdout)["faults"] == [sentence]
