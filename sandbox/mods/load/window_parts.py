"""What a mod brings for the window is looked at when it is loaded: a panel without a size would fail much later."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from components.store.fields import Kind
from components.store.resources import Resource
from sandbox.app.guarded_part import icon_of
from sandbox.app.gui.layout import Side
from sandbox.app.gui.panel import Panel
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.action import MENUS, Action
from sandbox.app.session.tool import Tool
from systems.engine.app import App
from systems.engine.charts import MeasureChart

LONGEST_NAME, LONGEST_TEXT = 60, 2000  # letters
MOST_PLACED = 1000  # a click
CHOOSABLE_KINDS = Kind.NUMBER, Kind.INTEGER, Kind.SWITCH, Kind.CHOICE, Kind.COLOUR  # of preferences
CURSORS = {"crosshair", "hand", "help", "no", "size", "text", "wait", "wait_arrow", None} | {
    f"size_{way}"
    for way in (
        "up",
        "up_right",
        "right",
        "down_right",
        "down",
        "down_left",
        "left",
        "up_left",
        "up_down",
        "left_right",
    )
}

Right = Callable[[Any], bool]


def refuse_wrong_parts(part: App) -> None:
    """See that the parts of a window in `part` are whole, and no two of a kind have one name.

    Raises:
        TypeError, ValueError: one is none, lacks something, or has the name of another; with what would be right.
    """
    _refuse("panel", Panel, part.panels, PANEL)
    _refuse("tool", Tool, part.tools, TOOL)
    _refuse("overlay", Overlay, part.overlays, OVERLAY)
    _refuse("action", Action, part.actions, ACTION)
    _refuse("preferences", Resource, part.preferences, {"fields": CHOOSABLE}, "__class__")
    _refuse("chart", MeasureChart, part.charts, {"title": NAME}, "title")


def _is_name(value: Any) -> bool:
    return (
        isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_NAME and value.isprintable() and "##" not in value
    )


def _is_size(value: Any) -> bool:
    if not isinstance(value, tuple | list) or len(value) != 2:
        return False
    return all(isinstance(side, int | float) and math.isfinite(side) and 0 <= side <= 10_000 for side in value)


def _are_keys(value: Any) -> bool:
    from sandbox.app.controls.keys import canonical

    return isinstance(value, tuple | list) and all(isinstance(key, str) and canonical(key) == key for key in value)


NAME: tuple[Right, str] = (_is_name, 'a few words without "##", like "Magnets"')
TEXT: tuple[Right, str] = (lambda value: isinstance(value, str) and len(value) <= LONGEST_TEXT, "a text")
SWITCH: tuple[Right, str] = (lambda value: isinstance(value, bool), "True or False")
KEYS: tuple[Right, str] = (_are_keys, 'names of keys, like ("Ctrl+K", "F5", "[")')
SIDE: tuple[Right, str] = (lambda value: isinstance(value, Side), "Side.LEFT, .RIGHT, .BOTTOM or .FLOATING")
SIZE: tuple[Right, str] = (_is_size, "width and height in pixels, like (320, 240)")
TOOL = {
    "name": NAME,
    "title": NAME,
    "icon": (
        lambda value: isinstance(value, str) and (len(value) <= 2 or icon_of(value) != value),
        'a letter, or the name of an icon of Font Awesome: "magnet"',
    ),
    "help": TEXT,
    "count": (
        lambda value: type(value) is int and 0 <= value <= MOST_PLACED,
        f"how many it places, 0 to {MOST_PLACED}",
    ),
    "uses_brush": SWITCH,
    "cursor": (lambda value: value in CURSORS, 'the shape of the pointer: "crosshair", "hand" or None'),
}
MENU: tuple[Right, str] = (lambda value: value in ("", *MENUS), f'one of {", ".join(MENUS)}, or ""')
SECTION: tuple[Right, str] = (lambda value: type(value) is int, "a whole number")
CHOOSABLE: tuple[Right, str] = (
    lambda value: all(field.kind in CHOOSABLE_KINDS for field in value.values()),
    "declared with number, integer, switch, choice or colour",
)
PANEL = {
    "name": NAME,
    "title": NAME,
    "side": SIDE,
    "size": SIZE,
    "keys": KEYS,
    "menu": MENU,
    "section": SECTION,
}
OVERLAY = {"name": NAME, "title": NAME, "help": TEXT, "keys": KEYS, "always": SWITCH, "under": SWITCH}
CALL: tuple[Right, str] = (callable, "a function that gets the session")
MAYBE_CALL: tuple[Right, str] = (lambda value: value is None or callable(value), f"{CALL[1]}, or None")
ACTION = {
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
}


def _refuse(
    kind: str,
    base: type,
    parts: Sequence[Any],
    wanted: dict[str, tuple[Right, str]],
    name: str = "name",
) -> None:
    taken = set()
    for part in parts:
        if isinstance(part, type):
            raise TypeError(f"add_{kind} got the class {part.__name__}: make one of it: add_{kind}({part.__name__}())")
        if not isinstance(part, base):
            raise TypeError(f"add_{kind} got the {type(part).__name__} {part!r:.60}: it takes a {base.__name__}")
        for attribute, (is_right, words) in wanted.items():
            _refuse_attribute(f"{kind} {type(part).__name__}", part, attribute, is_right, words)
        if getattr(part, name) in taken:
            raise ValueError(f"another {kind} is already called {getattr(part, name)!r}: rename one")
        taken.add(getattr(part, name))


def _refuse_attribute(part: str, of: Any, name: str, is_right: Right, words: str) -> None:
    try:
        value = getattr(of, name)
    except AttributeError:
        raise ValueError(f"the {part} has no {name}: it must be {words}") from None
    except Exception as error:  # a property
        raise ValueError(f"the {part} can't tell its {name}: {type(error).__name__}: {error}") from error
    if not is_right(value):
        raise ValueError(f"the {part} has {name} = {value!r:.60}: must be {words}")
