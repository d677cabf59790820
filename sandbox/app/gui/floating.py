"""Panels over the world: windows that a person moves and closes. Each comes up where it was last; a new one, where it
hides others least.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from imgui_bundle import imgui

from sandbox.app.gui.layout import GAP, Box
from sandbox.app.gui.theme import Theme
from sandbox.app.panels.panel import Panel
from sandbox.app.session import Session

SMALLEST = 160.0, 80.0  # pixels


class Floating:
    """Where each of them stands."""

    def __init__(self) -> None:
        self._boxes: dict[str, Box] = {}

    def draw(
        self,
        session: Session,
        theme: Theme,
        panels: Sequence[Panel],
        middle: Box,
        screen: tuple[float, float],
        scale: float,
    ) -> None:
        """Draw those that are open, in the order in which they were opened.

        Args:
            middle: what docked panels leave of the screen: a new one stands there.
            screen: width and height, pixels.
            scale: of the text.
        """
        self._boxes = {panel.name: self._boxes[panel.name] for panel in panels if panel.name in self._boxes}
        below_menu = Box(0, middle.y, screen[0], screen[1] - middle.y)
        for panel in panels:
            if panel.name not in self._boxes:
                last = session.preferences.places.get(panel.name)
                box = _within(below_menu, *last) if last else self._new(panel, middle, scale)
                imgui.set_next_window_pos(imgui.ImVec2(box.x, box.y), imgui.Cond_.first_use_ever)
                imgui.set_next_window_size(imgui.ImVec2(box.width, box.height), imgui.Cond_.first_use_ever)
            largest = (max(side, least) for side, least in zip(screen, SMALLEST, strict=True))
            imgui.set_next_window_size_constraints(imgui.ImVec2(*SMALLEST), imgui.ImVec2(*largest))
            shown, kept = imgui.begin(f"{panel.title}###{panel.name}", True)
            corner, size = imgui.get_window_pos(), imgui.get_window_size()
            self._boxes[panel.name] = Box(corner.x, corner.y, size.x, size.y)
            if shown:
                session.preferences.places[panel.name] = [round(side) for side in (corner.x, corner.y, size.x, size.y)]
                panel.draw(session, theme)
            imgui.end()
            if not kept:
                session.toggle_panel(panel.name)

    def _new(self, panel: Panel, middle: Box, scale: float) -> Box:
        """Where a panel comes up that never was open."""
        gap = GAP * scale
        room = middle.width - 2 * gap, middle.height - 2 * gap
        wide, high = (max(min(side * scale, most), 160) for side, most in zip(panel.size, room, strict=True))
        return Box(*free_place(wide, high, middle, list(self._boxes.values()), gap), wide, high)


def _within(room: Box, x: float, y: float, wide: float, high: float) -> Box:
    """Where a panel was last, in a room that may be smaller by now."""
    wide, high = max(min(wide, room.width), SMALLEST[0]), max(min(high, room.height), SMALLEST[1])
    left, top = min(x, room.x + room.width - wide), min(y, room.y + room.height - high)
    return Box(max(left, room.x), max(top, room.y), wide, high)


def free_place(wide: float, high: float, room: Box, others: Sequence[Box], gap: float) -> tuple[float, float]:
    """The upper left corner, pixels, of a box in the room that hides the least of others; the nearest to its centre.

    It is one of those at the centre, at the room's edges, and beside the others.
    """
    last_x, last_y = room.x + room.width - wide, room.y + room.height - high
    centre_x, centre_y = (room.x + last_x) / 2, (room.y + last_y) / 2
    xs, ys = {centre_x, room.x + gap, last_x - gap}, {centre_y, room.y + gap, last_y - gap}
    for other in others:
        xs |= {other.x, other.x - gap - wide, other.x + other.width + gap}
        ys |= {other.y, other.y - gap - high, other.y + other.height + gap}

    def badness(corner: tuple[float, float]) -> tuple[float, float]:
        x, y = corner
        hidden = sum(
            max(min(x + wide, other.x + other.width) - max(x, other.x), 0)
            * max(min(y + high, other.y + other.height) - max(y, other.y), 0)
            for other in others
        )
        return hidden, (x - centre_x) ** 2 + (y - centre_y) ** 2

    inside_x = [x for x in xs if room.x <= x <= last_x] or [centre_x]
    inside_y = [y for y in ys if room.y <= y <= last_y] or [centre_y]
    return min(product(inside_x, inside_y), key=badness)
