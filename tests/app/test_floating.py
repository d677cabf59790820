"""Where a floating panel comes up: where it hides others least; and it stays where a person puts it."""

from __future__ import annotations

from itertools import combinations

from arcade import MOUSE_BUTTON_LEFT as LEFT
from hypothesis import given
from hypothesis import strategies as st
from imgui_bundle import imgui

from sandbox.app.gui.floating import free_place
from sandbox.app.gui.layout import Box
from sandbox.app.preferences import read_preferences, write_preferences
from sandbox.app.window import FlockWindow

from .conftest import OpenWindow, at, drifting, send
from .widgets import look

ROOM = Box(100, 30, 800, 500)
sides = st.floats(20, 800)
boxes = st.builds(Box, st.floats(-200, 1000), st.floats(-200, 700), sides, sides)


def hidden(place: tuple[float, float], size: tuple[float, float], others: list[Box]) -> float:
    """How much of others a box covers, pixels²."""
    (x, y), (wide, high) = place, size
    return sum(
        max(min(x + wide, o.x + o.width) - max(x, o.x), 0) * max(min(y + high, o.y + o.height) - max(y, o.y), 0)
        for o in others
    )


def test_alone_it_stands_in_the_middle() -> None:
    assert free_place(200, 100, ROOM, [], 8) == (400, 230)


def test_where_there_is_room_it_stands_beside() -> None:
    assert free_place(200, 100, ROOM, [Box(400, 230, 200, 100)], 8) in {(400, 122), (400, 338)}


@given(sides, sides, st.lists(boxes, max_size=5))
def test_it_is_in_the_room_and_hides_no_more_than_in_the_middle(wide: float, high: float, others: list[Box]) -> None:
    x, y = free_place(wide, high, ROOM, others, 8)
    middle = ROOM.x + (ROOM.width - wide) / 2, ROOM.y + (ROOM.height - high) / 2
    if wide <= ROOM.width:
        assert ROOM.x - 1e-6 <= x <= ROOM.x + ROOM.width - wide + 1e-6
    if high <= ROOM.height:
        assert ROOM.y - 1e-6 <= y <= ROOM.y + ROOM.height - high + 1e-6
    assert hidden((x, y), (wide, high), others) <= hidden(middle, (wide, high), others) + 1e-6


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
        assert hidden((one.x, one.y), (one.width, one.height), [other]) == 0


def test_it_comes_again_where_a_person_put_it(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1600, 1000), panels=["world"])
    (before,) = standing(window, "world")
    x, y = round(before.x + 60), round(window.height - before.y - 12)
    for event in (
        ("on_mouse_motion", x, y, 0, 0),
        ("on_mouse_press", x, y, LEFT, 0),
        ("on_mouse_drag", x + 200, y - 50, 200, -50, LEFT, 0),
        ("on_mouse_release", x + 200, y - 50, LEFT, 0),
    ):
        send(window, event)
        look(window)
    (put,) = standing(window, "world")
    assert (put.x, put.y) == (before.x + 200, before.y + 50)
    window.session.toggle_panel("world")
    look(window)
    window.session.toggle_panel("world")
    assert standing(window, "world") == [put]
    write_preferences(window.session.preferences)

    kept, wrong = read_preferences()
    assert not wrong
    make = window.session.again
    later = FlockWindow(make(), make, (1600, 1000), False, kept)
    assert standing(later, "world") == [put]
    later.close()
    smaller = FlockWindow(make(), make, (500, 400), False, kept)
    (there,) = standing(smaller, "world")
    assert 0 <= there.x <= there.x + there.width <= 500
    assert 0 <= there.y <= there.y + there.height <= 400
    smaller.close()
