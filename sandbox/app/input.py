"""Handles the mouse and key events of a window: panels get them first, then tools and actions.

Letters and keys like "Home" are named after the key. Other characters are named after the text typed, because on many
keyboard layouts `/` is on another key or needs Shift. `controls/actions.py` declares the keys of each action.
"""

from __future__ import annotations

import re
import sys

import arcade
import numpy as np
from arcade import key
from imgui_bundle import imgui

from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.gui.gui import Gui
from sandbox.app.key_names import HELD, NAMED, typed
from sandbox.app.session.action import Action, Way, find
from sandbox.app.session.session import Session

NAMES = {getattr(key, constant): name for constant, name in NAMED.items()}  # by pyglet's symbol
PAN_SPEED = 900.0  # pixels per second while a key is held
EASES = 0.06  # s: the half-life with which panning begins and ends
STILL = 0.01  # of its speed: from here on it has ended
LIFT = 30.0  # pixels per scroll step: of the plane that the mouse works on, toward the viewer
PUSH = 30.0  # pixels per horizontal scroll step
ZOOM_STEP = 1.15  # factor per scroll step
ARROWS = key.LEFT, key.RIGHT, key.UP, key.DOWN
TYPES_NOTHING = re.compile(r"Ctrl\+.*|F\d+")  # keys that enter no text
CONTROL, SHIFT = (key.LCTRL, key.RCTRL, key.LCOMMAND, key.RCOMMAND), (key.LSHIFT, key.RSHIFT)


def pressed(symbol: int, modifiers: int) -> str | None:
    """Return the name of a key with its modifiers, "Ctrl+Shift+Z"; None if the key is not in `NAMES`."""
    if symbol not in NAMES:
        return None
    control = key.MOD_COMMAND if sys.platform == "darwin" else key.MOD_CTRL
    bits = control, key.MOD_ALT, key.MOD_SHIFT
    return "+".join([*(name for name, bit in zip(HELD, bits, strict=True) if modifiers & bit), NAMES[symbol]])


class Input:
    """The handlers of a window's mouse and key events."""

    def __init__(self, window: arcade.Window, gui: Gui, session: Session) -> None:
        self._window, self._gui, self._session = window, gui, session
        self._panning: dict[int, Way] = {}  # held keys that pan
        self._speed = np.zeros(3)  # to the right, up, and what rises, as shares of PAN_SPEED
        self._cursor: str | None = None
        self._on_pad = False  # a key of the number pad has done something, and its digit is yet to come

    def pass_time(self, seconds: float) -> None:
        """Pan while keys are held, and set the mouse cursor of the tool; called before each frame."""
        self._pan(seconds)
        self._choose_cursor()

    @property
    def holds(self) -> bool:
        """Whether a panning key or a mouse button is down, or the panning ends."""
        return bool(self._panning) or bool(self._speed.any()) or self._session.hand.holds or self._gui.events.holds

    # ---- mouse

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        self._gui.enter()
        self._gui.events.motion(x, y)
        if self._gui.events.covers(x, y):
            self._session.hand.leave()
        else:
            self._session.hand.hover(*self._own(x, y), key.MOD_SHIFT if self._holds(SHIFT) else 0)

    def on_mouse_leave(self, x: int, y: int) -> None:
        self._session.hand.leave()
        self._gui.enter()
        self._gui.events.leave()

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        self._gui.enter()
        waits = self._session.asking.waits
        if waits and not self._gui.events.asks:
            return  # nobody has seen the question yet
        self._end_walk()
        if self._gui.events.press(x, y, button, modifiers) or waits:
            return
        comparison = self._session.document.comparison
        if comparison is not None and self._own(x, y) != (x, y):
            self._session.work_on(not comparison.works_right)
            self._session.hand.hover(x, y)
        else:
            self._session.view.glide.end()  # the hand presses what is seen
            self._session.hand.press(self._session, x, y, button, modifiers)

    def _own(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel that shows the same place in the current world: in Compare, it may be in the other half."""
        comparison = self._session.document.comparison
        if comparison is None:
            return x, y
        return self._session.camera.in_own_half(x, y, comparison.works_right, comparison.stacked)

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        if self._gui.events.drag(x, y):
            return
        camera, alt = self._session.camera, modifiers & key.MOD_ALT and buttons & arcade.MOUSE_BUTTON_LEFT
        if isinstance(camera, SpaceCamera) and not modifiers & key.MOD_SHIFT:
            if buttons & arcade.MOUSE_BUTTON_MIDDLE or alt:
                self._session.get_off()
                camera.orbit(dx, dy)
        elif buttons & arcade.MOUSE_BUTTON_MIDDLE:
            camera.pan(dx, dy)
        self._session.hand.drag(self._session, x, y, modifiers)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        if not self._gui.events.release(button):
            self._session.hand.release(self._session, x, y, button, modifiers)

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        self._gui.enter()
        if self._gui.events.scroll(x, y, scroll_x, scroll_y):
            return
        camera = self._session.camera
        if self._holds(CONTROL) and isinstance(camera, SpaceCamera):
            camera.lift_plane(LIFT * scroll_y)
        elif self._holds(CONTROL):
            self._session.hand.widen(scroll_y)
        elif abs(scroll_x) > abs(scroll_y):  # horizontal scrolling comes from a touchpad: it pans
            self._session.camera.pan(-scroll_x * PUSH, 0)
        elif not self._session.view.riding:
            self._session.glide()
            camera.zoom_at(*self._own(x, y), ZOOM_STEP**scroll_y)

    def _choose_cursor(self) -> None:
        hand, window = self._session.hand, self._window
        cursor = hand.tool.cursor if hand.pixel else None
        if cursor != self._cursor and not window.headless:
            self._cursor = cursor
            window.set_mouse_cursor(window.get_system_mouse_cursor(cursor) if cursor else None)

    # ---- keys

    @property
    def field_comes(self) -> bool:
        """Whether an opened text box will get the keyboard within a few frames: until then letters are no shortcuts."""
        session, gui = self._session, self._gui
        opens = session.view.palette_open and not gui.palette.hears and not session.asking.waits
        return opens and gui.events.awake > 0

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        self._gui.enter()
        asked = self._session.asking.waits or self._session.capture
        drags = self._session.hand.holds
        if symbol == key.ESCAPE and not asked and not drags and self._gui.events.close_list():
            return  # if Dear ImGui got the key, it would also hide its navigation cursor
        self._gui.events.key(symbol, modifiers, True)
        if symbol == key.ESCAPE and not asked and self._gui.events.holds:
            return  # it ends what the mouse drags in a panel
        if symbol == key.ESCAPE and self._session.view.walked and not asked and not imgui.is_any_item_active():
            self._end_walk()
            return
        wanted = self._session.capture or not self._gui.events.has_keyboard
        if symbol in ARROWS and self._session.asking.walks and not self._session.capture:
            return
        if wanted and not self._session.capture and pressed(symbol, modifiers) in self._session.hand.tool.held:
            self._session.hand.press_key(NAMES[symbol])
        elif name := pressed(symbol, modifiers):
            way = self._way(symbol, modifiers) if wanted and not self._session.capture else None
            if way:
                self._panning[symbol] = way
            else:
                self._on_pad = name.startswith("Num") and self._can_do(name)
                self._press(name, bool(wanted))

    def _end_walk(self) -> None:
        """Give the keyboard back to the world."""
        self._session.view.walked, self._gui.events.walks = "", False

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        self._panning.pop(symbol, None)
        self._session.hand.keys.discard(NAMES.get(symbol, ""))
        self._gui.enter()
        self._gui.events.key(symbol, modifiers, False)

    def on_text(self, text: str) -> None:
        self._gui.enter()
        if self._gui.events.has_keyboard and not self._session.capture:
            self._gui.events.text(text)
        elif self._on_pad:
            self._on_pad = False  # the key has done something of its own
        elif name := typed(text):
            self._press(name)

    def on_deactivate(self) -> None:
        self._panning.clear()
        if self._window.keyboard is not None:
            self._window.keyboard.data.clear()  # the release of a held key goes to another window and is never seen
        self._session.hand.put_down(self._session)
        self._gui.enter()
        self._gui.events.let_go()

    def _press(self, name: str, wanted: bool = True) -> None:
        """Handle a key press; `wanted`: neither a text box nor a question has the keyboard."""
        if self._session.capture:
            self._session.capture(name)
            return
        action = self._find(name)
        wanted = wanted and not self._session.asking.waits
        if action and (wanted or (action.always and TYPES_NOTHING.fullmatch(name))):
            self._session.act(action.name)

    def _can_do(self, name: str) -> bool:
        """Return whether a key has an action that is possible now."""
        action = self._find(name)
        return action is not None and action.available(self._session)

    def _find(self, name: str) -> Action | None:
        return find(name, self._session.actions, self._session.preferences)

    def _way(self, symbol: int, modifiers: int) -> Way | None:
        """Return the direction a held key pans: also with Shift, because that draws lines, but not with Ctrl or Alt."""
        action = self._find(pressed(symbol, modifiers) or "")
        if action is None and not modifiers & (key.MOD_ACCEL | key.MOD_ALT):
            action = self._find(pressed(symbol, 0) or "")
        return action.pans if action else None

    def _holds(self, keys: tuple[int, ...]) -> bool:
        """Return whether one of these keys is down."""
        keyboard = self._window.keyboard
        return keyboard is not None and any(keyboard[symbol] for symbol in keys)

    def _pan(self, seconds: float) -> None:
        ways = () if self._gui.events.has_keyboard or self._holds(CONTROL) else self._panning.values()
        wanted = np.array([sum(way[axis] for way in ways) for axis in range(3)], float)
        self._speed += (wanted - self._speed) * (1 - 0.5 ** (seconds / EASES))
        if self._session.preferences.reduce_motion or np.abs(wanted - self._speed).max() < STILL:
            self._speed = wanted
        if not self._speed.any():
            return
        camera, (right, up, rises) = self._session.camera, (PAN_SPEED * seconds * self._speed).tolist()
        if isinstance(camera, SpaceCamera):
            camera.fly(right / camera.zoom, rises / camera.zoom, up / camera.zoom)
        else:
            camera.pan(-right, -(up + rises))
