"""Escape while the mouse drags something in a panel takes that back, and does nothing else."""

from __future__ import annotations

import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import key

from sandbox.app.window import FlockWindow
from sandbox.scenes.bundled import find_scene
from sandbox.scenes.reader import read_scene

from .conftest import OpenWindow, send
from .fields import frame
from .mouse import hit
from .test_docking import standing
from .widgets import look

OVER = "log"  # a panel over the world


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    """With an animal selected, and a panel over the world."""
    window = open_on(read_scene(find_scene("hunters")), (1280, 800), panels=["inspector", OVER])
    window.session.selection.choose([int(window.simulation.world.table.serial[0])])
    look(window)
    return window


def begin_drag(window: FlockWindow, x: int, y: int) -> None:
    send(window, ("on_mouse_motion", x, y, 0, 0))
    frame(window)
    send(window, ("on_mouse_press", x, y, LEFT, 0))
    frame(window)
    send(window, ("on_mouse_drag", x + 30, y, 30, 0, LEFT, 0))
    for _ in range(2):
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
    chosen, column = window.session.selection.serials, window.simulation.world.table.columns[field]
    row, seen = window.simulation.world.table.row(chosen[0]), look(window)
    before = float(column[row])
    x, y = next(place for label, place in seen.places.items() if label.endswith(f"/{field}"))
    begin_drag(window, x, y)
    assert float(column[row]) != before
    give_up(window, x, y)
    assert float(column[row]) == before
    assert window.session.selection.serials == chosen
    assert OVER in window.session.preferences.open


def test_a_panel_that_is_moved_stays_open(window: FlockWindow) -> None:
    panel = standing(window)[OVER]
    x, y = round(panel.x + 30), round(800 - panel.y - 10)
    begin_drag(window, x, y)
    give_up(window, x, y)
    assert OVER in window.session.preferences.open
    assert window.session.selection.serials
