"""The window of the first start shows pictures of the scenes and how far it is, and can be closed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from pyglet import gl

from sandbox.app.start_screen import GROUND, LIT, ClosedError, StartScreen, compile_in_window
from sandbox.scenes.bundled import bundled_scenes


@pytest.fixture(params=[(900, 600), (320, 240)], ids=str)
def screen(request: pytest.FixtureRequest) -> Iterator[StartScreen]:
    window = StartScreen(request.param)
    gl.glDisable(gl.GL_RASTERIZER_DISCARD)
    yield window
    window.close()


def shown(window: StartScreen) -> np.ndarray:
    """What is drawn, shape (height, width, 3), the first row lowest."""
    window.show(10.0)
    width, height = window.get_size()
    data = window.ctx.screen.read(viewport=(0, 0, width, height), components=3)
    return np.frombuffer(data, np.uint8).reshape(height, width, 3)


def test_it_shows_every_scene_and_a_bar_that_grows(screen: StartScreen) -> None:
    lit = []
    for screen.share, screen.what in (0.0, ""), (0.25, "flocking"), (1.0, "flocking"):
        picture = shown(screen)
        lit.append(int((picture[54] == LIT[:3]).all(axis=1).sum()))
    bar = min(0.6 * screen.width, 640)
    assert lit[0] <= 1
    assert lit[1:] == pytest.approx([bar / 4, bar], abs=2)
    above = (picture[110:] != GROUND[:3]).any(axis=2)
    assert above.mean() > 0.4
    assert len(screen._pictures) == len(bundled_scenes())


@pytest.mark.timeout(600)
def test_it_ends_when_all_is_compiled_and_when_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    compile_in_window("ronan", (400, 300))
    monkeypatch.setattr(StartScreen, "show", lambda window, seconds: window.on_close())
    with pytest.raises(ClosedError):
        compile_in_window("ronan", (400, 300))
