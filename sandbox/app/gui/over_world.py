"""Windows over the world that can't be moved: bars, hints, messages, the legend."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.gui.blocks import Block, Size

_of = imgui.WindowFlags_
SHOWS = _of.no_decoration | _of.no_inputs | _of.no_saved_settings | _of.no_focus_on_appearing
"""Of a window that ignores mouse and keys; it must be given its size."""
ASKS = _of.no_decoration | _of.no_docking | _of.no_saved_settings | _of.no_move | _of.always_auto_resize
"""Of a window that fits its contents and takes the keyboard."""
OFFERS = ASKS | _of.no_focus_on_appearing
"""Of a window that fits its contents and leaves the keyboard where it is."""
LISTS = OFFERS & ~_of.always_auto_resize & ~_of.no_scrollbar
"""Of such a window with a width of its own."""


def over_world(name: str, flags: int, place: Size, pivot: Size, size: Size | None = None) -> Block:
    """Begin a window whose point `pivot`, 0 to 1 from its upper left, stands at a place.

    Args:
        flags: SHOWS, ASKS, OFFERS or LISTS.
        size: pixels; None: it fits its contents, and so do a width or height of 0.
    """

    def begin() -> bool:
        imgui.set_next_window_pos(place, imgui.Cond_.always, pivot)
        if size is not None:
            imgui.set_next_window_size(size)
        return bool(imgui.begin(name, None, flags)[0])

    return Block(begin, imgui.end, always=True)
