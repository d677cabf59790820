"""In a world with depth the hand works on the floor where that lies before the plane that it works on, never below."""

from __future__ import annotations

import numpy as np
import pytest
from arcade import key

from sandbox.app.window import FlockWindow
from sandbox.design.scene import Scene

from .conftest import OpenWindow, send
from .mouse import drag, point, press, take, with_tools
from .test_space_window import SIZE, camera, deep, dot, frames, paused, there

UP = {"meadow": 2, "lagoon": 1, "sunset": 1}  # by backdrop: the axis that points up


def world(backdrop: str, edges: str = "turn") -> Scene:
    scene = deep(with_tools(edges=edges))
    scene.settings.backdrop = backdrop
    return scene


def looking_down(window: FlockWindow) -> FlockWindow:
    camera(window).look_from(0.3, 0.3)
    return paused(window)


def on_floor(window: FlockWindow, nearer: float) -> tuple[int, int]:
    """The pixel of a place on the floor, so many u nearer to the viewer than the middle of the world."""
    levels = [axis != camera(window).up for axis in "xyz"]
    toward = camera(window).axes[2] * levels
    place = camera(window).focus * np.array(levels) + nearer * toward / np.linalg.norm(toward)
    x, y = camera(window).project(place).round().astype(int).tolist()
    return x, y


def hand(window: FlockWindow) -> np.ndarray:
    return np.array(window.session.hand.spot(window.session).place)


def before_plane(window: FlockWindow) -> float:
    return float((hand(window) - camera(window).works_at) @ camera(window).axes[2])


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("edges", ["turn", "open"])
@pytest.mark.parametrize("backdrop", UP)
def test_over_the_foreground_it_works_on_the_floor_under_the_pointer(
    open_on: OpenWindow, backdrop: str, edges: str, parallel: bool
) -> None:
    window = looking_down(open_on(world(backdrop, edges), SIZE))
    camera(window).parallel = parallel
    heights = []
    for pixel in (on_floor(window, 170), on_floor(window, 110), on_floor(window, 30), (380, 420)):
        point(window, *pixel)
        assert camera(window).project(hand(window)) == pytest.approx(pixel, abs=0.01)
        heights.append(hand(window)[UP[backdrop]])
        if heights[-1]:
            assert before_plane(window) == pytest.approx(0, abs=1e-6)
        else:
            assert before_plane(window) > 1
    assert heights[:2] == [0, 0]
    assert heights[3] > heights[2] > 5


def test_space_has_no_floor(open_on: OpenWindow) -> None:
    window = looking_down(open_on(world("nebula", "open"), SIZE))
    point(window, *on_floor(window, 110))
    assert hand(window)[1] < -10
    assert before_plane(window) == pytest.approx(0, abs=1e-6)


def test_control_and_the_wheel_still_bring_it_nearer(open_on: OpenWindow) -> None:
    window = looking_down(open_on(world("meadow"), SIZE))
    point(window, *(pixel := on_floor(window, 110)))
    before = before_plane(window)
    window.keyboard.data[key.LCTRL] = True  # type: ignore[union-attr]
    send(window, ("on_mouse_scroll", *pixel, 0, 12))
    window.keyboard.data.clear()  # type: ignore[union-attr]
    assert before > 1
    assert before_plane(window) == pytest.approx(0, abs=1e-6)
    assert hand(window)[2] > 10


@pytest.mark.parametrize("tool", ["boid", "obstacle", "food"])
def test_what_is_placed_there_stands_on_the_floor(open_on: OpenWindow, tool: str) -> None:
    """Also along a drag that comes down from the air, and goes on over the floor."""
    window = looking_down(open_on(world("meadow"), SIZE))
    take(window, tool)
    drag(window, (400, 300), *(on_floor(window, nearer) for nearer in (90, 110, 130, 150)))
    frames(window, 1)
    made = there(window)[:, 2]
    assert 0 <= made.min() < 3
    assert made.max() > 50


def test_the_hand_pulls_toward_the_floor_and_not_below_it(open_on: OpenWindow) -> None:
    scene = deep(with_tools(dot(320, 60, 40)))
    scene.settings.backdrop = "meadow"
    window = looking_down(open_on(scene, SIZE))
    window.session.clock.paused = False
    take(window, "hand")
    x, y = camera(window).project((320, 60, 40)).round().astype(int).tolist()
    press(window, (x, y), (x, 20))
    frames(window, 20)
    assert camera(window).project(hand(window)) == pytest.approx((x, 20), abs=0.01)
    assert hand(window)[2] == 0


@pytest.mark.parametrize("begin", [(350, 400), "on the floor"])
@pytest.mark.parametrize("y", [10, 420])
def test_a_rectangle_that_begins_or_ends_on_the_floor_is_as_wide_as_one_sees(
    open_on: OpenWindow, begin: tuple[int, int] | str, y: int
) -> None:
    window = looking_down(open_on(world("meadow"), SIZE))
    take(window, "obstacle")
    x, low = on_floor(window, 110) if isinstance(begin, str) else begin
    drag(window, (x, low), (600, y), held=key.MOD_CTRL)
    frames(window, 1)
    made = there(window)
    seen = camera(window).project(made)
    assert seen[:, 0].min() == pytest.approx(x, abs=0.1)
    assert seen[:, 0].max() == pytest.approx(600, abs=0.1)
    assert made[:, 2].min() >= 0
