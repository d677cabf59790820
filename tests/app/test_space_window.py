"""The window on a world with depth: what a person sees and does there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_MIDDLE as MIDDLE
from arcade import MOUSE_BUTTON_RIGHT as RIGHT
from arcade import key
from numpy.typing import ArrayLike

from components.motion import Position
from components.terrain import Wall
from components.wind import Wind
from sandbox.app.drawing.any_camera import suits
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry, Scene
from sandbox.edit import Command, SetField, SetSetting, Undo
from sandbox.extras.film.cameras import Follow, Recorded

from .conftest import OpenWindow, drifting, pixels, places, send
from .mouse import click, drag, hit, point, press, take, values, walls, with_tools
from .panels import panel
from .test_explain_panel import four
from .widgets import click as click_widget
from .widgets import look

SIZE = 800, 600
BOX = 640.0, 360.0, 500.0
PAD = {"front": (key.NUM_1, "1"), "side": (key.NUM_3, "3"), "top": (key.NUM_7, "7")}


def deep(scene: Scene) -> Scene:
    scene.settings.depth = BOX[2]
    return scene


def dot(x: float, y: float, z: float, prefab: str = "red", **velocity: tuple[float, float, float]) -> Entry:
    return Entry(prefab, at=(x, y, z), velocity=velocity.get("velocity", (0, 0, 0)))


def camera(window: FlockWindow) -> SpaceCamera:
    assert isinstance(window.session.camera, SpaceCamera)
    return window.session.camera


def there(window: FlockWindow) -> np.ndarray:
    table = window.simulation.world.table
    return table.stacked("Position", table.rows(Position)).astype(float)


def look_from(window: FlockWindow, view: str) -> None:
    """From the front, the side or the top, by the number pad; from behind; else from where one looks first."""
    if view == "behind":
        camera(window).look_from(math.pi, 0.0)
    if view in PAD:
        symbol, text = PAD[view]
        send(window, ("on_key_press", symbol, 0), ("on_text", text), ("on_key_release", symbol, 0))


def paused(window: FlockWindow) -> FlockWindow:
    window.session.clock.paused = True
    frames(window, 2)
    return window


def frames(window: FlockWindow, count: int = 3) -> None:
    for _ in range(count):
        window.on_update(0.02)
        window.on_draw()


# ---- what is seen


@pytest.mark.parametrize("rides", [False, True])
def test_a_film_looks_from_where_the_window_looked(open_on: OpenWindow, rides: bool) -> None:
    window = open_on(deep(drifting(dot(200, 250, 400, velocity=(3, 4, 5)))), SIZE)
    camera(window).look_from(1.0, 0.3)
    camera(window).zoom_at(300, 200, 2)
    if rides:
        hit(window, key.F, key.MOD_SHIFT)
    for _ in range(8):
        window.on_update(0.1)
    window.session.clock.paused = True
    window.on_update(0.1)
    made = Recorded().camera(window.session.document.timeline, SIZE, 1.0)
    assert isinstance(made, SpaceCamera)
    assert made.rides == rides
    assert made.matrix == pytest.approx(camera(window).matrix)
    assert made.eye == pytest.approx(camera(window).eye)


@pytest.mark.parametrize("by", ["the first view", "another side", "parallel"])
def test_an_animal_is_seen_where_the_camera_says(open_on: OpenWindow, by: str) -> None:
    window = paused(open_on(deep(drifting(dot(200, 250, 400), size=20)), SIZE))
    if by == "another side":
        camera(window).look_from(2.0, 0.4)
    camera(window).parallel = by == "parallel"
    camera(window).fit()
    found = places(bright(pixels(window)))
    assert len(found) > 20
    assert found.mean(axis=0) == pytest.approx(camera(window).project((200, 250, 400)), abs=5)


def bright(picture: np.ndarray) -> np.ndarray:
    """What is red, however it is lit, plainly red; all else black."""
    red = (picture[..., 0] > 90) & (picture[..., 0] > 2.2 * picture[..., 1:].max(-1))
    return np.where(red[..., None], (255, 0, 0), (0, 0, 0)).astype(np.uint8)


def test_what_is_nearer_hides_what_is_behind_it(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(drifting(dot(320, 180, 100), dot(320, 180, 400, "green"), size=20)), SIZE))
    camera(window).look_from(0.0, 0.0)
    assert not len(places(bright(pixels(window))))
    camera(window).look_from(math.pi, 0.0)
    assert len(places(bright(pixels(window)))) > 20


def test_what_is_farther_away_is_smaller(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(drifting(dot(200, 180, 480), dot(440, 180, 20), size=20)), SIZE))
    camera(window).look_from(0.0, 0.0)
    found = places(bright(pixels(window)))
    left = found[:, 0] < 400
    assert left.sum() > 1.5 * (~left).sum() > 20


def test_obstacles_and_walls_are_seen(open_on: OpenWindow) -> None:
    empty = paused(open_on(deep(with_tools(radius=40)), SIZE))
    before = pixels(empty).astype(int)
    window = paused(open_on(deep(with_tools(Entry("obstacle", at=(200, 180, 250)), radius=40)), SIZE))
    changed = np.abs(pixels(window).astype(int) - before).max(axis=2) > 12
    x, y = camera(window).project((200, 180, 250))
    assert changed[round(y), round(x)]


@pytest.mark.parametrize(("backdrop", "upright"), [("meadow", True), ("sea", False)])
def test_a_pillar_stands_upright_where_z_is_up_and_else_lies_from_front_to_back(
    open_on: OpenWindow, backdrop: str, upright: bool
) -> None:
    pictures = []
    for entries in ((), (Entry("obstacle", at=(320, 180)),)):
        scene = deep(with_tools(*entries, radius=30))
        scene.settings.backdrop = backdrop
        scene.prefabs["obstacle"].components["Obstacle"]["pillar"] = True
        window = paused(open_on(scene, SIZE))
        camera(window).look_from(math.pi / 2, 0.0)  # from the side
        pictures.append(pixels(window).astype(int))
    changed = np.argwhere(np.abs(pictures[1] - pictures[0]).max(axis=2) > 25)
    high, wide = np.ptp(changed, axis=0)
    assert high > 2 * wide if upright else wide > 2 * high


def test_a_wall_is_of_the_stone_of_its_backdrop_in_layers(open_on: OpenWindow) -> None:
    colours = []
    for backdrop in ("dusk", "lagoon"):
        scene = deep(with_tools(Entry("wall", points=((320, 60), (320, 300)), values={"Wall.thickness": 30.0})))
        scene.settings.backdrop = backdrop
        window = paused(open_on(scene, SIZE))
        camera(window).look_from(math.pi / 2, 0.0)
        x, low = camera(window).project((335, 80, 250)).round().astype(int)
        high = round(camera(window).project((335, 280, 250))[1])
        line = pixels(window)[low:high, x].astype(int)
        assert (np.abs(np.diff(line.mean(axis=1))) > 2).sum() >= 5
        colours.append(line.mean(axis=0))
    assert colours[0][0] / colours[0][2] > 1.3 * colours[1][0] / colours[1][2]


@pytest.mark.parametrize("kind", ["uniform", "vortex", "source"])
def test_moving_air_is_seen(open_on: OpenWindow, kind: str) -> None:
    def picture(strength: float) -> np.ndarray:
        zone = {"Wind.kind": Wind.fields["kind"].choices.index(kind), "Wind.radius": 150.0, "Wind.strength": strength}
        window = open_on(deep(with_tools(Entry("wind", at=(320, 180, 250), values=zone))), SIZE)
        return pixels(paused(window)).astype(int)

    calm, windy, other_way = picture(0.0), picture(80.0), picture(-80.0)
    for one, other in ((calm, windy), (windy, other_way)):
        assert (np.abs(one - other).max(axis=2) > 25).sum() > 100


@pytest.mark.parametrize(("before", "after"), [(BOX[2], 0.0), (0.0, BOX[2])])
def test_what_was_copied_with_depth_is_not_pasted_without_it_nor_back(
    open_on: OpenWindow, before: float, after: float
) -> None:
    window = paused(open_on(with_tools(Entry("red", 5), depth=before), SIZE))
    hit(window, key.A, key.MOD_CTRL)
    hit(window, key.C, key.MOD_CTRL)
    window.session.submit(SetSetting("depth", after))
    frames(window, 2)
    point(window, 400, 300)
    hit(window, key.V, key.MOD_CTRL)
    frames(window, 1)
    assert len(there(window)) == 5
    assert "copied from a flat world" in window.session.messages.log[-1].text


@pytest.mark.parametrize("edges", ["turn", "wrap"])
def test_what_is_shown_and_in_hand_goes_on_when_a_world_gets_depth_and_loses_it(
    open_on: OpenWindow, edges: str
) -> None:
    window = open_on(with_tools(Entry("red", 20), Entry("wall", points=((50, 50), (90, 60))), edges=edges), SIZE)
    window.session.view.shown.update(("trails", "heat"))
    point(window, 300, 200)
    for depth in (BOX[2], 0.0, BOX[2]):
        for tool in ("obstacle", "wall"):
            take(window, tool)
            click(window, 300, 200)
            frames(window, 5)
        window.session.submit(SetSetting("depth", depth))
        frames(window, 5)
    assert window.session.view.shown >= {"trails", "heat"}
    assert not any("was stopped" in message.text for message in window.session.messages.log)


CHANGES = [(SetSetting("depth", BOX[2]),), (SetSetting("depth", BOX[2]), Undo()), (SetSetting("backdrop", "meadow"),)]


@pytest.mark.parametrize("changes", CHANGES, ids=["depth", "depth undone", "backdrop"])
def test_what_a_person_has_begun_goes_on_through_a_change_of_depth(
    open_on: OpenWindow, changes: tuple[Command, ...]
) -> None:
    depth = BOX[2] if changes == CHANGES[2] else 0
    window = open_on(with_tools(depth=depth), (1000, 700), panels=["share"])
    frames(window, 10)
    hit(window, key.F4)
    click_widget(window, "Here##from")
    begun, span = panel(window, "film").filming.begin, panel(window, "share").span
    take(window, "wall")
    click(window, 300, 300)
    for change in changes:
        window.session.submit(change)
        frames(window, 2)
    click(window, 400, 330)
    hit(window, key.ENTER)
    frames(window, 2)
    assert len(walls(window)) == 1
    assert panel(window, "film").filming.begin == begun is not None
    assert panel(window, "share").span == span is not None


# ---- cameras


def test_the_middle_button_turns_the_world_and_with_shift_moves_it(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(drifting(dot(320, 180, 250))), SIZE))
    yaw, focus = camera(window).yaw, camera(window).focus
    drag(window, (400, 300), (500, 280), button=MIDDLE)
    assert camera(window).yaw < yaw
    assert camera(window).focus == focus
    yaw = camera(window).yaw
    drag(window, (400, 300), (440, 300), button=MIDDLE, held=key.MOD_SHIFT)
    assert camera(window).yaw == yaw
    assert camera(window).focus != focus


def test_alt_with_the_left_button_turns_it_too(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(drifting(dot(320, 180, 250))), SIZE))
    yaw = camera(window).yaw
    drag(window, (400, 300), (500, 280), held=key.MOD_ALT)
    assert camera(window).yaw < yaw
    assert window.simulation.world.table.size == 1


def test_the_wheel_comes_closer_to_what_is_under_the_mouse(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(drifting(dot(320, 180, 250))), SIZE))
    place, before = camera(window).to_world(500, 350), camera(window).distance
    send(window, ("on_mouse_scroll", 500, 350, 0, 3))
    assert camera(window).distance < before
    assert camera(window).project(place) == pytest.approx((500, 350), abs=0.5)


def test_held_keys_fly(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(drifting(dot(320, 180, 250))), SIZE))
    for symbol, way in ((key.W, -camera(window).axes[2]), (key.D, camera(window).axes[0]), (key.PAGEUP, (0, 1, 0))):
        before = np.array(camera(window).focus)
        send(window, ("on_key_press", symbol, 0))
        window.on_update(0.05)
        send(window, ("on_key_release", symbol, 0))
        went = np.array(camera(window).focus) - before
        assert went @ way > 0.7 * np.linalg.norm(went) > 0


def test_the_number_pad_looks_from_the_front_the_side_and_the_top(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(drifting(dot(320, 180, 250))), SIZE))
    for view, toward in (("front", (0, 0, 1)), ("side", (1, 0, 0)), ("top", (0, 1, 0))):
        look_from(window, view)
        assert camera(window).axes[2] == pytest.approx(toward, abs=0.05)
    assert window.session.hand.tool.name == "boid"  # the digits took no tool
    hit(window, key.NUM_5)
    assert camera(window).parallel


def is_behind(camera: SpaceCamera, heading: tuple[float, float, float]) -> bool:
    """Whether it looks along a heading, a little from above."""
    ahead, along, up = -camera.axes[2], np.array(heading) / np.linalg.norm(heading), "xyz".index(camera.up)
    return 0.95 < ahead @ along < 0.99 and ahead[up] < along[up] - 0.1


def test_follow_looks_from_behind_until_one_turns_the_world_and_riding_looks_along_the_heading(
    open_on: OpenWindow,
) -> None:
    heading = 30.0, 10.0, -20.0
    window = open_on(deep(drifting(dot(200, 180, 250, velocity=heading))), SIZE)
    whole = camera(window).distance
    point(window, 400, 300)
    hit(window, key.F)
    frames(window, 20)
    assert camera(window).focus == pytest.approx(tuple(there(window)[0]), abs=4)
    assert is_behind(camera(window), heading)
    assert camera(window).distance == pytest.approx(whole / 3)
    drag(window, (400, 300), (500, 280), button=MIDDLE)
    turned = camera(window).sees[3:]
    frames(window, 20)
    assert camera(window).sees[3:] == turned
    assert not is_behind(camera(window), heading)
    assert camera(window).focus == pytest.approx(tuple(there(window)[0]), abs=4)
    hit(window, key.F, key.MOD_SHIFT)
    frames(window, 30)
    assert camera(window).rides
    assert -camera(window).axes[2] == pytest.approx(np.array(heading) / math.sqrt(1400), abs=1e-3)


def test_follow_turns_smoothly_with_the_animal(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(drifting(dot(200, 180, 250, velocity=(40, 0, 0)))), SIZE))
    point(window, 400, 300)
    hit(window, key.F)
    frames(window, 2)
    assert is_behind(camera(window), (40, 0, 0))
    window.session.submit(SetField("Velocity.x", 0.0, (1,)))
    window.session.submit(SetField("Velocity.z", 40.0, (1,)))
    frames(window, 15)
    assert not is_behind(camera(window), (40, 0, 0))
    assert not is_behind(camera(window), (0, 0, 40))
    frames(window, 200)
    assert is_behind(camera(window), (0, 0, 40))


def test_who_leaves_an_open_world_is_followed_on(open_on: OpenWindow) -> None:
    scene = deep(drifting(dot(630, 180, 250, velocity=(300, 0, 0))))
    scene.settings.edges = "open"
    window = open_on(scene, SIZE)
    window.session.selection.choose((1,))
    hit(window, key.F)
    frames(window, 60)
    assert there(window)[0, 0] > 900
    assert camera(window).focus == pytest.approx(tuple(there(window)[0]), abs=40)
    hit(window, key.F)
    at = camera(window).focus
    drag(window, (400, 300), (410, 300), button=MIDDLE, held=key.MOD_SHIFT)
    assert camera(window).focus == pytest.approx(at, abs=30)  # one comes back from there without a leap


@pytest.mark.parametrize("up", ["y", "z"])
def test_a_film_follows_from_behind_as_the_window_does(open_on: OpenWindow, up: str) -> None:
    scene = deep(drifting(dot(200, 180, 250, velocity=(30, 10, -20))))
    scene.settings.backdrop = {"y": "lagoon", "z": "meadow"}[up]
    window = open_on(scene, SIZE)
    window.session.selection.choose((1,))
    hit(window, key.F)
    frames(window, 20)
    paused(window)
    made = Follow(1).camera(window.session.document.timeline, SIZE, window.session.clock.alpha)
    assert isinstance(made, SpaceCamera)
    assert made.sees == pytest.approx(camera(window).sees, abs=0.5)


def test_who_ends_a_ride_looks_again_from_where_it_began(open_on: OpenWindow) -> None:
    window = open_on(deep(drifting(dot(200, 180, 250, velocity=(30, 10, -20)))), SIZE)
    whole = camera(window).sees
    for ends in ((key.ESCAPE,), (key.F, key.MOD_SHIFT)):
        point(window, 400, 300)
        hit(window, key.F, key.MOD_SHIFT)
        frames(window, 5)
        assert camera(window).rides
        hit(window, *ends)
        frames(window, 2)
        assert not camera(window).rides
        assert camera(window).sees == whole
    camera(window).look_from(0.5, 0.3)
    camera(window).zoom_at(400, 300, 3.0)
    distance = camera(window).distance
    hit(window, key.F, key.MOD_SHIFT)
    frames(window, 5)
    hit(window, key.ESCAPE)
    frames(window, 2)
    assert camera(window).sees[3:] == (0.5, 0.3, distance)
    assert camera(window).focus == pytest.approx(tuple(there(window)[0]), abs=25)


def test_who_turns_the_camera_gets_off_and_the_wheel_leaves_a_rider_where_it_is(open_on: OpenWindow) -> None:
    """Who climbs steeply looks up: the camera, as far away as before the ride, would be below the floor."""
    window = paused(open_on(deep(drifting(dot(320, 20, 250, velocity=(5, 60, -5)))), SIZE))
    camera(window).look_from(0.5, 0.3)
    distance = camera(window).distance
    hit(window, key.F, key.MOD_SHIFT)
    frames(window, 5)
    seen = camera(window).sees
    for scrolls in (2, -3):
        send(window, ("on_mouse_scroll", 400, 300, 0, scrolls))
        frames(window, 2)
    assert camera(window).rides
    assert camera(window).sees == seen
    send(window, ("on_mouse_press", 400, 300, MIDDLE, 0), ("on_mouse_drag", 440, 300, 40, 0, MIDDLE, 0))
    frames(window, 2)
    assert not camera(window).rides
    assert camera(window).sees[3:] == pytest.approx((0.5 - 40 * np.pi / SIZE[0], 0.3, distance))
    assert camera(window).eye[1] > 0


def test_who_rides_and_follows_gets_off_and_keeps_the_animal_in_the_middle(open_on: OpenWindow) -> None:
    window = open_on(deep(drifting(dot(200, 180, 250, velocity=(30, 10, -20)))), SIZE)
    point(window, 400, 300)
    hit(window, key.F, key.MOD_SHIFT)
    frames(window, 5)
    hit(window, key.F)
    frames(window, 1)
    view = window.session.view
    assert (view.following, view.riding, camera(window).rides) == (True, False, False)
    assert camera(window).focus == pytest.approx(tuple(there(window)[0]), abs=4)
    assert is_behind(camera(window), (30, 10, -20))
    hit(window, key.F, key.MOD_SHIFT)
    frames(window, 5)
    assert (view.following, view.riding, camera(window).rides) == (False, True, True)


@pytest.mark.parametrize("rides", [False, True])
def test_the_whole_world_is_seen_from_where_a_new_one_is(open_on: OpenWindow, rides: bool) -> None:
    window = open_on(deep(drifting(dot(200, 180, 250, velocity=(3, 30, 2)))), SIZE)
    new = camera(window).sees
    camera(window).look_from(2.0, -1.2)
    camera(window).zoom_at(100, 100, 4.0)
    if rides:
        point(window, 400, 300)
        hit(window, key.F, key.MOD_SHIFT)
        frames(window, 5)
    hit(window, key.Z)
    frames(window, 2)
    assert not camera(window).rides
    assert camera(window).sees == new


def test_a_rider_sees_past_neighbours_right_before_its_eyes(open_on: OpenWindow) -> None:
    ahead = {"velocity": (40, 0, 0)}
    flock = dot(200, 180, 250, **ahead), *(dot(200 + far, 181, 250, "green", **ahead) for far in (18, 21, 24, 27))
    window = paused(open_on(deep(drifting(*flock, dot(400, 230, 250), size=8)), SIZE))
    window.session.selection.choose((int(window.simulation.world.table.serial[0]),))
    hit(window, key.F, key.MOD_SHIFT)
    frames(window, 3)
    shown = pixels(window).astype(int)
    assert len(places(bright(shown.astype(np.uint8)))) > 20
    assert (shown[..., 1] > 1.5 * shown[..., [0, 2]].max(-1)).mean() < 0.2


def test_up_is_up_over_another_backdrop_too_and_undo_brings_the_view_back(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(drifting(dot(200, 180, 250))), SIZE))
    assert camera(window).up == "y"
    camera(window).look_from(1.0, 0.5)
    window.session.submit(SetSetting("backdrop", "meadow"))
    frames(window, 2)
    assert camera(window).up == "z"
    assert camera(window).fitted
    hit(window, key.Z, key.MOD_CTRL)
    frames(window, 2)
    assert (camera(window).up, camera(window).yaw) == ("y", 1.0)


def test_a_line_says_whom_one_rides_and_escape_gets_off(open_on: OpenWindow) -> None:
    """Before it closes a panel; what was selected stays selected, and is seen from as far away as before."""
    moving = dot(200, 180, 250, velocity=(30, 10, -20))
    window = open_on(deep(drifting(moving)), (1100, 800), panels=["help"])
    window.session.selection.choose([1])
    away = camera(window).distance
    hit(window, key.F, key.MOD_SHIFT)
    frames(window, 5)
    assert "Riding red 1. Esc gets off." in look(window).texts
    assert camera(window).rides
    hit(window, key.ESCAPE)
    frames(window, 5)
    assert not [text for text in look(window).texts if text.startswith("Riding")]
    assert not camera(window).rides
    assert np.linalg.norm(camera(window).eye - camera(window).focus) == pytest.approx(away)
    assert window.session.selection.one == 1
    assert "help" in window.session.preferences.open


@pytest.mark.parametrize(("chosen", "who"), [((3,), None), ((4,), None), ((1, 2, 3), "red 2"), ((2, 5), "red 2")])
def test_the_first_animal_of_the_selection_is_ridden_and_no_stone(
    open_on: OpenWindow, chosen: tuple[int, ...], who: str | None
) -> None:
    stone, wall = Entry("obstacle", at=(100, 100, 100)), Entry("wall", points=((50, 50), (90, 60)))
    flies = {"velocity": (30, 10, -20)}
    window = open_on(deep(with_tools(stone, dot(200, 180, 250, **flies), stone, wall, dot(9, 9, 9, **flies))), SIZE)
    window.session.selection.choose(chosen)
    hit(window, key.F, key.MOD_SHIFT)
    frames(window)
    lines = [text for text in look(window).texts if text.startswith("Riding")]
    assert lines == ([f"Riding {who}. Esc gets off."] if who else [])
    assert camera(window).rides == bool(who)
    assert (window.session.messages.newest == "There is no animal to ride on.") == (not who)
    if who:
        hit(window, key.F, key.MOD_SHIFT)
        frames(window)
        assert not camera(window).rides
        assert window.session.messages.newest != "There is no animal to ride on."


def test_arrows_of_rules_are_drawn_through_a_change_of_depth(open_on: OpenWindow) -> None:
    window = open_on(four(), SIZE)
    window.session.shown.add("vectors")
    window.session.selection.choose([1])
    frames(window, 5)
    window.session.clock.paused = True
    frames(window, 2)
    for depth in (300.0, 0.0):
        window.session.submit(SetSetting("depth", depth))
        window.simulation.settle_commands()  # as saving does, before anything is gathered anew
        window.on_draw()
        frames(window, 2)
    with_arrows = pixels(window).astype(int)
    window.session.shown.discard("vectors")
    frames(window, 2)
    assert np.abs(with_arrows - pixels(window)).max() > 60


# ---- hands


def test_a_click_places_where_the_mouse_points_in_the_plane_of_what_is_looked_at(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(with_tools()), SIZE))
    take(window, "obstacle")
    click(window, 420, 320)
    frames(window, 1)
    assert there(window).shape == (1, 3)
    assert camera(window).project(there(window)[0]) == pytest.approx((420, 320), abs=0.1)
    assert (there(window)[0] - camera(window).focus) @ camera(window).axes[2] == pytest.approx(0, abs=0.01)


def test_control_and_the_wheel_bring_the_plane_nearer(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(with_tools()), SIZE))
    window.keyboard.data[key.LCTRL] = True  # type: ignore[union-attr]
    send(window, ("on_mouse_scroll", 400, 300, 0, 2))
    window.keyboard.data.clear()  # type: ignore[union-attr]
    take(window, "obstacle")
    click(window, 420, 320)
    frames(window, 1)
    assert (there(window)[0] - camera(window).focus) @ camera(window).axes[2] > 10
    assert camera(window).project(there(window)[0]) == pytest.approx((420, 320), abs=0.1)


def test_the_plane_stays_before_the_viewer_however_near_it_is_brought(open_on: OpenWindow) -> None:
    """And where it is in the world while one comes closer: what a click places there is seen."""
    window = paused(open_on(deep(with_tools()), SIZE))
    window.keyboard.data[key.LCTRL] = True  # type: ignore[union-attr]
    send(window, ("on_mouse_scroll", 400, 300, 0, 12))
    window.keyboard.data.clear()  # type: ignore[union-attr]
    place = camera(window).to_world(420, 320)
    send(window, ("on_mouse_scroll", 420, 320, 0, 5))
    assert camera(window).to_world(420, 320) == pytest.approx(place)
    window.keyboard.data[key.LCTRL] = True  # type: ignore[union-attr]
    send(window, ("on_mouse_scroll", 400, 300, 0, 50))
    window.keyboard.data.clear()  # type: ignore[union-attr]
    send(window, ("on_mouse_scroll", 420, 320, 0, 10))
    away = (camera(window).eye - camera(window).to_world(420, 320)) @ camera(window).axes[2]
    assert 0 < away < 0.2 * camera(window).distance
    assert camera(window).project(camera(window).to_world(420, 320)) == pytest.approx((420, 320), abs=0.1)


SOLIDS = {
    "ball": (Entry("obstacle", at=(320, 180, 350)), 30.0, lambda x, y, z: math.hypot(x - 320, y - 180, z - 350)),
    "pillar": (
        Entry("obstacle", at=(320, 180, 100), values={"Obstacle.pillar": True}),
        30.0,
        lambda x, y, z: math.hypot(x - 320, y - 180),
    ),
    "wall": (
        Entry("wall", points=((200, 180), (440, 180)), values={"Wall.thickness": 40.0}),
        20.0,
        lambda x, y, z: abs(y - 180),
    ),
}
AIM = 320.0, 180.0, 350.0  # within each of them


@pytest.mark.parametrize("kind", SOLIDS)
def test_the_mouse_works_on_the_side_of_a_solid_that_one_sees(open_on: OpenWindow, kind: str) -> None:
    """A drag stays as far away as it began, and where nothing stands, the plane is that of what is looked at."""

    def hand() -> np.ndarray:
        return np.array(window.session.hand.spot(window.session).place)

    def before_plane() -> float:
        return float((hand() - camera(window).focus) @ camera(window).axes[2])

    solid, thick, away = SOLIDS[kind]
    window = paused(open_on(deep(with_tools(solid, radius=30)), SIZE))
    camera(window).look_from(1.2, 0.6)
    x, y = camera(window).project(AIM).round().astype(int).tolist()
    point(window, x, y)
    assert away(*hand()) == pytest.approx(thick, abs=0.01)
    began = before_plane()
    assert began > np.subtract(AIM, camera(window).focus) @ camera(window).axes[2] > 20
    take(window, "boid")
    press(window, (x, y), (x - 250, y))
    assert before_plane() == pytest.approx(began)
    send(window, ("on_mouse_release", x - 250, y, LEFT, 0))
    camera(window).look_at(320, 340, 250)
    assert before_plane() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("view", [(1.2, 0.6), (0.0, 0.0)])
@pytest.mark.parametrize("kind", SOLIDS)
def test_a_click_selects_a_solid_wherever_one_sees_it(
    open_on: OpenWindow, kind: str, view: tuple[float, float], parallel: bool
) -> None:
    window = paused(open_on(deep(with_tools(SOLIDS[kind][0], dot(290, 160, 300), radius=30)), SIZE))
    camera(window).parallel = parallel
    camera(window).look_from(*view)
    take(window, "select")
    click(window, *camera(window).project(AIM).round().astype(int).tolist())
    assert [*window.session.selection.serials] == [1]


def test_a_click_selects_the_nearest_under_the_mouse_and_a_rectangle_what_it_encloses(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(with_tools(dot(320, 180, 100), dot(320, 180, 400), dot(100, 60, 250))), SIZE))
    camera(window).look_from(0.0, 0.0)
    take(window, "select")
    click(window, 400, 300)
    assert [*window.session.selection.serials] == [2]
    x, y = camera(window).project((100, 60, 250)).round().astype(int).tolist()
    drag(window, (x - 20, y - 20), (x + 20, y + 20))
    assert [*window.session.selection.serials] == [3]


@pytest.mark.parametrize("view", ["front", "side", "top", "aslant"])
def test_a_rectangle_selects_and_erases_walls_whose_middle_it_meets(open_on: OpenWindow, view: str) -> None:
    walls = (Entry("wall", points=points) for points in (((200, 180), (440, 200)), ((40, 20), (40, 60))))
    window = paused(open_on(deep(with_tools(*walls, dot(600, 340, 20))), SIZE))
    look_from(window, view)
    x, y = camera(window).project((320, 190, 250)).round().astype(int).tolist()
    around = (x - 20, y - 20), (x + 20, y + 20)
    take(window, "select")
    drag(window, *around)
    assert [*window.session.selection.serials] == [1]
    take(window, "erase")
    drag(window, *around, held=key.MOD_CTRL)
    frames(window, 1)
    assert values(window, "Wall.ax", [2]) == [40]
    assert window.simulation.world.table.size == 2


@pytest.mark.parametrize("solid", ["wall", "pillar"])
def test_a_small_animal_before_a_solid_is_selected_by_a_click_beside_it(open_on: OpenWindow, solid: str) -> None:
    """As before nothing; but not one behind it, nor what one clicks far beside."""
    entry = {
        "wall": Entry("wall", points=((200, 100), (440, 100))),
        "pillar": Entry("obstacle", at=(320, 60, 250), values={"Obstacle.pillar": True, "Obstacle.radius": 50.0}),
    }[solid]
    small = {"Look.size": 1.0}
    animals = (Entry("red", at=(x, y, 250), velocity=(0, 0, 0), values=small) for x, y in ((320, 200), (345, 5)))
    window = paused(open_on(deep(with_tools(entry, *animals)), SIZE))
    look_from(window, "top")
    take(window, "select")
    for serial, off, found in ((2, 0, 2), (2, 5, 2), (2, 12, 1), (3, 0, 1), (3, 5, 1)):
        x, y = camera(window).project(there(window)[serial - 1 - (solid == "wall")]).round().astype(int).tolist()
        click(window, x + off, y)
        assert [*window.session.selection.serials] == [found]
        window.session.selection.choose(())


def test_what_is_drawn_smaller_right_before_a_rider_is_clicked_as_small(open_on: OpenWindow) -> None:
    ahead = {"velocity": (40, 0, 0)}
    window = paused(
        open_on(deep(with_tools(*(dot(x, 180, 250, **ahead) for x in (200, 222)), dot(400, 230, 250))), SIZE)
    )
    window.session.selection.choose((1,))
    hit(window, key.F, key.MOD_SHIFT)
    frames(window, 3)
    take(window, "select")
    for serial in (2, 3):
        click(window, *camera(window).project(there(window)[serial - 1]).round().astype(int).tolist())
        assert [*window.session.selection.serials] == [serial]
        window.session.selection.choose((1,))


def test_a_rectangle_erases_no_wall_behind_the_viewer_but_one_that_passes_by(open_on: OpenWindow) -> None:
    walls = (Entry("wall", points=points) for points in (((600, 100), (600, 300)), ((20, 180), (620, 185))))
    window = paused(open_on(deep(with_tools(*walls)), SIZE))
    look_from(window, "side")
    camera(window).zoom_at(400, 300, 4.0)
    assert np.isnan(camera(window).project((600, 180, 250))).all()
    take(window, "erase")
    drag(window, (30, 30), (770, 570), held=key.MOD_CTRL)
    frames(window, 1)
    assert [wall["ax"] for wall in window.simulation.world.table.records(Wall)[:1]] == [600]
    assert window.simulation.world.table.size == 1


def test_an_obstacle_is_placed_as_a_pillar_if_one_says_so(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(with_tools()), SIZE, panels=["palette"]))
    take(window, "obstacle")
    click_widget(window, "Pillar##offer")
    click(window, 400, 300)
    click_widget(window, "Pillar##offer")
    click(window, 500, 300)
    frames(window, 1)
    assert values(window, "Obstacle.pillar") == [True, False]
    take(window, "predator")
    assert "Pillar##offer" not in look(window).places


def test_in_a_flat_world_there_are_no_pillars(open_on: OpenWindow) -> None:
    window = paused(open_on(with_tools(), SIZE, panels=["palette"]))
    take(window, "obstacle")
    assert "Pillar##offer" not in look(window).places


@pytest.mark.parametrize("depth", [0, 400])
@pytest.mark.parametrize("tool", ["boid", "select", "wall", "erase"])
def test_the_mouse_works_in_the_world_as_it_is_since_the_event_before(
    open_on: OpenWindow, tool: str, depth: float
) -> None:
    scene = with_tools(dot(320, 180, 200)) if not depth else with_tools(Entry("red", at=(320, 180)))
    scene.settings.depth = 0 if depth else BOX[2]
    window = paused(open_on(scene, SIZE))
    take(window, tool)
    for _ in range(2):
        window.session.submit(SetSetting("depth", depth))
        window.simulation.settle_commands()
        drag(window, (300, 200), (340, 230))
        window.session.submit(SetSetting("depth", BOX[2] - depth))
        window.simulation.settle_commands()
        press(window, (300, 200))
        hit(window, key.Z, key.MOD_CTRL)
        hit(window, key.F)
        send(window, ("on_mouse_release", 300, 200, LEFT, 0))
        frames(window, 1)
    assert suits(window.session.camera, window.simulation.world)


@pytest.mark.parametrize("yaw", [-1.2, 0.0, 1.2, 3.0])
def test_a_wall_is_drawn_before_the_viewer_wherever_one_points(open_on: OpenWindow, yaw: float) -> None:
    window = paused(open_on(deep(with_tools(edges="open")), SIZE))
    camera(window).look_from(yaw, 0.0)
    take(window, "wall")
    for x in (20, 780):
        click(window, x, 300)
    hit(window, key.ENTER)
    frames(window, 1)
    drawn = walls(window)
    assert len(drawn) == 1
    ends = [(*wall[at : at + 2], BOX[2] / 2) for wall in drawn for at in (0, 2)]
    assert not np.isnan(camera(window).project(np.array(ends))).any()


def test_what_is_dragged_stays_under_the_mouse_at_its_distance(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(with_tools(dot(320, 180, 100))), SIZE))
    x, y = camera(window).project((320, 180, 100)).tolist()
    take(window, "select")
    press(window, (round(x), round(y)), (round(x) + 30, round(y) + 10))
    frames(window, 2)
    send(window, ("on_mouse_release", round(x) + 30, round(y) + 10, LEFT, 0))
    frames(window, 1)
    assert camera(window).project(there(window)[0]) == pytest.approx((x + 30, y + 10), abs=1.5)
    away = (there(window)[0] - (320, 180, 100)) @ camera(window).axes[2]
    assert away == pytest.approx(0, abs=0.5)
    hit(window, key.Z, key.MOD_CTRL)
    frames(window, 1)
    assert there(window)[0] == pytest.approx((320, 180, 100))


def test_the_right_button_erases_in_a_ball(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(with_tools(dot(320, 180, 250), dot(320, 180, 20))), SIZE))
    camera(window).look_from(0.0, 0.0)
    click(window, 400, 300, RIGHT)
    frames(window, 1)
    assert there(window).tolist() == [[320, 180, 20]]


def test_a_crowd_is_painted_into_a_ball(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(with_tools()), SIZE))
    window.session.hand.count, radius = 200, 2 * 10 * 200 ** (1 / 3)
    click(window, 400, 300)
    frames(window, 1)
    away = np.linalg.norm(there(window) - camera(window).to_world(400, 300), axis=1)
    assert len(away) == 200
    assert away.max() <= radius + 1e-3
    assert np.ptp(there(window), axis=0).min() > radius


@pytest.mark.parametrize("prefab", ["boid", "obstacle"])
@pytest.mark.parametrize("view", ["front", "side", "top", "aslant"])
def test_control_and_a_drag_fill_the_rectangle_that_one_sees(open_on: OpenWindow, prefab: str, view: str) -> None:
    """From wherever one looks, in the plane that the mouse works on."""
    window = paused(open_on(deep(with_tools()), SIZE))
    look_from(window, view)
    begin, end = (320, 250), (480, 350)
    take(window, prefab)
    drag(window, begin, end, held=key.MOD_CTRL)
    frames(window, 1)
    made = there(window)
    seen = camera(window).project(made)
    assert (seen >= np.subtract(begin, 0.1)).all()
    assert (seen <= np.add(end, 0.1)).all()
    assert np.ptp(seen, axis=0) == pytest.approx(np.subtract(end, begin), rel=0.25)
    assert (made - camera(window).focus) @ camera(window).axes[2] == pytest.approx(0, abs=0.01)
    step = max(20.0, window.session.hand.brush_radius(window.session) if prefab == "boid" else 0.0)
    sides = np.subtract(end, begin) / camera(window).zoom
    assert len(made) == pytest.approx(
        sides.prod() / step**2 if prefab == "boid" else (sides // step + 1).prod(), rel=0.1
    )


@pytest.mark.parametrize("prefab", ["boid", "obstacle"])
def test_a_rectangle_is_filled_where_it_lies_in_the_world(open_on: OpenWindow, prefab: str) -> None:
    window = paused(open_on(deep(with_tools()), SIZE))
    camera(window).look_from(0.7, 0.5)
    take(window, prefab)
    drag(window, (400, 300), (790, 590), held=key.MOD_CTRL)
    frames(window, 1)
    made = there(window)
    assert len(made) > 10
    assert ((made >= 0) & (made <= BOX)).all()
    assert (made - camera(window).focus) @ camera(window).axes[2] == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("view", ["front", "behind", "side", "top", "aslant"])
def test_wind_blows_where_a_drag_points_in_the_picture(open_on: OpenWindow, view: str) -> None:
    """In the plane that the mouse works on; the arrow of the preview says so."""
    window = paused(open_on(deep(with_tools()), SIZE))
    look_from(window, view)
    take(window, "wind")
    begin, end = (400, 300), (500, 240)
    way = np.subtract(end, begin) / math.dist(end, begin)
    press(window, begin, end)
    middle = np.array(window.session.hand.spot(window.session).begin.place)  # type: ignore[union-attr]
    shown = pixels(window).max(axis=2).astype(int)
    middle = camera(window).project(middle)  # without panels, the view is another one
    along, across = (
        np.median([shown[tuple(np.round(middle + share * ways).astype(int)[::-1])] for share in range(10, 28)])
        for ways in (way, way @ ((0, 1), (-1, 0)))
    )
    assert along > across + 40
    send(window, ("on_mouse_release", *end, LEFT, 0))
    frames(window, 1)
    wind = window.simulation.world.table.records(Wind)[0]
    turn, rise = math.radians(wind["direction"]), math.radians(wind["tilt"])
    blows = np.array([math.cos(rise) * math.cos(turn), math.cos(rise) * math.sin(turn), math.sin(rise)])
    assert blows @ camera(window).axes[2] == pytest.approx(0, abs=1e-3)
    seen = camera(window).project(there(window)[0] + 20 * blows) - camera(window).project(there(window)[0])
    assert seen / np.hypot(*seen) == pytest.approx(way, abs=1e-3)


@pytest.mark.parametrize("parallel", [False, True])
def test_a_rider_places_and_erases_before_its_eyes(open_on: OpenWindow, parallel: bool) -> None:
    """Neither the animal that it rides on nor those beside this, and the brush is as wide as it looks."""
    ahead = {"velocity": (40, 0, 0)}
    flock = (dot(200 + x, 180 + y, 250 + z, **ahead) for x, y, z in ((0, 0, 0), (0, 22, 0), (5, 0, -22), (30, 15, 0)))
    window = paused(open_on(deep(with_tools(*flock)), SIZE))
    camera(window).parallel = parallel
    window.session.selection.choose((1,))
    hit(window, key.F, key.MOD_SHIFT)
    frames(window, 3)
    click(window, 400, 300, RIGHT)
    frames(window, 1)
    assert len(there(window)) == 4
    take(window, "obstacle")
    click(window, 420, 310)
    frames(window, 1)
    placed = there(window)[4]
    assert camera(window).project(placed) == pytest.approx((420, 310), abs=0.1)
    assert placed[0] > 250
    edge = camera(window).axes[1] * window.session.hand.brush_radius(window.session)
    across = camera(window).project(placed + edge) - camera(window).project(placed)
    assert np.hypot(*across) == pytest.approx(window.session.hand.brush, rel=0.1)


def test_the_hand_pulls_in_space(open_on: OpenWindow) -> None:
    window = open_on(deep(with_tools(dot(320, 180, 230))), SIZE)
    camera(window).look_from(0.0, 0.0)
    camera(window).lift_plane(40.0)
    take(window, "hand")
    press(window, (400, 300))
    frames(window, 20)
    assert there(window)[0, 2] > 232


def test_the_hand_reaches_as_far_as_the_animals_under_it(open_on: OpenWindow) -> None:
    """Whose depth a person cannot see well: it pulls them across the picture, not toward the viewer."""
    window = open_on(deep(with_tools(dot(320, 180, 120))), SIZE)
    camera(window).look_from(0.0, 0.0)
    take(window, "hand")
    x, y = camera(window).project((320, 180, 120))
    point(window, x + 60, y)
    assert window.session.hand.spot(window.session).place[2] == pytest.approx(120, abs=1)  # so says its shadow before
    press(window, (x + 60, y))
    frames(window, 20)
    x, _, z = there(window)[0]
    assert z == pytest.approx(120, abs=0.5)
    assert x > 321
    assert window.session.hand.spot(window.session).place[2] == pytest.approx(120, abs=1)  # and while it pulls


def test_the_arrows_of_the_hand_come_from_all_sides_of_the_picture(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(with_tools()), SIZE))
    window.session.preferences.reduce_motion = True
    look_from(window, "aslant")
    take(window, "hand")
    point(window, 390, 330)
    before = pixels(window).astype(int)
    press(window, (390, 330))
    seen = np.abs(pixels(window) - before).mean(axis=2)
    sides = [seen[330:333, 425:445], seen[330:333, 335:355], seen[365:385, 390:393], seen[275:295, 390:393]]
    assert min(side.mean() for side in sides) > 40


ON_THE_PLANE = "boid", "obstacle", "erase", "wind", "hand"


def brighter(window: FlockWindow, *pixel: float) -> np.ndarray:
    """How much brighter each pixel is with the mouse at one than without it, 0 to 255."""
    window.session.hand.leave()
    before = pixels(window).astype(int)
    point(window, *pixel)
    window.on_update(0.02)
    return (pixels(window) - before).mean(axis=2)


def beside(window: FlockWindow, place: ArrayLike) -> list[int]:
    """The pixel 4 pixels to the right of a place, where the line down to the floor is not: line and column."""
    x, y = camera(window).project(place).round().astype(int).tolist()
    return [y, x + 4]


@pytest.mark.parametrize("view", ["front", "aslant", "z is up"])
@pytest.mark.parametrize("tool", [*ON_THE_PLANE, "select", "wall", "label"])
def test_a_grid_and_a_shadow_on_the_floor_say_where_the_hand_works(open_on: OpenWindow, tool: str, view: str) -> None:
    scene = deep(with_tools())
    scene.settings.backdrop = "meadow" if view == "z is up" else "lagoon"
    window = paused(open_on(scene, SIZE))
    pixels(window)  # without panels, the view is another one
    look_from(window, view)
    take(window, tool)
    seen = brighter(window, 390, 330)
    place = np.array(window.session.hand.spot(window.session).place)
    below = np.where([axis == camera(window).up for axis in "xyz"], 0.0, place)
    wide = window.session.hand.brush_radius(window.session)
    shadow = [-seen[*beside(window, below + camera(window).axes[0] * share * wide)] for share in (0, 0.5, 1.0, 3.0)]
    away = np.hypot(*(np.indices(seen.shape) - np.array([[[330]], [[390]]])))
    grid = [seen[(away > low) & (away < low + 40)].clip(0).mean() for low in (40, 80, 120, 240)]
    if tool in ON_THE_PLANE:
        assert shadow[0] > 20
        assert shadow == sorted(shadow, reverse=True)
        assert shadow[0] > shadow[1] + 2 > shadow[2] + 4
        assert grid[0] > 0.5
    if tool in ON_THE_PLANE[:3]:  # whose preview is small
        assert grid == sorted(grid, reverse=True)
        assert seen[away > 60].max() < 60  # of 255: it is faint, and so is the line down
    if tool not in ON_THE_PLANE:
        assert grid[0] < 0.01
    assert abs(shadow[3]) < 1
    assert grid[3] < 0.01


def test_the_shadow_of_the_hand_is_as_wide_as_the_ball_that_it_would_place(open_on: OpenWindow) -> None:
    scene = deep(with_tools())
    scene.settings.backdrop = "lagoon"
    window = paused(open_on(scene, SIZE))
    pixels(window)  # without panels, the view is another one
    dark = []
    for count in (12, 1000):
        window.session.hand.count = count
        seen = brighter(window, 390, 330)
        below = np.array(window.session.hand.spot(window.session).place) * (1, 0, 1)
        dark.append(-seen[*beside(window, below + 90 * camera(window).axes[0])])  # u: the ball's radius is 100
    assert abs(dark[0]) < 1
    assert dark[1] > 4


def test_the_shadow_of_the_hand_is_hidden_by_what_is_nearer(open_on: OpenWindow) -> None:
    shadows = {}
    for x in (320, 40):
        ball = Entry("obstacle", at=(x, 25, 400), values={"Obstacle.radius": 90.0})
        window = paused(open_on(deep(with_tools(ball)), SIZE))
        pixels(window)
        look_from(window, "front")
        take(window, "boid")
        seen = brighter(window, *camera(window).project((320, 220, 250)).tolist())
        place = np.array(window.session.hand.spot(window.session).place)
        shadows[x] = -seen[*beside(window, place * (1, 0, 1))]
    assert shadows[40] > 20
    assert abs(shadows[320]) < 1


def test_the_right_button_shows_where_it_erases_with_any_tool(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(with_tools()), SIZE))
    pixels(window)
    take(window, "select")
    point(window, 390, 330)
    before = pixels(window).astype(int)
    press(window, (390, 330), button=RIGHT)
    place = np.array(window.session.hand.spot(window.session).place)
    seen = (pixels(window) - before).mean(axis=2)
    assert -seen[*beside(window, place * (1, 0, 1))] > 20


def test_copies_are_pasted_at_the_mouse_at_their_distance(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(with_tools(dot(320, 180, 100))), SIZE))
    hit(window, key.A, key.MOD_CTRL)
    hit(window, key.C, key.MOD_CTRL)
    point(window, 500, 350)
    hit(window, key.V, key.MOD_CTRL)
    frames(window, 1)
    assert len(there(window)) == 2
    assert camera(window).project(there(window)[1]) == pytest.approx((500, 350), abs=0.5)
    assert (there(window)[1] - (320, 180, 100)) @ camera(window).axes[2] == pytest.approx(0, abs=0.1)


def test_a_wall_is_drawn_in_the_middle_of_the_depth(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(with_tools()), SIZE))
    take(window, "wall")
    drag(window, (300, 300), (500, 320))
    frames(window, 1)
    wall = window.simulation.world.table.records(Wall)[0]
    begin = camera(window).project((wall["ax"], wall["ay"], BOX[2] / 2))
    assert begin == pytest.approx((300, 300), abs=0.5)


# ---- everything at once


@pytest.mark.parametrize("overlay", ["trails", "perception", "vectors", "grid", "heat", "effects"])
def test_each_overlay_is_drawn(open_on: OpenWindow, overlay: str) -> None:
    window = open_on(deep(with_tools(*(dot(20 * n, 180, 250, velocity=(9, 3, n)) for n in range(20)))), SIZE)
    window.session.shown.add(overlay)
    window.session.selection.choose((3,))
    frames(window, 10)
    assert pixels(window).any()


def test_explain_compare_the_past_and_a_picture_work(open_on: OpenWindow, tmp_path: object) -> None:
    scene = deep(with_tools(*(dot(20 * n, 180, 250, velocity=(9, 3, n)) for n in range(20))))
    window = open_on(scene, SIZE, panels=["explain", "time bar", "inspector"])
    frames(window, 20)
    window.session.selection.choose((3,))
    window.session.clock.paused = True
    frames(window, 3)
    hit(window, key.C)
    frames(window, 3)
    window.session.act("compare")
    window.session.playback.move(-3)
    frames(window, 5)
    assert window.session.document.timeline.in_past
    assert pixels(window).any()


def test_a_flat_world_gets_depth_in_the_panel_world_and_undo_brings_it_back_as_it_was_seen(
    open_on: OpenWindow,
) -> None:
    entries = (Entry("red", at=(20 * n, 100), velocity=(9, 3)) for n in range(20))
    window = paused(open_on(with_tools(*entries), (1000, 700), panels=["world", "time bar"]))
    window.session.camera.zoom_at(300, 300, 1.5)
    flat, tick, digest = window.session.camera, window.simulation.tick, window.simulation.digest()
    point(window, 5, 5)
    click_widget(window, "Give it depth")
    frames(window, 5)
    assert there(window)[:, 2].max() <= 360
    assert np.ptp(there(window)[:, 2]) > 180
    assert pixels(window).any()
    camera(window).orbit(90, 30)
    deep, yaw = camera(window), camera(window).yaw
    hit(window, key.Z, key.MOD_CTRL)
    frames(window, 2)
    assert (window.simulation.tick, window.simulation.digest()) == (tick, digest)
    assert window.session.camera is flat
    hit(window, key.Z, key.MOD_CTRL | key.MOD_SHIFT)
    frames(window, 2)
    assert camera(window) is deep
    assert camera(window).yaw == yaw


@pytest.mark.parametrize("reduced", [False, True])
def test_a_world_that_gets_depth_turns_from_its_front_unless_motion_is_reduced(
    open_on: OpenWindow, reduced: bool
) -> None:
    window = open_on(with_tools(Entry("red", 5)), SIZE)
    window.session.preferences.reduce_motion = reduced
    window.session.submit(SetSetting("depth", BOX[2]))
    window.on_update(0.0)
    shown = window.session.view.glide.shown(camera(window))
    assert (shown.yaw, shown.pitch) == (pytest.approx(camera(window).sees[3:5]) if reduced else (0.0, 0.0))
    frames(window, 30)
    shown = window.session.view.glide.shown(camera(window))
    assert shown.yaw == camera(window).yaw != 0


def test_a_deep_world_is_made_flat_in_the_panel_world(open_on: OpenWindow) -> None:
    window = paused(open_on(deep(with_tools(dot(200, 180, 400))), (1000, 700), panels=["world"]))
    point(window, 5, 5)
    click_widget(window, "Make it flat")
    frames(window, 3)
    assert there(window).tolist() == [[200, 180]]
    assert not isinstance(window.session.camera, SpaceCamera)
    assert pixels(window).any()


def test_the_past_of_a_world_that_got_depth_is_seen_in_the_form_that_it_had(open_on: OpenWindow) -> None:
    window = open_on(with_tools(*(Entry("red", at=(20 * n, 100), velocity=(9, 3)) for n in range(20))), SIZE)
    frames(window, 30)
    window.session.submit(SetSetting("depth", 300.0))
    frames(window, 30)
    assert isinstance(window.session.camera, SpaceCamera)
    window.session.playback.visit(2)
    frames(window, 3)
    assert not isinstance(window.session.camera, SpaceCamera)
    assert there(window).shape == (20, 2)
    window.session.playback.present()
    frames(window, 3)
    assert there(window).shape == (20, 3)
    assert isinstance(window.session.camera, SpaceCamera)


def test_in_compare_one_world_may_have_depth_and_the_other_none(open_on: OpenWindow) -> None:
    window = paused(open_on(with_tools(*(Entry("red", at=(20 * n, 100)) for n in range(20))), SIZE))
    window.session.act("compare")
    frames(window, 2)
    window.session.submit(SetSetting("depth", 300.0))
    frames(window, 2)
    assert isinstance(window.session.camera, SpaceCamera)
    assert pixels(window).any()
    window.session.work_on(True)
    frames(window, 2)
    assert not isinstance(window.session.camera, SpaceCamera)
    assert pixels(window).any()


def test_in_a_world_that_gets_depth_heat_begins_anew_on_the_floor(open_on: OpenWindow) -> None:
    """Also while it is paused, and though the floor of a world as deep as it is high has the cells of its picture."""
    pictures = []
    for shown in ("before", "after", "never"):
        window = paused(open_on(with_tools(*[Entry("red", at=(450, 300))] * 30), SIZE))
        if shown == "before":
            window.session.shown.add("heat")
            window.world.take()
        window.session.submit(SetSetting("depth", 360.0))
        frames(window, 2)
        if shown == "after":
            window.session.shown.add("heat")
            window.world.take()
        camera(window).look_from(0.0, 0.4)
        pictures.append(pixels(window).astype(int))
    before, after, never = pictures
    assert np.abs(after - never).max() > 40
    assert np.abs(before - after).max() <= 1


def test_the_heat_of_a_flock_lies_on_the_floor_below_it(open_on: OpenWindow) -> None:
    """And what is nearer hides it."""
    near, far = [dot(450, 200, 350)] * 30, [dot(450, 30, 350, "obstacle")]
    pictures = []
    for entries, shown in ((near, ()), (near, ("heat",)), (near + far, ()), (near + far, ("heat",))):
        window = paused(open_on(deep(with_tools(*entries, radius=30)), SIZE))
        camera(window).look_from(0.0, 0.4)
        window.session.shown.update(shown)
        window.world.take()
        pictures.append(pixels(window).astype(int))
    warmed = np.abs(pictures[1] - pictures[0]).max(axis=2) > 12
    assert places(np.where(warmed[..., None], (255, 0, 0), 0).astype(np.uint8)).mean(axis=0) == pytest.approx(
        camera(window).project((450, 0, 350)), abs=6
    )
    behind = np.abs(pictures[3] - pictures[2]).max(axis=2) > 12
    assert behind.sum() < 0.5 * warmed.sum()
