"""Where a floating panel comes up: where it hides others least; and it stays where a person puts it."""

from __future__ import annotations

from itertools import combinations

import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from hypothesis import given
from hypothesis import strategies as st
from imgui_bundle import imgui

from sandbox.app.gui.floating import free_place, hidden
from sandbox.app.gui.layout import Box
from sandbox.app.preferences import read_preferences, write_preferences
from sandbox.app.window import FlockWindow

from .conftest import OpenWindow, at, drifting, send
from .widgets import click, look

ROOM = Box(100, 30, 800, 500)
sides = st.floats(20, 800)
boxes = st.builds(Box, st.floats(-200, 1000), st.floats(-200, 700), sides, sides)


def test_alone_it_stands_at_the_upper_right_beside_the_middle_of_the_world() -> None:
    assert free_place(200, 100, ROOM, [], 8) == (692, 38)


def test_where_there_is_room_it_stands_beside() -> None:
    assert free_place(200, 100, ROOM, [Box(692, 38, 200, 100)], 8) == (692, 146)


@given(sides, sides, st.lists(boxes, max_size=5))
def test_it_is_in_the_room_and_hides_no_more_than_in_the_corners(wide: float, high: float, others: list[Box]) -> None:
    x, y = free_place(wide, high, ROOM, others, 8)
    corners = [
        (left, top)
        for left in (ROOM.x + 8, ROOM.x + ROOM.width - wide - 8)
        for top in (ROOM.y + 8, ROOM.y + ROOM.height - high - 8)
    ]
    if wide <= ROOM.width:
        assert ROOM.x - 1e-6 <= x <= ROOM.x + ROOM.width - wide + 1e-6
    if high <= ROOM.height:
        assert ROOM.y - 1e-6 <= y <= ROOM.y + ROOM.height - high + 1e-6
    for left, top in corners:
        if ROOM.x <= left <= ROOM.x + ROOM.width - wide and ROOM.y <= top <= ROOM.y + ROOM.height - high:
            assert hidden(Box(x, y, wide, high), others) <= hidden(Box(left, top, wide, high), others) + 1e-6


def standing(window: FlockWindow, *panels: str) -> list[Box]:
    """Where panels are, pixels from the upper left."""
    look(window)
    named = {panel.name: panel for panel in window.session.app.panels}
    found = [imgui.internal.find_window_by_name(f"{named[name].title}###{name}") for name in panels]
    return [Box(shown.pos.x, shown.pos.y, shown.size.x, shown.size.y) for shown in found]


def test_one_after_another_they_hide_none_on_a_large_screen(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (2400, 1400))
    opened = "charts", "world", "profiler", "log"
    for name in opened:
        window.session.toggle_panel(name)
        look(window)
    for one, other in combinations(standing(window, *opened), 2):
        assert hidden(one, [other]) == 0


def test_it_comes_again_where_a_person_put_it(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1600, 1000), panels=["world"])
    (before,) = standing(window, "world")
    x, y = round(before.x + 60), round(window.height - before.y - 12)
    for event in (
        ("on_mouse_motion", x, y, 0, 0),
        ("on_mouse_press", x, y, LEFT, 0),
        ("on_mouse_drag", x - 200, y - 50, -200, -50, LEFT, 0),
        ("on_mouse_release", x - 200, y - 50, LEFT, 0),
    ):
        send(window, event)
        look(window)
    (put,) = standing(window, "world")
    assert (put.x, put.y) == (before.x - 200, before.y + 50)
    window.session.toggle_panel("world")
    look(window)
    window.session.toggle_panel("world")
    assert standing(window, "world") == [put]
    write_preferences(window.session.preferences)

    kept, wrong = read_preferences()
    assert not wrong
    make = window.session.document.again
    later = FlockWindow(make(), make, (1600, 1000), False, kept)
    assert standing(later, "world") == [put]
    later.close()
    smaller = FlockWindow(make(), make, (500, 400), False, kept)
    (there,) = standing(smaller, "world")
    assert 0 <= there.x <= there.x + there.width <= 500
    assert 0 <= there.y <= there.y + there.height <= 400
    smaller.close()


PANELS = "charts", "world", "profiler", "log", "settings", "help", "mods", "scenes"
USUAL = "palette", "inspector", "time bar"


def windows(window: FlockWindow) -> list[Box]:
    """Every panel's window that is seen, docked or not, pixels from the upper left."""
    look(window)
    names = {panel.name for panel in window.session.app.panels}
    seen = [
        shown
        for shown in imgui.get_current_context().windows
        if shown.active and not shown.hidden and shown.name.rpartition("###")[2] in names
    ]
    return [Box(shown.pos.x, shown.pos.y, shown.size.x, shown.size.y) for shown in seen]


@pytest.mark.parametrize("size", [(800, 600), (1024, 700), (1440, 900), (420, 400)])
def test_however_many_are_open_none_covers_another_or_is_cut_off(open_on: OpenWindow, size: tuple[int, int]) -> None:
    window = open_on(drifting(at(300, 200)), size, panels=USUAL)
    for name in PANELS:
        window.session.toggle_panel(name)
        shown = windows(window)
        for one, other in combinations(shown, 2):
            assert hidden(one, [other]) < 1
        for box in shown:
            assert -0.5 <= box.x <= box.x + box.width <= size[0] + 0.5
            assert 20 < box.y <= box.y + box.height <= size[1] + 0.5


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)])
def test_it_makes_way_for_a_docked_panel_that_becomes_wider(open_on: OpenWindow, size: tuple[int, int]) -> None:
    window = open_on(drifting(at(300, 200)), size, panels=(*USUAL, "charts", "log"))
    for _ in range(2):  # it comes, and goes
        windows(window)
        window.session.toggle_panel("explain")
        shown = windows(window)
        for one, other in combinations(shown, 2):
            assert hidden(one, [other]) < 1


def test_what_was_piled_up_or_put_over_the_inspector_comes_up_in_order(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=USUAL)
    window.session.preferences.places = {name: [900, 60, 560, 800] for name in PANELS}
    for name in PANELS:
        window.session.toggle_panel(name)
    for one, other in combinations(windows(window), 2):
        assert hidden(one, [other]) < 1


def test_a_tab_brings_a_panel_of_the_same_window_to_the_front(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (900, 500))
    window.session.toggle_panel("charts")
    window.session.toggle_panel("help")
    window.session.toggle_panel("log")
    look(window)
    assert "No messages yet." in look(window).texts
    click(window, "Charts##tab")
    assert "Populations" in look(window).texts


@pytest.mark.parametrize("panel", PANELS)
def test_in_a_small_window_the_world_stays_in_sight(open_on: OpenWindow, panel: str) -> None:
    window = open_on(drifting(at(300, 200)), (800, 600), panels=[*USUAL, panel])
    look(window)
    left, _, right, _ = window.session.camera.insets
    assert 800 - left - right > 300
    middle = Box(left, 30, 800 - left - right, 480)
    assert not hidden(middle, windows(window))
