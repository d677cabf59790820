"""Windows without a display: a real OpenGL context through EGL, drawn without antialiasing so that pixels are exact."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess

os.environ["ARCADE_HEADLESS"] = "True"  # before anything imports arcade

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pyglet import gl

from components.look import OUTLINES, SHAPES
from components.store.prefab import Prefab
from sandbox.app.jobs import command_job, jobs
from sandbox.app.parts import BUILT_IN
from sandbox.app.preferences import Preferences
from sandbox.app.session import playback
from sandbox.app.session.action import actions_of
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry, Scene
from sandbox.mods.load.library import Library
from sandbox.simulation import Simulation
from systems.engine.app import installed
from systems.engine.settings import Settings

RED, GREEN = 0xFF0000, 0x00FF00
OpenWindow = Callable[..., FlockWindow]
BUILT_IN_ACTIONS = actions_of(installed(BUILT_IN))


def drifting(
    *entries: Entry, shape: str = "dot", size: float = 10, world_size: tuple[float, float] = (640, 360)
) -> Scene:
    """A scene of red and green things that keep their velocity, at 10 ticks a second."""
    prefabs = {
        name: Prefab(
            name,
            {
                "Position": {},
                "Velocity": {},
                "Motion": {"min_speed": 0.0, "max_speed": 1000.0},
                "Flocker": {},  # without Perception it sees nobody
                "Look": {"shape": SHAPES.index(shape), "colour": colour, "size": size},
            },
        )
        for name, colour in (("red", RED), ("green", GREEN))
    }
    return Scene("drifting", settings=Settings(*world_size, tick_rate=10), prefabs=prefabs, entries=list(entries))


def at(x: float, y: float, velocity: tuple[float, float] = (0, 0), prefab: str = "red") -> Entry:
    return Entry(prefab, at=(x, y), velocity=velocity)


@pytest.fixture(autouse=True)
def _commands_get_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """What works beside a window makes way for what a person plays, but not for tests that run beside this one."""
    monkeypatch.setattr(command_job, "NICE", 0)


@pytest.fixture(autouse=True)
def _ticks_end_in_their_frame(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is; a test of ticks that go on while frames are drawn is marked as `long_ticks`."""
    if request.node.get_closest_marker("long_ticks") is None:
        monkeypatch.setattr(playback, "LONG", 10**12)
        monkeypatch.setattr(playback, "PATIENCE", 60.0)


@pytest.fixture(autouse=True)
def _shapes_of_mods_are_forgotten() -> Iterator[None]:
    """A program knows them until it ends; other tests say which there are."""
    yield
    for name in OUTLINES:
        del SHAPES._words[SHAPES.index(name)]
    OUTLINES.clear()


@pytest.fixture(autouse=True)
def _small_worlds_run_on_all_threads() -> None:
    """They don't here: waking threads would be a seventh of the time of tests that are about windows."""


@pytest.fixture(autouse=True)
def _windows_leave_frozen_what_was_imported(request: pytest.FixtureRequest) -> Iterator[None]:
    """What Python's collector need not see is thawed by windows, and all that tests imported with it.

    A test of what windows leave behind is marked as `collected`: there they do it.
    """
    if request.node.get_closest_marker("collected") is not None:
        yield
        gc.collect()
        gc.freeze()
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "freeze", lambda: None)
        patch.setattr(gc, "unfreeze", lambda: None)
        yield


@pytest.fixture
def open_on(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenWindow]:
    """Opens a window on a scene; it is closed after the test.

    OpenGL does all but colour pixels, which is half of the time, until `pixels` asks for some; a test that sees them
    in another way is marked as `painted`. What is made in a thread beside the window is there at once: `test_jobs.py`
    shows what a person sees meanwhile.
    """
    monkeypatch.setattr(jobs, "MOMENT", 30.0)
    opened: list[FlockWindow] = []

    def open_on(
        scene: Scene,
        size: tuple[int, int] = (640, 360),
        seed: int = 1,
        panels: Sequence[str] = (),
        file: Path | None = None,
        library: Library | None = None,
    ) -> FlockWindow:
        if library is not None:
            library.look()
            scene.loaded = library.loaded
        preferences, make = Preferences(open=list(panels), reduce_motion=True), lambda: Simulation(scene, seed)
        window = FlockWindow(make(), make, size, False, preferences, file, library)
        if request.node.get_closest_marker("painted") is None:
            gl.glEnable(gl.GL_RASTERIZER_DISCARD)
        for _ in range(2):  # opening queues events that queue others
            window.dispatch_events()
        opened.append(window)
        return window

    yield open_on
    for window in opened:
        if window.context is not None:
            window.switch_to()
            assert went_well(window)
        window.close()
        _free(window)


def went_well(window: FlockWindow) -> bool:
    """Whether all OpenGL calls of a window did: with PYGLET_DEBUG_GL=1 the first that does not fails at once."""
    return window.ctx.error is None


def _free(window: FlockWindow) -> None:
    """What arcade 3.3 keeps of a window for ever, 5 MB: its context's shapes, whose finalizers hold the context."""
    context = window.ctx
    for name in [name for name in vars(context) if name not in ("_stats", "_gc_mode", "objects")]:
        delattr(context, name)


def send(window: FlockWindow, *events: tuple[object, ...]) -> None:
    """Real pyglet events: outside the event loop they are queued until they are asked for."""
    for event in events:
        window.dispatch_event(*event)
    window.dispatch_events()


def pixels(window: FlockWindow) -> NDArray[np.uint8]:
    """What a frame shows, without panels: shape (height, width, 3), the first row lowest."""
    gl.glDisable(gl.GL_RASTERIZER_DISCARD)
    window.gui.events.hidden = True
    window.session.messages.log.clear()
    window.on_draw()
    return screen(window)


def screen(window: FlockWindow) -> NDArray[np.uint8]:
    """What was drawn last: shape (height, width, 3), the first row lowest."""
    width, height = window.get_size()
    data = window.ctx.screen.read(viewport=(0, 0, width, height), components=3)
    return np.frombuffer(data, np.uint8).reshape(height, width, 3)


def places(picture: NDArray[np.uint8], channel: int = 0) -> NDArray[np.intp]:
    """Where a picture is plainly red (0) or green (1): x and y of each such pixel, shape (n, 2)."""
    others = [c for c in (0, 1, 2) if c != channel]
    plain = (picture[..., channel] > 150) & (picture[..., others].max(-1) < 60)
    return np.argwhere(plain)[:, ::-1]


def middle(found: NDArray[np.intp]) -> tuple[float, ...]:
    """The middle of the box around some pixels."""
    assert len(found)
    low, high = found.min(0), found.max(0)
    return tuple((low + high + 1) / 2)


def living(window: FlockWindow) -> NDArray[np.float64]:
    """x and y of every entity, shape (n, 2)."""
    table = window.simulation.world.table
    columns = [table.columns[f"Position.{axis}"][: table.size] for axis in "xy"]
    return np.stack(columns, axis=1).astype(float)


@pytest.fixture
def display(tmp_path: Path) -> Iterator[str]:
    """A display that nobody sees; the server picks a free number."""
    if not (server := shutil.which("Xvfb")) or not shutil.which("xdotool"):
        pytest.fail("needs Xvfb and xdotool: make setup installs them")
    read, write = os.pipe()
    with subprocess.Popen(
        [server, "-displayfd", str(write), "-screen", "0", "1300x800x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    ) as process:
        os.close(write)
        with os.fdopen(read) as number:
            name = f":{number.readline().strip()}"
        yield name
        process.terminate()
