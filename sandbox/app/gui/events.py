"""Brings pyglet's events to Dear ImGui, and says whose an event is: the panels' or the world's."""

from __future__ import annotations

from arcade import key
from imgui_bundle import imgui

BUTTONS = {1: 0, 4: 1, 2: 2}  # left, right, middle: pyglet's bits, Dear ImGui's numbers
_NAMES = {
    key.TAB: "tab",
    key.LEFT: "left_arrow",
    key.RIGHT: "right_arrow",
    key.UP: "up_arrow",
    key.DOWN: "down_arrow",
    key.PAGEUP: "page_up",
    key.PAGEDOWN: "page_down",
    key.HOME: "home",
    key.END: "end",
    key.INSERT: "insert",
    key.DELETE: "delete",
    key.BACKSPACE: "backspace",
    key.SPACE: "space",
    key.ENTER: "enter",
    key.NUM_ENTER: "keypad_enter",
    key.ESCAPE: "escape",
    key.LSHIFT: "left_shift",
    key.RSHIFT: "right_shift",
    key.LCTRL: "left_ctrl",
    key.RCTRL: "right_ctrl",
    key.LALT: "left_alt",
    key.RALT: "right_alt",
}
LETTERS = {getattr(key, letter): letter.lower() for letter in "ACVXYZ"}  # keys beside Ctrl alone
KEYS = {symbol: getattr(imgui.Key, name) for symbol, name in (_NAMES | LETTERS).items()}
MODIFIERS = (
    (key.MOD_CTRL, imgui.Key.mod_ctrl),
    (key.MOD_SHIFT, imgui.Key.mod_shift),
    (key.MOD_ALT, imgui.Key.mod_alt),
    (key.MOD_COMMAND, imgui.Key.mod_super),
)
HELD = {
    key.LCTRL: key.MOD_CTRL,
    key.RCTRL: key.MOD_CTRL,
    key.LSHIFT: key.MOD_SHIFT,
    key.RSHIFT: key.MOD_SHIFT,
    key.LALT: key.MOD_ALT,
    key.RALT: key.MOD_ALT,
}
FRAMES_AWAKE = 6  # after an event: Dear ImGui deals with a press and its release in a frame each
NOWHERE = -1e6, -1e6  # pixels
ALWAYS = (key.ESCAPE, key.LEFT, key.RIGHT, key.UP, key.DOWN)  # panels may use these without a field


class Events:
    """Where the next events go.

    Dear ImGui's own flags (`want_capture_mouse`, `want_text_input`) tell of the frame before: a motion and a press may
    fall into one frame, and a press may give a field the keyboard before the next is drawn. So the rectangles of the
    panels decide, and after a press on a panel keys belong to the panels until a frame was drawn.

    Attributes:
        hidden: panels are hidden.
        awake: for so many frames more panels are to answer at once.
    """

    def __init__(self, height: int) -> None:
        self.height = height
        self.hidden = False
        self.awake = 0
        self._down: set[int] = set()  # buttons that went down on a panel
        self._touched = False  # a panel was pressed since the last frame
        self._mouse = NOWHERE

    def begin(self) -> None:
        """Go to the current Dear ImGui context from now on."""
        self._io = imgui.get_io()
        self._context = imgui.get_current_context()
        self._down.clear()

    def covers(self, x: float, y: float) -> bool:
        """Whether a panel, a list that is open or a question lies over a pixel."""
        if _asks():
            return True
        if self.hidden:
            return False
        if imgui.is_popup_open("", imgui.PopupFlags_.any_popup):
            return True
        down = self.height - y
        for window in self._context.windows:
            is_seen = (window.active or window.was_active) and not window.hidden and not _lets_through(window)
            if is_seen and _holds(window.pos, window.size, x, down) and not _has_hole(window, x, down):
                return True
        return False

    @property
    def menus_are_used(self) -> bool:
        """Whether a menu is open, or the mouse over their bar."""
        return self.in_menus(*self._mouse)

    def in_menus(self, x: float, y: float) -> bool:
        """Whether the menus take what the mouse does at a pixel.

        One of them is open, or it is over their bar, and no other panel has something that a frame without it would
        end: a list that is open, a field that is typed in, a slider that is dragged, the mark of what keys press.
        """
        if self.hidden or self.walks or _asks():
            return False
        seen = [window for window in self._context.windows if window.active or window.was_active]
        if any("###Menu_" in window.name for window in seen):
            return True
        if imgui.is_any_item_active() or imgui.is_popup_open("", imgui.PopupFlags_.any_popup):
            return False
        down = self.height - y
        return any(w.name == "##MainMenuBar" and _holds(w.pos, w.size, x, down) for w in seen)

    @property
    def has_keyboard(self) -> bool:
        """Whether what is typed goes into a panel, or answers a question."""
        return _asks() or (not self.hidden and (self._touched or self.walks or self._io.want_text_input))

    @property
    def walks(self) -> bool:
        """Whether keys go through a panel."""
        return bool(self._io.config_flags & imgui.ConfigFlags_.nav_enable_keyboard)

    @walks.setter
    def walks(self, walks: bool) -> None:
        if walks != self.walks:
            self.awake = FRAMES_AWAKE
            self._io.config_flags ^= imgui.ConfigFlags_.nav_enable_keyboard
            imgui.set_nav_cursor_visible(walks)

    def frame_drawn(self) -> None:
        """From now on Dear ImGui's flags tell of all events so far."""
        self._touched = False
        self.awake = max(self.awake - 1, 0)

    def motion(self, x: float, y: float) -> None:
        self.awake = FRAMES_AWAKE
        self._mouse = x, y
        self._io.add_mouse_pos_event(x, self.height - y)

    def leave(self) -> None:
        """The mouse is outside the window: over no panel, unless one is being dragged."""
        if not self._down:
            self.motion(*NOWHERE)

    @property
    def holds(self) -> bool:
        """Whether a button is down that went down on a panel."""
        return bool(self._down)

    def press(self, x: float, y: float, button: int, modifiers: int = 0) -> bool:
        """Returns whether a panel takes it."""
        self.awake = FRAMES_AWAKE
        self._hold(modifiers)
        if button not in BUTTONS or not self.covers(x, y):
            self._leave_fields()
            return False
        self.motion(x, y)
        self._io.add_mouse_button_event(BUTTONS[button], True)
        self._down.add(button)
        self._touched = True
        return True

    def drag(self, x: float, y: float) -> bool:
        """Returns whether it began on a panel; of one that did not panels hear nothing."""
        if self._down:
            self.motion(x, y)
        return bool(self._down)

    def release(self, button: int) -> bool:
        """Returns whether it went down on a panel."""
        if button not in self._down:
            return False
        self.awake = FRAMES_AWAKE
        self._down.discard(button)
        self._io.add_mouse_button_event(BUTTONS[button], False)
        return True

    def scroll(self, x: float, y: float, dx: float, dy: float) -> bool:
        """Returns whether a panel takes it."""
        if not self.covers(x, y):
            return False
        self.motion(x, y)
        self._io.add_mouse_wheel_event(dx, dy)
        return True

    def key(self, symbol: int, modifiers: int, down: bool) -> None:
        """A key goes down or up; who it is for, `has_keyboard` says."""
        self.awake = FRAMES_AWAKE
        if symbol in HELD:  # what is said to be held is as it was before this event
            modifiers = modifiers | HELD[symbol] if down else modifiers & ~HELD[symbol]
        self._hold(modifiers)
        if down and symbol in LETTERS and not modifiers & key.MOD_ACCEL:
            return  # typed, not meant as a key: Dear ImGui would spend a frame on each
        if symbol in KEYS and (self.has_keyboard or not down or symbol in ALWAYS):
            self._io.add_key_event(KEYS[symbol], down)

    def close_list(self) -> bool:
        """Close a list or picker that is open; returns whether one was."""
        opened = not self.hidden and imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
        if opened:
            self.awake = FRAMES_AWAKE
            imgui.internal.close_popup_to_level(0, True)
        return bool(opened)

    def text(self, text: str) -> None:
        """Characters typed while a field has the keyboard."""
        self.awake = FRAMES_AWAKE
        self._io.add_input_characters_utf8(text)

    def let_go(self) -> None:
        """Another window listens now: nothing is held any more."""
        for button in tuple(self._down):
            self.release(button)
        self._io.add_focus_event(False)
        self._io.add_focus_event(True)

    def _hold(self, modifiers: int) -> None:
        """These are held; an event of such a key itself may not tell yet, but the next one of the mouse does."""
        for bit, name in MODIFIERS:
            self._io.add_key_event(name, bool(modifiers & bit))

    def _leave_fields(self) -> None:
        """A press on the world ends typing, as a press on another panel does."""
        if self._io.want_text_input:
            imgui.internal.clear_active_id()


def _asks() -> bool:
    """Whether a question or a dialog waits for an answer: then nothing else is touched, panels hidden or not."""
    return imgui.internal.get_top_most_and_visible_popup_modal() is not None


def _lets_through(window: imgui.internal.Window) -> bool:
    return bool(window.flags & imgui.WindowFlags_.no_mouse_inputs)


def _holds(corner: imgui.ImVec2, size: imgui.ImVec2, x: float, y: float) -> bool:
    return bool(corner.x <= x < corner.x + size.x and corner.y <= y < corner.y + size.y)


def _has_hole(window: imgui.internal.Window, x: float, y: float) -> bool:
    """Whether a window, that of all docks, leaves a place to the world."""
    hole, size = window.hit_test_hole_offset, window.hit_test_hole_size
    corner = imgui.ImVec2(window.pos.x + hole.x, window.pos.y + hole.y)
    return _holds(corner, imgui.ImVec2(size.x, size.y), x, y)
