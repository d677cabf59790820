"""Everything that a key or a menu does, declared once: the window, the menus, the help and the docs read this list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.app.preferences import Preferences
from sandbox.app.session import Session

if TYPE_CHECKING:
    from sandbox.app.window import FlockWindow

FILE, EDIT, TIME, VIEW, HELP = "File", "Edit", "Time", "View", "Help"


@dataclass(frozen=True)
class Action:
    """One thing to do.

    Attributes:
        name: what the settings file calls it.
        keys: what to press, any of them: "Ctrl+Shift+Z", "F11", "[".
        words: what menus and help say.
        menu: the menu it stands in; "": in none.
        do: does it.
        is_on: for what can be on or off.
    """

    name: str
    keys: tuple[str, ...]
    words: str
    menu: str
    do: Callable[[FlockWindow], None]
    is_on: Callable[[Session], bool] | None = None


def _overlay(name: str, key: str, words: str) -> Action:
    return Action(
        name, (key,), words, VIEW, lambda window: window.session.toggle_overlay(name), lambda s: name in s.shown
    )


def _tool(number: int) -> Action:
    return Action(f"tool_{number}", (str(number),), f"tool {number}", "", lambda window: window.take_tool(number))


ACTIONS: tuple[Action, ...] = (
    Action("new", ("Ctrl+N",), "Empty world", FILE, lambda window: window.filing.new()),
    Action("open", ("Ctrl+O",), "Open ...", FILE, lambda window: window.filing.ask_open()),
    Action("save", ("Ctrl+S",), "Save", FILE, lambda window: window.filing.save()),
    Action("save_as", ("Ctrl+Shift+S",), "Save scene as ...", FILE, lambda window: window.filing.save_as()),
    Action("save_state", ("Ctrl+Alt+S",), "Save state ...", FILE, lambda window: window.filing.save_state()),
    Action("restart", ("R",), "Restart with the same seed", FILE, lambda window: window.filing.restart()),
    Action("screenshot", ("F2",), "Screenshot", FILE, lambda window: window.save_picture()),
    Action("quit", ("Ctrl+Q",), "Quit", FILE, lambda window: window.filing.quit()),
    Action("pause", ("Space",), "Pause, go on", TIME, lambda window: window.pause(), lambda s: s.clock.paused),
    Action("one_tick", (".",), "One tick", TIME, lambda window: window.one_tick()),
    Action("slower", (",",), "Slower", TIME, lambda window: window.session.clock.faster(-1)),
    Action("faster", ("/",), "Faster", TIME, lambda window: window.session.clock.faster(1)),
    Action("fit", ("Home",), "Fit the world", VIEW, lambda window: window.session.camera.fit()),
    Action("full_screen", ("F11",), "Full screen", VIEW, lambda window: window.set_fullscreen(not window.fullscreen)),
    Action("hide", ("Esc",), "Hide panels, show them again", VIEW, lambda window: window.hide()),
    Action("help", ("F1",), "Keys", HELP, lambda window: window.session.toggle_panel("help")),
    *(_tool(number) for number in range(1, 10)),
    Action("next_tool", ("Tab",), "next tool", "", lambda window: window.next_tool(1)),
    Action("previous_tool", ("Shift+Tab",), "the tool before", "", lambda window: window.next_tool(-1)),
)
BY_NAME = {action.name: action for action in ACTIONS}


def keys_of(action: Action, preferences: Preferences) -> tuple[str, ...]:
    """What to press for an action: what the settings say, else its own keys."""
    return tuple(preferences.keys.get(action.name, action.keys))


def find(pressed: str, preferences: Preferences) -> Action | None:
    """The action of a key, if any."""
    return next((action for action in ACTIONS if pressed in keys_of(action, preferences)), None)
