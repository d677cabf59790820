"""Escape while the mouse drags something in a panel takes that back, and does nothing else."""

from __future__ import annotations

import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import key

from sandbox.app.window import FlockWindow
from sandbox.scenes.bundled import find_scene
from sandbox.scenes.reader import read_scene

from .conftest import OpenWindow, send
from .fields import A_WHILE, down, frame
from .mouse import hit
from .test_docking import standing
from .widgets import look

OVER = "help"  # a panel over the world


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    """With an animal selected, and a panel over the world."""
    window = open_on(read_scene(find_scene("hunters")), (1280, 800), panels=["inspector", OVER])
    window.session.selection.choose([int(window.simulation.world.table.serial[0])])
    look(window)
    return window


def begin_drag(window: FlockWindow, x: int, y: int) -> None:
    frame(window, A_WHILE)
    down(window, x, y)
    for way in (10, 20, 30, 30):
        send(window, ("on_mouse_drag", x + way, y, 10, 0, LEFT, 0))
        frame(window)


def give_up(window: FlockWindow, x: int, y: int) -> None:
    hit(window, key.ESCAPE)
    for _ in range(3):
        frame(window)
    send(window, ("on_mouse_drag", x + 50, y, 20, 0, LEFT, 0))
    frame(window)
    send(window, ("on_mouse_release", x + 50, y, LEFT, 0))
    frame(window)


@pytest.mark.parametrize("paused", [True, False])
@pytest.mark.parametrize("field", ["Motion.max_speed", "Perception.radius"])
def test_a_slider_has_the_value_that_it_had(window: FlockWindow, field: str, paused: bool) -> None:
    window.session.clock.paused = paused
    (chosen,) = window.session.selection.serials

    def value() -> float:
        table = window.simulation.world.table
        return float(table.columns[field][table.row(chosen)])

    before, (x, y) = value(), look(window).places[f"##selected/{field}"]
    begin_drag(window, x, y)
    assert value() != before
    give_up(window, x, y)
    assert value() == before
    assert window.session.selection.serials == [chosen]
    assert OVER in window.session.preferences.open


def test_a_panel_that_is_moved_stays_open(window: FlockWindow) -> None:
    panel = standing(window)[OVER]
    x, y = round(panel.x + 30), round(800 - panel.y - 10)
    begin_drag(window, x, y)
    give_up(window, x, y)
    assert OVER in window.session.preferences.open
    assert window.session.selection.serials
