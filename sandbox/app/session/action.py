"""Actions: functions that keys and menu items call. Menus, keys, help, settings and the docs are made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.icons import ICON
from sandbox.app.key_names import KEYS, in_words
from sandbox.app.preferences import Preferences
from sandbox.language import translate
from sandbox.window_part import NAME, TEXT, Contract, Right, WindowPart
from systems.engine.app import App

if TYPE_CHECKING:
    from sandbox.app.session.session import Session

FILE, EDIT, TIME, VIEW, HELP = "File", "Edit", "Time", "View", "Help"
TIME_BAR, WELCOME_BAR = "time", "welcome"
TOOLS, OVERLAYS, PANELS = "Tools", "Overlays", "Panels"
MENUS = FILE, EDIT, TIME, VIEW, OVERLAYS, PANELS, HELP
NUMBERS = range(1, 11)  # tools with a default key: 1 to 9, and 0

MENU: Right = (lambda value: value in ("", *MENUS), f'one of {", ".join(MENUS)}, or ""')
SECTION: Right = (lambda value: type(value) is int, "a whole number")
CALL: Right = (callable, "a function that gets the session")
MAYBE_CALL: Right = (lambda value: value is None or callable(value), f"{CALL[1]}, or None")

Way = tuple[int, int, int]
Actions = Mapping[str, "Action"]  # by name, in the order of menus and help


@dataclass(frozen=True)
class Action(WindowPart):
    """A function that is called by keys or from a menu. It may change the world only by `session.submit`.

    Attributes:
        name: its name in the settings file; for an action of a mod the mod's id is put before it, "magnet.flip".
        title: the text in menus, help and settings.
        keys: default keys, each of which triggers it: "Ctrl+Shift+Z", "F11", "["; people can change them in Settings.
        menu: the menu that contains it: "File", "Edit", "Time", "View", "Overlays", "Panels" or "Help"; "": none.
        section: its section of the menu; sections are sorted by number and separated by a line.
        group: the heading under which help and settings list it; "": the name of its menu.
        help: one line, shown as the tooltip of the menu item.
        is_on: returns whether it is on, for an action that switches something.
        possible: returns whether it is available now; else the menu item is greyed out, and its key does nothing.
        deep: it is available only in worlds with depth.
        deep_title: what help and settings call it in worlds with depth; "": its title.
        bar: where it is a button, too: in the time bar ("time"), red while it is on, or in the welcome bar of the first
            start ("welcome"); `icon`: the button's, as of a `Tool`.
        since: returns the tick at which it began, or None; the time bar marks the time from there on.
        pans: the direction in which it moves the view while its key is held: right, up, and rising. In a world with
            depth, up is ahead, and rising is up.
        always: its Ctrl and function keys also work while a question is open or a text box has the keyboard.
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
    deep: bool = False
    deep_title: str = ""
    bar: str = ""
    icon: str = ""
    since: Callable[[Session], int | None] | None = None
    pans: Way | None = None
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
            "deep": (lambda value: type(value) is bool, "True or False"),
            "deep_title": TEXT,
            "bar": (lambda value: value in ("", TIME_BAR, WELCOME_BAR), f'"{TIME_BAR}", "{WELCOME_BAR}" or ""'),
            "icon": ICON,
            "since": MAYBE_CALL,
            "pans": (lambda value: value is None, "None: only the program's own keys pan"),
            "always": (lambda value: value is False, "False"),
        },
    )

    @property
    def heading(self) -> str:
        """The heading under which help and settings list it."""
        return self.group or self.menu or "Others"

    def titled(self, *, deep: bool) -> str:
        """Return its title in worlds with depth, or in flat ones."""
        return (deep and self.deep_title) or self.title

    def available(self, session: Session) -> bool:
        """Return whether it can be done now."""
        if self.deep and not isinstance(session.camera, SpaceCamera):
            return False
        return self.possible is None or self.possible(session)


def actions_of(app: App) -> dict[str, Action]:
    """Return all actions of an app by name: number keys of tools, declared actions, toggles of overlays and panels."""
    overlays = sorted((each for each in app.overlays if not each.always), key=lambda each: str(each.title))
    tools = [_of_tool(number, app.tools) for number in range(1, max(len(app.tools), NUMBERS[-1]) + 1)]
    found: dict[str, Action] = {}
    for action in [*tools, *app.actions, *map(_of_overlay, overlays), *map(_of_panel, app.panels)]:
        name = action.name
        while name in found:  # a mod's panel and its overlay may have the same name
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
        OVERLAYS,
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
    """Return the keys of an action: those in the settings, else its default keys."""
    return tuple(preferences.keys.get(action.name, action.keys))


def key_of(action: Action, preferences: Preferences) -> str:
    """Return the first key of an action as text names it; "" if it has none."""
    return in_words(key) if (key := next(iter(keys_of(action, preferences)), "")) else ""


def find(pressed: str, actions: Actions, preferences: Preferences) -> Action | None:
    """Return the action of a key, or None."""
    return next((action for action in actions.values() if pressed in keys_of(action, preferences)), None)


def without_taken_keys(brought: App, before: Iterable[Action], preferences: Preferences) -> list[str]:
    """Remove keys that are already taken from the parts of a mod; return a warning for each removed key."""
    owners = {key: action for action in before for key in keys_of(action, preferences)}
    sentences = []
    for parts in (brought.actions, brought.overlays, brought.panels):
        for index, each in enumerate(parts):
            if each.name in preferences.keys:
                continue
            for key in each.keys:
                if owner := owners.get(key):
                    sentences.append(
                        translate(
                            "{title} has no key {key}, which is that of “{other}”: give it another in Settings.",
                            title=translate(each.title),
                            key=key,
                            other=translate(owner.title),
                        )
                    )
            free = tuple(key for key in each.keys if key not in owners)
            if isinstance(each, Action):
                parts[index] = each = replace(each, keys=free)
            else:
                each.keys = free
            owners |= dict.fromkeys(free, each)
    return sentences
