"""A mod's action is like any other: it has a key, a menu, a line in help and settings, and a guard; and preferences."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli
from arcade import key

from sandbox.app.parts import BUILT_IN
from sandbox.app.preferences import Preferences, read_preferences, settings_file, write_preferences
from sandbox.app.window import FlockWindow
from sandbox.mods.run.host import SwitchMod
from systems.engine.app import installed

from .conftest import OpenWindow, at, drifting, send
from .modded import frames, named, said, write_mod
from .panels import scroll_to
from .test_keys import press
from .widgets import click, look

ACTIONS = """
from sandbox.api import SetParameter

def flip(session):
    {flip}

def install(app):
    app.add_action(
        Action("undo", "Flip the poles", flip, ("{key}",), "Edit", help="turns them round",
            is_on=lambda session: session.clock.paused, possible=lambda session: bool(session.selection.serials))
    )
"""
PREFERENCES = """
from sandbox.api import choice, integer, number, resource, several, switch, text

@resource
class Poles:
    '''How poles are shown.'''

    labels: bool = switch(True, "whether poles have labels")
    size: float = number(12, "px", 6, 40, "how large labels are")
    ends: int = choice("round", "flat", default="round", help="how they end")
    names: tuple[str, ...] = several(text("", 5, "a pole"), 2, "what they are called", default=["N", "S"])

POLES = Poles()

class Lodes(Panel):
    name, title, size = "lodes", "Lodes", (300, 200)

    def draw(self, session, ui):
        ui.text(f"labels {POLES.labels} size {POLES.size:g} ends {POLES.ends} {POLES.names[0]}")

def install(app):
    app.add_panel(Lodes())
    app.add_preferences(POLES)
"""


def opened(open_on: OpenWindow, folder: Path, python: str, *panels: str) -> FlockWindow:
    library = named(write_mod(folder, python))
    window = open_on(drifting(at(300, 180)), (1280, 720), panels=panels, library=library)
    window.session.clock.paused = True
    frames(window)
    return window


def with_action(flip: str = "session.messages.say('flipped')", pressed: str = "Ctrl+K") -> str:
    return ACTIONS.replace("{flip}", flip).replace("{key}", pressed)


def test_its_key_does_it_where_it_is_possible_and_nothing_of_that_name_is_touched(
    open_on: OpenWindow, tmp_path: Path
) -> None:
    window = opened(open_on, tmp_path, with_action())
    press(window, "Ctrl+K")
    assert said(window) == []
    window.session.selection.choose([1])
    press(window, "Ctrl+K")
    assert said(window) == ["flipped"]
    press(window, "Ctrl+Z")
    assert said(window)[-1] == "Nothing to undo."


def test_its_menu_help_and_settings_have_it(open_on: OpenWindow, tmp_path: Path) -> None:
    window = opened(open_on, tmp_path, with_action(), "help")
    window.session.selection.choose([1])
    assert "Flip the poles" in look(window).texts
    window.session.preferences.open[:] = ["settings"]
    scroll_to(window, "Change##lode.undo", over="Change##tool_1")
    window.session.preferences.keys["lode.undo"] = ["F9"]
    press(window, "F9")
    assert said(window) == ["flipped"]
    window.session.preferences.open.clear()
    click(window, "Edit")
    click(window, "Flip the poles")
    assert said(window) == ["flipped"]
    window.session.messages.clear()


def test_one_with_a_bar_is_a_button_there_and_marks_the_time_since_it_began(
    open_on: OpenWindow, tmp_path: Path
) -> None:
    since = 'bar="time", icon="magnet", since=lambda session: 3, is_on='
    window = opened(open_on, tmp_path, with_action().replace("is_on=", since), "time bar")
    window.session.selection.choose([1])
    (button,) = (label for label in look(window).places if label.endswith("##lode.undo"))
    click(window, button)
    assert said(window) == ["flipped"]
    since_of = window.session.actions["lode.undo"].since
    assert since_of is not None
    assert since_of(window.session) == 3


def test_a_key_that_does_something_else_stays_with_that_and_this_is_told(open_on: OpenWindow, tmp_path: Path) -> None:
    window = opened(open_on, tmp_path, with_action(pressed="Space"))
    window.session.selection.choose([1])
    assert said(window) == [
        "Flip the poles has no key Space, which is that of “Pause / resume”: give it another in Settings."
    ]
    press(window, "Space")
    assert not window.session.clock.paused
    assert window.session.actions["lode.undo"].keys == ()


@pytest.mark.parametrize("python", [with_action("1 / 0"), with_action().replace("bool(", "1 / bool(")])
def test_one_that_fails_stops_its_mod(open_on: OpenWindow, tmp_path: Path, python: str) -> None:
    window = opened(open_on, tmp_path, python)
    if "1 / 0" in python:
        window.session.selection.choose([1])
    press(window, "Ctrl+K")
    frames(window)
    (warning,) = said(window)
    assert "The mod Lodes was stopped: lode.py:" in warning
    assert "action Flip the poles" in warning
    assert "lode.undo" not in window.session.actions
    press(window, "Ctrl+K")


def test_an_overlay_and_a_panel_of_a_mod_have_keys_of_their_own(open_on: OpenWindow, tmp_path: Path) -> None:
    python = """
    class Follow(Overlay):
        name, title, help, keys = "follow", "Follow lines", "where they go", ("K",)

        def draw(self, canvas, session):
            pass

    class Log(Panel):
        name, title, size, keys, menu = "log", "Lode log", (200, 100), ("Ctrl+L",), "File"

        def draw(self, session, ui):
            pass

    def install(app):
        app.add_overlay(Follow())
        app.add_panel(Log())
    """
    window = opened(open_on, tmp_path, python)
    press(window, "K")
    assert window.session.shown == {"lode.follow"}
    press(window, "Ctrl+L")
    assert window.session.preferences.open == ["lode.log"]
    press(window, "F")
    assert window.session.view.following
    click(window, "File")
    assert {"Lode log", "Scenes", "Save"} <= set(look(window).places)
    click(window, "View")
    seen = look(window).places
    assert "Fit the world" in seen
    assert not [label for label in seen if label.startswith("Pan") and label != "Panels"]
    click(window, "Overlays")
    assert {"Follow lines", "Grid cells"} <= set(look(window).places)


def test_preferences_stand_in_the_settings_and_the_mod_reads_what_was_chosen(
    open_on: OpenWindow, tmp_path: Path
) -> None:
    window = opened(open_on, tmp_path, PREFERENCES, "settings", "lode.lodes")
    assert "labels True size 12 ends round N" in look(window).texts
    window.session.front("settings")
    assert "Lodes" in look(window).texts
    click(window, "##lode.Poles/Poles.labels")
    assert window.session.preferences.mods == {"lode.Poles": {"labels": False}}
    window.session.front("lode.lodes")
    assert "labels False size 12 ends round N" in look(window).texts
    window.session.front("settings")
    click(window, "##lode.Poles/Poles.labels")
    assert window.session.preferences.mods == {}
    assert not window.session.document.unsaved.some


def test_what_was_chosen_is_read_again_and_what_is_wrong_is_told(open_on: OpenWindow, tmp_path: Path) -> None:
    window = opened(open_on, tmp_path, PREFERENCES, "lode.lodes")
    window.session.submit(SwitchMod("lode", False))
    frames(window)
    window.session.preferences.mods["lode.Poles"] = {
        "labels": False,
        "size": 99,
        "ends": "flat",
        "names": ["Nord"],
        "old": 1,
    }
    window.session.submit(SwitchMod("lode", True))
    frames(window)
    assert "labels False size 12 ends flat Nord" in look(window).texts
    assert said(window) == ["settings: lode.Poles: Poles.size = 99: must be 6 to 40 (px)"]


def test_the_settings_file_keeps_them_also_of_mods_that_are_off() -> None:
    write_preferences(Preferences(mods={"lode.Poles": {"labels": False, "size": 20}}))
    assert tomli.loads(settings_file().read_text())["mods"] == {"lode.Poles": {"labels": False, "size": 20}}
    assert read_preferences()[0].mods == {"lode.Poles": {"labels": False, "size": 20}}


def test_parts_are_told_when_another_world_is_shown(open_on: OpenWindow, tmp_path: Path) -> None:
    python = """
    class Lodes(Panel):
        name, title, size = "lodes", "Lodes", (300, 200)

        def reset(self, session):
            self.begun = getattr(self, "begun", 0) + 1
            session.messages.say(f"world {self.begun}")

        def draw(self, session, ui):
            pass

    def install(app):
        app.add_panel(Lodes())
    """
    window = opened(open_on, tmp_path, python)
    assert said(window) == ["world 1"]
    window.simulation.step(3)
    send(window, ("on_key_press", key.R, 0))
    frames(window)
    assert "world 2" in said(window)


def test_built_in_parts_have_no_name_twice() -> None:
    app = installed(BUILT_IN)
    names = [part.name for part in (*app.panels, *app.overlays, *app.actions)]
    assert len(set(names)) == len(names)
