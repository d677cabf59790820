"""Selecting with the mouse; dragging, copying, cutting, pasting and removing what is selected."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_MIDDLE as MIDDLE
from arcade import key

from components.store.prefab import Prefab
from sandbox.app import clipboard
from sandbox.app.questions import Question, nothing
from sandbox.app.tools.under import in_rectangle
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry, Rect
from sandbox.edit import Undo
from sandbox.extras.film.cameras import Recorded

from .conftest import OpenWindow, at, drifting, living, middle, pixels, places, send
from .mouse import click, drag, hit, log, point, press, settled, steps, take, values, walls, with_tools

CTRL, SHIFT = key.MOD_CTRL, key.MOD_SHIFT
WALL = Entry("wall", points=((300, 50), (500, 50)))
TICK = 0.1  # s


def opened(
    open_on: OpenWindow, *entries: Entry, edges: str = "turn", size: tuple[int, int] = (640, 360)
) -> FlockWindow:
    """A window with the select tool in hand, paused. Serials go by the entries, from 1 on."""
    scene = with_tools(*entries, edges=edges)
    starving = {"level": 1, "rest_burn": 100.0}  # it does not live for a tick
    scene.prefabs["starving"] = Prefab("starving", {**scene.prefabs["red"].components, "Energy": starving})
    window = open_on(scene, size)
    window.session.clock.paused = True
    take(window, "select")
    return window


def test_a_click_selects_one_and_one_on_nothing_nobody(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100), at(300, 200))
    click(window, 302, 199)
    assert window.session.selection.serials == (2,)
    assert window.session.selection.one == 2
    click(window, 500, 300)
    assert window.session.selection.serials == ()
    assert log(window) == []


@pytest.mark.parametrize(("size", "notches"), [((640, 360), 0), ((1280, 720), -4), ((320, 240), 6)])
@pytest.mark.parametrize("edges", ["turn", "wrap"])
def test_a_click_finds_the_nearest_at_any_zoom(
    open_on: OpenWindow, size: tuple[int, int], notches: int, edges: str
) -> None:
    window = opened(open_on, at(300, 200), at(318, 200), at(300, 240), edges=edges, size=size)
    middle = map(round, window.session.camera.project((300, 200)))
    send(window, ("on_mouse_scroll", *middle, 0, float(notches)))
    for serial, place in ((1, (300, 200)), (2, (318, 200)), (3, (300, 240))):
        click(window, *map(round, window.session.camera.project(place)))
        assert window.session.selection.serials == (serial,)


def test_a_click_a_little_beside_a_thing_finds_it_and_farther_off_does_not(open_on: OpenWindow) -> None:
    window = opened(open_on, at(300, 200))  # of size 10
    for x, found in ((315, (1,)), (318, ())):
        click(window, x, 200)
        assert window.session.selection.serials == found


def test_on_a_torus_what_reaches_over_an_edge_is_found_there(open_on: OpenWindow) -> None:
    across = Entry("wall", points=((600, 300), (700, 300)))
    window = opened(open_on, Entry("obstacle", at=(2, 100)), across, edges="wrap")
    click(window, 634, 100)
    assert window.session.selection.serials == (1,)
    click(window, 40, 300)
    assert window.session.selection.serials == (2,)
    click(window, 620, 301)
    assert window.session.selection.serials == (2,)


def test_in_a_running_world_it_is_found_where_it_is_drawn(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100, (600, 0)))
    window.session.clock.paused = False
    window.session.clock.now = lambda: 0  # however slow this machine is
    window.on_update(2.5 * TICK)  # two ticks, and half of one
    click(window, 100 + 60 + 30, 100)
    assert window.session.selection.serials == (1,)
    click(window, 100 + 120 + 25, 100)
    assert window.session.selection.serials == ()


def test_walls_obstacles_and_zones_are_selected_too(open_on: OpenWindow) -> None:
    scene = (WALL, Entry("obstacle", at=(100, 300)), Entry("wind", at=(100, 150)), at(110, 160))
    window = opened(open_on, *scene)
    for place, serial in (((400, 55), 1), ((107, 296), 2), ((60, 140), 3), ((110, 160), 4)):
        click(window, *place)
        assert window.session.selection.serials == (serial,)


def test_shift_adds_and_leaves_out(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100), at(200, 100), at(300, 100))
    click(window, 100, 100)
    click(window, 300, 100, held=SHIFT)
    assert window.session.selection.serials == (1, 3)
    click(window, 100, 100, held=SHIFT)
    assert window.session.selection.serials == (3,)
    click(window, 500, 300, held=SHIFT)
    assert window.session.selection.serials == (3,)


def test_a_drag_on_empty_ground_selects_a_rectangle(open_on: OpenWindow) -> None:
    scene = at(100, 100), at(200, 150), at(400, 100), WALL, Entry("wall", points=((50, 300), (60, 20)))
    window = opened(open_on, *scene)
    drag(window, (250, 200), (40, 90))
    assert window.session.selection.serials == (1, 2, 5)
    drag(window, (350, 20), (420, 120), held=SHIFT)
    assert window.session.selection.serials == (1, 2, 3, 4, 5)
    drag(window, (550, 300), (600, 340))
    assert window.session.selection.serials == ()


def test_with_control_a_rectangle_may_begin_on_a_thing(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100), at(200, 150))
    drag(window, (100, 100), (90, 90), (250, 200), held=CTRL)
    assert window.session.selection.serials == (1, 2)
    assert settled(window) == {"red": 2}
    assert living(window).tolist() == [[100, 100], [200, 150]]


def test_a_rectangle_can_begin_on_a_zone_that_is_not_selected(open_on: OpenWindow) -> None:
    window = opened(open_on, Entry("wind", at=(200, 180)), at(210, 190))
    drag(window, (205, 183), (230, 220))
    assert window.session.selection.serials == (2,)
    click(window, 170, 180)
    assert window.session.selection.serials == (1,)
    drag(window, (170, 180), (270, 180))
    settled(window)
    assert living(window)[0] == pytest.approx((300, 180))


def test_a_drag_moves_what_is_selected_as_one_step(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100), at(200, 150), WALL, at(600, 340))
    drag(window, (80, 80), (320, 170))
    click(window, 400, 50, held=SHIFT)
    assert window.session.selection.serials == (1, 2, 3)
    press(window, (200, 150), (210, 160))
    for place in ((230, 170), (225, 190), (240, 200)):
        send(window, ("on_mouse_drag", *place, 0, 0, LEFT, 0))
        settled(window)
    send(window, ("on_mouse_release", 240, 200, LEFT, 0))
    settled(window)
    assert living(window)[[0, 1, 3]].tolist() == [[140, 150], [240, 200], [600, 340]]
    assert walls(window) == [[340, 100, 540, 100]]
    assert window.session.selection.serials == (1, 2, 3)
    assert len(steps(window)) == 1
    window.session.submit(Undo())
    settled(window)
    assert living(window)[[0, 1]].tolist() == [[100, 100], [200, 150]]
    assert walls(window) == [[300, 50, 500, 50]]


def test_a_drag_on_what_is_not_selected_takes_it_along_alone(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100), at(300, 200))
    click(window, 100, 100)
    drag(window, (302, 201), (400, 260))
    settled(window)
    assert window.session.selection.serials == (2,)
    assert living(window) == pytest.approx(np.array([[100, 100], [398, 259]]))


def test_a_shaky_click_moves_nothing(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100))
    drag(window, (100, 100), (102, 101))
    settled(window)
    assert living(window).tolist() == [[100, 100]]
    assert steps(window) == []


def test_dragged_over_the_edge_of_a_torus_it_comes_in_on_the_other_side(open_on: OpenWindow) -> None:
    window = opened(open_on, at(600, 100), edges="wrap", size=(1280, 720))
    camera = window.session.camera
    drag(window, *[tuple(map(round, camera.project((x, 100)))) for x in (600, 635)])
    settled(window)
    send(window, ("on_mouse_scroll", 640, 360, 0, -2.0))
    begin, beyond = (tuple(map(round, camera.project((x, 100)))) for x in (635, 660))
    press(window, begin, beyond)
    settled(window)
    assert living(window)[0] == pytest.approx((20, 100), abs=1)
    send(window, ("on_mouse_release", *beyond, LEFT, 0))
    settled(window)
    assert living(window)[0] == pytest.approx((20, 100), abs=1)


def test_held_back_at_an_edge_it_comes_along_again_with_the_mouse(open_on: OpenWindow) -> None:
    window = opened(open_on, at(600, 100), size=(800, 360))
    x = round(window.session.camera.project((600, 100))[0])
    press(window, (x, 100), (x + 20, 100), (x + 90, 100))
    for _ in range(5):
        settled(window)
    assert living(window).tolist() == [[640, 100]]
    asked = len(log(window))
    assert asked <= 2
    send(window, ("on_mouse_drag", x - 50, 100, 0, 0, LEFT, 0))
    settled(window)
    assert living(window)[0] == pytest.approx((550, 100))


def test_one_that_flies_stays_under_the_mouse_while_it_is_held(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100, (200, 0)))
    window.session.clock.paused = False
    press(window, (100, 100), (200, 200))
    for _ in range(10):
        window.on_update(TICK)
    assert living(window)[0] == pytest.approx((220, 200), abs=0.1)
    send(window, ("on_mouse_release", 200, 200, LEFT, 0))
    for _ in range(3):
        window.on_update(TICK)
    assert living(window)[0, 0] > 240
    assert len(steps(window)) == 1


def test_delete_removes_the_selected(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100), at(200, 100), WALL)
    click(window, 100, 100)
    click(window, 400, 50, held=SHIFT)
    hit(window, key.DELETE)
    assert settled(window) == {"red": 1}
    assert window.session.selection.serials == ()
    window.session.submit(Undo())
    assert settled(window) == {"red": 2, "wall": 1}


def test_copies_are_pasted_around_the_mouse_and_selected(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100, (30, 5)), at(140, 120), WALL)
    drag(window, (70, 70), (160, 130))
    hit(window, key.C, CTRL)
    point(window, 320, 210)
    hit(window, key.V, CTRL)
    assert settled(window) == {"red": 4, "wall": 1}
    assert living(window)[3:] == pytest.approx(np.array([[300, 200], [340, 220]]))
    assert values(window, "Velocity.x") == [30, 0, 0, 30, 0]
    assert window.session.selection.serials == (4, 5)
    point(window, 520, 310)
    hit(window, key.V, CTRL)
    assert settled(window) == {"red": 6, "wall": 1}
    assert window.session.selection.serials == (6, 7)
    assert steps(window) == ["paste × 2", "paste × 2"]


def test_what_was_cut_can_be_pasted_again_and_again(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100), WALL)
    click(window, 400, 50)
    hit(window, key.X, CTRL)
    assert settled(window) == {"red": 1}
    for y in (200, 300):
        point(window, 400, y)
        hit(window, key.V, CTRL)
        settled(window)
    assert walls(window) == [[300, 200, 500, 200], [300, 300, 500, 300]]


def test_on_a_torus_copies_from_both_sides_of_an_edge_stay_together(open_on: OpenWindow) -> None:
    window = opened(open_on, at(630, 100), at(10, 120), edges="wrap")
    hit(window, key.A, CTRL)
    hit(window, key.C, CTRL)
    point(window, 300, 210)
    hit(window, key.V, CTRL)
    settled(window)
    assert living(window)[2:] == pytest.approx(np.array([[290, 200], [310, 220]]))


def test_pasting_works_while_the_mouse_is_elsewhere_and_in_another_scene(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100))
    hit(window, key.V, CTRL)
    assert "Nothing has been copied." in window.session.messages.newest
    hit(window, key.C, CTRL)
    assert "Nothing is selected." in window.session.messages.newest
    hit(window, key.A, CTRL)
    hit(window, key.C, CTRL)
    hit(window, key.R)
    hit(window, key.V, CTRL)
    assert settled(window) == {"red": 2}
    assert (living(window)[1] != living(window)[0]).all()


def test_f_follows_the_selected(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100, (50, 0)))
    click(window, 100, 100)
    hit(window, key.F)
    window.session.clock.paused = False
    window.on_update(TICK)
    window.on_update(TICK)
    assert window.session.camera.x == pytest.approx(105, abs=0.1)
    hit(window, key.F)
    assert not window.session.view.following


@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize("notches", [-5.0, 0.0, 5.0])
def test_who_leaves_the_world_is_followed_on_and_afterwards_the_view_comes_back(
    open_on: OpenWindow, notches: float, reduced: bool
) -> None:
    def view() -> tuple[float, float]:
        """The middle of what is drawn, u."""
        return window.session.view.glide.shown(window.session.camera).looks_at

    window = opened(open_on, at(600, 180, (200, 30)), edges="open")
    window.session.preferences.reduce_motion = reduced
    window.session.selection.choose((1,))
    send(window, ("on_mouse_scroll", 320, 180, 0, notches))
    hit(window, key.F)
    window.session.clock.paused = False
    for _ in range(15):
        window.on_update(TICK)
    window.session.clock.paused = True
    gone = living(window)[0]
    assert gone[0] > 800
    pixels(window)  # without panels, the view is another one
    window.on_update(0.0)
    assert middle(places(pixels(window))) == pytest.approx((320, 180), abs=1)
    hit(window, key.F)
    passed = [gone[0]]
    for _ in range(40):
        window.on_update(0.02)
        window.on_draw()
        passed.append(view()[0])
    assert passed == sorted(passed, reverse=True)
    assert passed[-1] == pytest.approx(640 if notches >= 0 else 320, abs=0.1)
    assert reduced or np.abs(np.diff(passed)).max() < (passed[0] - passed[-1]) / 3
    drag(window, (320, 180), (322, 180), button=MIDDLE)
    assert abs(view()[0] - passed[-1]) < 10


def test_a_film_looks_out_of_the_world_where_the_window_followed_somebody(open_on: OpenWindow) -> None:
    window = opened(open_on, at(600, 180, (200, 30)), edges="open")
    window.session.selection.choose((1,))
    hit(window, key.F)
    window.session.clock.paused = False
    for _ in range(15):
        window.on_update(TICK)
    made = Recorded().camera(window.session.document.timeline, (640, 360), 1.0)
    assert made.looks_at == pytest.approx(window.session.camera.looks_at, abs=0.1)
    assert made.looks_at[0] > 800


def test_with_nobody_selected_f_follows_the_animal_nearest_to_the_mouse(open_on: OpenWindow) -> None:
    window = opened(open_on, WALL, at(100, 100), at(20, 300), edges="wrap")
    point(window, 600, 320)
    hit(window, key.F)
    assert window.session.selection.serials == (3,)  # across the edge
    assert window.session.view.following


def test_without_an_animal_f_says_so(open_on: OpenWindow) -> None:
    window = opened(open_on, WALL)
    hit(window, key.F)
    assert window.session.messages.newest == "There is no animal to follow."
    assert not window.session.view.following


def test_whoever_fits_the_world_follows_nobody_any_more(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100, (50, 0)))
    click(window, 100, 100)
    hit(window, key.F)
    window.on_update(TICK)
    hit(window, key.Z)
    window.on_update(TICK)
    assert window.session.camera.fitted
    assert not window.session.view.following


def test_who_dies_leaves_the_selection(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100), at(300, 100))
    hit(window, key.A, CTRL)
    take(window, "erase")
    click(window, 300, 100)
    settled(window)
    assert window.session.selection.serials == (1,)


# ---- a world that wraps


def test_followed_to_the_edge_of_a_torus_the_other_side_is_seen_and_can_be_clicked(open_on: OpenWindow) -> None:
    window = opened(open_on, at(10, 180), at(600, 180, prefab="green"), edges="wrap")
    window.session.selection.choose((1,))
    hit(window, key.F)
    window.on_update(0)
    assert middle(places(pixels(window), 1)) == pytest.approx((270, 180), abs=1)
    click(window, 270, 180)
    assert window.session.selection.serials == (2,)


def test_across_the_edge_of_a_torus_a_rectangle_is_drawn_and_things_are_dragged(open_on: OpenWindow) -> None:
    window = opened(open_on, at(10, 180), at(600, 180, prefab="green"), edges="wrap")
    window.session.camera.look_at(0, 180)
    drag(window, (250, 100), (350, 250))
    assert window.session.selection.serials == (1, 2)
    drag(window, (280, 180), (340, 180))
    settled(window)
    assert living(window)[:, 0] == pytest.approx((70, 20), abs=1)


# ---- the mouse leaves the window


def test_what_is_dragged_out_of_the_window_stays_at_its_edge(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100))
    press(window, (100, 100), (20, 110), (2, 120))
    settled(window)
    send(window, ("on_mouse_leave", -3, 121))
    settled(window)
    assert living(window)[0] == pytest.approx((2, 120), abs=1)
    send(window, ("on_mouse_drag", 40, 130, 43, 9, LEFT, 0), ("on_mouse_release", 40, 130, LEFT, 0))
    settled(window)
    assert living(window)[0] == pytest.approx((40, 130), abs=1)


def test_a_button_that_comes_up_outside_leaves_nothing_in_the_picture(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100))
    drag(window, (300, 300), (700, 300))
    assert window.session.hand.pixel is None


def test_a_question_ends_what_a_drag_has_begun(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100))
    press(window, (100, 100), (150, 100))
    settled(window)
    window.session.ask(Question("Tea?", "It is hot.", [("Yes", nothing), ("No", nothing)]))
    send(window, ("on_mouse_drag", 300, 100, 150, 0, LEFT, 0))
    settled(window)
    assert living(window)[0] == pytest.approx((150, 100), abs=1)


# ---- who is selected, and dies


def test_whoever_dies_in_a_single_tick_is_selected_no_more(open_on: OpenWindow) -> None:
    window = opened(open_on, at(100, 100), at(300, 100), Entry("starving", at=(500, 100)))
    window.session.selection.choose((1, 3))
    send(window, ("on_text", "."))
    window.on_update(TICK)
    assert window.simulation.tick == 1
    assert window.session.selection.serials == (1,)


def test_what_is_removed_and_saved_at_once_is_selected_and_drawn_no_more(open_on: OpenWindow, tmp_path: Path) -> None:
    window = opened(open_on, at(100, 100), at(300, 100))
    window.session.document.file = tmp_path / "mine.toml"
    window.session.selection.choose((1,))
    hit(window, key.DELETE)
    hit(window, key.S, CTRL)
    window.on_update(0.01)
    assert window.session.selection.serials == ()
    assert window.painter.animals.count == 1


def test_who_has_gone_since_the_last_frame_is_not_copied(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 100), at(200, 100)))
    clipboard.select_all(window.session)
    window.simulation.world.despawn(window.session.selection.array)
    clipboard.cut(window.session)
    assert window.session.messages.newest == "Nothing is selected."


@pytest.mark.parametrize("edges", ["wrap", "turn"])
def test_a_rectangle_holds_those_of_whom_an_image_lies_in_it(open_on: OpenWindow, edges: str) -> None:
    scene = drifting(Entry("red", 300))
    scene.settings.edges = edges
    world = open_on(scene).simulation.world
    here = world.table.stacked("Position", np.arange(300)).astype(float)
    shifts = [(x, y) for x in (-640, 0, 640) for y in (-360, 0, 360)] if edges == "wrap" else [(0, 0)]
    for x, y, width, height in [(50, 60, 200, 100), (-90, 300, 200, 200), (600, -40, 300, 90), (-50, -50, 900, 900)]:
        inside = np.zeros(300, bool)
        for shift in shifts:
            off = here + shift - (x, y)
            inside |= ((off >= 0) & (off <= (width, height))).all(1)
        found = in_rectangle(world, Rect(x, y, width, height), 1.0)
        assert [*found] == np.sort(world.table.serial[:300][inside]).tolist()
