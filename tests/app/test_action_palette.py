"""Any action is found by a few letters of its title."""

from __future__ import annotations

import pytest
from arcade import key

from sandbox.app.gui.action_palette import matching, openings
from sandbox.app.window import FlockWindow

from .conftest import OpenWindow, at, drifting, send
from .fields import frame, write
from .mouse import hit
from .widgets import look


def opened(open_on: OpenWindow) -> FlockWindow:
    window = open_on(drifting(at(300, 200)), (900, 600), panels=["palette"])
    look(window)
    hit(window, key.P, key.MOD_CTRL)
    look(window)
    assert window.session.view.palette_open
    return window


def test_what_is_sought_is_done_by_enter(open_on: OpenWindow) -> None:
    window = opened(open_on)
    write(window, "charts")
    hit(window, key.ENTER)
    look(window)
    assert "charts" in window.session.preferences.open
    assert not window.session.view.palette_open


@pytest.mark.parametrize("sought", ["alignment", "aligned", "polarization"])
def test_who_seeks_how_aligned_they_are_finds_the_charts(open_on: OpenWindow, sought: str) -> None:
    window = opened(open_on)
    write(window, sought)
    hit(window, key.ENTER)
    look(window)
    assert "charts" in window.session.preferences.open


@pytest.mark.parametrize("hidden", [False, True])
def test_what_is_typed_before_the_field_is_drawn_comes_into_it(open_on: OpenWindow, hidden: bool) -> None:
    window = open_on(drifting(at(300, 200)), (900, 600), panels=["palette"])
    frame(window)
    window.gui.events.hidden = hidden  # then it brings the panels back
    send(window, ("on_key_press", key.P, key.MOD_CTRL))
    for character in "charts":  # C alone would compare two worlds, R begin again
        symbol = ord(character)
        send(window, ("on_key_press", symbol, 0), ("on_text", character), ("on_key_release", symbol, 0))
    send(window, ("on_key_press", key.ENTER, 0), ("on_key_release", key.ENTER, 0))
    for _ in range(12):
        frame(window)
        send(window)  # what was put off
    assert "charts" in window.session.preferences.open
    assert window.session.document.comparison is None
    assert not window.session.view.palette_open


def test_escape_closes_it_and_does_nothing_else(open_on: OpenWindow) -> None:
    window = opened(open_on)
    write(window, "quit")
    hit(window, key.ESCAPE)
    look(window)
    assert not window.session.view.palette_open
    assert not window.gui.events.hidden
    hit(window, key.P, key.MOD_CTRL)
    look(window)
    write(window, "pause")
    paused = window.session.clock.paused
    hit(window, key.ENTER)
    look(window)
    assert window.session.clock.paused is not paused


def test_a_click_on_the_world_closes_it(open_on: OpenWindow) -> None:
    window = opened(open_on)
    left, low, _, _ = window.session.camera.insets
    send(window, ("on_mouse_press", round(left) + 20, round(low) + 20, 1, 0))
    look(window)
    send(window, ("on_mouse_release", round(left) + 20, round(low) + 20, 1, 0))
    look(window)
    assert not window.session.view.palette_open


def test_words_of_the_help_find_an_action_after_those_of_titles(open_on: OpenWindow) -> None:
    session = opened(open_on).session
    assert [action.title for action in matching("language", session)] == ["Settings"]
    assert [action.name for action in matching("FLOCK", session)] == ["colour_flock", "surprise"]
    assert [action.title for action in matching("keyboard", session)] == ["Focus next panel"]


def test_scenes_are_found_by_their_names_and_opened(open_on: OpenWindow) -> None:
    window = opened(open_on)
    assert [action.title for action in matching("reef", window.session, openings(window.session))] == ["Scene: Reef"]
    write(window, "reef")
    hit(window, key.ENTER)
    look(window)
    window.on_update(0.1)
    assert window.simulation.scene.name == "Reef"


def test_an_entity_is_selected_by_its_serial(open_on: OpenWindow) -> None:
    window = opened(open_on)
    write(window, "2")
    assert not [label for label in look(window).places if label.startswith("Select red")]
    hit(window, key.ESCAPE)
    look(window)
    hit(window, key.P, key.MOD_CTRL)
    look(window)
    write(window, "red 1")
    assert [label for label in look(window).places if label.startswith("Select red 1")]
    hit(window, key.ENTER)
    look(window)
    assert window.session.selection.one == 1
