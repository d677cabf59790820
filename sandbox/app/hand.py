"""The hand: holds a tool, and turns what the mouse buttons do into commands."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from arcade import MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT

from sandbox.app import brush
from sandbox.app.tools import LINE, TOOLS, Tool
from sandbox.commands import Command

if TYPE_CHECKING:
    from sandbox.app.session import Session


class Hand:
    """What a left button places and a right button removes.

    Attributes:
        tool: what it holds.
        wall: from where to where (u) a wall would go if the button came up now.
    """

    def __init__(self) -> None:
        self.tool: Tool = TOOLS[0]
        self.wall: tuple[brush.Place, brush.Place] | None = None
        self._last: brush.Place = 0.0, 0.0

    def let_go(self) -> None:
        self.wall = None

    def choose(self, number: int) -> None:
        """Take the tool of a number, from 1 on; past the last comes the first."""
        self.tool = TOOLS[(number - 1) % len(TOOLS)]
        self.wall = None

    @property
    def number(self) -> int:
        """That of the tool it holds."""
        return TOOLS.index(self.tool) + 1

    def in_words(self) -> str:
        return f"tool: {self.tool.name} ({self.number})"

    def press(self, session: Session, x: float, y: float, button: int) -> None:
        """A button goes down at a pixel."""
        self._last = session.camera.to_world(x, y)
        if button == MOUSE_BUTTON_LEFT and self.tool.hand == LINE:
            self._try(session, lambda: self._begin_wall(session))
        else:
            self._use(session, self._last, button)

    def drag(self, session: Session, x: float, y: float, buttons: int) -> None:
        """The mouse moved to a pixel while buttons are down."""
        here = session.camera.to_world(x, y)
        if self.wall is not None:
            self.wall = self.wall[0], brush.within(session.simulation.world, here)
        else:
            self._try(session, lambda: self._paint(session, here, buttons))

    def release(self, session: Session, button: int) -> None:
        """A button comes up."""
        if button != MOUSE_BUTTON_LEFT or self.wall is None:
            return
        (begin, end), self.wall = self.wall, None
        if math.dist(begin, end) * session.camera.zoom < brush.SHORTEST:
            session.messages.say("drag from where the wall begins to where it ends")
        else:
            self._submit(session, lambda: brush.wall(session.simulation.world, self.tool, begin, end))

    def _begin_wall(self, session: Session) -> None:
        brush.wall(session.simulation.world, self.tool, self._last, self._last)  # refused now, not after the drag
        self.wall = self._last, self._last

    def _paint(self, session: Session, here: brush.Place, buttons: int) -> None:
        radius = brush.RADIUS / session.camera.zoom
        erases = buttons & MOUSE_BUTTON_RIGHT
        step = radius / 2 if erases else brush.step(session.simulation.world, self.tool, radius)
        for place in brush.stroke(self._last, here, step):
            self._use(session, place, buttons)
            self._last = place

    def _use(self, session: Session, place: brush.Place, buttons: int) -> None:
        radius = brush.RADIUS / session.camera.zoom
        if buttons & MOUSE_BUTTON_LEFT:
            self._submit(session, lambda: brush.place(session.simulation.world, self.tool, place, radius))
        elif buttons & MOUSE_BUTTON_RIGHT:
            self._submit(session, lambda: brush.erase(place, radius))

    def _submit(self, session: Session, make: Callable[[], Command]) -> None:
        self._try(session, lambda: session.submit(make()))

    def _try(self, session: Session, do: Callable[[], object]) -> None:
        try:
            do()
        except ValueError as error:
            session.messages.warn(str(error))
