"""The timeline of the window: everything is recorded, and a person goes through it, acts in the past and returns."""

from __future__ import annotations

import re
from functools import partial
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import key
from PIL import Image

from sandbox.app.run_window import begun
from sandbox.app.session.playback import Playback
from sandbox.app.window import FlockWindow
from sandbox.cli.play import shown
from sandbox.design.scene import Entry, Scene
from sandbox.edit import Spawn
from sandbox.explain.explanation import explain
from sandbox.files.png import recording_in, with_recording
from sandbox.files.read_recording import open_recording
from sandbox.files.write_recording import write_recording
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.mods.run.running_mods import RunningMods
from sandbox.mods.run.upgrade import UseMods
from sandbox.past.branch import Branch
from sandbox.past.timeline import Timeline
from sandbox.physics import PHYSICS
from sandbox.render.animals import Drawing
from sandbox.render.tints import TINTS
from sandbox.simulation import Simulation

from . import widgets
from .conftest import OpenWindow, drifting, pixels, screen, send
from .fields import down, frame, up
from .mouse import click, hit, take, with_tools
from .test_charts import log_of
from .test_explain_panel import four
from .widgets import look

MODS = Path(__file__).parents[2] / "mods"
OLDER = Path(__file__).parents[1] / "examples"
TICK = 0.1  # s
SCENE = with_tools(Entry("red", 60), edges="wrap")


def timeline(window: FlockWindow) -> Timeline:
    return window.session.document.timeline


def playback(window: FlockWindow) -> Playback:
    return window.session.playback


def run(window: FlockWindow, ticks: int) -> None:
    """So many frames of a tick each, then the world stands."""
    window.session.clock.now = lambda: 0
    window.session.clock.paused = False
    for _ in range(ticks):
        window.on_update(TICK)
    window.session.clock.paused = True


def arrive(window: FlockWindow) -> None:
    """Frames until the moment that is wanted is reached."""
    window.on_update(TICK)
    for _ in range(1000):
        if not playback(window).goes:
            return
        window.on_update(TICK)
    raise AssertionError("it is never reached")


def press(window: FlockWindow, symbol: int, held: int = 0) -> None:
    hit(window, symbol, held)
    arrive(window)


def plain(tick: int, scene: Scene = SCENE) -> str:
    """The digest of a plain run."""
    with Simulation(scene, 1) as simulation:
        simulation.step(tick)
        return simulation.digest()


def bar(window: FlockWindow) -> tuple[float, float, float]:
    """Where the bar begins and ends, and the height of its track, pixels from the lower left."""
    left, low, right, high = look(window).boxes["##timeline"]
    return left + 4, right - 4, low + (high - low) / 3


def pixel(window: FlockWindow, tick: int) -> tuple[int, int]:
    """Where a tick stands on the bar."""
    left, right, y = bar(window)
    last = max(*(branch.last for branch in timeline(window).recording.branches), 100)
    return round(left + (right - left) * tick / last), round(y)


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    """A world of 10 ticks a second that has run for 200 of them and stands."""
    window = open_on(SCENE, (900, 500), panels=["time bar"])
    run(window, 200)
    assert window.simulation.tick == 200
    return window


def test_keys_go_by_ticks_and_seconds_and_to_both_ends(window: FlockWindow) -> None:
    ticks = []
    for symbol, held in (
        *((key.LEFT, 0), (key.LEFT, 0), (key.LEFT, key.MOD_SHIFT), (key.RIGHT, 0), (key.RIGHT, key.MOD_SHIFT)),
        *((key.HOME, 0), (key.LEFT, 0), (key.RIGHT, 0), (key.END, 0), (key.RIGHT, 0)),
    ):
        press(window, symbol, held)
        ticks.append(window.simulation.tick)
    assert ticks == [199, 198, 188, 189, 199, 0, 0, 1, 200, 201]
    assert window.simulation.digest() == plain(201)


def test_a_moment_looks_the_same_however_it_was_reached(window: FlockWindow) -> None:
    """By a tick, from a keyframe, which holds no previous places, or by running from one."""
    seen: dict[int, np.ndarray] = {}
    moved = False
    for symbol in (key.RIGHT, key.LEFT, key.LEFT, key.RIGHT, key.RIGHT, key.RIGHT, key.LEFT, key.LEFT):
        press(window, symbol)
        picture = pixels(window)
        window.gui.events.hidden = False
        same = seen.setdefault(window.simulation.tick, picture)
        assert (picture == same).all()
        moved |= (picture != seen[201]).any()
    assert sorted(seen) == [199, 200, 201, 202]
    assert moved


@pytest.mark.parametrize(("speed", "seconds"), [(10, 5), (50, 2), (100, 1), (200, 1)])
def test_time_runs_back_at_the_speed_that_is_set(window: FlockWindow, speed: int, seconds: int) -> None:
    window.session.clock.go_at(speed)
    playback(window).turn()
    before = window.simulation.tick
    for _ in range(60 * seconds):
        window.on_update(1 / 60)
    assert before - window.simulation.tick == pytest.approx(seconds * 10 * speed / 100, abs=1)


def test_a_key_that_goes_back_pauses(window: FlockWindow) -> None:
    window.session.clock.paused = False
    press(window, key.LEFT)
    assert window.session.clock.paused


def test_dragging_the_bar_scrubs(window: FlockWindow) -> None:
    window.session.clock.paused = False
    x, y = pixel(window, 50)
    send(window, ("on_mouse_motion", x, y, 0, 0), ("on_mouse_press", x, y, LEFT, 0))
    for tick in (50, 120, 20, 80):
        there, _ = pixel(window, tick)
        send(window, ("on_mouse_drag", there, y, there - x, 0, LEFT, 0))
        x = there
        for _ in range(3):
            window.on_draw()
            window.on_update(TICK)
        assert abs(window.simulation.tick - tick) <= 1
        assert window.simulation.digest() == plain(window.simulation.tick)
    send(window, ("on_mouse_release", x, y, LEFT, 0))
    window.on_draw()
    before = window.simulation.tick
    for _ in range(3):
        window.on_draw()
        window.on_update(TICK)
    assert window.simulation.tick == before  # also if time was running


def scrub(window: FlockWindow, begin: int, end: int) -> None:
    """Drag the playhead from a tick to another, and let go."""
    (x, y), (there, _) = pixel(window, begin), pixel(window, end)
    down(window, x, y)
    send(window, ("on_mouse_drag", there, y, there - x, 0, LEFT, 0))
    frame(window)
    up(window, there, y)
    arrive(window)


def test_after_scrubbing_time_stands_and_a_change_begins_a_new_branch(window: FlockWindow) -> None:
    window.session.clock.paused = False
    scrub(window, 200, 100)
    at = window.simulation.tick
    assert abs(at - 100) <= 1
    run(window, 0)
    assert window.session.messages.newest == (
        "This is the past, and time stands. Play on (Space). If you change something, a new branch begins here. "
        "Back to the present (End)."
    )
    click(window, 400, 300)
    for _ in range(3):
        window.on_update(TICK)
    assert (window.simulation.tick, timeline(window).in_past) == (at, False)
    assert [branch.last for branch in timeline(window).recording.branches] == [200, at]
    assert window.session.messages.newest.startswith("You changed the past")


def test_the_end_of_the_bar_is_the_present(window: FlockWindow) -> None:
    scrub(window, 200, 100)
    (x, y), (end, _) = pixel(window, 100), pixel(window, 200)
    down(window, x, y)
    send(window, ("on_mouse_drag", end - 4, y, end - 4 - x, 0, LEFT, 0))  # as near as a hand comes
    frame(window)
    up(window, end - 4, y)
    arrive(window)
    assert window.simulation.tick == 200
    assert window.session.messages.newest == "In the present again, and time stands. Play on (Space)."
    assert not any("past" in text.lower() for text in look(window).texts)


@pytest.mark.parametrize("there", [100, 200])
def test_that_time_stands_is_told_until_it_goes_on(window: FlockWindow, there: int) -> None:
    for tick in (100, there):
        playback(window).go(tick)
        arrive(window)
    assert "and time stands. Play on (Space)." in look(window).text
    hit(window, key.SPACE)
    window.on_update(0.01)
    assert "time stands" not in look(window).text
    assert not window.session.clock.paused


@pytest.mark.painted
def test_the_past_is_seen_around_the_world_and_its_end_is_told(window: FlockWindow) -> None:
    accent = [round(255 * share) for share in window.gui.theme.accent[:3]]

    def framed() -> bool:
        for _ in range(3):
            window.on_draw()
        there = np.abs(screen(window)[200:450].astype(int) - accent).max(-1) < 8
        return all(side.mean(0).max() > 0.9 for side in (there[:, :6], there[:, -6:]))

    assert not framed()
    scrub(window, 200, 190)
    assert framed()
    assert f"The past: 0:{window.simulation.tick / 10:04.1f} of 0:20.0" in look(window).texts
    hit(window, key.SPACE)
    while timeline(window).in_past:
        window.on_update(TICK)
    assert window.session.messages.newest == "In the present again."
    assert not framed()
    assert "tick 200" in look(window).texts


def test_a_mark_and_home_lead_into_the_past_and_stay_there_and_end_lets_time_run(window: FlockWindow) -> None:
    timeline(window).recording.note(timeline(window).branch, 70, "the last red dies")
    for there, tick in ((lambda: down(window, *pixel(window, 70)), 70), (lambda: hit(window, key.HOME), 0)):
        window.session.clock.paused = False
        there()
        up(window, *pixel(window, 70))
        arrive(window)
        for _ in range(3):
            window.on_update(TICK)
        assert window.simulation.tick == tick
    window.session.clock.paused = False
    press(window, key.END)
    for _ in range(3):
        window.on_update(TICK)
    assert window.simulation.tick > 200


def test_a_press_at_the_present_end_of_the_bar_does_not_stop_time(window: FlockWindow) -> None:
    window.session.clock.paused = False
    scrub(window, 200, 205)
    assert not window.session.clock.paused
    assert window.session.messages.newest == ""


def test_playing_replays_and_then_goes_on_living(window: FlockWindow) -> None:
    playback(window).go(150)
    arrive(window)
    assert "The past: 0:15.0 of 0:20.0" in look(window).texts
    run(window, 30)
    assert window.simulation.digest() == plain(180)
    assert timeline(window).branch.last == 200
    run(window, 40)
    assert (window.simulation.tick, timeline(window).branch.last) == (220, 220)
    assert window.simulation.digest() == plain(220)
    assert len(timeline(window).recording.branches) == 1
    assert "tick 220" in look(window).texts


def test_who_acts_in_the_past_takes_over_and_what_had_happened_is_kept(window: FlockWindow) -> None:
    playback(window).go(100)
    arrive(window)
    click(window, 400, 300)
    window.on_update(TICK)
    size = window.simulation.world.table.size
    assert size > 60
    assert not timeline(window).in_past
    assert "You changed the past" in window.session.messages.newest
    run(window, 30)
    changed = window.simulation.digest()
    assert changed != plain(130)
    first, second = timeline(window).recording.branches
    assert (first.last, second.last) == (200, 130)
    playback(window).go(first.last, first)
    arrive(window)
    assert window.simulation.digest() == plain(200)
    playback(window).go(second.last, second)
    arrive(window)
    assert window.simulation.digest() == changed
    assert window.simulation.world.table.size == size


@pytest.mark.parametrize(("paused", "below"), [(True, 0.5), (False, 4.5), (False, 8.5)])
def test_a_click_on_the_line_of_a_branch_or_near_it_goes_to_its_end_and_stays_there(
    window: FlockWindow, paused: bool, below: float
) -> None:
    playback(window).go(100)
    arrive(window)
    window.session.submit(Spawn(Entry("red", 5)))
    run(window, 10)
    window.session.clock.paused = paused
    x, _ = pixel(window, 190)
    _, _, _, high = look(window).boxes["##timeline"]
    y = round(high - below)
    down(window, x, y)
    up(window, x, y)
    arrive(window)
    for _ in range(3):
        window.on_update(TICK)
    assert (window.simulation.tick, window.simulation.digest()) == (200, plain(200))
    assert timeline(window).branch.last == 200


def test_a_click_where_the_end_of_a_branch_was_a_moment_ago_goes_there_and_tells_so_once(window: FlockWindow) -> None:
    """The end moves to the left while time goes on."""
    playback(window).go(100)
    arrive(window)
    window.session.submit(Spawn(Entry("red", 5)))
    run(window, 150)
    x, _ = pixel(window, 200)
    y = round(look(window).boxes["##timeline"][3] - 4.5)
    down(window, x + 16, y)
    up(window, x + 16, y)
    arrive(window)
    for _ in range(3):
        window.on_update(TICK)
    assert window.simulation.digest() == plain(200)
    told = [message.text for message in window.session.messages.log]
    assert told[-1] == "Back on the course that you left: it goes on from 0:20.0. Play on (Space)."
    assert told.count(told[-1]) == 1


def test_undo_in_the_past_takes_back_what_was_done_there(window: FlockWindow) -> None:
    window.session.submit(Spawn(Entry("red", 5)))
    run(window, 20)
    playback(window).go(210)
    arrive(window)
    assert window.simulation.world.table.size == 65
    hit(window, key.Z, key.MOD_CTRL)
    window.on_update(TICK)
    assert window.simulation.world.table.size == 60
    playback(window).go(199)
    arrive(window)
    assert window.simulation.digest() == plain(199)


def test_what_is_selected_stays_so_also_who_was_not_born_yet(window: FlockWindow) -> None:
    window.session.submit(Spawn(Entry("red", 1)))
    run(window, 20)
    window.session.selection.choose([3, 61])
    playback(window).go(100)
    arrive(window)
    assert window.session.selection.serials == (3,)
    playback(window).present()
    arrive(window)
    assert window.session.selection.serials == (3, 61)


def test_charts_show_the_past_and_what_happens_instead(window: FlockWindow) -> None:
    log = log_of(window)
    window.session.watch()
    playback(window).go(100)
    arrive(window)
    window.session.watch()
    assert log.now == pytest.approx(10.0)
    assert log.seconds[-1] == pytest.approx(20.0)
    window.session.submit(Spawn(Entry("red", 40)))
    window.on_update(TICK)
    assert (log.seconds[-1], log.column("population.red")[-1]) == (pytest.approx(10.0), 100)
    run(window, 20)
    assert np.diff(log.seconds) == pytest.approx(0.1)
    assert log.now == pytest.approx(12.0)


def test_a_world_that_nobody_saved_is_no_less_unsaved_in_the_past(window: FlockWindow) -> None:
    window.session.submit(Spawn(Entry("red", 5)))
    run(window, 10)
    playback(window).go(50)
    arrive(window)
    assert window.session.document.unsaved.some
    window.session.document.unsaved.saved()
    assert not window.session.document.unsaved.some
    window.session.submit(Spawn(Entry("red", 5)))
    window.on_update(TICK)
    assert window.session.document.unsaved.some


def test_m_marks_the_moment_and_a_click_on_the_mark_goes_there(window: FlockWindow) -> None:
    playback(window).go(70)
    arrive(window)
    press(window, key.M)
    assert list(timeline(window).recording.markers.values()) == ["Mark 1"]
    press(window, key.END)
    x, y = pixel(window, 70)
    send(window, ("on_mouse_motion", x + 3, y, 0, 0))
    look(window)
    assert "Mark 1, 0:07.0" in look(window).texts
    down(window, x + 3, y)
    up(window, x + 3, y)
    arrive(window)
    assert window.simulation.tick == 70
    press(window, key.M)
    assert timeline(window).recording.markers == {}


@pytest.mark.parametrize(("held", "pulled"), [(0, "pull with the hand"), (key.MOD_SHIFT, "scare with the hand")])
def test_what_was_done_is_told_at_its_dot(window: FlockWindow, held: int, pulled: str) -> None:
    def told(tick: int) -> list[str]:
        x, y = pixel(window, tick)
        send(window, ("on_mouse_motion", x, y, 0, 0))
        return look(window).texts

    window.session.submit(Spawn(Entry("red", 5)))
    run(window, 40)
    take(window, "hand")
    send(window, ("on_mouse_press", 400, 300, LEFT, held))
    for x in range(400, 420):
        send(window, ("on_mouse_drag", x, 300, 1, 0, LEFT, held))
        run(window, 1)
    send(window, ("on_mouse_release", 420, 300, LEFT, held))
    run(window, 40)
    assert "place red, 0:20.0" in told(200)
    assert f"{pulled}, 0:24.0" in told(240)
    for tick in (220, 250, 260):
        assert not any(text.startswith((pulled, "place")) for text in told(tick))


def test_a_recording_is_saved_and_opened_again(window: FlockWindow, tmp_path: Path) -> None:
    window.session.submit(Spawn(Entry("red", 5)))
    run(window, 50)
    press(window, key.M)
    ended = window.simulation.digest()
    press(window, key.R, key.MOD_CTRL | key.MOD_ALT)
    dialog = window.session.asking.dialog
    assert dialog is not None
    dialog.go(tmp_path)
    dialog.name = "mine"
    dialog.confirm()
    assert not window.session.asking.waits
    assert not window.session.document.unsaved.some
    send(window, ("on_file_drop", 5, 5, [str(tmp_path / "mine.boids")]))
    window.on_update(0)
    assert "opened mine.boids" in window.session.messages.newest
    assert (window.simulation.tick, timeline(window).branch.last) == (0, 250)
    assert window.simulation.digest() == plain(0)
    press(window, key.END)
    assert window.simulation.digest() == ended
    assert list(timeline(window).recording.markers.values()) == ["Mark 1"]
    assert timeline(window).differs is None
    window.session.clock.paused = True
    press(window, key.R)
    assert (window.simulation.tick, timeline(window).in_past) == (0, False)


def test_a_drag_that_begins_on_a_mark_goes_on_from_there(window: FlockWindow) -> None:
    recording = timeline(window).recording
    recording.note(timeline(window).branch, 70, "the last red dies")
    x, y = pixel(window, 70)
    send(window, ("on_mouse_motion", x, y, 0, 0))
    assert "the last red dies, 0:07.0" in look(window).texts
    send(window, ("on_mouse_press", x, y, LEFT, 0))
    window.on_draw()
    arrive(window)
    assert window.simulation.tick == 70
    there, _ = pixel(window, 150)
    send(window, ("on_mouse_drag", there, y, there - x, 0, LEFT, 0))
    for _ in range(3):
        window.on_draw()
        window.on_update(TICK)
    assert abs(window.simulation.tick - 150) <= 1
    send(window, ("on_mouse_release", there, y, LEFT, 0))
    window.on_draw()
    press(window, key.END)
    press(window, key.M)
    assert [*recording.markers.values()] == ["the last red dies", "Mark 1"]


@pytest.fixture
def screenshot(window: FlockWindow, tmp_path: Path) -> Path:
    """What F2 makes at tick 120 of a branch that left the other at 90, and that has come to 140."""
    playback(window).go(90)
    arrive(window)
    window.session.submit(Spawn(Entry("red", 5)))
    run(window, 50)
    playback(window).go(120)
    arrive(window)
    window.shots.folder = tmp_path
    press(window, key.F2)
    window.jobs.finish()
    assert window.session.messages.newest == f"saved screenshot {tmp_path / 'drifting-120.png'}"
    return tmp_path / "drifting-120.png"


def test_a_screenshot_leads_back_to_its_moment(window: FlockWindow, screenshot: Path) -> None:
    before = window.simulation.digest()
    window.session.document.unsaved.saved()
    window.session.clock.paused = False
    send(window, ("on_file_drop", 5, 5, [str(screenshot)]))
    arrive(window)
    assert (window.simulation.tick, window.simulation.digest()) == (120, before)
    assert window.session.clock.paused
    assert timeline(window).branch is timeline(window).recording.branches[1]
    assert [branch.last for branch in timeline(window).recording.branches] == [200, 140]
    press(window, key.END)
    assert window.simulation.tick == 140
    playback(window).go(200, timeline(window).recording.branches[0])
    arrive(window)
    assert window.simulation.digest() == plain(200)
    assert timeline(window).differs is None
    assert not window.session.document.unsaved.some


def of_another_version(recording: bytes) -> bytes:
    """The same recording, as a version wrote it in which ticks are others."""
    with ZipFile(BytesIO(recording)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["recording.json"] = members["recording.json"].replace(
        b'"physics": %d' % PHYSICS, b'"physics": %d' % (PHYSICS + 1)
    )
    with ZipFile(content := BytesIO(), "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


@pytest.mark.parametrize("done", [False, True])
def test_a_version_in_which_ticks_are_others_shows_the_moment_of_a_screenshot(
    window: FlockWindow, screenshot: Path, done: bool
) -> None:
    if done:  # then it shows the last keyframe before, that of tick 120
        playback(window).go(125)
        arrive(window)
        window.session.submit(Spawn(Entry("red", 5)))
        window.on_update(0)
        press(window, key.F2)
        window.jobs.finish()
        screenshot = screenshot.with_stem("drifting-125")
    Image.new("RGB", (8, 8)).save(plain := BytesIO(), "PNG")
    screenshot.write_bytes(with_recording(plain.getvalue(), of_another_version(recording_in(screenshot))))
    playback(window).go(120, timeline(window).recording.branches[1])
    arrive(window)
    before = window.simulation.digest()
    window.session.document.unsaved.saved()
    send(window, ("on_file_drop", 5, 5, [str(screenshot)]))
    arrive(window)
    assert "recorded with another version" in window.session.messages.newest
    assert (window.simulation.tick, window.simulation.digest()) == (120, before)


def test_a_screenshot_is_chosen_to_be_opened(window: FlockWindow, screenshot: Path) -> None:
    window.session.document.unsaved.saved()
    hit(window, key.O, key.MOD_CTRL)
    dialog = window.session.asking.dialog
    assert dialog is not None
    dialog.go(screenshot.parent)
    assert screenshot.name not in [entry.name for entry in dialog.entries]
    dialog.show_kind(next(kind for kind in dialog.kinds if ".png" in kind.suffixes))
    dialog.enter([entry.name for entry in dialog.entries].index(screenshot.name))
    arrive(window)
    assert (window.simulation.tick, timeline(window).in_past) == (120, True)


def test_a_picture_of_something_else_is_refused_and_the_world_stays(window: FlockWindow, tmp_path: Path) -> None:
    Image.new("RGB", (8, 8)).save(tmp_path / "holiday.png")
    window.filing.ask_open()
    dialog = window.session.asking.dialog
    assert dialog is not None
    dialog.folder, dialog.name = tmp_path, "holiday.png"
    dialog.confirm()
    assert "holiday.png: this picture holds no recording" in dialog.wrong
    assert window.simulation.tick == 200


def test_a_screenshot_of_too_long_a_recording_is_made_without(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(Entry("red", 100_000)))
    window.shots.folder = tmp_path
    press(window, key.F2)
    window.jobs.finish()
    said = window.session.messages.newest
    assert re.search(r"without its recording, .*: the recording has \d\.\d MB, and a picture holds at most 2 MB$", said)
    with Image.open(tmp_path / "drifting-0.png") as picture:
        assert picture.size == (640, 360)
    with pytest.raises(ValueError, match="holds no recording"):
        open_recording(tmp_path / "drifting-0.png", NO_MODS)


def test_a_damaged_recording_is_refused_and_the_world_stays(window: FlockWindow, tmp_path: Path) -> None:
    path = tmp_path / "broken.boids"
    path.write_bytes(b"PK\x03\x04 nothing")
    send(window, ("on_file_drop", 5, 5, [str(path)]))
    assert window.session.messages.log[-1].wrong
    assert window.simulation.tick == 200


def test_a_recording_of_an_older_version_plays_from_keyframe_to_keyframe(window: FlockWindow) -> None:
    send(window, ("on_file_drop", 5, 5, [str(OLDER / "older-physics.boids")]))
    assert "recorded with another version: only some moments of it can be shown" in window.session.messages.newest
    window.session.clock.now, window.session.clock.paused = lambda: 0, False
    seen = set()
    for _ in range(2):
        window.on_update(1 / 60)
        seen.add(window.simulation.tick)
    assert seen == {60, 120}
    without = OLDER / "older-physics-without-keyframes.boids"
    send(window, ("on_file_drop", 5, 5, [str(without)]))
    assert "it has no keyframes to show" in window.session.messages.newest
    assert window.simulation.tick == 120


@pytest.mark.parametrize("plays", [False, True])
def test_the_last_moment_that_is_known_of_another_version_is_no_past(
    window: FlockWindow, tmp_path: Path, plays: bool
) -> None:
    run(window, 5)
    path = tmp_path / "mine.boids"
    write_recording(timeline(window), path)
    path.write_bytes(of_another_version(path.read_bytes()))
    window.session.document.unsaved.saved()
    send(window, ("on_file_drop", 5, 5, [str(path)]))
    window.session.clock.paused = True
    arrive(window)
    assert "The past: 0:00.0 of 0:20.5" in look(window).texts
    if plays:
        window.session.clock.paused = False
        while window.simulation.tick < 200:
            window.on_update(1 / 60)
        window.session.clock.paused = True
        window.on_update(TICK)
    else:
        press(window, key.END)
    assert window.simulation.tick == 200
    assert not any("past" in text.lower() for text in look(window).texts)
    assert window.session.messages.newest.startswith("In the present again")
    window.session.clock.paused = False
    window.on_update(TICK)
    assert window.simulation.tick == 201


def test_a_loop_plays_again_and_again_to_the_tick(window: FlockWindow) -> None:
    playback(window).go(100)
    arrive(window)
    press(window, key.L)
    playback(window).go(103)
    arrive(window)
    press(window, key.L)
    window.session.clock.paused, seen = False, []
    for _ in range(9):
        window.on_update(TICK)
        seen.append(window.simulation.tick)
    assert seen == [100, 101, 102, 103, 100, 101, 102, 103, 100]
    assert window.simulation.digest() == plain(100)
    press(window, key.L)
    assert playback(window).loop is None


def test_time_runs_backwards_to_the_beginning_and_stands_there(window: FlockWindow) -> None:
    playback(window).go(25)
    arrive(window)
    press(window, key.SPACE, key.MOD_SHIFT)
    for _ in range(4):
        window.on_update(TICK)
    assert window.simulation.tick < 25
    assert window.simulation.digest() == plain(window.simulation.tick)
    window.session.clock.speed = 400
    for _ in range(60):
        window.on_update(TICK)
    assert (window.simulation.tick, window.session.clock.paused, playback(window).backwards) == (0, True, False)
    press(window, key.SPACE)
    window.on_update(TICK)
    assert window.simulation.tick > 0


def test_the_past_can_be_explained_and_overlays_show_it(open_on: OpenWindow) -> None:
    window = open_on(four(), (1100, 640), panels=["explain", "time bar", "pipeline"])
    window.session.selection.choose([1])
    window.session.shown.update(("trails", "heat", "vectors"))
    words = {}
    run(window, 40)
    for tick in (0, 20, 40):
        with Simulation(four(), 1) as simulation:
            simulation.step(tick)
            words[tick] = explain(simulation, 1).as_json()
    for tick in (40, 20, 0, 40):
        playback(window).go(tick)
        arrive(window)
        window.on_draw()
        assert f"tick {tick}" in look(window).texts
        assert explain(window.simulation, 1).as_json() == words[tick]
    assert [message.text for message in window.session.messages.log if message.wrong] == []


def test_arrows_walk_through_explain_while_it_has_the_focus(open_on: OpenWindow) -> None:
    window = open_on(four(), (1100, 640), panels=["explain", "time bar"])
    window.session.selection.choose([1])
    run(window, 20)
    look(window)
    widgets.click(window, next(label for label in look(window).places if label.endswith("##next")))
    before = window.simulation.tick
    press(window, key.LEFT)
    assert window.simulation.tick == before
    widgets.click(window, "##timeline")
    arrive(window)
    before = window.simulation.tick
    press(window, key.LEFT)
    assert window.simulation.tick == before - 1


def test_mods_come_and_go_with_the_moment_that_is_shown(open_on: OpenWindow, tmp_path: Path) -> None:
    """Another simulation takes the place of the one that was shown, and nobody is asked."""
    trust = Trust(tmp_path / "trust.toml")
    library = Library(trust, [MODS / "magnet"])
    library.look()
    window = open_on(SCENE, (900, 500), panels=["time bar"], library=Library(trust))
    run(window, 30)
    window.session.selection.choose([3])
    window.session.submit(UseMods(library.loaded))
    run(window, 30)
    assert [*window.simulation.mods.mods] == ["magnet"]
    window.modding.library.enable("magnet")
    ended = window.simulation.digest()
    shown = window.simulation
    playback(window).go(10)
    arrive(window)
    assert window.simulation is not shown
    assert not window.simulation.mods.mods
    assert window.simulation.digest() == plain(10)
    assert window.session.selection.serials == (3,)
    assert len(timeline(window).recording.branches) == 1
    playback(window).present()
    arrive(window)
    assert window.simulation.digest() == ended
    assert not window.session.asking.waits
    assert len(timeline(window).recording.branches) == 1


@pytest.mark.parametrize(("at", "tick"), [(None, 0), ("0", 0), ("120", 120), ("5.04s", 50), ("20s", 200)])
def test_boids_play_opens_a_recording(window: FlockWindow, tmp_path: Path, at: str | None, tick: int) -> None:
    path = tmp_path / "mine.boids"
    write_recording(timeline(window), path)
    library = Library(Trust(tmp_path / "trust.toml"))
    make = partial(shown, str(path), None, None, library, at)
    opened = begun(str(path), make, library, RunningMods(tmp_path / "running"))
    try:
        if at is not None:
            arrive(opened)
        assert (opened.simulation.tick, timeline(opened).branch.last) == (tick, 200)
        assert opened.session.clock.paused == (at is not None)
        assert opened.simulation.digest() == plain(tick)
        assert opened.session.document.file is None
        press(opened, key.END)
        assert opened.simulation.digest() == plain(200)
        opened.session.clock.paused = True
        press(opened, key.R)
        assert (opened.simulation.tick, timeline(opened).in_past) == (0, False)
    finally:
        opened.close()


def test_branches_share_what_came_before_they_part() -> None:
    first = Branch(None, 0, 200)
    second, fourth = first.left_at(100), first.left_at(50)
    second.last, fourth.last = 150, 300
    third = second.left_at(120)
    third.last = 180
    for one, other, shared in (
        *((first, second, 100), (first, third, 100), (second, third, 120), (third, fourth, 50), (first, fourth, 50)),
        *((first, first, 200), (third, third, 180)),
    ):
        assert one.parting(other) == other.parting(one) == shared


def colour(window: FlockWindow) -> str:
    """What the animals on the screen are coloured by."""
    legend = window.simulation.world.resource(Drawing).legend
    return legend.name if legend else "species"


def past_in(window: FlockWindow, tick: int, presses: int) -> None:
    """Go to a tick, and press B so often."""
    playback(window).go(tick)
    arrive(window)
    for _ in range(presses):
        hit(window, key.B)
        window.on_update(0.0)


def test_colouring_the_past_is_only_another_look_at_it(window: FlockWindow) -> None:
    past_in(window, 50, 2)
    assert colour(window) == "speed"
    for tick in (20, 60, 61):
        playback(window).go(tick)
        arrive(window)
        assert colour(window) == "speed"
    assert window.simulation.digest() == plain(61)
    playback(window).go(199)
    arrive(window)
    run(window, 13)
    assert (window.simulation.tick, colour(window)) == (212, "speed")
    assert len(timeline(window).recording.branches) == 1
    assert timeline(window).branch.commands == []
    assert not window.session.document.unsaved.some
    render = window.simulation.pipeline.by_name["render"]
    assert render.stored["colour"] == 0
    hit(window, key.B)
    run(window, 1)
    assert (colour(window), render.stored["colour"]) == ("energy", TINTS.index("energy"))
    assert len(timeline(window).branch.commands) == 1
    window.session.act("colour_energy")
    run(window, 1)
    assert len(timeline(window).branch.commands) == 1


def test_undo_takes_back_another_look_at_the_past_and_nothing_that_is_recorded(window: FlockWindow) -> None:
    window.session.submit(Spawn(Entry("red", 5)))
    run(window, 20)
    past_in(window, 210, 2)
    hit(window, key.Z, key.MOD_CTRL)
    window.on_update(TICK)
    assert colour(window) == "species"
    assert window.simulation.world.table.size == 65
    assert len(timeline(window).recording.branches) == 1


def test_what_begins_in_a_past_that_is_coloured_otherwise_knows_nothing_of_that(window: FlockWindow) -> None:
    past_in(window, 95, 1)
    window.session.submit(Spawn(Entry("red", 5)))
    run(window, 25)
    assert colour(window) == "heading"
    assert [done.tick for done in timeline(window).branch.commands] == [95]
    keyframe = timeline(window).branch.keyframe(115)
    assert keyframe.tick > 95
    assert keyframe.simulation().pipeline.by_name["render"].stored["colour"] == 0


def test_colours_of_compared_worlds_take_no_future_from_either(window: FlockWindow) -> None:
    playback(window).go(100)
    arrive(window)
    window.session.act("compare")
    window.on_update(0.0)
    window.session.work_on(True)
    branches = list(timeline(window).recording.branches)
    hit(window, key.B)
    run(window, 2)
    assert colour(window) == "heading"
    assert timeline(window).recording.branches == branches
    assert branches[0].last == 200


def test_colours_leave_the_past_of_an_older_recording(open_on: OpenWindow) -> None:
    window = open_on(SCENE, (900, 500), panels=["time bar"])
    send(window, ("on_file_drop", 5, 5, [str(OLDER / "older-physics.boids")]))
    for _ in range(3):
        window.on_update(0.0)
    press(window, key.END)
    last = window.simulation.tick
    hit(window, key.B)
    window.on_update(0.0)
    assert colour(window) == "heading"
    assert (timeline(window).recording.first, timeline(window).branch.last) == (0, last)


def test_screenshots_in_quick_succession_are_all_kept(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(Entry("red", 20_000)), (640, 360))
    window.shots.folder = tmp_path
    for _ in range(3):
        hit(window, key.F2)
    window.jobs.finish()
    assert len(list(tmp_path.glob("*.png"))) == 3
