"""Ticks that take longer than a frame: the window answers, pans, zooms and shows panels meanwhile."""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path

import esper
import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_MIDDLE as MIDDLE
from arcade import key
from arcade.gl.backends.opengl.buffer import OpenGLBuffer
from imgui_bundle import icons_fontawesome_6 as icons

from components.store.world import World
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.places import places
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session import ticks
from sandbox.app.session.session import Session
from sandbox.app.window import FlockWindow
from sandbox.edit import Spawn, Undo
from sandbox.scenes.bundled import find_scene
from sandbox.scenes.reader import read_scene
from sandbox.simulation import Simulation
from sandbox.window_part import MeasureChart
from systems.engine.measures import Measures
from systems.engine.system import Phase, System

from .conftest import OpenWindow, at, drifting
from .modded import named, with_panel, write_mod
from .widgets import click as click_widget
from .widgets import look

pytestmark = pytest.mark.long_ticks
TICK = 0.15  # s
PLACE = 450, 300  # a pixel of the world


class Slow(System):
    """Takes its time, or waits until a test lets it go on."""

    phase = Phase.STEER

    def __init__(self) -> None:
        super().__init__()
        self.threads: set[str] = set()
        self.wrong: Exception | None = None
        self.seconds = TICK
        self.go_on = threading.Event()
        self.go_on.set()
        self.waits = False

    def run(self, world: World) -> None:
        self.threads.add(threading.current_thread().name)
        time.sleep(self.seconds)
        self.waits = not self.go_on.is_set()
        assert self.go_on.wait(20)
        self.waits = False
        if self.wrong:
            raise self.wrong


def frames(window: FlockWindow, count: int = 1) -> None:
    for _ in range(count):
        window.dispatch_events()
        window.on_update(1 / 60)
        window.on_draw()


def until(window: FlockWindow, holds: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        frames(window)


@pytest.fixture
def slow(open_on: OpenWindow) -> tuple[FlockWindow, Slow]:
    window = open_on(drifting(at(100, 100, velocity=(60, 0))), (900, 640), panels=["palette", "inspector"])
    return window, slowed(window)


def slowed(window: FlockWindow) -> Slow:
    """Make each tick slow, and run two of them."""
    system, tick = Slow(), window.simulation.tick
    window.simulation.world.enter()
    esper.add_processor(system)
    until(window, lambda: window.simulation.tick >= tick + 2)
    system.threads.clear()
    return system


def held(window: FlockWindow, system: Slow) -> int:
    """Let frames pass until a tick runs, which does not end until `go_on`; return the tick that is shown."""
    system.go_on.clear()
    until(window, lambda: system.waits)
    frames(window)
    return window.simulation.tick


def click(window: FlockWindow, place: tuple[int, int]) -> None:
    """Over it, press, release, in a frame each."""
    for event in (
        ("on_mouse_motion", *place, 0, 0),
        ("on_mouse_press", *place, LEFT, 0),
        ("on_mouse_release", *place, LEFT, 0),
    ):
        window.dispatch_event(*event)
        frames(window, 2)


def test_while_kernels_are_compiled_a_window_waits_for_no_tick(
    open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.app.session.playback.LONG", 10**12)  # however busy the machine is
    window = open_on(drifting(at(100, 100)), (900, 640))
    playback, system = window.session.playback, Slow()
    system.seconds = 0
    window.simulation.world.enter()
    esper.add_processor(system)
    for compiles, thread in ((False, "MainThread"), (True, "ticks"), (False, "MainThread")):
        playback.may_compile = lambda compiles=compiles: compiles
        until(window, lambda: not playback.runs)
        system.threads.clear()
        until(window, lambda: system.threads)
        assert system.threads == {thread}


def test_the_view_is_zoomed_moved_and_resized_while_a_tick_runs(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    tick = held(window, system)
    camera, zoom = window.session.camera, window.session.camera.zoom
    window.dispatch_event("on_mouse_scroll", *PLACE, 0, 1)
    frames(window)
    assert camera.zoom > zoom
    x = camera.x
    window.dispatch_event("on_mouse_press", *PLACE, MIDDLE, 0)
    window.dispatch_event("on_mouse_drag", PLACE[0] + 30, PLACE[1], 30, 0, MIDDLE, 0)
    window.dispatch_event("on_mouse_release", PLACE[0] + 30, PLACE[1], MIDDLE, 0)
    frames(window)
    assert camera.x != x
    window.dispatch_event("on_resize", 800, 600)
    frames(window)
    assert camera.screen == (800, 600)
    assert window.simulation.tick == tick
    system.go_on.set()
    until(window, lambda: window.simulation.tick > tick)


def test_menus_and_panels_do_what_is_chosen_while_a_tick_runs(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    tick, speed = held(window, system), window.session.clock.speed
    for name in ("Time", "Faster"):
        window.dispatch_event("on_mouse_motion", *PLACE, 0, 0)
        frames(window)
        click(window, look(window).places[name])
    assert window.session.clock.speed > speed
    window.session.act("settings")
    frames(window, 2)
    assert "settings" in window.session.view.panels
    assert window.simulation.tick == tick
    system.go_on.set()


def test_edits_are_carried_out_after_the_tick_in_order(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    tick, size = held(window, system), window.simulation.world.table.size
    window.session.act("tool_2")
    click(window, PLACE)
    window.dispatch_event("on_key_press", key.SPACE, 0)
    window.dispatch_event("on_key_release", key.SPACE, 0)
    frames(window)
    assert window.simulation.world.table.size == size
    assert window.simulation.tick == tick
    system.go_on.set()
    until(window, lambda: window.simulation.world.table.size > size)
    assert window.simulation.tick == tick + 1  # it was paused by the key that came after the click
    window.session.submit(Undo())
    frames(window)
    assert window.simulation.world.table.size == size


def test_what_needs_the_world_itself_waits_for_the_end_of_the_tick(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    tick = held(window, system)
    threading.Timer(0.05, system.go_on.set).start()
    window.session.document.undo()
    assert window.simulation.tick == tick + 1


def test_panels_and_overlays_see_the_tick_that_is_shown(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    tick = held(window, system)
    x = window.simulation.world.table.columns["Position.x"][0]
    for overlay in window.session.app.overlays:
        window.session.shown.add(overlay.name)
    window.session.selection.choose([1])
    frames(window, 3)
    system.seconds = 0.0
    assert (window.simulation.tick, window.simulation.world.table.columns["Position.x"][0]) == (tick, x)
    system.go_on.set()
    until(window, lambda: window.simulation.tick > tick)
    assert window.simulation.world.table.columns["Position.x"][0] > x


def test_nobody_who_lives_is_said_to_be_gone(open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.app.walking.DEAR", math.inf)  # however slow this machine is
    window = open_on(drifting(at(100, 100)), (1600, 900), panels=["explain"])
    system = slowed(window)
    held(window, system)
    for chosen, asked in ((), True), ([1], False):
        window.session.selection.choose(chosen)
        window.on_update(0.1)  # panels are made anew
        text = look(window, 1).text
        assert ("Why does it turn?" in text) is asked
        assert "no longer exists" not in text
    system.go_on.set()


@pytest.mark.parametrize("panel", ["explain", "pipeline"])
def test_what_is_told_of_the_selection_is_renewed_while_ticks_are_long(
    open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch, panel: str
) -> None:
    """And says of which tick it is."""
    monkeypatch.setattr("sandbox.app.walking.DEAR", math.inf)  # however slow this machine is
    window, told = open_on(drifting(at(100, 100, velocity=(60, 0))), (1600, 900), panels=[panel]), set[str]()
    slowed(window).seconds = 0.05
    window.session.selection.choose([1])
    end = time.monotonic() + 20
    while len(told) < 3:
        assert time.monotonic() < end
        window.on_update(0.1)  # in each frame a tick is due
        told.update(re.findall(r"tick (\d+)", look(window).text))
    assert int(max(told, key=int)) <= window.simulation.tick


def test_the_picture_moves_on_evenly_while_a_tick_runs(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    system.seconds = 0.5
    seen, last = dict[int, list[float]](), time.monotonic()
    tick = window.simulation.tick
    while window.simulation.tick < tick + 3:
        now = time.monotonic()
        window.on_update(now - last)
        window.on_draw()
        last = now
        seen.setdefault(window.simulation.tick, []).append(window.session.clock.alpha)
    shares = seen[tick + 1]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < 0.3
    assert 0.7 < shares[-1] <= 1


class Crosses(Slow):
    """A measure that takes its time."""

    phase = Phase.MEASURE
    adds = (Measures,)

    def applies(self, world: World) -> bool:
        return self.name in world.resource(Measures).wanted

    def run(self, world: World) -> None:
        super().run(world)
        world.resource(Measures).values["crosses"] = float(world.tick)


@pytest.mark.parametrize("compares", [False, True])
def test_a_chart_is_measured_while_the_window_answers(slow: tuple[FlockWindow, Slow], compares: bool) -> None:
    window, (session, measure) = slow[0], (slow[0].session, Crosses())
    session.app.charts.append(MeasureChart("Crosses", "crosses", {"crosses": "crosses"}))
    pipeline = window.simulation.pipeline
    pipeline.replace(window.simulation.world, [*pipeline.systems, measure])
    slowed(window).seconds = 0.02
    if compares:
        session.compare()
    session.front("charts")
    frames(window, 2)
    measure.threads.clear()
    held(window, measure)
    x = session.camera.x
    session.camera.pan(20, 0)
    frames(window, 3)
    assert session.camera.x != x
    measure.go_on.set()
    log, begin = session.document.measures, window.simulation.tick
    until(window, lambda: window.simulation.tick >= begin + 5)
    assert measure.threads == {"ticks"}
    shown = log.column("crosses")[-5:]
    assert shown.tolist() == [row["tick"] for row in log.rows()[-5:]]


@pytest.mark.parametrize("scene", ["reef", "pasture"])
def test_the_world_is_the_same_to_the_bit(open_on: OpenWindow, scene: str) -> None:
    found = read_scene(find_scene(scene))
    window = open_on(found)
    system = slowed(window)
    system.seconds = 0.01
    begin = window.simulation.tick
    until(window, lambda: window.simulation.tick >= begin + 30)
    assert system.threads == {"ticks"}
    window.simulation.join()
    plain = Simulation(found, 1)
    plain.step(window.simulation.tick)
    assert window.simulation.digest() == plain.digest()


def test_the_animals_to_draw_are_there_when_a_long_tick_ends(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    tick = held(window, system)
    system.go_on.set()
    while window.simulation.tick == tick:
        window.on_update(1 / 60)
    collected = window.painter.animals.collected  # no frame was drawn since
    assert collected is not None
    assert any(map(len, collected.seen))


def test_the_animals_are_sent_when_a_frame_is_drawn_after_the_next_tick_has_begun(
    slow: tuple[FlockWindow, Slow], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sending may wait until the frame before is drawn: in software, for the time of several ticks."""
    window, system = slow
    tick = held(window, system)
    system.go_on.set()
    sent, write = list[int](), OpenGLBuffer.write

    def noting(buffer: OpenGLBuffer, data: memoryview, offset: int = 0) -> None:
        sent.append(len(data))
        write(buffer, data, offset)

    monkeypatch.setattr(OpenGLBuffer, "write", noting)
    while window.simulation.tick == tick:
        window.on_update(1 / 60)
    assert not sent
    window.on_draw()
    assert sent


def test_what_was_placed_during_a_tick_is_drawn_with_the_next_one(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    tick, count = held(window, system), window.painter.animals.count
    window.session.submit(Spawn(at(300, 200, prefab="green")))
    frames(window)
    assert window.painter.animals.count == count
    system.go_on.set()
    until(window, lambda: window.simulation.tick > tick)
    assert window.simulation.tick == tick + 1
    assert window.painter.animals.count == count + 1


def test_keyframes_of_long_ticks_are_those_of_short_ones(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    system.seconds = 0.01
    until(window, lambda: window.simulation.tick > 20)
    plain = window.session.document.again()
    for tick in (10, 20):  # one each second
        keyframe = window.session.document.timeline.branch.keyframe(tick)
        plain.step(10)
        with keyframe.simulation() as there:
            assert (keyframe.tick, there.digest()) == (tick, plain.digest())
    plain.close()


def test_what_goes_wrong_in_a_tick_is_raised(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    system.wrong = ValueError("as a test wants it")
    with pytest.raises(ValueError, match="as a test wants it"):
        until(window, lambda: False)
    system.wrong, tick = None, window.simulation.tick
    until(window, lambda: window.simulation.tick > tick)


def test_both_worlds_of_compare_seek_in_the_thread(slow: tuple[FlockWindow, Slow]) -> None:
    window, one = slow
    window.session.compare()
    comparison, other = window.session.document.comparison, Slow()
    assert comparison is not None
    comparison.simulation.world.enter()
    esper.add_processor(other)
    one.seconds = other.seconds = 0.02
    until(window, lambda: window.simulation.tick > 15)
    window.session.clock.paused = True
    for tick in (2, 14):  # from there, a keyframe at 10 is nearer
        window.session.playback.go(tick)
        frames(window)
        one.threads.clear()
        other.threads.clear()
        until(window, lambda: not window.session.playback.goes and comparison.timeline.tick == window.simulation.tick)
        assert window.simulation.tick == tick
        assert one.threads == other.threads == {"ticks"}
    window.session.clock.paused = False
    until(window, lambda: window.simulation.tick > 20)
    assert comparison.timeline.tick == window.simulation.tick


def test_both_worlds_of_compare_go_on_together(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    window.session.compare()
    system.seconds = 0.02
    comparison = window.session.document.comparison
    assert comparison is not None
    tick = window.simulation.tick
    until(window, lambda: window.simulation.tick >= tick + 3)
    assert abs(comparison.timeline.tick - window.simulation.tick) <= 1


def test_an_earlier_moment_is_sought_while_the_window_answers(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    system.seconds = 0.02
    until(window, lambda: window.simulation.tick >= 15)
    window.session.clock.paused = True
    window.session.playback.go(12)
    until(window, lambda: window.simulation.tick == 12 and not window.session.playback.goes)
    assert window.session.document.timeline.in_past


def test_who_goes_to_another_moment_is_told_how_far_it_is(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 100, velocity=(60, 0))), (900, 640), panels=["time bar"])
    system = slowed(window)
    system.seconds = 0.02
    until(window, lambda: window.simulation.tick >= 18)
    window.session.clock.paused = True
    until(window, lambda: not window.session.playback.runs)
    last = window.session.document.timeline.branch.last

    def texts() -> list[str]:
        window.on_update(0.1)  # panels without events are made 30 times a second
        return look(window).texts

    def goes(there: int) -> None:
        """Frames until it is there, the first while a tick runs."""
        held(window, system)
        seen = texts()
        assert window.simulation.tick < there
        assert f"On the way to 0:{there / 10:04.1f}: 0:{window.simulation.tick / 10:04.1f}" in seen
        assert "paused" not in seen
        system.go_on.set()
        until(window, lambda: not window.session.playback.goes)
        assert window.simulation.tick == there

    window.session.playback.go(8)
    goes(8)
    seen = texts()
    assert f"The past: 0:00.8 of 0:0{last / 10:.1f}" in seen
    assert "paused" in seen
    click_widget(window, icons.ICON_FA_FORWARD_FAST)
    goes(last)
    assert not any(text.startswith("On the way") for text in texts())


ENDLESS = """
class Stuck(System):
    phase = Phase.STEER

    def run(self, world):
        if world.tick == 3:
            while True:
                pass

def install(app: App) -> None:
    app.add_system(Stuck)
"""


@pytest.mark.parametrize("panel", ["", "explain", "pipeline"])
def test_a_mod_that_never_ends_is_named_and_can_be_stopped(open_on: OpenWindow, tmp_path: Path, panel: str) -> None:
    """Also while a panel tells of the next tick of the selected animal, for which it would wait."""
    in_thread = " and threading.current_thread().name == 'ticks':"  # a panel runs the tick, too
    python = "import threading\n" + ENDLESS.replace("== 3:", "== 3" + in_thread)
    library = named(write_mod(tmp_path, python))
    window = open_on(drifting(at(100, 100, velocity=(60, 0))), library=library, panels=[panel] * bool(panel))
    session = window.session
    session.selection.choose([1])
    until(window, lambda: session.asking.question)
    assert window.simulation.tick == 3
    assert session.asking.question is not None
    assert session.asking.question.title == "The mod lode does not end"
    x = session.camera.x
    session.camera.pan(20, 0)
    frames(window, 3)
    assert session.camera.x != x
    click_widget(window, "Stop the mod")
    until(window, lambda: window.simulation.tick > 5)
    (fault,) = window.simulation.mods.faults
    assert fault.sentence.startswith("lode: lode.py:9: it did not end, and was stopped")
    frames(window, 2)
    assert any("it did not end, and was stopped" in message.text for message in session.messages.log)


def endless(open_on: OpenWindow, folder: Path, python: str = ENDLESS, *others: Path) -> FlockWindow:
    """Open a window with a mod that never ends, and wait until a person is asked about it."""
    scene = drifting(at(100, 100, velocity=(60, 0)))
    window = open_on(scene, library=named(write_mod(folder, python), *others))
    until(window, lambda: window.session.asking.question)
    return window


def test_the_question_about_an_endless_mod_comes_again_some_seconds_after_it_was_answered(
    open_on: OpenWindow, tmp_path: Path
) -> None:
    window = endless(open_on, tmp_path)
    click_widget(window, "Wait")
    frames(window)
    assert not window.session.asking.waits
    until(window, lambda: window.session.asking.question)
    click_widget(window, "Stop the mod")
    until(window, lambda: window.simulation.tick > 5)


def test_the_question_about_a_slow_mod_goes_away_when_its_tick_ends(
    open_on: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticks, "ENDLESS", 300_000_000)
    slow = ENDLESS.replace("while True:\n                pass", "import time; time.sleep(1.5)")
    window = endless(open_on, tmp_path, slow)
    until(window, lambda: window.simulation.tick > 5)
    assert not window.session.asking.waits
    assert not window.simulation.mods.faults


COMPILES = """from sandbox.api import kernel

@kernel
def first(numbers):
    return numbers[numbers > 0].sum() + STAMP

@kernel
def second(numbers):
    return np.sort(numbers).mean() + STAMP

@kernel
def third(numbers):
    return np.linalg.norm(numbers) + np.median(numbers) + STAMP

class Compiles(System):
    phase = Phase.STEER

    def run(self, world):
        for each in (first, second, third):
            each(np.arange(9.0))

def install(app: App) -> None:
    app.add_system(Compiles)
"""


def test_nobody_is_asked_about_a_mod_whose_kernels_compile(
    open_on: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticks, "ENDLESS", 300_000_000)
    python = "import numpy as np\n" + COMPILES.replace("STAMP", str(time.time_ns()))  # in no cache yet
    window = open_on(drifting(at(100, 100)), library=named(write_mod(tmp_path, python)))
    asked = []

    def goes_on() -> bool:
        asked.append(window.session.asking.question)
        return window.simulation.tick > 5

    until(window, goes_on)
    assert asked.count(None) == len(asked)


SPINS = """from sandbox.api import kernel

@kernel
def spin(count):
    state = 1
    for _ in range(count):
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
    return state

class Stuck(System):
    phase = Phase.STEER

    def run(self, world):
        spin(1_200_000_000 if world.tick == 3 else 1)

def install(app: App) -> None:
    app.add_system(Stuck)
"""


def test_a_mod_with_a_kernel_that_lasts_is_named_and_is_stopped_when_the_kernel_ends(
    open_on: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_on(drifting(at(100, 100)), library=named(write_mod(tmp_path, SPINS)))
    until(window, lambda: window.simulation.tick)  # the kernel is compiled
    monkeypatch.setattr(ticks, "ENDLESS", 300_000_000)
    until(window, lambda: window.session.asking.question)
    click_widget(window, "Stop the mod")
    assert window.session.playback.runs
    frames(window, 3)
    until(window, lambda: window.simulation.tick > 5)
    (fault,) = window.simulation.mods.faults
    assert fault.sentence.startswith("lode: lode.py:17: it did not end, and was stopped")


def test_the_window_closes_although_a_mod_never_ends(open_on: OpenWindow, tmp_path: Path) -> None:
    window = endless(open_on, tmp_path)
    out = threading.Timer(15, lambda: window.session.playback.ticks.stop_mod())
    out.start()
    began = time.monotonic()
    window.on_close()
    assert time.monotonic() - began < 10
    out.cancel()
    assert window._leaving
    window._leaving = False
    window.session.playback.ticks.stop_mod()
    until(window, lambda: window.simulation.tick > 5)


def test_a_failing_panel_waits_with_its_stop_for_the_end_of_an_endless_tick(
    open_on: OpenWindow, tmp_path: Path
) -> None:
    panel = write_mod(tmp_path, with_panel("1 / 0"), "other")
    window = endless(open_on, tmp_path, ENDLESS, panel)
    out = threading.Timer(15, lambda: window.session.playback.ticks.stop_mod())
    out.start()
    began = time.monotonic()
    window.session.preferences.open.append("other.lodes")
    frames(window, 5)
    assert window.session.services.modding.faults
    assert time.monotonic() - began < 10
    out.cancel()
    window.session.asking.answer(0)
    until(window, lambda: window.simulation.tick > 5)
    assert {fault.mod for fault in window.simulation.mods.faults} == {"lode", "other"}


class Taken(Overlay):
    """Keeps what it saw when the world was last taken for the picture."""

    name, title, help = "taken", "Taken", "for a test"
    always = True

    def update(self, session: Session) -> None:
        self.table = session.simulation.world.table

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Nothing."""


def test_what_was_taken_for_the_picture_stays_as_it_is_while_a_tick_runs_also_in_compare(
    slow: tuple[FlockWindow, Slow],
) -> None:
    window, system = slow
    taken = Taken()
    window.session.app.overlays.append(taken)
    window.session.compare()
    system.seconds = 0.02
    tick = window.simulation.tick
    until(window, lambda: window.simulation.tick >= tick + 3)
    held(window, system)
    assert taken.table is window.simulation.world.table
    system.go_on.set()


@pytest.mark.parametrize("resumes", [False, True])
def test_what_is_shown_never_goes_back_from_a_single_tick(open_on: OpenWindow, resumes: bool) -> None:
    """The present tick is shown while it stands; the next one follows, singly or as time goes on."""
    window = open_on(drifting(at(100, 100, velocity=(60, 0))), (900, 640))
    slowed(window).seconds = 0.25
    session, seen = window.session, list[float]()
    session.clock.paused = False
    until(window, lambda: window.simulation.tick >= 3)
    session.clock.paused = True
    until(window, lambda: not session.playback.runs and not session.playback.due)
    session.playback.one_tick()
    first = window.simulation.tick + 1
    until(window, lambda: window.simulation.tick == first and not session.playback.runs)
    frames(window, 2)
    if resumes:
        session.clock.paused = False
    else:
        session.playback.one_tick()
    while window.simulation.tick < first + 1 + resumes:
        frames(window)
        seen.append(float(places(window.simulation.world, np.array([0]), session.clock.alpha)[0, 0]))
    assert seen[-1] - seen[0] >= 5
    assert min(np.diff(seen)) >= -0.01
