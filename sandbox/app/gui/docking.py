"""Docks panels beside the world, as tabs of each other, or floating.

Dear ImGui does the docking. This module makes the first arrangement and remembers one for each window size.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from imgui_bundle import imgui

from sandbox.app.gui.blocks import narrow_tabs
from sandbox.app.gui.panel import GAP, Box, Panel, Side
from sandbox.app.gui.ring import spot_window
from sandbox.app.gui.ui import Ui
from sandbox.app.preferences import Preferences
from sandbox.app.session.session import Session
from sandbox.language import translate

internal = imgui.internal
SPACE = 0xB01D  # the id of the dock space
FIRST = {
    Side.LEFT: "palette",
    Side.RIGHT: "inspector",
    Side.LOWER_RIGHT: "charts",
    Side.BOTTOM: "time bar",
}
"""For each side, the panel whose dock the other panels of that side join."""
FREE = 0  # the dock id of a window that is in no dock
OVER = 0xF10A  # the id of the dock over the world, in which floating panels first appear as tabs of one window
PASSES = imgui.DockNodeFlags_.passthru_central_node  # the world is visible in the central node
MOST = 0.3  # of the window's width: the most that a side takes at first
TALL = 760.0  # pixels at the usual text size: from this height on, the right side has a lower dock
BELOW = 0.45  # share of the right side's height for Side.BELOW
NARROW, LOW = 620.0, 360.0  # pixels: a smaller window has no docks left and right of the world
LARGE = 2.0  # of larger text than this a dock may show less than a line
SMALLEST = 160, 80  # pixels
ROOMY = 640.0  # pixels at the usual text size: if the middle is narrower, floating panels dock at the right instead
STAYS_BEHIND = imgui.WindowFlags_.no_focus_on_appearing  # otherwise a panel that reappears would close an open menu
SETTLES = 3  # frames until Dear ImGui has applied a new arrangement
KEPT = 8  # the number of window sizes whose arrangement is remembered


class Docking:
    """Arranges and draws the panels.

    Attributes:
        middle: the area that docked panels leave free.
        settles: this many more frames should be made before one is shown, so that nobody sees panels jump.
    """

    def __init__(self) -> None:
        self.middle = Box(0, 0, 1, 1)
        self.settles = 0
        self._room: tuple[float, float, float] | None = None  # width, height and text scale of the arrangement
        self._open: set[str] = set()  # names of the panels of the last frame
        self._class = imgui.WindowClass()
        self._class.dock_node_flags_override_set = internal.DockNodeFlagsPrivate_.no_close_button  # tabs have crosses

    def arrange(self, session: Session, screen: tuple[float, float], scale: float) -> None:
        """Restore the arrangement last used at this window size; must be called before a frame begins.

        Args:
            screen: width and height of the window, pixels.
            scale: the scale of text.
        """
        room, before = (*screen, scale), self._room
        if room == before and not session.view.resets_layout:
            return
        self._room, self.settles = room, SETTLES
        layouts = session.preferences.layouts
        kept = layouts.pop(_key(room), None)
        if session.view.resets_layout or (kept is None and (before is None or before[2] != scale)):
            self._room = None
        elif kept is not None:
            layouts[_key(room)] = kept  # at the end, because it is in use
            imgui.load_ini_settings_from_memory(_sound(kept))
        session.view.resets_layout = False

    def draw(
        self, session: Session, ui: Ui, panels: Sequence[Panel], screen: tuple[float, float], scale: float
    ) -> None:
        """Draw the open panels, in the order in which they were opened."""
        if self._room is None:
            self._room = *screen, scale
            _arrange_first(session.app.panels, screen, scale)
        if _is_tiny(screen, scale):
            panels = [panel for panel in panels if panel.side not in (Side.LEFT, Side.RIGHT)]
        with narrow_tabs(ui):
            imgui.dock_space_over_viewport(SPACE, None, PASSES)
        node = internal.dock_builder_get_central_node(SPACE)
        self.middle = Box(node.pos.x, node.pos.y, node.size.x, node.size.y)
        front, before = panels[-1].name if panels else "", self._open
        self._open = {panel.name for panel in panels}
        self.settles -= 1
        if self.settles == SETTLES - 1:  # `middle`, where floating panels go, is known after docked ones were drawn
            panels = [panel for panel in panels if self._side(panel, scale) is not Side.FLOATING]
        for panel in panels:
            comes = (panel.name == front and front not in before) or panel.name == session.view.to_front
            comes = comes and not session.asking.waits  # without the focus, the question would be closed
            if comes:
                imgui.set_next_window_focus()
                session.view.to_front = ""
            self._draw(session, ui, panel, scale, marks=comes and panel.name == session.view.walked)
            if comes or (self.settles > 0 and panel.name == front):
                _scroll_to_tab(panel.name)
        if imgui.get_io().want_save_ini_settings and self.settles <= 0:
            self.keep(session.preferences)

    def hide(self) -> None:
        """Keep the docks alive in a frame that draws no panels."""
        self.settles = 0
        imgui.dock_space_over_viewport(SPACE, None, PASSES | imgui.DockNodeFlags_.keep_alive_only)

    def keep(self, preferences: Preferences) -> None:
        """Store the arrangement in the preferences under the current window size."""
        if self._room is None:
            return
        imgui.get_io().want_save_ini_settings = False
        layouts = preferences.layouts
        layouts.pop(_key(self._room), None)
        layouts[_key(self._room)] = imgui.save_ini_settings_to_memory()
        while len(layouts) > KEPT:
            del layouts[next(iter(layouts))]

    def _draw(self, session: Session, ui: Ui, panel: Panel, scale: float, *, marks: bool) -> None:
        """Draw a panel; `marks`: put the keyboard navigation cursor on its first item."""
        side = self._side(panel, scale)
        if side is Side.FLOATING:
            self._place_over(panel, scale)
        if _is_squeezed_out(panel.name):
            imgui.set_next_window_dock_id(FREE, imgui.Cond_.always)
        else:
            imgui.set_next_window_dock_id(_dock_of(side), imgui.Cond_.first_use_ever)
        imgui.set_next_window_size_constraints(SMALLEST, imgui.get_io().display_size)
        imgui.set_next_window_class(self._class)
        shown, stays = imgui.begin(
            f"{translate(panel.title)}###{panel.name}", True, 0 if self.settles > 0 else STAYS_BEHIND
        )
        spot_window(session, panel.name, shown)
        if marks:
            imgui.internal.nav_init_window(imgui.internal.get_current_window(), True)
        if shown and not _is_behind(imgui.internal.get_current_window()):
            session.view.panels.add(panel.name)
            if _floats(imgui.internal.get_current_window()):
                session.view.over.add(panel.name)
            panel.draw(session, ui)
        imgui.end()
        if not stays:
            session.toggle_panel(panel.name)

    def _side(self, panel: Panel, scale: float) -> Side:
        """Return the side at which a panel first appears in a window of this size."""
        width, height, _ = self._room or (0, 0, 1)
        if _is_tiny((width, height), scale):
            return Side.BOTTOM if panel.side is Side.BOTTOM else Side.FLOATING
        return Side.RIGHT if panel.side is Side.FLOATING and self.middle.width < ROOMY * scale else panel.side

    def _place_over(self, panel: Panel, scale: float) -> None:
        """Place the dock over the world at the upper right of the middle, in the size that the panel asks for.

        It is placed when it first appears, and again if it no longer fits into the program's window.
        """
        middle, gap, screen = self.middle, GAP * scale, imgui.get_io().display_size
        room = middle.width - 2 * gap, middle.height - 2 * gap
        wide, high = (min(side * scale, most) for side, most in zip(panel.size, room, strict=True))
        known: Any = internal.find_window_by_name(f"###{panel.name}")
        outside = known and (known.pos.x + known.size.x > screen.x or known.pos.y + known.size.y > screen.y)
        when = imgui.Cond_.always if outside and self.settles > 0 else imgui.Cond_.first_use_ever
        imgui.set_next_window_pos((middle.x + middle.width - gap - wide, middle.y + gap), when)
        imgui.set_next_window_size((wide, high), when)
        imgui.get_current_context().next_window_data.pos_undock = False


def _sound(arrangement: str) -> str:
    """Return an arrangement in which a panel floats if its dock was split or is gone, at which Dear ImGui fails."""
    docks = set(re.findall(r" ID=(0x[0-9A-F]{8})(?!.* Split=)", arrangement))
    panel_dock = re.compile(r"^DockId=(0x[0-9A-F]{8}).*\n", re.MULTILINE)
    return panel_dock.sub(lambda line: line[0] if line[1] in docks else "", arrangement)


def _is_squeezed_out(panel: str) -> bool:
    """Return whether a panel would appear in a dock to which other docks leave no pixel, at which Dear ImGui fails."""
    window, docked = _known(panel)
    if window is not None and window.dock_node is not None:
        return False
    shown = set()
    for other in imgui.get_current_context().windows:
        beside = other.dock_node if other.was_active else None
        while beside is not None:
            shown.add(beside.id_)
            beside = beside.parent_node
    dock: Any = internal.dock_builder_get_node(docked)
    while dock is not None and dock.parent_node is not None and dock.id_ not in shown:
        dock = dock.parent_node
    return dock is not None and min(dock.size.x, dock.size.y) <= 0


def lies_over_world() -> bool:
    """Return whether the panel that is drawn lies over the world, not beside it."""
    return imgui.get_window_dock_id() in (FREE, OVER)


def _floats(window: Any) -> bool:
    """Return whether a window is over the world, alone or as a tab of others there."""
    return window.dock_node is None or bool(internal.dock_node_get_root_node(window.dock_node).is_floating_node())


def _is_behind(window: Any) -> bool:
    """Return whether a window is behind another tab although Dear ImGui asks for its contents, to find its size."""
    return bool(window.hidden_frames_can_skip_items > 0 and window.hidden_frames_cannot_skip_items <= 0)


def _scroll_to_tab(panel: str) -> None:
    """Scroll a panel's tab bar to its tab, if the bar is too long."""
    window: Any = internal.find_window_by_name(f"###{panel}")
    if window.dock_node is not None and window.dock_node.tab_bar is not None:
        window.dock_node.tab_bar.next_scroll_to_tab_id = window.tab_id


def _is_tiny(screen: tuple[float, float], scale: float) -> bool:
    scale = min(scale, LARGE)
    return screen[0] < NARROW * scale or screen[1] < LOW * scale


def _key(room: tuple[float, float, float]) -> str:
    """Return the settings key of a window size and text scale: "1440x900", "1440x900 at 2"."""
    width, height, scale = room
    return f"{width:.0f}x{height:.0f}" + (f" at {scale:g}" if scale != 1 else "")


def _dock_of(side: Side) -> int:
    """Return the id of a side's dock, which is where its first panel is docked now; FREE if that panel floats."""
    if side is Side.BELOW:  # the arrangement is from a time without this panel
        side = Side.LOWER_RIGHT
    if side not in FIRST:
        return OVER
    return _known(FIRST[side])[1]


def _known(panel: str) -> tuple[Any, int]:
    """Return Dear ImGui's window of a panel, or None before it is first drawn, and the id of its dock, or FREE."""
    name = f"###{panel}"
    window: Any = internal.find_window_by_name(name)
    known = window or internal.find_window_settings_by_id(internal.im_hash_str(name))
    return window, int(known.dock_id) if known else FREE


def _arrange_first(panels: Sequence[Panel], screen: tuple[float, float], scale: float) -> None:
    """Create the docks of all sides and dock each panel at its initial side."""
    sizes = {panel.name: panel.size for panel in panels}
    width, height = screen

    def split(node: int, way: imgui.Dir, pixels: float, whole: float) -> tuple[int, int]:
        _, part, rest = internal.dock_builder_split_node_py(node, way, min(pixels / whole, 0.9))
        return part, rest

    internal.dock_builder_remove_node(SPACE)
    internal.dock_builder_add_node(SPACE, internal.DockNodeFlagsPrivate_.dock_space)
    internal.dock_builder_set_node_size(SPACE, (width, height))
    docks = {}
    docks[Side.BOTTOM], rest = split(SPACE, imgui.Dir.down, sizes["time bar"][1] * scale, height)
    left, right = (min(sizes[name][0] * scale, MOST * width) for name in ("palette", "inspector"))
    docks[Side.LEFT], rest = split(rest, imgui.Dir.left, left, width)
    docks[Side.RIGHT], _ = split(rest, imgui.Dir.right, right, width - left)
    docks[Side.BELOW], docks[Side.RIGHT] = split(docks[Side.RIGHT], imgui.Dir.down, BELOW, 1)
    docks[Side.LOWER_RIGHT] = docks[Side.RIGHT]
    for side in (Side.BOTTOM, Side.LEFT):
        node = internal.dock_builder_get_node(docks[side])
        node.set_local_flags(internal.DockNodeFlagsPrivate_.no_tab_bar)
    if height >= TALL * scale:
        _, docks[Side.LOWER_RIGHT], docks[Side.RIGHT] = internal.dock_builder_split_node_py(
            docks[Side.RIGHT], imgui.Dir.down, 0.5
        )
    for panel in panels:
        if panel.side in docks and not (_is_tiny(screen, scale) and panel.side is Side.LOWER_RIGHT):
            internal.dock_builder_dock_window(f"###{panel.name}", docks[panel.side])
    internal.dock_builder_finish(SPACE)
