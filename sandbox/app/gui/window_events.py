"""Passes pyglet's events on to Dear ImGui, and decides whether an event belongs to the panels or to the world."""

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
    key.NUM_ENTER: "enter",
    key.ESCAPE: "escape",
    key.LSHIFT: "left_shift",
    key.RSHIFT: "right_shift",
    key.LCTRL: "left_ctrl",
    key.RCTRL: "right_ctrl",
    key.LALT: "left_alt",
    key.RALT: "right_alt",
}
LETTERS = {getattr(key, letter): letter.lower() for letter in "ACVXYZ"}  # sent as keys only together with Ctrl
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
FRAMES_AWAKE = 6  # after an event: Dear ImGui handles a press and its release in separate frames
NOWHERE = -1e6, -1e6  # pixels
ALWAYS = (key.ESCAPE, key.LEFT, key.RIGHT, key.UP, key.DOWN)  # panels get these even without keyboard focus


class Events:
    """Routes events to Dear ImGui or to the world.

    Dear ImGui's own flags (`want_capture_mouse`, `want_text_input`) are one frame old: a motion and a press may
    happen in one frame, and a press may focus a box before the next frame is drawn. Therefore the rectangles of the
    panels decide, and after a press on a panel, keys belong to the panels until a frame has been drawn.

    Attributes:
        hidden: panels are hidden.
        awake: the number of frames in which panels must still be drawn without delay.
    """

    def __init__(self, height: int) -> None:
        self.height = height
        self.hidden = False
        self.awake = 0
        self._down: set[int] = set()  # buttons that went down on a panel
        self._touched = False  # a panel was pressed since the last frame
        self._listed = False  # a list or menu was open in the last frame

    def begin(self) -> None:
        """Send events to the current Dear ImGui context from now on."""
        self._io = imgui.get_io()
        self._context = imgui.get_current_context()
        self._down.clear()

    def covers(self, x: float, y: float) -> bool:
        """Return whether a panel, an open list or a question covers a pixel."""
        if self.asks:
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
    def asks(self) -> bool:
        """Whether a question or a dialog is seen, which then gets all events, even if panels are hidden."""
        return imgui.internal.get_top_most_and_visible_popup_modal() is not None

    @property
    def lag(self) -> bool:
        """Whether Dear ImGui has yet to take some events."""
        return len(self._context.input_events_queue) > 0

    @property
    def has_keyboard(self) -> bool:
        """Whether key presses belong to a panel or a question."""
        return self.asks or (not self.hidden and (self._touched or self.walks or self._io.want_text_input))

    @property
    def walks(self) -> bool:
        """Whether keyboard navigation through a panel is on."""
        return bool(self._io.config_flags & imgui.ConfigFlags_.nav_enable_keyboard)

    @walks.setter
    def walks(self, walks: bool) -> None:
        if walks != self.walks:
            self.awake = FRAMES_AWAKE
            self._io.config_flags ^= imgui.ConfigFlags_.nav_enable_keyboard
            imgui.set_nav_cursor_visible(walks)

    def frame_drawn(self) -> None:
        """Note that a frame was drawn: Dear ImGui's flags are now up to date.

        What lies under a menu that has just closed is not meant: it hears of the mouse when that moves again.
        """
        self._touched = False
        listed, self._listed = self._listed, imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
        if listed and not self._listed:
            self.leave()

    def motion(self, x: float, y: float) -> None:
        self.awake = FRAMES_AWAKE
        self._io.add_mouse_pos_event(x, self.height - y)

    def leave(self) -> None:
        """Move the mouse away from all panels because it left the window, unless a drag began on a panel."""
        if not self._down:
            self.motion(*NOWHERE)

    @property
    def holds(self) -> bool:
        """Whether a mouse button is down that was pressed on a panel."""
        return bool(self._down)

    def press(self, x: float, y: float, button: int, modifiers: int = 0) -> bool:
        """Handle a press of a mouse button; return whether a panel takes it."""
        self.awake = FRAMES_AWAKE
        self._hold(modifiers)
        if button not in BUTTONS or not self.covers(x, y):
            self._leave_text_boxes()
            return False
        self.motion(x, y)
        self.release(button)  # an earlier one may have been lost, and what is down can't be pressed
        self._io.add_mouse_button_event(BUTTONS[button], True)
        self._down.add(button)
        self._touched = True
        return True

    def drag(self, x: float, y: float) -> bool:
        """Handle a mouse drag; return whether it began on a panel. Panels get no other drags."""
        if self._down:
            self.motion(x, y)
        return bool(self._down)

    def release(self, button: int) -> bool:
        """Handle the release of a mouse button; return whether it was pressed on a panel."""
        if button not in self._down:
            return False
        self.awake = FRAMES_AWAKE
        self._down.discard(button)
        self._io.add_mouse_button_event(BUTTONS[button], False)
        return True

    def scroll(self, x: float, y: float, dx: float, dy: float) -> bool:
        """Handle the mouse wheel; return whether a panel takes it."""
        if not self.covers(x, y):
            return False
        self.motion(x, y)
        self._io.add_mouse_wheel_event(dx, dy)
        return True

    def key(self, symbol: int, modifiers: int, down: bool) -> None:
        """Handle a key that goes down or up; `has_keyboard` says whether panels get it."""
        self.awake = FRAMES_AWAKE
        if symbol in HELD:  # `modifiers` is the state before this event
            modifiers = modifiers | HELD[symbol] if down else modifiers & ~HELD[symbol]
        self._hold(modifiers)
        if down and symbol in LETTERS and not modifiers & key.MOD_ACCEL:
            return  # it arrives as text too, and Dear ImGui would spend a frame on each key event
        if symbol in KEYS and (self.has_keyboard or not down or symbol in ALWAYS):
            self._io.add_key_event(KEYS[symbol], down)

    def close_list(self) -> bool:
        """Close any open list or picker; return whether one was open."""
        opened = not self.hidden and imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
        if opened:
            self.awake = FRAMES_AWAKE
            imgui.internal.close_popup_to_level(0, True)
        return bool(opened)

    def text(self, text: str) -> None:
        """Pass on characters typed while a text box has the keyboard."""
        self.awake = FRAMES_AWAKE
        self._io.add_input_characters_utf8(text)

    def let_go(self) -> None:
        """Release all buttons and keys because another window gets events now."""
        for button in tuple(self._down):
            self.release(button)
        self._io.add_focus_event(False)
        self._io.add_focus_event(True)

    def _hold(self, modifiers: int) -> None:
        """Report the held modifiers. A modifier's own key event may not include it yet; the next mouse event does."""
        for bit, name in MODIFIERS:
            self._io.add_key_event(name, bool(modifiers & bit))

    def _leave_text_boxes(self) -> None:
        """End typing after a press on the world, as a press on another panel does."""
        if self._io.want_text_input:
            imgui.internal.clear_active_id()


def _lets_through(window: imgui.internal.Window) -> bool:
    return bool(window.flags & imgui.WindowFlags_.no_mouse_inputs)


def _holds(corner: imgui.ImVec2, size: imgui.ImVec2, x: float, y: float) -> bool:
    return bool(corner.x <= x < corner.x + size.x and corner.y <= y < corner.y + size.y)


def _has_hole(window: imgui.internal.Window, x: float, y: float) -> bool:
    """Return whether a point lies in the hole of a window: that of the dock space has one for the world."""
    hole, size = window.hit_test_hole_offset, window.hit_test_hole_size
    corner = imgui.ImVec2(window.pos.x + hole.x, window.pos.y + hole.y)
    return _holds(corner, imgui.ImVec2(size.x, size.y), x, y)
