"""Keys that are held steer, for a tool that says so: the recipe with which a person flies one bird."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from arcade import key

from sandbox.app.window import FlockWindow
from sandbox.edit import Spawn
from sandbox.mods.load.loading import LoadError
from sandbox.mods.load.together import mods_from
from sandbox.undo.history import History

from .conftest import OpenWindow, at, send
from .modded import frames, named, said
from .mouse import with_tools
from .test_mod_recipes import RECIPES, write_mod

(PILOT,) = (text for text in RECIPES if "class Pilot" in text)


@pytest.fixture
def window(open_on: OpenWindow, tmp_path: Path) -> FlockWindow:
    """A window with one bird that flies to the right, and the tool that steers it."""
    mod = write_mod(tmp_path / "pilot", PILOT)
    library = named(mod)
    library.look()
    scene = with_tools(at(20, 20))
    scene.prefabs["boid"] = replace(scene.prefabs["red"], name="boid")
    window = open_on(scene, (640, 360), library=library)
    frames(window)
    window.session.submit(Spawn(at(320, 180, (60, 0), "steered")))
    frames(window)
    assert not said(window), said(window)
    tool = next(tool for tool in window.session.hand.tools if tool.name == "pilot.pilot")
    window.session.hand.take(window.session, tool)
    return window


def turn(window: FlockWindow) -> float:
    table = window.simulation.world.table
    return float(table.columns["Rudder.turn"][table.rows(table.components["Rudder"])[0]])


def climb(window: FlockWindow) -> float:
    table = window.simulation.world.table
    return float(table.columns["Velocity.y"][table.rows(table.components["Rudder"])[0]])


def test_a_held_arrow_steers_and_does_not_stop_time(window: FlockWindow) -> None:
    history = window.simulation.world.resource(History)
    steps = len(history.undoable)
    send(window, ("on_key_press", key.LEFT, 0))
    frames(window, 10)
    assert len(history.undoable) == steps + 1
    assert turn(window) == 1
    assert climb(window) > 10
    assert not window.session.clock.paused
    send(window, ("on_key_press", key.RIGHT, 0))
    frames(window)
    assert turn(window) == 0
    send(window, ("on_key_release", key.LEFT, 0))
    frames(window)
    assert turn(window) == -1
    send(window, ("on_key_release", key.RIGHT, 0))
    frames(window)
    assert turn(window) == 0
    assert len(history.undoable) == steps  # nothing is left of it
    assert not said(window)


def test_with_another_tool_the_key_is_what_it_was(window: FlockWindow) -> None:
    send(window, ("on_key_press", key.LEFT, 0))
    frames(window)
    window.session.hand.take_number(window.session, 1)
    frames(window)
    assert turn(window) == 0
    send(window, ("on_key_release", key.LEFT, 0), ("on_key_press", key.LEFT, 0))
    frames(window, 5)
    assert turn(window) == 0
    assert window.session.clock.paused  # it goes a tick back


@pytest.mark.parametrize("ends", ["on_deactivate", "a click"])
def test_a_key_is_let_go_with_the_focus_and_held_through_a_click(window: FlockWindow, ends: str) -> None:
    send(window, ("on_key_press", key.LEFT, 0))
    frames(window)
    if ends == "a click":
        send(window, ("on_mouse_press", 100, 100, 1, 0), ("on_mouse_release", 100, 100, 1, 0))
    else:
        send(window, (ends,))
    frames(window)
    assert turn(window) == (ends == "a click")


def test_a_replay_flies_as_the_person_did(window: FlockWindow) -> None:
    for symbol in (key.LEFT, key.RIGHT, key.LEFT):
        send(window, ("on_key_press", symbol, 0))
        frames(window, 5)
        send(window, ("on_key_release", symbol, 0))
        frames(window, 3)
    timeline = window.session.document.timeline
    tick, digest, way = timeline.tick, timeline.simulation.digest(), climb(window)
    timeline.seek(0)
    timeline.seek(tick)
    assert timeline.simulation.digest() == digest
    assert climb(window) == way != 0


def test_a_key_that_cannot_be_held_is_refused(tmp_path: Path) -> None:
    wrong = PILOT.replace('("Left", "Right")', '("Ctrl+Left", ";")')
    with pytest.raises(LoadError, match="names of keys without modifiers"):
        mods_from([write_mod(tmp_path / "pilot", wrong)]).look()
