"""Settings: theme, size of text and keys, changed by hand."""

from __future__ import annotations

import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import key

from sandbox.app.controls.keys import bind, is_changed, wrong_keys
from sandbox.app.fields.lines import line
from sandbox.app.key_names import canonical
from sandbox.app.preferences import LOOKS, Preferences
from sandbox.app.window import FlockWindow
from sandbox.edit import SetSetting

from .conftest import BUILT_IN_ACTIONS as ACTIONS
from .conftest import OpenWindow, drifting, send
from .panels import scroll_to
from .widgets import click, look

RESET = ""  # the symbol on buttons that take something back


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    return open_on(drifting(), (1280, 720), panels=["settings"])


def change(window: FlockWindow, action: str) -> None:
    label = f"Change##{action}"
    scroll_to(window, label, over="Change##tool_9" if "Change##tool_9" in look(window).places else label)
    click(window, label)


def press(window: FlockWindow, symbol: int, text: str = "", modifiers: int = 0) -> None:
    send(window, ("on_key_press", symbol, modifiers))
    if text:
        send(window, ("on_text", text))
    send(window, ("on_key_release", symbol, modifiers))
    window.on_draw()


def test_a_unit_is_told_with_its_capital_letters() -> None:
    assert "16 to 65,536 (MB)." in line(LOOKS["past"]).about


def test_the_theme_changes_at_once(window: FlockWindow) -> None:
    click(window, "##settings/Preferences.theme")
    click(window, "light")
    assert window.session.preferences.theme == "light"
    window.on_draw()
    assert window.gui.theme.panel[0] > 0.5


def test_a_double_click_resets_the_text_size(window: FlockWindow) -> None:
    left, low, right, high = look(window).boxes["##settings/Preferences.text"]
    place = round(left + 0.9 * (right - left)), round((low + high) / 2)
    send(window, ("on_mouse_motion", *place, 0, 0))
    for _ in range(2):
        send(window, ("on_mouse_press", *place, LEFT, 0))
        window.on_draw()
        send(window, ("on_mouse_release", *place, LEFT, 0))
        window.on_draw()
    window.on_update(0.4)
    window.on_draw()
    assert window.session.preferences.text == 1.0


def test_the_text_grows_when_the_slider_is_let_go(window: FlockWindow) -> None:
    left, low, right, high = look(window).boxes["##settings/Preferences.text"]
    y = round((low + high) / 2)
    send(window, ("on_mouse_motion", round(left + 50), y, 0, 0), ("on_mouse_press", round(left + 50), y, LEFT, 0))
    window.on_draw()
    send(window, ("on_mouse_drag", round((left + right) / 2), y, 100, 0, LEFT, 0))
    window.on_draw()
    assert window.session.preferences.text == 1.0
    send(window, ("on_mouse_release", round((left + right) / 2), y, LEFT, 0))
    window.on_draw()
    window.on_update(0.4)  # no second click follows, which would reset it
    window.on_draw()
    assert 1.4 < window.session.preferences.text < 1.8
    assert window.session.preferences.text == round(window.session.preferences.text, 2)
    window.on_draw()
    assert window.gui.scale == window.session.preferences.text


def test_a_rebound_key_works_and_the_old_one_does_not(window: FlockWindow) -> None:
    change(window, "next_tool")
    assert "Press a key" in look(window).texts
    press(window, key.F5)
    assert window.session.preferences.keys == {"next_tool": ["F5"]}
    number = window.session.hand.number
    press(window, key.TAB)
    assert window.session.hand.number == number
    press(window, key.F5)
    assert window.session.hand.number == number + 1


def test_what_is_said_of_a_key_follows_the_settings(window: FlockWindow) -> None:
    session = window.session
    assert session.with_key("pause", "pause") == "pause (Space)"
    bind(ACTIONS["pause"], ("F5",), ACTIONS, session.preferences)
    assert session.with_key("pause", "pause") == "pause (F5)"
    bind(ACTIONS["pause"], (), ACTIONS, session.preferences)
    assert session.with_key("pause", "pause") == "pause"


@pytest.mark.parametrize(
    ("key", "said"), [("]", "Right bracket"), (".", "Full stop"), (")", "“)”"), ("1", "1"), ("Ctrl+G", "Ctrl+G")]
)
def test_what_is_said_of_a_key_that_is_punctuation_can_be_read(window: FlockWindow, key: str, said: str) -> None:
    bind(ACTIONS["wider"], (key,), ACTIONS, window.session.preferences)
    assert window.session.with_key("Wider brush", "wider") == f"Wider brush ({said})"


def test_a_character_and_a_key_with_others_held_can_be_taken(window: FlockWindow) -> None:
    change(window, "next_tool")
    press(window, key.LSHIFT)
    press(window, key.KEY_7, "&", key.MOD_SHIFT)
    assert window.session.preferences.keys == {"next_tool": ["&"]}
    change(window, "next_tool")
    press(window, key.LCTRL)
    press(window, key.T, "", key.MOD_CTRL | key.MOD_SHIFT)
    assert window.session.preferences.keys == {"next_tool": ["Ctrl+Shift+T"]}


def test_a_key_that_has_something_to_do_is_asked_about(window: FlockWindow) -> None:
    change(window, "next_tool")
    press(window, key.R)
    question = window.session.asking.question
    assert question is not None
    assert "“Restart with the same seed”" in question.text
    click(window, "Cancel")
    assert window.session.preferences.keys == {}
    change(window, "next_tool")
    press(window, key.R)
    click(window, "Reassign")
    assert window.session.preferences.keys == {"restart": [], "next_tool": ["R"]}
    number = window.session.hand.number
    press(window, key.R)
    assert window.session.hand.number == number + 1


def test_one_key_is_reset_and_then_all(window: FlockWindow) -> None:
    bind(ACTIONS["next_tool"], ["F5"], ACTIONS, window.session.preferences)
    bind(ACTIONS["tool_1"], ["F9"], ACTIONS, window.session.preferences)
    label = next(label for label in look(window).places if label.endswith("##tool_1") and "Change" not in label)
    click(window, label)
    assert window.session.preferences.keys == {"next_tool": ["F5"]}
    click(window, "Reset all keys")
    click(window, "Reset")
    assert window.session.preferences.keys == {}


def test_the_keys_that_pan_can_be_changed_as_all_others(window: FlockWindow) -> None:
    change(window, "pan_right")
    press(window, key.K, "k")
    assert window.session.preferences.keys == {"pan_right": ["K"]}
    window.session.camera.zoom_at(640, 360, 4)
    x = window.session.camera.x
    send(window, ("on_key_press", key.D, 0))
    window.on_update(0.1)
    assert window.session.camera.x == x
    send(window, ("on_key_press", key.K, key.MOD_SHIFT))
    window.on_update(0.1)
    assert window.session.camera.x > x
    send(window, ("on_key_release", key.K, 0))
    before = window.session.camera.x
    window.on_update(0.1)
    assert window.session.camera.x == before


def test_a_key_that_flies_in_depth_is_called_so_there(window: FlockWindow) -> None:
    scroll_to(window, "Change##pan_up", over="Change##tool_9")
    assert "Pan up while held" in look(window).texts
    window.session.submit(SetSetting("depth", 300.0))
    window.on_update(0.1)
    texts = look(window).texts
    assert "Fly ahead while held" in texts
    assert "Pan up while held" not in texts


def test_who_no_longer_waits_takes_no_key(window: FlockWindow) -> None:
    change(window, "next_tool")
    window.session.toggle_panel("settings")
    window.on_draw()
    press(window, key.SPACE, " ")
    assert window.session.clock.paused
    window.session.toggle_panel("settings")
    window.on_draw()
    press(window, key.SPACE, " ")
    assert not window.session.clock.paused
    change(window, "next_tool")
    click(window, "Cancel##next_tool")
    press(window, key.SPACE, " ")
    assert window.session.clock.paused
    assert window.session.preferences.keys == {}


def test_keys_go_back_to_whom_they_came_with() -> None:
    preferences = Preferences()
    bind(ACTIONS["pause"], ["R"], ACTIONS, preferences)
    assert preferences.keys == {"restart": [], "pause": ["R"]}
    bind(ACTIONS["restart"], ["R"], ACTIONS, preferences)
    assert preferences.keys == {"pause": []}
    bind(ACTIONS["pause"], ["Space"], ACTIONS, preferences)
    assert preferences.keys == {}
    assert not is_changed(ACTIONS["pause"], preferences)


@pytest.mark.parametrize(
    ("written", "right"),
    [("ctrl+z", "Ctrl+Z"), ("Shift+Ctrl+Z", "Ctrl+Shift+Z"), ("f5", "F5"), ("[", "["), ("+", "+"), ("r", "R")]
    + [(wrong, None) for wrong in ("", "Ctrl", "Ctrl+", "Foo+Z", "Ctrl+Ctrl+Z", "F13", "ä", "Ctrl+/")],
)
def test_a_key_can_be_written_in_several_ways(written: str, right: str | None) -> None:
    assert canonical(written) == right


def test_what_is_wrong_with_keys_is_said() -> None:
    keys = {"paus": ["G"], "fit": ["Hyper+G"], "slower": ["w"], "faster": ["f5"], "restart": ["F2"]}
    wrong = wrong_keys(ACTIONS, Preferences(keys=keys))
    assert len(wrong) == 4
    for sentence, words in zip(
        wrong,
        ("did you mean 'pause'", "no key 'Hyper+G'", "both restart and screenshot", "both slower and pan_up"),
        strict=True,
    ):
        assert words in sentence
    assert keys["faster"] == ["F5"]


def test_tips_and_choices_of_settings_are_in_the_words_of_the_panel(window: FlockWindow) -> None:
    for name, told in (("past", "Past"), ("theme", "dark")):
        send(window, ("on_mouse_motion", *look(window).places[f"##settings/Preferences.{name}"], 0, 0))
        look(window)
        window.gui.pass_time(1.0)
        look(window)
        window.gui.pass_time(1.0)
        seen = look(window, 1)
        assert told in seen.text
        assert "Looks" not in seen.text
