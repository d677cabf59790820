"""Panels over the world: windows that a person moves and closes.

Each comes up where it was last, if it hides no other there; else beside the others; else, where there is no room, as a
tab of the one that it would hide the most. They never pile up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from imgui_bundle import imgui

from sandbox.app.gui.layout import GAP, Box
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.tabs import draw_tabs
from sandbox.app.gui.theme import Theme
from sandbox.app.session.session import Session

SMALLEST = 160.0, 80.0  # pixels


@dataclass
class Stack:
    """A window with one panel, or several as tabs.

    Attributes:
        names: of its panels, the one that came first in front.
        placed_as: the name of the window that Dear ImGui was told the place of.
    """

    box: Box
    names: list[str] = field(default_factory=list)
    placed_as: str = ""


class Floating:
    """Where each of them stands."""

    def __init__(self) -> None:
        self._stacks: list[Stack] = []
        self._room: object = None

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
            middle: what docked panels leave of the screen: they come up there.
            screen: width and height, pixels.
            scale: of the text.
        """
        opened = {panel.name: panel for panel in panels}
        if self._room != (screen, middle):  # what had its place may be cut off now, or lie over what is docked
            self._room, self._stacks = (screen, middle), []
        for stack in self._stacks:
            stack.names = [name for name in stack.names if name in opened]
        self._stacks = [stack for stack in self._stacks if stack.names]
        stacked = {name for stack in self._stacks for name in stack.names}
        for panel in panels:
            if panel.name not in stacked:
                self._come(panel, session.preferences.places.get(panel.name), middle, scale)
        for stack in self._stacks:
            _draw(session, theme, stack, [panel for panel in panels if panel.name in stack.names], screen)

    def _come(self, panel: Panel, last: list[int] | None, middle: Box, scale: float) -> None:
        """Find a panel its place."""
        gap, others = GAP * scale, [stack.box for stack in self._stacks]
        box = within(middle, *last) if last else None
        if box is None or hidden(box, others):
            room = middle.width - 2 * gap, middle.height - 2 * gap
            wide, high = (max(min(side * scale, most), 160) for side, most in zip(panel.size, room, strict=True))
            free = Box(*free_place(wide, high, middle, others, gap), wide, high)
            box = box if box and hidden(box, others) <= hidden(free, others) else free
        if not hidden(box, others):
            self._stacks.append(Stack(box, [panel.name]))
            return
        max(self._stacks, key=lambda stack: hidden(box, [stack.box])).names.append(panel.name)


def _draw(session: Session, theme: Theme, stack: Stack, panels: list[Panel], screen: tuple[float, float]) -> None:
    """Draw a window with the panel of it that was opened last."""
    chosen, key = panels[-1], stack.names[0]
    place = imgui.Cond_.always if stack.placed_as != key else imgui.Cond_.first_use_ever
    stack.placed_as = key
    imgui.set_next_window_pos(imgui.ImVec2(stack.box.x, stack.box.y), place)
    imgui.set_next_window_size(imgui.ImVec2(stack.box.width, stack.box.height), place)
    largest = (max(side, least) for side, least in zip(screen, SMALLEST, strict=True))
    imgui.set_next_window_size_constraints(imgui.ImVec2(*SMALLEST), imgui.ImVec2(*largest))
    shown, kept = imgui.begin(f"{chosen.title}###{key}", True)
    corner, size = imgui.get_window_pos(), imgui.get_window_size()
    stack.box = Box(corner.x, corner.y, size.x, size.y)
    if shown:
        session.preferences.places[chosen.name] = [round(side) for side in (corner.x, corner.y, size.x, size.y)]
        if len(panels) > 1:
            draw_tabs(session, panels, theme, closes=False)
        session.view.panels.add(chosen.name)
        chosen.draw(session, theme)
    imgui.end()
    if not kept:
        session.toggle_panel(chosen.name)


def within(room: Box, x: float, y: float, wide: float, high: float) -> Box:
    """Where a panel was last, in a room that may be smaller by now."""
    wide, high = max(min(wide, room.width), SMALLEST[0]), max(min(high, room.height), SMALLEST[1])
    left, top = min(x, room.x + room.width - wide), min(y, room.y + room.height - high)
    return Box(max(left, room.x), max(top, room.y), wide, high)


def hidden(box: Box, others: Sequence[Box]) -> float:
    """How much of others a box covers, pixels²."""
    return sum(
        max(min(box.x + box.width, other.x + other.width) - max(box.x, other.x), 0)
        * max(min(box.y + box.height, other.y + other.height) - max(box.y, other.y), 0)
        for other in others
    )


def free_place(wide: float, high: float, room: Box, others: Sequence[Box], gap: float) -> tuple[float, float]:
    """The upper left corner, pixels, of a box in the room that hides the least of others.

    It is one of those at the room's edges and beside the others; the nearest to the upper right: the middle of the
    world stays in sight.
    """
    last_x, last_y = room.x + room.width - wide, room.y + room.height - high
    xs, ys = {room.x + gap, last_x - gap}, {room.y + gap, last_y - gap}
    for other in others:
        xs |= {other.x - gap - wide, other.x + other.width + gap}
        ys |= {other.y, other.y - gap - high, other.y + other.height + gap}

    def badness(corner: tuple[float, float]) -> tuple[float, float]:
        x, y = corner
        return hidden(Box(x, y, wide, high), others), (last_x - x) ** 2 + (y - room.y) ** 2

    inside_x = [x for x in xs if room.x <= x <= last_x] or [room.x + (room.width - wide) / 2]
    inside_y = [y for y in ys if room.y <= y <= last_y] or [room.y + (room.height - high) / 2]
    return min(product(inside_x, inside_y), key=badness)
