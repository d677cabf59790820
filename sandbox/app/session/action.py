"""What an action is: something that a key or a menu does. Menus, keys, help, settings and the docs read these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from sandbox.app.key_names import KEYS
from sandbox.app.preferences import Preferences
from sandbox.language import said
from sandbox.window_part import NAME, TEXT, Contract, Right, WindowPart
from systems.engine.app import App

if TYPE_CHECKING:
    from sandbox.app.session.session import Session

FILE, EDIT, TIME, VIEW, HELP = "File", "Edit", "Time", "View", "Help"
TOOLS, OVERLAYS, PANELS = "Tools", "Overlays", "Panels"
MENUS = FILE, EDIT, TIME, VIEW, PANELS, HELP
NUMBERS = range(1, 11)  # tools that have a key from the start: 1 to 9, and 0

MENU: Right = (lambda value: value in ("", *MENUS), f'one of {", ".join(MENUS)}, or ""')
SECTION: Right = (lambda value: type(value) is int, "a whole number")
CALL: Right = (callable, "a function that gets the session")
MAYBE_CALL: Right = (lambda value: value is None or callable(value), f"{CALL[1]}, or None")

Actions = Mapping[str, "Action"]  # by name, in the order of menus and help


@dataclass(frozen=True)
class Action(WindowPart):
    """Something to do by a key or from a menu. It changes the world by `session.submit` alone.

    Attributes:
        name: what the settings file calls it; that of a mod's has the mod's id before it, "magnet.flip".
        title: what menus, help and settings say.
        do: does it.
        keys: what to press, any of them: "Ctrl+Shift+Z", "F11", "["; people can change it in Settings.
        menu: the menu in which it stands: "File", "Edit", "Time", "View", "Panels" or "Help"; "": in none.
        section: its part of the menu; a line separates parts, the lowest stands first.
        group: the heading under which help and settings list it; "": its menu's.
        help: one line for whoever rests on it in the menu.
        is_on: for what can be on or off.
        possible: whether it can be done now; else the menu shows it faint, and its key does nothing.
        pans: which way it moves the view while its key is held: right, up.
        always: with Ctrl or by a function key it is done also while a question waits or a field has the keyboard.
    """

    name: str
    title: str
    do: Callable[[Session], Any]
    keys: tuple[str, ...] = ()
    menu: str = ""
    section: int = 0
    group: str = ""
    help: str = ""
    is_on: Callable[[Session], bool] | None = None
    possible: Callable[[Session], bool] | None = None
    pans: tuple[int, int] | None = None
    always: bool = False
    contract: ClassVar = Contract(
        "action",
        {
            "name": NAME,
            "title": NAME,
            "do": CALL,
            "keys": KEYS,
            "menu": MENU,
            "section": SECTION,
            "group": TEXT,
            "help": TEXT,
            "is_on": MAYBE_CALL,
            "possible": MAYBE_CALL,
            "pans": (lambda value: value is None, "None: only the program's own keys pan"),
            "always": (lambda value: value is False, "False"),
        },
    )

    @property
    def heading(self) -> str:
        """Where help and settings list it."""
        return self.group or self.menu or "Others"


def actions_of(app: App) -> dict[str, Action]:
    """All actions of an app: the numbers of tools, those that it declares, the switches of overlays and panels."""
    overlays = sorted((each for each in app.overlays if not each.always), key=lambda each: str(each.title))
    tools = [_of_tool(number, app.tools) for number in range(1, max(len(app.tools), NUMBERS[-1]) + 1)]
    found: dict[str, Action] = {}
    for action in [*tools, *app.actions, *map(_of_overlay, overlays), *map(_of_panel, app.panels)]:
        name = action.name
        while name in found:  # a mod's panel and its overlay may have one name
            name += "_2"
        found[name] = replace(action, name=name)
    return found


def _of_panel(panel: Any) -> Action:
    return Action(
        panel.name,
        panel.title,
        lambda session: session.press_panel(panel.name),
        panel.keys,
        panel.menu,
        panel.section,
        PANELS,
        panel.help,
        is_on=lambda session: panel.name in session.preferences.open,
    )


def _of_overlay(overlay: Any) -> Action:
    return Action(
        overlay.name,
        overlay.title,
        lambda session: session.toggle_overlay(overlay.name),
        overlay.keys,
        VIEW,
        1,
        OVERLAYS,
        overlay.help,
        lambda session: overlay.name in session.shown,
    )


def _of_tool(number: int, tools: list[Any]) -> Action:
    title = tools[number - 1].title if number <= len(tools) else f"Tool {number}"
    keys = (str(number % 10),) if number in NUMBERS else ()
    return Action(f"tool_{number}", title, lambda session: session.hand.take_number(session, number), keys, group=TOOLS)


def keys_of(action: Action, preferences: Preferences) -> tuple[str, ...]:
    """What to press for an action: what the settings say, else its own keys."""
    return tuple(preferences.keys.get(action.name, action.keys))


def find(pressed: str, actions: Actions, preferences: Preferences) -> Action | None:
    """The action of a key, if any."""
    return next((action for action in actions.values() if pressed in keys_of(action, preferences)), None)


def without_taken_keys(part: App, before: Iterable[Action], preferences: Preferences) -> list[str]:
    """Take from the parts of a mod those keys that do something else already; returns sentences that say so."""
    owners = {key: action for action in before for key in keys_of(action, preferences)}
    sentences = []
    for parts in (part.actions, part.overlays, part.panels):
        for place, each in enumerate(parts):
            if each.name in preferences.keys:
                continue
            for key in each.keys:
                if owner := owners.get(key):
                    sentences.append(
                        said(
                            "{title} has no key {key}, which is that of “{other}”: give it another in Settings.",
                            title=said(each.title),
                            key=key,
                            other=said(owner.title),
                        )
                    )
            free = tuple(key for key in each.keys if key not in owners)
            if isinstance(each, Action):
                parts[place] = each = replace(each, keys=free)
            else:
                each.keys = free
            owners |= dict.fromkeys(free, each)
    return sentences
