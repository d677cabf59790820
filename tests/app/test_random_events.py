"""A monkey at mouse and keyboard: whatever comes, nothing breaks, every question is answered, and nothing grows."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import count
from pathlib import Path
from warnings import catch_warnings

import numpy as np
import pytest
from arcade import key
from pyglet import gl

from components.motion import Position, Velocity
from sandbox.app.preferences import Preferences
from sandbox.app.session import playback
from sandbox.app.window import FlockWindow
from sandbox.edit import SetSetting
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.load.together import mods_from
from sandbox.opening import load
from sandbox.scenes.bundled import bundled_scenes
from sandbox.simulation import Simulation
from sandbox.warm_up import warm_up
from systems.engine.settings import Settings
from tests.memory import resident

from .cage import Cage
from .conftest import went_well
from .modded import OVERLAY, PANEL, SYSTEM, write_mod
from .monkey import FRAME, Event, Monkey, things_to_drop
from .mouse import hit
from .test_questions import ask_and_answer

EVENTS_PER_FRAME = 8
CHAPTER = 50  # events, after each of which no question or dialog is open
MOST_GROWTH = 20 << 20  # bytes
MOD = f"""
{SYSTEM}
{PANEL.format(draw="pass")}
{OVERLAY.format(draw="pass")}

def install(app):
    app.add_system(Drift)
    app.add_panel(Lodes())
    app.add_overlay(Lines())
"""

Begin = tuple[str, float | None]  # a scene, and another depth
HUNTERS: Begin = "hunters", None
DEEP: tuple[Begin, ...] = ("hunters", 500.0), ("bait-ball", None), ("canyon", None)


class Show:
    """A window, its monkey, and how they get on; each frame takes `seconds`."""

    def __init__(self, folder: Path, seed: int, seconds: float, begin: Begin = HUNTERS) -> None:
        self._dice, self._seconds = random.Random(seed), seconds
        self._library = Library(Trust(folder / "trust.toml"), [write_mod(folder / "mods", MOD)])
        self._library.look()
        self._scene, self._depth = begin
        self.window = Cage(self._begin(), self._begin, (800, 600), False, Preferences(), library=self._library)
        self.window.keep_in(folder)
        self.monkey = Monkey(self.window, self._dice, things_to_drop(folder, self._begin()))
        self._sent = 0
        self.played = 0.0  # simulated seconds

    def _begin(self) -> Simulation:
        return load(self._scene, mods=self._library, depth=self._depth)

    def see_all_panels(self) -> None:
        """Fonts are read and pictures are drawn when they are first shown, a picture in a frame."""
        for panel in self.window.session.app.panels:
            self.window.session.preferences.open[:] = [panel.name]
            for _ in range(60):
                self._frame()

    def see_all_scenes(self) -> None:
        """Shaders of backdrops and of what stands before them are compiled when they are first shown."""
        for path in bundled_scenes():
            for depth in (None, 300.0) if path.stem != "million" else ():
                simulation = load(path, mods=self._library, depth=depth)
                self.window.show(simulation, self._begin)
                for _ in range(5):
                    self._frame()

    def run_all_mods(self) -> None:
        """Their kernels are compiled when they are first needed, and others in worlds with depth."""
        for mod in self._library.listed():
            for scene in sorted(Path(mod.found.folder, "scenes").glob("*.toml")):
                with load(scene, mods=mods_from([mod.found.folder])) as simulation, catch_warnings(action="ignore"):
                    simulation.step(2)
                    for depth in (300.0, 0.0):
                        with suppress(ValueError):  # a mod that is only for flat worlds
                            simulation.submit(SetSetting("depth", depth))
                            simulation.step(2)

    def begin_again(self) -> None:
        """Show the first world again, with some panels."""
        panels = [panel.name for panel in self.window.session.app.panels if panel.name != "time bar"]
        self.window.session.preferences.open[:] = ["time bar", *self._dice.sample(panels, 4)]
        self.window.show(self._begin(), self._begin)
        for _ in range(2):
            self._frame()  # the world before is freed between two frames

    def settle(self) -> None:
        """Show the first world until nothing that was asked for before replaces it, and what only a crowd needed is
        given back; with one panel, because each keeps pictures.
        """
        shown = None
        while shown is not self.window.simulation:
            self.begin_again()
            self.window.session.preferences.open[:] = ["time bar"]
            shown = self.window.simulation
            self.watch(60)

    def go_on(self, count: int) -> None:
        """Send so many events."""
        end = self._sent + count
        while self._sent < end:
            chapter = self._sent // CHAPTER
            for event in self.monkey.gesture():
                self._send(event)
            if self._sent // CHAPTER > chapter and not self.window.is_ambient:
                self._clear_up()  # between two gestures: a key that is down can't be pressed for an answer

    def watch(self, frames: int) -> None:
        """Let time go on for so many frames without an event."""
        if not self.window.is_ambient:
            self._clear_up()
        self.window.session.clock.paused = False
        for _ in range(frames):
            self._frame()
        check_places(self.window)

    def _send(self, event: Event) -> None:
        if event == FRAME:
            self._frame()
            return
        self.window.dispatch_event(*event)
        self._sent += 1
        if self._sent % EVENTS_PER_FRAME == 0:
            self._frame()

    def _clear_up(self) -> None:
        """Answer what waits, and let time go on: else a monkey would see little but questions."""
        asking = self.window.session.asking
        if asking.dialog is not None:
            hit(self.window, key.ESCAPE)
            self._frame()
        while asking.questions and asking.dialog is None and asking.work is None:
            ask_and_answer(self.window, self._dice, self._seconds)
        if self._dice.random() < 0.2:
            ask_and_answer(self.window, self._dice, self._seconds)
        if self._dice.random() < 0.5:
            self.window.session.clock.paused = False
        check_places(self.window)

    def _frame(self) -> None:
        self.window.dispatch_events()
        simulation, begin = self.window.simulation, self.window.simulation.tick
        self.window.dispatch_event("on_update", self._seconds)
        self.window.dispatch_event("on_draw")
        self.window.dispatch_events()
        if self.window.simulation is simulation:
            self.played += max(simulation.tick - begin, 0) / simulation.world.resource(Settings).tick_rate
        self.window.flip()  # as the event loop does: textures that nobody needs any more go
        self.window.ctx.finish()  # else a software renderer falls behind, and what it has yet to draw grows

    def close(self) -> None:
        assert went_well(self.window)
        assert [message.text for message in self.window.session.messages.log if "was stopped" in message.text] == []
        self.window.close()


def check_places(window: FlockWindow) -> None:
    """All are somewhere, and who moves is within edges that bounce or wrap, once COMMANDS has brought it there."""
    world = window.simulation.world
    settings, table = world.resource(Settings), world.table
    places = table.stacked("Position", table.rows(Position, Velocity))
    assert np.isfinite(places).all()
    if settings.edges in ("bounce", "wrap"):
        assert ((places >= 0) & (places <= settings.size)).all()


@pytest.fixture(autouse=True)
def _kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


LONG = pytest.mark.verify
rates = pytest.mark.parametrize("rate", [60, 3])  # frames a second


@pytest.mark.long_ticks
@rates
@pytest.mark.parametrize(
    ("over_frames", "begin"),
    [(False, HUNTERS), (True, HUNTERS), (False, DEEP[0]), *(pytest.param(True, deep, marks=LONG) for deep in DEEP)],
)
def test_nothing_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, over_frames: bool, begin: Begin, rate: int
) -> None:
    """In both cases of a tick: it ends in its frame, or goes on in its thread while frames are drawn."""
    monkeypatch.setattr(playback, "LONG", -1 if over_frames else 10**12)
    monkeypatch.setattr(playback, "WAIT", 0.0)
    monkeypatch.setattr(playback, "NEAR", 0.0)
    show = Show(tmp_path, rate, 1 / rate, begin)
    gl.glEnable(gl.GL_RASTERIZER_DISCARD)
    show.go_on(1_500)
    show.close()


@LONG
@pytest.mark.long_ticks
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("begin", DEEP)
def test_nothing_breaks_in_twenty_minutes_of_depth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begin: Begin
) -> None:
    """Of simulated time; in all scenes together it is an hour."""
    show = Show(tmp_path, 1, 1 / 3, begin)
    gl.glEnable(gl.GL_RASTERIZER_DISCARD)
    for number in count():
        monkeypatch.setattr(playback, "LONG", -1 if number % 2 else 10**12)
        show.go_on(200)
        show.watch(60)
        if show.played > 20 * 60:
            break
        if number % 4 == 3:
            show.begin_again()
    show.close()


@pytest.mark.verify
@pytest.mark.collected
@pytest.mark.long_ticks
@pytest.mark.timeout(3600)
@rates
def test_nothing_breaks_and_nothing_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rate: int) -> None:
    """In 50,000 events, after each tenth of which the world begins again: memory after the first third is enough.

    OpenGL does all but colour pixels: software renderers compile code for each state in which a shader runs, keep it,
    and count as this process.
    """
    warm_up()  # kernels that are compiled on the way would count as growth
    show = Show(tmp_path, rate, 1 / rate)
    gl.glEnable(gl.GL_RASTERIZER_DISCARD)
    show.run_all_mods()
    show.see_all_scenes()
    show.begin_again()
    show.see_all_panels()
    memory = []
    for _ in range(10):
        for events, over_frames in ((4_000, False), (1_000, True)):
            monkeypatch.setattr(playback, "LONG", -1 if over_frames else 10**12)
            show.go_on(events)
        show.settle()
        memory.append(resident())
        show.begin_again()
        show.monkey.open_lesson()
    assert max(memory[3:]) - memory[2] < MOST_GROWTH, [size >> 20 for size in memory]
    show.close()
