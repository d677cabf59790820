"""Everything that a key or a menu does, declared once: the window, the menus, the help and the docs read this list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.app import clipboard
from sandbox.app.preferences import Preferences
from sandbox.app.session import Session

if TYPE_CHECKING:
    from sandbox.app.window import FlockWindow

FILE, EDIT, TIME, VIEW, HELP = "File", "Edit", "Time", "View", "Help"
TOOLS, OVERLAYS, PANELS = "Tools", "Overlays", "Panels"  # further headings of the help
PAN_STEP = 60.0  # pixels


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
        group: the heading it stands under in the help; "": its menu's.
        pans: which way it moves the view while its key is held: right, up.
        always: with Ctrl it is done also while a question waits or a field has the keyboard.
    """

    name: str
    keys: tuple[str, ...]
    words: str
    menu: str
    do: Callable[[FlockWindow], None]
    is_on: Callable[[Session], bool] | None = None
    group: str = ""
    pans: tuple[int, int] | None = None
    always: bool = False


def _overlay(name: str, key: str, words: str) -> Action:
    return Action(
        name,
        (key,),
        words,
        VIEW,
        lambda window: window.session.toggle_overlay(name),
        lambda s: name in s.shown,
        OVERLAYS,
    )


def _panel(name: str, key: str, words: str, menu: str = "") -> Action:
    return Action(
        name,
        (key,) if key else (),
        words,
        menu,
        lambda window: window.session.toggle_panel(name),
        lambda s: name in s.preferences.open,
        PANELS,
    )


def _pan(way: str, key: str, right: int, up: int) -> Action:
    """A key that has no name of its own, as `;`, is not known to be held: each time it is typed the view moves on."""
    words = f"Pan {way}, while it is held"
    return Action(
        f"pan_{way}",
        (key,),
        words,
        "",
        lambda w: w.session.camera.pan(-right * PAN_STEP, -up * PAN_STEP),
        group=VIEW,
        pans=(right, up),
    )


def _tool(number: int) -> Action:
    name = f"tool_{number}"
    return Action(name, (str(number % 10),), f"Tool {number}", "", lambda w: w.take_tool(number), None, TOOLS)


ACTIONS: tuple[Action, ...] = (
    Action("new", ("Ctrl+N",), "Empty world", FILE, lambda w: w.filing.new()),
    _panel("scenes", "", "Scenes", FILE),
    Action("open", ("Ctrl+O",), "Open ...", FILE, lambda w: w.filing.ask_open()),
    Action("save", ("Ctrl+S",), "Save", FILE, lambda w: w.filing.save()),
    Action("save_as", ("Ctrl+Shift+S",), "Save scene as ...", FILE, lambda w: w.filing.save_as()),
    Action("save_state", ("Ctrl+Alt+S",), "Save state ...", FILE, lambda w: w.filing.save_state()),
    Action("restart", ("R",), "Restart with the same seed", FILE, lambda w: w.filing.restart()),
    Action("screenshot", ("F2",), "Screenshot", FILE, lambda w: w.shots.picture(w.get_pixel_ratio())),
    Action("gif", ("F3",), "GIF of the last seconds", FILE, lambda w: w.shots.gif()),
    Action("quit", ("Ctrl+Q",), "Quit", FILE, lambda w: w.filing.quit(), always=True),
    Action("undo", ("Ctrl+Z",), "Undo", EDIT, lambda w: w.session.undo()),
    Action("redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo", EDIT, lambda w: w.session.redo()),
    Action("select_all", ("Ctrl+A",), "Select everything", EDIT, lambda w: clipboard.select_all(w.session)),
    Action("cut", ("Ctrl+X",), "Cut", EDIT, lambda w: clipboard.cut(w.session)),
    Action("copy", ("Ctrl+C",), "Copy", EDIT, lambda w: clipboard.copy(w.session)),
    Action("paste", ("Ctrl+V",), "Paste at the pointer", EDIT, lambda w: clipboard.paste(w.session)),
    Action("remove", ("Delete",), "Remove the selection", EDIT, lambda w: clipboard.remove(w.session)),
    _panel("settings", "", "Settings", EDIT),
    Action("pause", ("Space",), "Pause, go on", TIME, lambda w: w.pause(), lambda s: s.clock.paused),
    Action("one_tick", (".",), "One tick", TIME, lambda w: w.session.clock.one_tick()),
    Action("slower", (",",), "Slower", TIME, lambda w: w.session.clock.faster(-1)),
    Action("faster", ("/",), "Faster", TIME, lambda w: w.session.clock.faster(1)),
    Action("follow", ("F",), "Follow what is selected", VIEW, lambda w: w.session.follow(), lambda s: s.following),
    _pan("up", "W", 0, 1),
    _pan("left", "A", -1, 0),
    _pan("down", "S", 0, -1),
    _pan("right", "D", 1, 0),
    Action("fit", ("Home",), "Fit the world", VIEW, lambda w: w.session.camera.fit()),
    _overlay("grid", "G", "Grid cells"),
    _overlay("perception", "P", "Perception"),
    _overlay("vectors", "V", "Rule vectors"),
    _overlay("trails", "T", "Trails"),
    _overlay("heat", "H", "Heat map"),
    Action("colours", ("B",), "Next colours", VIEW, lambda w: w.session.next_colours(), None, OVERLAYS),
    Action("full_screen", ("F11",), "Full screen", VIEW, lambda w: w.set_fullscreen(not w.fullscreen)),
    Action("hide", ("Esc",), "Hide panels, show them again", VIEW, lambda w: w.hide()),
    _panel("help", "F1", "Mouse and keys", HELP),
    _panel("explain", "E", "Explain the selected", HELP),
    _panel("log", "", "Messages", HELP),
    _panel("charts", "", "Charts"),
    _panel("mods", "", "Mods"),
    _panel("profiler", "", "Profiler"),
    *(_tool(number) for number in range(1, 11)),
    Action("wider", ("]",), "Wider brush", "", lambda w: w.session.hand.widen(1), None, TOOLS),
    Action("narrower", ("[",), "Narrower brush", "", lambda w: w.session.hand.widen(-1), None, TOOLS),
    Action("next_tool", ("Tab",), "Next tool", "", lambda w: w.next_tool(1), None, TOOLS),
    Action("previous_tool", ("Shift+Tab",), "Previous tool", "", lambda w: w.next_tool(-1), None, TOOLS),
)
BY_NAME = {action.name: action for action in ACTIONS}


def keys_of(action: Action, preferences: Preferences) -> tuple[str, ...]:
    """What to press for an action: what the settings say, else its own keys."""
    return tuple(preferences.keys.get(action.name, action.keys))


def with_key(words: str, name: str, preferences: Preferences) -> str:
    """Words about an action, and what to press for it: "pause (Space)"."""
    keys = keys_of(BY_NAME[name], preferences)
    return f"{words} ({keys[0]})" if keys else words


def find(pressed: str, preferences: Preferences) -> Action | None:
    """The action of a key, if any."""
    return next((action for action in ACTIONS if pressed in keys_of(action, preferences)), None)
