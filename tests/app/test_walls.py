"""The Wall tool: clicks from corner to corner, drags, and ends that join."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_RIGHT as RIGHT
from arcade import key

from sandbox.app.window import FlockWindow
from sandbox.edit import Undo

from .conftest import OpenWindow, at, pixels, screen, send
from .mouse import click, drag, hit, point, press, settled, steps, take, values, walls, with_tools
from .widgets import look

ZIGZAG = (100, 100), (200, 250), (300, 100), (400, 250)


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    """A window with the Wall tool in hand."""
    window = open_on(with_tools())
    take(window, "wall")
    return window


def chain(*corners: tuple[float, float]) -> list[list[float]]:
    """The walls from corner to corner."""
    return [[*begin, *end] for begin, end in pairwise(corners)]


def by_hand(*corners: tuple[int, int]) -> list[tuple[int, int]]:
    """The path of a hand along these corners, which trembles by some pixels."""
    path = [corners[0]]
    for (x, y), (to_x, to_y) in pairwise(corners):
        shares = np.linspace(0, 1, 25)[1:]
        path += [
            (round(x + (to_x - x) * share), round(y + (to_y - y) * share + 3 * math.sin(9 * share)))
            for share in shares[:-1]
        ]
        path.append((to_x, to_y))
    return path


# ---- clicks


def test_enter_ends_a_wall_also_while_the_right_button_is_down(window: FlockWindow) -> None:
    for corner in ZIGZAG:
        click(window, *corner)
    press(window, (550, 50), button=RIGHT)
    hit(window, key.ENTER)
    assert settled(window) == {"wall": 3}


def test_a_wall_goes_from_click_to_click_until_a_double_click(window: FlockWindow) -> None:
    for corner in ZIGZAG:
        click(window, *corner)
    assert "Click for each corner" in window.session.messages.newest
    assert settled(window) == {}
    click(window, *ZIGZAG[-1])  # the second one of the double click
    assert settled(window) == {"wall": 3}
    assert walls(window) == chain(*ZIGZAG)
    assert len(set(values(window, "Wall.group"))) == 1
    assert len(steps(window)) == 1
    assert window.session.messages.newest == ""
    click(window, 500, 100)  # begins another one
    assert settled(window) == {"wall": 3}


@pytest.mark.parametrize("frame", ["between", "after"])
@pytest.mark.parametrize("symbol", [key.ENTER, key.NUM_ENTER])
def test_enter_ends_a_wall(window: FlockWindow, symbol: int, frame: str) -> None:
    for corner in ZIGZAG[:3]:
        click(window, *corner)
    send(window, ("on_key_press", symbol, 0))
    if frame == "between":
        window.on_update(0.01)
    send(window, ("on_key_release", symbol, 0))
    window.on_update(0.01)
    assert settled(window) == {"wall": 2}
    assert walls(window) == chain(*ZIGZAG[:3])


def test_a_click_on_the_first_corner_closes_a_wall(window: FlockWindow) -> None:
    for corner in (*ZIGZAG[:3], (103, 97)):
        click(window, *corner)
    assert settled(window) == {"wall": 3}
    assert walls(window) == chain(*ZIGZAG[:3], ZIGZAG[0])


def test_escape_drops_the_corners_and_nothing_else(window: FlockWindow) -> None:
    drag(window, (500, 50), (500, 300))
    for corner in ZIGZAG:
        click(window, *corner)
    hit(window, key.ESCAPE)
    hit(window, key.ENTER)
    assert settled(window) == {"wall": 1}
    assert window.session.messages.newest == ""
    for corner in (ZIGZAG[1], ZIGZAG[0], ZIGZAG[0]):
        click(window, *corner)
    settled(window)
    assert walls(window)[1:] == chain(ZIGZAG[1], ZIGZAG[0])


def test_undo_takes_back_one_corner_after_the_other_and_then_the_wall_before(window: FlockWindow) -> None:
    drag(window, (500, 50), (500, 300))
    for corner in ZIGZAG[:3]:
        click(window, *corner)
    window.session.act("undo")
    send(window, ("on_key_press", key.ENTER, 0))
    window.on_update(0.01)
    send(window, ("on_key_release", key.ENTER, 0))
    assert settled(window) == {"wall": 2}
    assert walls(window)[1:] == chain(*ZIGZAG[:2])
    click(window, *ZIGZAG[0])
    for left in (2, 1, 0):  # the corner, and then the walls
        window.session.act("undo")
        assert settled(window).get("wall", 0) == left


def test_who_takes_another_tool_keeps_the_clicked_wall_and_undoes_it_by_itself(window: FlockWindow) -> None:
    for corner in ZIGZAG:
        click(window, *corner)
    take(window, "food")
    click(window, 500, 50)
    assert settled(window) == {"wall": 3, "food": 1}
    window.session.submit(Undo())
    assert settled(window) == {"wall": 3}
    window.session.submit(Undo())
    assert settled(window) == {}


def test_a_double_click_alone_says_what_to_do(window: FlockWindow) -> None:
    click(window, 300, 200)
    click(window, 302, 201)
    assert settled(window) == {}
    assert "two corners" in window.session.messages.newest


def test_with_shift_a_click_goes_in_one_of_eight_directions(window: FlockWindow) -> None:
    click(window, 100, 100)
    click(window, 300, 110, held=key.MOD_SHIFT)
    hit(window, key.TAB)
    settled(window)
    assert walls(window)[0] == pytest.approx([100, 100, 100 + math.hypot(200, 10), 100], abs=0.01)


@pytest.mark.painted
def test_a_clicked_wall_is_seen_to_the_mouse_also_while_that_is_over_a_panel(open_on: OpenWindow) -> None:
    window = open_on(with_tools(at(20, 20)), (800, 600), panels=["palette"])
    take(window, "wall")
    look(window)
    sky = screen(window).astype(int)
    for corner in ((400, 200), (400, 400)):
        click(window, *corner)
    point(window, 600, 400)
    for place in ((600, 400), look(window).places["##tool wind"]):
        point(window, *place)
        look(window)
        changed = np.abs(screen(window).astype(int) - sky).max(-1)
        assert changed[210:390, 398:403].max(1).min() > 60
        assert changed[398:403, 410:590].max(0).min() > 60


# ---- drags


@pytest.mark.parametrize("path", [((100, 100), (350, 180)), tuple(by_hand((100, 100), (350, 180)))])
def test_a_straight_drag_is_one_straight_wall(window: FlockWindow, path: tuple[tuple[int, int], ...]) -> None:
    drag(window, *path)
    assert settled(window) == {"wall": 1}
    assert walls(window) == [[100, 100, 350, 180]]


def test_a_drag_that_turns_has_corners_where_the_hand_turned(window: FlockWindow) -> None:
    drag(window, *by_hand(*ZIGZAG))
    assert settled(window) == {"wall": 3}
    assert walls(window) == [pytest.approx(piece, abs=5) for piece in chain(*ZIGZAG)]
    assert len(set(values(window, "Wall.group"))) == 1
    assert len(steps(window)) == 1


def test_a_drag_round_a_place_encloses_it(window: FlockWindow) -> None:
    drag(window, *by_hand((100, 100), (300, 100), (300, 300), (100, 300), (102, 106)))
    assert settled(window) == {"wall": 4}
    found = walls(window)
    assert [wall[2:] for wall in found] == [wall[:2] for wall in (*found[1:], found[0])]


def test_a_drag_is_shown_before_the_button_comes_up(window: FlockWindow) -> None:
    sky = pixels(window).astype(int)
    press(window, (100, 100), (300, 100), (300, 200))
    assert settled(window) == {}
    changed = np.abs(pixels(window) - sky).max(-1)
    assert changed[98:103, 110:290].max(0).min() > 60
    assert changed[110:190, 298:303].max(1).min() > 60
    send(window, ("on_mouse_release", 300, 200, LEFT, 0))
    assert settled(window) == {"wall": 2}
    assert walls(window) == chain((100, 100), (300, 100), (300, 200))


def test_a_drag_goes_on_where_clicks_have_come_to(window: FlockWindow) -> None:
    click(window, 100, 100)
    click(window, 200, 100)
    drag(window, (202, 101), (300, 200))
    click(window, 400, 100)
    click(window, 400, 100)
    settled(window)
    assert walls(window) == chain((100, 100), (200, 100), (300, 200), (400, 100))


# ---- ends that join


def test_walls_that_begin_or_end_near_an_end_join_it(window: FlockWindow) -> None:
    drag(window, (100, 100), (200, 250))
    settled(window)
    drag(window, (207, 246), (300, 100))
    settled(window)
    drag(window, (400, 250), (304, 106))
    settled(window)
    click(window, 405, 254)
    click(window, 500, 100)
    click(window, 500, 100)
    settled(window)
    ends = [(200, 250), (300, 100), (400, 250)]
    assert walls(window)[:3] == [[100, 100, *ends[0]], [*ends[0], *ends[1]], [*ends[2], *ends[1]]]
    assert walls(window)[3] == [*ends[2], 500, 100]


def test_where_ends_will_join_a_ring_says_so(window: FlockWindow) -> None:
    drag(window, (100, 100), (200, 250))
    settled(window)
    point(window, 240, 250)
    sky = pixels(window).astype(int)
    point(window, 207, 246)
    changed = np.abs(pixels(window).astype(int) - sky).max(-1) > 60
    around = [changed[round(250 + 7 * math.sin(turn)), round(200 + 7 * math.cos(turn))] for turn in (1, 2, 4, 6)]
    assert all(around)


def test_near_the_end_of_a_thick_wall_is_where_it_is_drawn(open_on: OpenWindow) -> None:
    scene = with_tools()
    scene.prefabs["wall"].components["Wall"]["thickness"] = 40.0
    window = open_on(scene)
    take(window, "wall")
    drag(window, (100, 100), (300, 100))
    settled(window)
    drag(window, (324, 105), (330, 300))
    settled(window)
    assert walls(window)[1] == [300, 100, 330, 300]


def test_across_the_edge_of_a_torus_ends_join_too(open_on: OpenWindow) -> None:
    window = open_on(with_tools(edges="wrap"))
    take(window, "wall")
    drag(window, (2, 200), (200, 200))
    settled(window)
    drag(window, (500, 100), (637, 202))
    settled(window)
    assert walls(window)[1] == [500, 100, 642, 200]


# ---- edges and shapes


def test_a_wall_ends_at_the_border_but_does_not_begin_beyond(open_on: OpenWindow) -> None:
    window = open_on(with_tools(), (640, 640))
    take(window, "wall")
    drag(window, (100, 300), (100, 20))
    assert settled(window) == {"wall": 1}
    assert walls(window) == [[100, 160, 100, 0]]
    drag(window, (100, 20), (100, 300))
    assert settled(window) == {"wall": 1}
    assert "outside" in window.session.messages.newest


def test_with_shift_a_wall_is_straight_and_with_control_a_room(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    take(window, "wall")
    drag(window, (100, 100), (300, 110), held=key.MOD_SHIFT)
    settled(window)
    assert walls(window)[0] == pytest.approx([100, 100, 100 + math.hypot(200, 10), 100], abs=0.01)
    drag(window, (400, 100), (500, 200), held=key.MOD_CTRL)
    assert settled(window) == {"wall": 5}
    room = walls(window)[1:]
    assert [wall[2:] for wall in room] == [wall[:2] for wall in (*room[1:], room[0])]
    assert len(set(values(window, "Wall.group")[1:])) == 1
    assert len(steps(window)) == 2


def test_another_tool_lets_go_of_a_wall_half_drawn(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    take(window, "wall")
    press(window, (100, 100), (300, 100))
    take(window, "food")
    send(window, ("on_mouse_release", 300, 100, LEFT, 0))
    assert settled(window) == {}
