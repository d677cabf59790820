"""The tools that place things: which is in hand, what it places, and where."""

from __future__ import annotations

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_RIGHT as RIGHT
from arcade import key

import sandbox
from components.motion import Position
from components.store.prefab import Prefab
from sandbox.app.drawing.picture import drawn
from sandbox.app.parts import BUILT_IN
from sandbox.app.session.hand import BRUSH
from sandbox.app.tools.things import HANDFUL
from sandbox.edit import Undo
from sandbox.simulation import Simulation
from systems.engine.app import installed

from .conftest import OpenWindow, at, drifting, living, pixels, send
from .mouse import NUMBER, PLACING, click, drag, hit, log, point, press, settled, steps, take, values, with_tools
from .widgets import look


def test_the_right_button_says_once_that_it_erases(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(150, 100)))
    take(window, "select")
    drag(window, (150, 100), (150, 100), button=RIGHT)
    window.on_update(0.0)
    assert window.simulation.world.table.size == 0
    told = "The right button erases with every tool. Undo brings back what it took (Ctrl+Z)"
    assert window.session.messages.newest == told
    window.session.messages.log.clear()
    drag(window, (150, 100), (150, 100), button=RIGHT)
    assert not window.session.messages.log


@pytest.mark.parametrize("held", [0, key.MOD_SHIFT, key.MOD_CTRL])
def test_how_to_undo_it_is_said_when_the_right_button_first_takes_something(open_on: OpenWindow, held: int) -> None:
    window = open_on(drifting(at(150, 100), at(400, 300)))
    take(window, "select")
    heard = []
    for x, y in ((500, 50), (500, 50), (60, 40), (310, 240)):
        drag(window, (x, y), (x + 120, y + 80), button=RIGHT, held=held)
        window.on_update(0.0)
        heard.append([message.text for message in window.session.messages.log])
        window.session.messages.log.clear()
    assert window.simulation.world.table.size == 0
    told = "The right button erases with every tool"
    assert heard == [[told], [], [f"{told}. Undo brings back what it took (Ctrl+Z)"], []]


def test_tab_goes_through_the_tools_and_back(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    names = list(NUMBER)
    take(window, names[0])
    seen = []
    for modifiers in [0] * len(names) + [key.MOD_SHIFT] * len(names):
        seen.append(window.session.hand.tool.name)
        hit(window, key.TAB, modifiers)
    assert seen == names + [names[0], *names[:0:-1]]


@pytest.mark.parametrize(
    ("size", "notches", "ratio"),
    [((640, 360), 0, 1.0), ((1280, 720), -4, 1.5), ((1280, 720), 5, 2.0), ((320, 240), 5, 1.0), ((400, 700), -4, 2.0)],
)
def test_a_click_lands_under_the_cursor(
    open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], notches: int, ratio: float
) -> None:
    window = open_on(with_tools(edges="wrap"), size)
    monkeypatch.setattr(window, "get_pixel_ratio", lambda: ratio)
    window.on_draw()  # people see a frame before they click; in it the menu takes its place
    x, y = size[0] * 5 // 9, size[1] * 4 // 9
    send(window, ("on_mouse_scroll", x - 20, y + 10, 0, float(notches)))
    for name in ("predator", "wind", "food", "goal"):
        take(window, name)
        click(window, x, y)
        window.on_draw()
    take(window, "obstacle")
    click(window, x - 60, y)
    settled(window)
    *things, obstacle = [window.session.camera.project(place) for place in living(window)]
    assert things == [pytest.approx((x, y), abs=0.01)] * 4
    assert obstacle == pytest.approx((x - 60, y), abs=0.01)


@pytest.mark.painted
def test_on_a_screen_of_twice_the_pixels_the_outline_is_where_the_mouse_is(open_on: OpenWindow) -> None:
    window = open_on(with_tools(edges="open"))
    take(window, "obstacle")

    def picture() -> np.ndarray:
        layers = window.overlays.layers(window.session)
        return np.asarray(drawn(window.painter, window.session.camera, 1.0, 2.0, *layers)).astype(int)

    before = picture()
    point(window, 400, 250)
    changed = np.argwhere(np.abs(picture() - before).max(-1) > 20)
    assert before.shape == (720, 1280, 3)
    assert (changed.min(0) + changed.max(0)) / 2 == pytest.approx((720 - 2 * 250, 2 * 400), abs=1.5)


def test_the_boid_tool_places_a_handful(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    take(window, "goal")
    take(window, "boid")
    click(window, 300, 200)
    assert settled(window) == {"red": HANDFUL}
    assert np.hypot(*(living(window) - (300, 200)).T).max() < BRUSH
    assert len(set(values(window, "Velocity.x"))) == HANDFUL


@pytest.mark.parametrize("depth", [0.0, 500.0])
def test_many_get_the_room_of_their_bodies(open_on: OpenWindow, depth: float) -> None:
    window = open_on(with_tools(edges="open", depth=depth))
    window.session.hand.count = 400
    click(window, 300, 200)
    assert settled(window) == {"red": 400}
    table, middle = window.simulation.world.table, window.session.hand.spot(window.session).place
    found = table.stacked("Position", table.rows(Position)).astype(float)
    room = 2 * 10 * 400 ** (1 / len(middle))  # u: their radius is 10
    assert 0.9 * room < np.linalg.norm(found - middle, axis=1).max() < room + 0.01
    gaps = np.linalg.norm(found[:, None] - found, axis=2) + np.diag(np.full(400, np.inf))
    assert gaps.min(axis=1).mean() > 16


def test_under_a_brush_that_is_wider_than_their_bodies_need_many_fill_the_brush(open_on: OpenWindow) -> None:
    window = open_on(with_tools(edges="open"))
    window.session.hand.count, window.session.hand.brush = 20, 150
    click(window, 300, 200)
    settled(window)
    assert 100 < np.hypot(*(living(window) - (300, 200)).T).max() < 150


def test_many_without_bodies_fill_the_brush(open_on: OpenWindow) -> None:
    scene = with_tools(edges="open")
    scene.prefabs = {"red": Prefab("red", {"Position": {}, "Velocity": {}, "Flocker": {}})}
    window = open_on(scene)
    window.session.hand.count = 2000
    click(window, 300, 200)
    settled(window)
    assert np.hypot(*(living(window) - (300, 200)).T).max() < BRUSH


def test_the_ring_of_the_preview_is_as_wide_as_what_a_click_fills(open_on: OpenWindow) -> None:
    window = open_on(with_tools(edges="open"))
    for count, wide in ((HANDFUL, BRUSH), (50, 2 * 10 * 50**0.5)):
        window.session.hand.count = count
        window.session.hand.leave()
        before = pixels(window).astype(int)
        point(window, 300, 180)
        changed = np.argwhere(np.abs(pixels(window) - before).max(-1) > 20) - (180, 300)
        assert np.hypot(*changed.T).max() == pytest.approx(wide, abs=3)


def test_a_stroke_of_many_leaves_each_click_its_room_and_a_rectangle_is_filled_as_ever(open_on: OpenWindow) -> None:
    window = open_on(with_tools(edges="open"))
    window.session.hand.count = 25
    drag(window, (120, 180), (300, 180), (330, 180))
    assert settled(window) == {"red": 75}
    assert 20 <= living(window)[:, 0].min() < 60
    assert 380 < living(window)[:, 0].max() <= 430
    drag(window, (400, 100), (600, 300), held=key.MOD_CTRL)
    assert settled(window) == {"red": 75 + round(200 * 200 / BRUSH**2)}


@pytest.mark.parametrize("edges", ["turn", "bounce", "wrap"])
def test_a_handful_at_the_border_stays_in_the_world(open_on: OpenWindow, edges: str) -> None:
    window = open_on(with_tools(edges=edges))
    click(window, 3, 2)
    assert settled(window) == {"red": HANDFUL}
    assert (living(window) >= 0).all()
    assert (living(window) < (640, 360)).all()


@pytest.mark.parametrize("name", ["predator", "wind", "goal"])
def test_of_some_things_a_drag_places_only_one(open_on: OpenWindow, name: str) -> None:
    window = open_on(with_tools())
    take(window, name)
    drag(window, (100, 100), (300, 100), (500, 300))
    assert settled(window) == {name: 1}
    assert living(window)[0] == pytest.approx((100, 100))


def test_a_drag_says_where_wind_blows(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    take(window, "wind")
    drag(window, (100, 100), (100, 180))
    drag(window, (300, 100), (240, 100))
    click(window, 500, 100)
    settled(window)
    assert values(window, "Wind.direction") == pytest.approx([90, 180, 0])


@pytest.mark.parametrize("name", ["obstacle", "food"])
def test_a_drag_places_a_row_side_by_side(open_on: OpenWindow, name: str) -> None:
    window = open_on(with_tools(radius=20))
    take(window, name)
    drag(window, (100, 180), *[(x, 180) for x in range(101, 501, 7)], (500, 180))
    settled(window)
    found = np.sort(living(window)[:, 0])
    assert found == pytest.approx(np.arange(100, 501, 40), abs=0.01)


@pytest.mark.parametrize("notches", [-3, 0, 4])
def test_a_quick_stroke_leaves_no_gap_and_is_one_step(open_on: OpenWindow, notches: int) -> None:
    window = open_on(with_tools())
    send(window, ("on_mouse_scroll", 300, 180, 0, float(notches)))
    drag(window, (150, 180), (320, 180), (450, 180))
    settled(window)
    camera = window.session.camera
    xs = np.sort([camera.project((x, y))[0] for x, y in living(window)])
    assert xs[0] < 160
    assert xs[-1] > 440 - BRUSH
    assert np.diff(xs).max() < BRUSH
    assert len(steps(window)) == 1
    window.session.submit(Undo())
    assert settled(window) == {}


def test_two_strokes_are_two_steps(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    for y in (100, 250):
        drag(window, (100, y), (300, y))
    settled(window)
    window.session.submit(Undo())
    settled(window)
    assert living(window)[:, 1].max() < 100 + BRUSH


@pytest.mark.parametrize("name", PLACING[:3])
def test_with_shift_things_stand_in_a_line(open_on: OpenWindow, name: str) -> None:
    window = open_on(with_tools(radius=20))
    take(window, name)
    press(window, (100, 100), (200, 300), (420, 340), held=key.MOD_SHIFT)
    assert settled(window) == {}
    drag(window, (100, 100), (420, 340), held=key.MOD_SHIFT)
    settled(window)
    places = living(window)
    gaps = np.diff(places, axis=0)
    assert places[0] == pytest.approx((100, 100))
    assert places[-1] == pytest.approx((420, 340), abs=0.01)
    assert np.hypot(*gaps.T) == pytest.approx(400 / (len(places) - 1), abs=0.01)
    assert len(places) == (11 if name == "obstacle" else int(400 / BRUSH) + 1)
    assert len(steps(window)) == 1


def test_with_control_a_rectangle_is_filled(open_on: OpenWindow) -> None:
    window = open_on(with_tools(radius=20))
    take(window, "obstacle")
    drag(window, (300, 300), (100, 100), held=key.MOD_CTRL)
    assert settled(window) == {"obstacle": 36}
    assert sorted(map(tuple, living(window).tolist())) == [
        (x, y) for x in range(100, 301, 40) for y in range(100, 301, 40)
    ]
    take(window, "boid")
    drag(window, (400, 100), (600, 300), held=key.MOD_CTRL)
    assert settled(window)["red"] == round(200 * 200 / BRUSH**2)
    boids = living(window)[36:]
    assert ((boids >= (400, 100)) & (boids <= (600, 300))).all()
    assert len(steps(window)) == 2


def test_a_line_or_rectangle_ends_at_the_border(open_on: OpenWindow) -> None:
    window = open_on(with_tools(), (640, 640))
    take(window, "food")
    drag(window, (100, 300), (100, 20), held=key.MOD_SHIFT)
    drag(window, (200, 300), (700, 20), held=key.MOD_CTRL)
    settled(window)
    assert len(living(window)) > 50
    assert ((living(window) >= 0) & (living(window) <= (640, 360))).all()


@pytest.mark.parametrize("name", PLACING)
def test_outside_the_world_nothing_is_placed_and_it_is_said(open_on: OpenWindow, name: str) -> None:
    window = open_on(with_tools(), (640, 640))
    take(window, name)
    drag(window, (300, 20), (310, 22))
    assert settled(window) == {}
    assert "outside" in window.session.messages.newest


def test_in_a_world_without_edges_everywhere_is_inside(open_on: OpenWindow) -> None:
    window = open_on(with_tools(edges="open"), (640, 640))
    take(window, "goal")
    click(window, 300, 20)
    take(window, "wall")
    drag(window, (100, 20), (500, 30))
    assert settled(window) == {"goal": 1, "wall": 1}


@pytest.mark.parametrize("name", PLACING)
def test_where_a_scene_has_no_such_prefab_it_is_said(open_on: OpenWindow, name: str) -> None:
    scene = drifting()
    scene.prefabs = {}
    window = open_on(scene)
    take(window, name)
    drag(window, (300, 100), (400, 100))
    window.on_draw()
    assert settled(window) == {}
    assert "no prefab" in window.session.messages.newest


def test_the_scenes_own_prefab_comes_before_the_built_in_one() -> None:
    with sandbox.load("ronan") as simulation:
        prefabs = simulation.world.prefabs
        found = {tool.name: tool.prefabs(prefabs)[0] for tool in installed(BUILT_IN).tools if tool.name in PLACING}
        assert found == {**{name: name for name in PLACING}, "boid": "ronan"}


def test_every_prefab_of_every_kind_can_be_placed_by_just_one_tool() -> None:
    with sandbox.load("ronan") as simulation:
        for prefab in simulation.world.prefabs.values():
            assert len([tool for tool in installed(BUILT_IN).tools if tool.places(prefab)]) == 1, prefab.name


def test_all_that_tools_do_is_in_the_log_and_replays(open_on: OpenWindow) -> None:
    scene = with_tools(at(150, 100))
    window = open_on(scene)
    for name in NUMBER:
        for held in (0, key.MOD_SHIFT, key.MOD_CTRL):
            take(window, name)
            drag(window, (100, 30 * NUMBER[name]), (200, 30 * NUMBER[name] + 20), held=held)
    drag(window, (150, 100), (180, 130), button=RIGHT)
    window.on_update(0.1)
    with Simulation(scene, 1) as again:
        for done in log(window):
            again.submit(done.command, done.joins)
        again.step()
        assert again.digest() == window.simulation.digest()


@pytest.mark.parametrize("depth", [0.0, 300.0])
def test_tools_that_work_at_a_place_say_in_a_world_with_depth_how_to_move_it(open_on: OpenWindow, depth: float) -> None:
    window = open_on(with_tools(depth=depth), (1280, 900), panels=["palette"])
    told = {}
    for name in ("hand", "boid", "obstacle", "erase", "select", "wall", "label"):
        send(window, ("on_mouse_motion", *look(window).places[f"##tool {name}"], 0, 0))
        for _ in range(60):  # until the tooltip is there
            window.on_update(0.02)
            window.on_draw()
        texts = look(window).texts
        told[name] = any("Ctrl+scroll brings the depth" in text for text in texts)
        assert any(window.session.hand.tools[NUMBER[name] - 1].help in text for text in texts)
    deep = depth > 0
    assert told == dict.fromkeys(("hand", "boid", "obstacle", "erase"), deep) | dict.fromkeys(
        ("select", "wall", "label"), False
    )
