"""Help tells every key there is."""

from __future__ import annotations

import pytest
from arcade import key

from sandbox.app.controls.help_lines import DEEP, FLAT, help_groups
from sandbox.app.key_names import canonical
from sandbox.app.preferences import Preferences
from sandbox.edit import SetSetting
from sandbox.language import capitalised

from .conftest import BUILT_IN_ACTIONS, OpenWindow, drifting, send
from .drawn import drawn
from .mouse import with_tools
from .widgets import click, look


def test_no_two_actions_have_a_key_and_every_key_can_be_pressed() -> None:
    keys = [key for action in BUILT_IN_ACTIONS.values() for key in action.keys]
    assert len(set(keys)) == len(keys)
    assert [canonical(key) for key in keys] == keys


def test_every_action_with_a_key_is_told() -> None:
    for deep, gestures in ((False, FLAT), (True, DEEP)):
        told = {row.does for rows in help_groups(BUILT_IN_ACTIONS, Preferences(), deep=deep).values() for row in rows}
        for action in BUILT_IN_ACTIONS.values():
            if action.keys and not action.name.startswith("tool_"):
                title = action.deep_title if deep and action.deep_title else action.title
                assert (title in told) == (deep or not action.deep)
        assert {does for _, does in gestures} <= told


def test_every_item_of_the_menu_file_says_in_a_sentence_of_its_own_what_it_does(open_on: OpenWindow) -> None:
    """Above all which of them keeps the world as it is now."""
    window = open_on(drifting(), (900, 600))
    items = [action for action in window.session.actions.values() if action.menu == "File"]
    click(window, "File")
    shown = drawn(window, "en").texts
    for action in items:
        assert action.title.removesuffix(" ...") in " ".join(shown)
        assert action.help
        assert capitalised(action.help) in shown
    assert len({action.help for action in items}) == len(items)
    (now,) = (action.name for action in items if "as it is now" in action.help)
    assert now == "save_state"


def test_a_rebound_key_is_told() -> None:
    preferences = Preferences(keys={"pause": ["F5"], "tool_2": ["Ctrl+T"]})
    rows = [row for rows in help_groups(BUILT_IN_ACTIONS, preferences, deep=False).values() for row in rows]
    assert ("F5",) in [row.inputs for row in rows if row.does == "Pause / resume"]
    assert ("Ctrl+T",) in [row.inputs for row in rows]
    assert ("1",) in [row.inputs for row in rows]


def test_it_tells_what_holds_in_the_world_that_is_open(open_on: OpenWindow) -> None:
    """Also after a flat world got depth."""
    window = open_on(with_tools(), (1280, 1000), panels=["help"])
    texts = look(window).texts
    assert {"Size of the brush", "Pan up while held"} <= {*texts}
    assert not {"Orbit: turn the camera around what it looks at", "Ride on the selection"} & {*texts}
    window.session.submit(SetSetting("depth", 300.0))
    window.on_update(0.1)
    texts = look(window).texts
    assert {"Orbit: turn the camera around what it looks at", "Fly ahead while held", "From the top"} <= {*texts}
    assert not {"Size of the brush", "Pan", "Pan up while held"} & {*texts}


@pytest.mark.parametrize(
    ("sought", "found"),
    [
        ("depth", "Depth at which the hand works: nearer or farther"),
        ("orbit", "Orbit: turn the camera around what it looks at"),
        ("camera", "Fly ahead while held"),
    ],
)
@pytest.mark.parametrize("depth", [0.0, 300.0])
def test_words_of_depth_are_found_and_a_flat_world_says_that_it_has_none(
    open_on: OpenWindow, sought: str, found: str, depth: float
) -> None:
    window = open_on(with_tools(depth=depth), (1280, 1000), panels=["help"])
    click(window, "##help")
    for letter in sought:
        symbol = getattr(key, letter.upper())
        send(window, ("on_key_press", symbol, 0), ("on_text", letter), ("on_key_release", symbol, 0))
    texts = look(window, 4).texts
    assert (found in texts) == (depth > 0 or sought != "camera")
    assert ("In worlds with depth:" in texts) == (depth == 0 and sought != "camera")
    assert "Screenshot" not in texts


def test_what_is_typed_into_the_search_finds_lines_and_triggers_nothing(open_on: OpenWindow) -> None:
    window = open_on(drifting(), (1280, 720), panels=["help"])
    window.on_update(0.1)
    click(window, "##help")
    for symbol, text in ((key.R, "r"), (key.E, "e"), (key.S, "s"), (key.T, "t")):
        send(window, ("on_key_press", symbol, 0), ("on_text", text), ("on_key_release", symbol, 0))
    send(window, ("on_key_press", key.SPACE, 0), ("on_text", " "), ("on_text", "."))
    texts = look(window).texts
    assert window.simulation.tick == 1
    assert not window.session.clock.paused
    assert "No matches." in texts
    for _ in range(2):
        send(window, ("on_key_press", key.BACKSPACE, 0), ("on_key_release", key.BACKSPACE, 0))
        window.on_draw()
    texts = look(window, 4).texts
    assert "Restart with the same seed" in texts
    assert "Screenshot" not in texts
