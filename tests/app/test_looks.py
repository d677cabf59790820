"""The panel Looks: each colouring and overlay as a picture of the world, which a click chooses."""

from __future__ import annotations

import numpy as np
import pytest
from arcade import key

from sandbox.app.session import playback
from sandbox.app.window import FlockWindow
from sandbox.render.animals import Drawing
from sandbox.render.tints import TINTS

from .conftest import OpenWindow, at, drifting, places
from .fields import frame, tap
from .widgets import click, look

pytestmark = pytest.mark.painted
OVERLAYS = {"heat", "grid", "perception", "trails", "vectors"}


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    """A red one that flies to the right, before the panel is opened."""
    window = open_on(drifting(at(200, 180, (300, 0)), size=40), (1000, 600), panels=["time bar"])
    window.on_update(0.1)
    return window


def picture(window: FlockWindow, colouring: str, overlay: str = "") -> np.ndarray:
    return np.asarray(window.looks._looks[colouring, overlay].target.read())


def test_a_key_or_one_click_below_the_world_opens_it_and_another_click_chooses(window: FlockWindow) -> None:
    tap(window, key.B, key.MOD_SHIFT)
    assert {f"##look colour_{tint}" for tint in TINTS} | {f"##look {name}" for name in OVERLAYS} <= {
        *look(window).places
    }
    click(window, "##look colour_heading")
    click(window, "##look trails")
    window.on_update(0.1)
    assert window.session.document.coloured_by == "heading"
    assert window.session.shown == {"trails"}
    click(window, "##look trails")
    assert not window.session.shown


def test_pictures_show_the_world_as_it_would_be_and_leave_it_as_it_is(window: FlockWindow) -> None:
    window.session.act("looks")
    for _ in range(len(TINTS) + len(OVERLAYS) + 3):
        frame(window)
    assert len(places(picture(window, "species"))) > 100
    assert not len(places(picture(window, "heading")))
    assert (picture(window, "species", "grid") != picture(window, "species")).any()
    assert window.simulation.world.resource(Drawing).legend is None
    assert not window.session.shown


def test_trails_are_followed_while_the_panel_is_open_so_that_their_picture_shows_some(window: FlockWindow) -> None:
    window.session.act("looks")
    for _ in range(8):
        frame(window, 0.1)
    window.looks._looks.clear()
    for _ in range(len(TINTS) + len(OVERLAYS) + 3):
        frame(window)
    assert (picture(window, "species", "trails") != picture(window, "species")).any()


def test_pictures_leave_overlays_that_are_shown_as_they_are(
    window: FlockWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = next(overlay for overlay in window.session.app.overlays if overlay.name == "vectors")
    taken: list[int] = []
    monkeypatch.setattr(vectors, "update", lambda session: taken.append(session.simulation.tick))
    window.session.act("vectors")
    window.session.act("looks")
    for _ in range(len(TINTS) + len(OVERLAYS)):
        frame(window, 0.1)
    assert taken == sorted({*taken})


@pytest.mark.long_ticks
def test_all_pictures_stay_while_ticks_go_on_beside_the_frames(
    window: FlockWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is shown meanwhile are copies of one and the same world."""
    monkeypatch.setattr(playback, "LONG", -1)
    monkeypatch.setattr(playback, "WAIT", 0.0)
    window.session.act("looks")
    for _ in range(2 * (len(TINTS) + len(OVERLAYS))):
        frame(window, 0.1)
    assert all(window.session.services.look(tint, "") for tint in TINTS)
    assert all(window.session.services.look("species", overlay) for overlay in OVERLAYS)
