"""A scene whose things have a field of every kind, a mod's component among them, and how hands change fields."""

from __future__ import annotations

from typing import Any

from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import key

from components.look import SHAPES
from components.store.prefab import Prefab
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry, Scene
from systems.engine.settings import Settings

from .conftest import send
from .widgets import look

SIZE = 900, 700
A_WHILE = 0.4  # s: two clicks so far apart are no double click


def pond(*entries: Entry) -> Scene:
    """Ducks and pikes that stand still, on a meadow with edges."""
    still: dict[str, dict[str, Any]] = {"Position": {}, "Velocity": {}, "Motion": {"max_speed": 100.0}}
    look = {"shape": SHAPES.index("dot"), "colour": 0xE8D9A0, "size": 5.0}
    prefabs = {
        "duck": Prefab("duck", {**still, "Perception": {}, "Prey": {}, "Look": look}, "swims about"),
        "pike": Prefab("pike", {**still, "Predator": {"hunts": 0}, "Energy": {}, "Look": dict(look)}),
    }
    settings = Settings(1000, 800, edges="open", tick_rate=10)
    return Scene("pond", settings=settings, prefabs=prefabs, entries=list(entries))


def duck(x: float, y: float) -> Entry:
    return Entry("duck", at=(x, y), velocity=(0, 0))


def pike(x: float, y: float) -> Entry:
    return Entry("pike", at=(x, y), velocity=(0, 0))


def frame(window: FlockWindow, seconds: float = 0.0) -> None:
    """Commands are carried out, then all is drawn, as in the event loop."""
    window.on_update(seconds)
    window.on_draw()


def down(window: FlockWindow, x: float, y: float, modifiers: int = 0) -> None:
    send(window, ("on_mouse_motion", round(x), round(y), 0, 0))
    frame(window)
    send(window, ("on_mouse_press", round(x), round(y), LEFT, modifiers))
    frame(window)


def up(window: FlockWindow, x: float, y: float) -> None:
    send(window, ("on_mouse_release", round(x), round(y), LEFT, 0))
    frame(window)
    frame(window)


def press(window: FlockWindow, label: str, modifiers: int = 0, side: float = 0.5) -> None:
    """Click a widget; `side`: where in it, 0 at its left end, 1 at its right."""
    frame(window, A_WHILE)
    left, low, right, high = look(window).boxes[label]
    x, y = left + side * (right - left), (low + high) / 2
    down(window, x, y, modifiers)
    up(window, x, y)


def twice(window: FlockWindow, x: float, y: float) -> None:
    """A double click."""
    for _ in range(2):
        down(window, x, y)
        up(window, x, y)


def drag(window: FlockWindow, label: str, pixels: int, side: float = 0.5) -> None:
    """Press a widget, move to the right in ten steps, and let go."""
    frame(window, A_WHILE)
    left, low, right, high = look(window).boxes[label]
    x, y = left + side * (right - left), (low + high) / 2
    down(window, x, y)
    for step in range(1, 11):
        send(window, ("on_mouse_drag", round(x + pixels * step / 10), round(y), pixels // 10, 0, LEFT, 0))
        frame(window)
    up(window, x + pixels, y)


def type_into(window: FlockWindow, label: str, text: str, end: int = key.ENTER) -> None:
    """Ctrl+click a number, type another one, and press Enter."""
    press(window, label, key.MOD_CTRL)
    write(window, text)
    tap(window, end)


def write(window: FlockWindow, text: str) -> None:
    """Every character as its key and the text that comes of it; letters are shortcuts elsewhere."""
    for character in text:
        symbol = ord(character.lower())
        send(window, ("on_key_press", symbol, 0), ("on_text", character), ("on_key_release", symbol, 0))
        frame(window)


def tap(window: FlockWindow, symbol: int, modifiers: int = 0) -> None:
    send(window, ("on_key_press", symbol, modifiers))
    frame(window)
    send(window, ("on_key_release", symbol, modifiers))
    frame(window)
    frame(window)
