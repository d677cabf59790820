"""Help tells every key there is."""

from __future__ import annotations

from arcade import key

from sandbox.app.controls.help_lines import MOUSE, help_groups
from sandbox.app.key_names import canonical
from sandbox.app.preferences import Preferences

from .conftest import BUILT_IN_ACTIONS, OpenWindow, drifting, send
from .widgets import click, look


def test_no_two_actions_have_a_key_and_every_key_can_be_pressed() -> None:
    keys = [key for action in BUILT_IN_ACTIONS.values() for key in action.keys]
    assert len(set(keys)) == len(keys)
    assert [canonical(key) for key in keys] == keys


def test_every_action_with_a_key_is_told() -> None:
    rows = [row for rows in help_groups(BUILT_IN_ACTIONS, Preferences()).values() for row in rows]
    told = {row.does for row in rows}
    numbers = {action.title for action in BUILT_IN_ACTIONS.values() if action.name.startswith("tool_")}
    assert {action.title for action in BUILT_IN_ACTIONS.values() if action.keys} - numbers <= told
    assert {does for _, does in MOUSE} <= told


def test_a_rebound_key_is_told() -> None:
    preferences = Preferences(keys={"pause": ["F5"], "tool_2": ["Ctrl+T"]})
    rows = [row for rows in help_groups(BUILT_IN_ACTIONS, preferences).values() for row in rows]
    assert ("F5",) in [row.inputs for row in rows if row.does == "Pause / resume"]
    assert ("Ctrl+T",) in [row.inputs for row in rows]
    assert ("1",) in [row.inputs for row in rows]


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
