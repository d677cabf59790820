"""Two worlds side by side: the same to the last bit until something is changed in one of them."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest
from arcade import key

import sandbox
from sandbox.app.document.comparison import Comparison, named_differences
from sandbox.app.drawing.glide import SECONDS
from sandbox.app.session import playback
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry, Scene
from sandbox.edit import SetEnabled, SetField, SetParameter, SetResource, Spawn
from sandbox.files.read_recording import open_recording
from sandbox.files.write_recording import write_recording
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.render.followed import followed
from sandbox.scenes.bundled import find_scene
from sandbox.scenes.reader import read_scene
from sandbox.simulation import Simulation

from .conftest import OpenWindow, at, drifting, middle, places, screen, send
from .modded import named, with_overlay, write_mod
from .mouse import click, hit, point
from .test_timeline import down, pixel, up
from .widgets import click as click_widget
from .widgets import look

TICK = 0.1  # s
BESIDE, STACKED = (1200, 400), (900, 600)  # windows in which two worlds are larger side by side, or stacked
in_both = pytest.mark.parametrize("size", [BESIDE, STACKED], ids=["beside", "stacked"])
FASTER = SetField("Motion.max_speed", 5.0, prefab="red")
FASTER_PREY = SetField("Motion.max_speed", 5.0, prefab="prey")


def flock() -> Scene:
    return drifting(Entry("red", 30), Entry("green", 10))


def run(window: FlockWindow, ticks: int) -> None:
    for _ in range(ticks):
        window.on_update(TICK)


def compared(
    open_on: OpenWindow, ticks: int = 5, scene: Scene | None = None, size: tuple[int, int] = BESIDE
) -> tuple[FlockWindow, Comparison]:
    """A window in which two worlds are compared since this tick."""
    window = open_on(scene or flock(), size, panels=["palette"])
    window.session.clock.now = lambda: 0
    run(window, ticks)
    window.session.act("compare")
    comparison = window.session.document.comparison
    assert comparison is not None
    look(window)
    return window, comparison


def digest_of(ticks: int, *changes: tuple[int, object]) -> str:
    """That of a plain run with these commands, each after a tick."""
    with Simulation(flock(), 1) as simulation:
        for tick, command in changes:
            simulation.step(tick - simulation.tick)
            simulation.submit(command)  # type: ignore[arg-type]
            simulation.settle_commands()
        simulation.step(ticks - simulation.tick)
        return simulation.digest()


def test_both_stay_equal_to_the_last_bit_while_nothing_is_changed(open_on: OpenWindow) -> None:
    window, comparison = compared(open_on)
    run(window, 40)
    assert comparison.simulation is not window.simulation
    assert comparison.simulation.tick == window.simulation.tick == 45
    assert comparison.simulation.digest() == window.simulation.digest() == digest_of(45)


def test_what_is_changed_on_one_side_leaves_the_other_as_it_is(open_on: OpenWindow) -> None:
    window, comparison = compared(open_on)
    window.session.work_on(True)
    window.session.submit(FASTER)
    run(window, 40)
    assert window.simulation.digest() == digest_of(45, (5, FASTER))
    assert comparison.simulation.digest() == digest_of(45)
    window.session.work_on(False)
    assert window.simulation.digest() == digest_of(45)
    assert [*named_differences(window.simulation.world, comparison.simulation.world)] == ["red: max speed 1000 | 5"]
    assert "red: max speed 1000 | 5" in look(window).texts


def test_what_is_changed_on_both_sides_is_the_same_in_both(open_on: OpenWindow) -> None:
    window, comparison = compared(open_on)
    click_widget(window, "Change both##comparison")
    window.session.submit(FASTER)
    window.session.submit(Spawn(Entry("red", 5)))
    run(window, 20)
    window.session.document.undo()
    run(window, 20)
    assert comparison.simulation.digest() == window.simulation.digest()
    assert window.simulation.world.table.size == 40


def test_differences_are_named_in_the_words_of_the_inspector(open_on: OpenWindow) -> None:
    window, comparison = compared(open_on)
    window.session.work_on(True)
    changes = (
        FASTER,
        SetEnabled("flocking", False),
        SetResource("Settings.edges", "turn"),
        SetParameter("commit", "reorder_every", 9),
    )
    for command in changes:
        window.session.submit(command)
    run(window, 1)
    left, right = comparison.simulation.world, window.simulation.world
    assert [*named_differences(left, right)] == [
        "red: max speed 1000 | 5",
        "edges wrap | turn",
        "flocking: on | off",
        "commit: reorder every 120 | 9",
    ]


def test_who_hunts_everyone_is_said_to(open_on: OpenWindow) -> None:
    one, other = sandbox.load("pasture"), sandbox.load("pasture")
    other.submit(SetField("Predator.hunts", [], prefab="wolf"))
    other.settle_commands()
    assert [*named_differences(one.world, other.world)] == ["wolf: hunts sheep | everyone"]
    one.close()
    other.close()


def test_both_are_coloured_alike(open_on: OpenWindow) -> None:
    window, comparison = compared(open_on)
    window.session.act("colours")
    run(window, 1)
    colours = [
        simulation.pipeline.by_name["render"].stored for simulation in (window.simulation, comparison.simulation)
    ]
    assert colours[0] == colours[1]
    assert colours[0] != Simulation(flock(), 1).pipeline.by_name["render"].stored
    assert [*named_differences(window.simulation.world, comparison.simulation.world)] == []


@in_both
def test_a_click_on_the_other_world_has_one_work_on_it(open_on: OpenWindow, size: tuple[int, int]) -> None:
    window, comparison = compared(open_on, size=size)
    window.session.clock.paused = True
    there = in_other_half(window, 320, 180)
    before = window.simulation
    click(window, *there)
    run(window, 1)
    assert comparison.works_right
    assert window.simulation is not before
    assert window.simulation.world.table.size == before.world.table.size == 40
    look(window)
    click(window, *there)  # now the tool in hand is used
    run(window, 1)
    assert window.simulation.world.table.size > before.world.table.size
    place = window.session.camera.to_world(*there)
    assert place == pytest.approx((320, 180), abs=2)


def test_going_back_takes_both_back(open_on: OpenWindow) -> None:
    window, comparison = compared(open_on)
    window.session.work_on(True)
    window.session.submit(FASTER)
    run(window, 40)
    for tick in (20, 2, 33, 45):
        window.session.playback.go(tick)
        window.session.clock.paused = True
        while window.session.playback.goes or comparison.simulation.tick != tick:
            run(window, 1)
        assert window.simulation.tick == comparison.simulation.tick == tick
        assert comparison.simulation.digest() == digest_of(tick)
        changes = [(5, FASTER)] if tick > 5 else []
        assert window.simulation.digest() == digest_of(tick, *changes)


@in_both
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("end", ["key", "first", "second"])
def test_ending_it_keeps_the_first_world_unless_the_second_is_asked_for_and_the_other_one_as_a_branch(
    open_on: OpenWindow, end: str, right: bool, size: tuple[int, int]
) -> None:
    window, comparison = compared(open_on, size=size)
    window.session.work_on(True)
    window.session.submit(FASTER)
    run(window, 10)
    window.session.work_on(right)
    sides = ("upper", "lower") if comparison.stacked else ("left", "right")
    kept, lost = sides[::-1] if end == "second" else sides
    if end == "key":
        hit(window, key.C)
    else:
        click_widget(window, f"Keep {kept}##comparison")
    assert window.session.document.comparison is None
    assert window.session.messages.newest.startswith(f"The {kept} world goes on. The {lost} one is kept")
    ends = [digest_of(15), digest_of(15, (5, FASTER))]
    assert window.simulation.digest() == ends[end == "second"]
    timeline = window.session.document.timeline
    (other,) = [branch for branch in timeline.recording.branches if branch is not timeline.branch]
    window.session.clock.paused = True
    window.session.playback.go(15, other)
    run(window, 2)
    assert window.simulation.tick == 15
    assert window.simulation.digest() == ends[end != "second"]


@pytest.mark.parametrize("end", ["compare", "keep_second"])
def test_what_was_changed_in_the_same_frame_is_kept_too(open_on: OpenWindow, end: str) -> None:
    window, _ = compared(open_on)
    window.session.work_on(end == "compare")
    window.session.submit(FASTER)
    window.session.act(end)
    timeline = window.session.document.timeline
    (other,) = [branch for branch in timeline.recording.branches if branch is not timeline.branch]
    assert [done.command for done in other.own] == [FASTER]
    assert window.session.document.unsaved.some


def test_a_comparison_in_which_nothing_happened_leaves_no_branch(open_on: OpenWindow) -> None:
    window, _ = compared(open_on)
    window.session.act("compare")
    assert len(window.session.document.timeline.recording.branches) == 1
    assert not window.session.messages.log  # there is nothing to tell
    run(window, 3)
    assert window.simulation.digest() == digest_of(window.simulation.tick)


def test_a_branch_on_which_both_worlds_are_stays(open_on: OpenWindow, tmp_path: Path) -> None:
    window, comparison = compared(open_on)
    window.session.clock.paused = True
    window.session.playback.return_to(comparison.timeline.branch)
    run(window, 2)
    window.session.act("compare")
    run(window, 2)
    assert window.session.document.timeline.branch in window.session.document.timeline.recording.branches
    write_recording(window.session.document.timeline, tmp_path / "it.boids")


def test_a_click_on_the_line_of_the_other_world_has_one_work_on_it(open_on: OpenWindow) -> None:
    window = open_on(flock(), (900, 500), panels=["time bar"])
    window.session.clock.now = lambda: 0
    run(window, 190)
    window.session.clock.paused = True
    window.session.act("compare")
    run(window, 1)
    comparison = window.session.document.comparison
    assert comparison is not None
    x, _ = pixel(window, 190)
    high = look(window).boxes["##timeline"][3]
    down(window, x, round(high - 4.5))
    up(window, x, round(high - 4.5))
    run(window, 2)
    assert comparison.works_right
    assert window.session.document.timeline.branch is not comparison.timeline.branch


def test_who_works_on_the_copy_from_the_first_tick_on_keeps_the_whole_recording(
    open_on: OpenWindow, tmp_path: Path
) -> None:
    window, _ = compared(open_on, ticks=0)
    window.session.work_on(True)
    window.session.act("keep_second")
    run(window, 3)
    write_recording(window.session.document.timeline, tmp_path / "it.boids")
    again = open_recording(tmp_path / "it.boids", NO_MODS)
    assert again.branch.last == 3
    again.close()


@pytest.mark.long_ticks
@pytest.mark.parametrize("over_frames", [False, True])
@pytest.mark.parametrize("right", [False, True])
def test_the_world_that_is_left_is_freed(
    open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch, right: bool, over_frames: bool
) -> None:
    monkeypatch.setattr(playback, "LONG", -1 if over_frames else 10**12)
    window, comparison = compared(open_on)
    window.session.work_on(right)
    run(window, 5)
    window.session.clock.paused = True
    run(window, 2)
    left = [weakref.ref(comparison.simulation), weakref.ref(comparison.simulation.world.table)]
    window.session.act("keep_second" if right else "compare")
    del comparison
    run(window, 2)
    gc.collect()
    assert [each() for each in left] == [None, None]


def test_an_edit_of_the_world_that_went_on_is_asked_about(open_on: OpenWindow) -> None:
    window, _ = compared(open_on)
    window.session.work_on(True)
    window.session.act("keep_second")
    run(window, 1)
    window.session.submit(FASTER)
    send(window, ("on_close",))
    assert "Save the changes?" in look(window).text


def test_opening_another_world_ends_it(open_on: OpenWindow) -> None:
    window, _ = compared(open_on)
    window.filing.restart()
    run(window, 2)
    assert window.session.document.comparison is None
    look(window)


@pytest.mark.parametrize("size", [(1, 1), (320, 240), (1900, 300)])
def test_it_fits_any_window(open_on: OpenWindow, size: tuple[int, int]) -> None:
    window, comparison = compared(open_on)
    window.session.preferences.open[:] = ["palette", "inspector", "charts"]
    send(window, ("on_resize", *size))
    for right in (False, True):
        window.session.work_on(right)
        look(window, 4)
        seam = window.session.camera.seam(right, comparison.stacked)
        assert 0 <= seam <= size[1 if comparison.stacked else 0]
        assert min(window.session.camera.uncovered()) >= 0


@pytest.mark.painted
@in_both
@pytest.mark.parametrize("hides", [False, True])
def test_each_half_shows_its_world_with_panels_or_without(
    open_on: OpenWindow, hides: bool, size: tuple[int, int]
) -> None:
    window, comparison = compared(open_on, 0, drifting(at(320, 180, (0, 0)), size=40), size)
    window.session.clock.paused = True
    window.session.work_on(True)
    window.session.submit(SetField("Look.colour", "#00ff00", prefab="red"))
    run(window, 1)
    if hides:
        window.session.act("hide")
    look(window)
    assert comparison.stacked == (size == STACKED)
    assert (window.session.camera.insets == ((0, 0, 0, 300) if comparison.stacked else (600, 0, 0, 0))) == hides
    window.switch_to()
    window.on_draw()
    pixels = screen(window).astype(int)
    places = in_other_half(window, 320, 180), window.session.camera.project((320, 180))
    seen = [pixels[round(y), round(x)] for x, y in places]
    assert seen[0][0] > 150 > seen[0][1]
    assert seen[1][1] > 150 > seen[1][0]


def in_other_half(window: FlockWindow, x: float, y: float) -> tuple[int, int]:
    """The pixel at which the half that one doesn't work on shows a place."""
    comparison = window.session.document.comparison
    assert comparison is not None
    (right, up), pixel = _away(window.session.camera.free, comparison), window.session.camera.project((x, y))
    return round(pixel[0] + right), round(pixel[1] + up)


def _away(free: tuple[float, float], comparison: Comparison) -> tuple[float, float]:
    """The way to the other half: the right one is at the right, the lower one below."""
    if comparison.stacked:
        return 0.0, free[1] if comparison.works_right else -free[1]
    return -free[0] if comparison.works_right else free[0], 0.0


@in_both
@pytest.mark.parametrize("right", [False, True])
def test_the_wheel_zooms_about_the_mouse_in_either_half(
    open_on: OpenWindow, right: bool, size: tuple[int, int]
) -> None:
    window, _ = compared(open_on, size=size)
    window.session.work_on(right)
    look(window)
    window.session.camera.zoom_at(*window.session.camera.project((320, 180)), 2.0)
    before = in_other_half(window, 300, 200)
    send(window, ("on_mouse_scroll", *before, 0, 2))
    assert in_other_half(window, 300, 200) == pytest.approx(before, abs=1)


@in_both
@pytest.mark.parametrize("right", [False, True])
def test_what_is_pasted_comes_where_the_mouse_is_in_either_half(
    open_on: OpenWindow, right: bool, size: tuple[int, int]
) -> None:
    window, _ = compared(open_on, 0, drifting(at(100, 100)), size)
    window.session.work_on(right)
    window.session.clock.paused = True
    look(window)
    window.session.camera.zoom_at(*window.session.camera.project((320, 180)), 1.5)
    window.session.selection.choose([1])
    window.session.act("copy")
    point(window, *in_other_half(window, 300, 200))
    window.session.act("paste")
    run(window, 1)
    table = window.simulation.world.table
    places = table.stacked("Position", table.rows_of(np.array([1, 2])))
    assert places.tolist() == [[100, 100], [pytest.approx(300, abs=2), pytest.approx(200, abs=2)]]


def bare(window: FlockWindow, *, overlays: bool) -> np.ndarray:
    """What both halves show without panels, with all overlays of the past or without."""
    window.session.shown = {"trails", "heat"} if overlays else set()
    window.session.messages.log.clear()
    run(window, 1)
    look(window)
    return screen(window).astype(int)


def halves(picture: np.ndarray) -> list[np.ndarray]:
    """Both halves of a picture without panels, without what is near their edges."""
    is_stacked = picture.shape[:2] == STACKED[::-1]
    return [half[10:-10, 10:-10] for half in np.split(picture, 2, axis=0 if is_stacked else 1)]


@pytest.mark.painted
@in_both
@pytest.mark.parametrize("right", [False, True])
def test_both_halves_glide_alike_with_the_wheel(open_on: OpenWindow, size: tuple[int, int], right: bool) -> None:
    scene = drifting(at(330, 180))
    scene.settings.edges = "turn"
    window, _ = compared(open_on, 0, scene, size)
    window.session.act("hide")
    window.session.clock.paused = True
    window.session.work_on(right)
    run(window, 1)
    look(window)
    window.session.preferences.reduce_motion = False
    x, y = (round(side) for side in window.session.camera.project((280, 170)))
    seen = []
    for step in range(5):
        if step == 1:
            send(window, ("on_mouse_scroll", x, y, 0, 3))
        elif step:
            window.on_update(SECONDS / 3 + 0.001)
        window.session.hand.leave()
        window.session.messages.log.clear()
        window.on_draw()
        seen.append([middle(places(half)) for half in halves(screen(window))])
    for one, other in seen:
        assert one == pytest.approx(other, abs=1)
    across = [one[0] for one, _ in seen]
    assert across[1] == pytest.approx(across[0], abs=1)
    assert across[1] + 3 < across[2] < across[3] < across[4]


@pytest.mark.painted
@in_both
def test_a_click_on_the_other_world_loses_nothing_of_what_overlays_show(
    open_on: OpenWindow, size: tuple[int, int]
) -> None:
    window, _ = compared(open_on, 0, drifting(at(100, 180, (100, 0)), at(500, 100, (0, 60))), size)
    window.session.act("hide")
    window.session.shown.update(("trails", "heat"))
    look(window)
    run(window, 15)
    window.session.clock.paused = True
    before, without = bare(window, overlays=True), bare(window, overlays=False)
    assert min(half.max() for half in halves(np.abs(before - without).max(-1))) > 60
    bare(window, overlays=True)
    click(window, *in_other_half(window, 320, 250))
    window.session.hand.leave()
    assert (bare(window, overlays=True) == before).all()


@pytest.mark.painted
@in_both
def test_an_overlay_switched_on_while_paused_is_drawn_in_both(open_on: OpenWindow, size: tuple[int, int]) -> None:
    window, _ = compared(open_on, 5, drifting(*(at(300 + x, 180) for x in range(0, 40, 4))), size)
    window.session.clock.paused = True
    window.session.act("hide")
    without = bare(window, overlays=False)
    window.session.act("heat")
    run(window, 1)
    look(window)
    window.session.messages.log.clear()
    one, other = (half.sum() for half in halves(np.abs(screen(window) - without).max(-1) > 20))
    assert one == pytest.approx(other, rel=0.05)
    assert one > 100


@pytest.mark.painted
@in_both
@pytest.mark.parametrize("overlay", ["trails", "heat", "perception", "vectors", "grid"])
def test_an_overlay_shows_in_each_half_what_its_world_did(
    open_on: OpenWindow, size: tuple[int, int], overlay: str
) -> None:
    """Two worlds that are the same look the same, pixel by pixel, whichever is worked on."""
    scene = drifting(at(100, 180, (100, 0)), at(500, 100, (0, 60)))
    scene.settings.backdrop = "slate"
    window, _ = compared(open_on, 0, scene, size)
    window.session.act("hide")
    window.session.shown.add(overlay)
    window.session.selection.choose([1, 2])
    run(window, 15)
    window.session.clock.paused = True
    window.session.messages.log.clear()
    for right in (False, True):
        window.session.work_on(right)
        window.session.messages.log.clear()
        run(window, 1)
        look(window)
        one, other = halves(screen(window).astype(int))
        assert one.max() > 100
        assert np.abs(one - other).max() <= 2


@pytest.mark.painted
@pytest.mark.parametrize("overlay", ["trails", "heat"])
def test_what_overlays_show_is_in_both_halves_when_it_begins(open_on: OpenWindow, overlay: str) -> None:
    """The copy did what the world did until then; what each does from then on is its own."""
    scene = drifting(at(100, 180, (100, 0)), at(500, 100, (0, 60)))
    scene.settings.backdrop = "slate"
    window = open_on(scene, BESIDE, panels=["palette"])
    window.session.clock.now = lambda: 0
    window.session.act("hide")
    window.session.shown.add(overlay)
    for _ in range(15):
        run(window, 1)
        look(window)
    window.session.clock.paused = True
    window.session.act("compare")
    for ticks in range(3):
        for _ in range(ticks):
            window.session.clock.one_tick()
            run(window, 1)
            look(window)
        run(window, 1)
        window.session.messages.log.clear()
        look(window)
        one, other = halves(screen(window).astype(int))
        assert np.abs(one - other).max() <= 2
        window.session.shown.discard(overlay)
        look(window)
        assert (np.abs(halves(screen(window).astype(int))[0] - one).max(-1) > 20).sum() > 50
        window.session.shown.add(overlay)


@pytest.mark.painted
def test_frames_alone_change_no_arrows(open_on: OpenWindow) -> None:
    window, _ = compared(open_on, 0, read_scene(find_scene("hunters")))
    window.session.act("hide")
    window.session.shown.add("vectors")
    window.session.selection.choose([3])
    run(window, 15)
    window.session.clock.paused = True
    window.session.messages.log.clear()
    look(window)
    before = screen(window)
    look(window, 30)
    assert (screen(window) == before).all()


def test_the_buttons_that_end_it_stay_where_they_are_while_differences_come(open_on: OpenWindow) -> None:
    window, _ = compared(open_on)
    ends = "Keep left##comparison", "Keep right##comparison"
    places = [[look(window).boxes[end] for end in ends]]
    window.session.submit(SetField("Flocker.separation_strength", 7.5, prefab="green"))
    window.session.submit(FASTER)
    run(window, 1)
    places.append([look(window).boxes[end] for end in ends])
    assert places[0] == places[1]


def test_an_edit_before_the_comparison_began_starts_the_measures_anew(open_on: OpenWindow) -> None:
    window, _ = compared(open_on)
    window.session.work_on(True)
    run(window, 10)
    window.session.clock.paused = True
    window.session.playback.go(2)
    while window.session.playback.goes or window.simulation.tick != 2:
        run(window, 1)
    window.session.submit(FASTER)
    run(window, 2)
    window.session.clock.paused = False
    run(window, 3)
    seconds = (
        window.session.document.measures.seconds
    )  # on the way to tick 2, the first one may have been measured, too
    assert seconds[seconds > 0.15] == pytest.approx([0.2, 0.3, 0.4, 0.5])


def test_each_world_forgets_the_flocks_of_the_branch_that_it_left(open_on: OpenWindow) -> None:
    window, comparison = compared(open_on, 5, read_scene(find_scene("hunters")))
    window.session.act("colour_flock")
    comparison.both = True
    run(window, 30)
    window.session.playback.go(12)
    run(window, 20)
    window.session.clock.paused = True
    window.session.submit(FASTER_PREY)
    run(window, 2)
    for timeline in window.session.document.timelines:
        last = followed(timeline.simulation.world)._remembered.last(1000)
        assert last is not None
        assert last[0] <= timeline.tick


def test_a_mod_that_stops_in_the_other_world_only_is_told(open_on: OpenWindow, tmp_path: Path) -> None:
    folder = write_mod(tmp_path, with_overlay("if session.simulation.world.table.size == 3: 1 / 0"), "weather")
    window = open_on(drifting(at(100, 100), at(200, 200)), BESIDE, library=named(folder))
    run(window, 2)
    look(window)
    window.session.act("compare")
    comparison = window.session.document.comparison
    assert comparison is not None
    comparison.simulation.submit(Spawn(Entry("red", at=(50, 50))))
    for _ in range(4):
        run(window, 1)
        look(window)
    assert len(comparison.simulation.mods.faults) == 1
    assert any("weather" in str(message) for message in window.session.messages.log)
