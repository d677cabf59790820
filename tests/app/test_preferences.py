"""The settings file: what a person likes to find again is there, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import tomli

from sandbox.app.messages import Messages
from sandbox.app.preferences import Preferences, read_preferences, settings_file, write_preferences
from sandbox.app.preferences_keeper import REST, Keeper
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Scene
from sandbox.simulation import Simulation

from .conftest import drifting

Start = Callable[[], FlockWindow]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the settings are kept, for each test its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_file().is_relative_to(tmp_path)
    settings_file().parent.mkdir()
    return settings_file().parent


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts the program's window, with the settings that are kept."""
    opened: list[FlockWindow] = []

    def start() -> FlockWindow:
        scene: Scene = drifting()
        window = FlockWindow(Simulation(scene), lambda: Simulation(scene), (640, 360), False)
        for _ in range(2):
            window.dispatch_events()
        opened.append(window)
        return window

    yield start
    for window in opened:
        window.close()


def test_a_window_finds_again_what_was_set(start: Start) -> None:
    window = start()
    window.session.toggle_panel("charts")
    window.session.preferences.theme = "light"
    window.session.preferences.keys["pause"] = ["F5"]
    window.close()
    found = start().session.preferences
    assert "charts" in found.open
    assert (found.theme, found.keys) == ("light", {"pause": ["F5"]})


def test_settings_are_written_soon_after_a_change_and_only_then(start: Start) -> None:
    window = start()
    for _ in range(5):
        window.on_update(REST)
    assert not settings_file().exists()
    window.session.toggle_panel("log")
    window.on_update(REST / 2)
    assert not settings_file().exists()
    window.on_update(REST)
    assert tomli.loads(settings_file().read_text())["open"][-1] == "log"


def test_while_things_change_nothing_is_written() -> None:
    preferences, messages = Preferences(), Messages()
    keeper = Keeper(preferences)
    for n in range(20):
        preferences.text = 1 + n / 100
        keeper.pass_time(REST, messages)
    assert not settings_file().exists()
    keeper.pass_time(REST, messages)
    assert read_preferences()[0].text == 1.19


def test_settings_that_can_not_be_written_are_said_once(folder: Path) -> None:
    folder.rmdir()
    folder.write_text("in the way")
    preferences, messages = Preferences(), Messages()
    keeper = Keeper(preferences)
    preferences.theme = "light"
    for _ in range(10):
        keeper.pass_time(REST, messages)
    assert [message.wrong for message in messages.log] == [True]
    assert "can't be saved" in messages.log[0].text


def test_a_broken_file_is_put_aside_and_not_lost(folder: Path, start: Start) -> None:
    settings_file().write_text("theme = [[[")
    window = start()
    assert "can't be read" in window.session.messages.newest
    assert settings_file().read_text() == "theme = [[["
    window.session.toggle_panel("log")
    window.close()
    assert (folder / "settings-unread.toml").read_text() == "theme = [[["
    assert "log" in read_preferences()[0].open


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("size = 3", "there is no setting 'size'"),
        ('theme = "drak"', "must be one of dark, light"),
        ("text = 9", "must be 0.7 to 2.5"),
        ("layouts = { 800x600 = 1 }", "must be texts of Dear ImGui"),
        ("open = 3", "must be a list"),
        ("keys = { pause = 3 }", "must be lists of keys"),
        ("best = { x = true }", "must be numbers"),
        ("best = { x = nan }", "must be numbers"),
        (f"best = {{ x = 1{400 * '0'} }}", "must be numbers"),
        ('keys = { pouse = ["G"] }', "did you mean 'pause'"),
        ('keys = { pause = ["Hyper+G"] }', "there is no key 'Hyper+G'"),
    ],
)
def test_what_is_wrong_is_said_at_the_start(start: Start, text: str, said: str) -> None:
    settings_file().write_text(text)
    assert said in " ".join(message.text for message in start().session.messages.log)


def test_what_others_wrote_into_the_file_stays() -> None:
    settings_file().write_text('# mine\nlater = 3\n\n[keys]\n# because\npause = ["F5"]\n\n[more]\nx = 1\n')
    preferences, wrong = read_preferences()
    assert "later" in wrong
    preferences.theme = "light"
    write_preferences(preferences)
    text = settings_file().read_text()
    assert "# mine" in text
    data = tomli.loads(text)
    assert (data["later"], data["more"], data["theme"]) == (3, {"x": 1}, "light")
    assert data["keys"] == {"pause": ["F5"]}


def test_a_window_with_settings_of_its_own_keeps_none() -> None:
    scene = drifting()
    window = FlockWindow(Simulation(scene), lambda: Simulation(scene), (640, 360), False, Preferences())
    window.session.toggle_panel("log")
    window.close()
    assert not settings_file().exists()
