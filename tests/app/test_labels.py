"""Labels in the window: placed and moved by a tool, changed in the panel World, drawn under the animals."""

from __future__ import annotations

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT

from sandbox.app.window import FlockWindow
from sandbox.design.labels import Labels
from sandbox.edit import SetTables

from .conftest import OpenWindow, at, drifting, send
from .mouse import click
from .widgets import click as click_widget
from .widgets import look


def labels(window: FlockWindow) -> dict[str, dict[str, object]]:
    window.on_update(0.0)
    return Labels.now(window.simulation.world)


def opened(open_on: OpenWindow) -> FlockWindow:
    window = open_on(drifting(at(600, 20)), (900, 900), panels=["palette", "world"])
    window.session.clock.paused = True
    click_widget(window, "##tool label")
    return window


def test_a_click_places_one_and_a_drag_moves_it(open_on: OpenWindow) -> None:
    window = opened(open_on)
    x, y = map(round, window.session.camera.project((200, 100)))
    click(window, x, y)
    assert labels(window)["Label 1"]["x"] == pytest.approx(200, abs=2)
    send(window, ("on_mouse_press", x, y, LEFT, 0), ("on_mouse_drag", x + 60, y, 60, 0, LEFT, 0))
    send(window, ("on_mouse_release", x + 60, y, LEFT, 0))
    far = 200 + 60 / window.session.camera.zoom
    assert labels(window)["Label 1"]["x"] == pytest.approx(far, abs=2)
    assert len(labels(window)) == 1
    window.session.document.undo()
    assert labels(window)["Label 1"]["x"] == pytest.approx(200, abs=2)


def test_the_panel_world_removes_them(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.submit(SetTables("labels", {"Here": {"x": 100, "y": 100}, "There": {}}))
    window.on_update(0.0)
    bins = [label for label in look(window).places if "##label" in label and not label.startswith("##")]
    assert len(bins) == 2
    click_widget(window, bins[1])
    assert [*labels(window)] == ["Here"]


@pytest.mark.painted
def test_they_are_seen(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(600, 20)), (640, 360), panels=[])
    window.session.clock.paused = True

    def seen() -> np.ndarray:
        window.on_update(0.0)
        look(window)
        window.switch_to()
        window.on_draw()
        data = window.ctx.screen.read(viewport=(0, 0, 640, 360), components=3)
        return np.frombuffer(data, np.uint8).reshape(360, 640, 3).astype(int)

    before = seen()
    window.session.submit(SetTables("labels", {"Here": {"x": 320, "y": 180, "size": 60, "colour": "#00ff00"}}))
    green = (seen() - before)[..., 1] > 100
    lines, columns = np.nonzero(green)
    x, y = window.session.camera.project((320, 180))
    assert 500 < green.sum() < 20_000
    assert (columns.min() + columns.max()) / 2 == pytest.approx(x, abs=4)
    assert (lines.min() + lines.max()) / 2 == pytest.approx(y, abs=4)
