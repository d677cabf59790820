"""The hand: holds a tool, and turns what the mouse buttons do into commands."""

from __future__ import annotations

import math
from collections.abc import Callable

from arcade import MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT

from sandbox.app import brush
from sandbox.app.camera import Camera
from sandbox.app.tools import LINE, TOOLS, Tool
from sandbox.commands import Command
from sandbox.simulation import Simulation


class Hand:
    """What a left button places and a right button removes.

    Attributes:
        tool: what it holds.
        wall: from where to where (u) a wall would go if the button came up now.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        """`say` tells a person why something can't be done."""
        self.tool: Tool = TOOLS[0]
        self.wall: tuple[brush.Place, brush.Place] | None = None
        self._last: brush.Place = 0.0, 0.0
        self._say = say

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

    def press(self, simulation: Simulation, camera: Camera, x: float, y: float, button: int) -> None:
        """A button goes down at a pixel."""
        self._last = camera.to_world(x, y)
        if button == MOUSE_BUTTON_LEFT and self.tool.hand == LINE:
            self._try(lambda: self._begin_wall(simulation))
        else:
            self._use(simulation, camera, self._last, button)

    def drag(self, simulation: Simulation, camera: Camera, x: float, y: float, buttons: int) -> None:
        """The mouse moved to a pixel while buttons are down."""
        here = camera.to_world(x, y)
        if self.wall is not None:
            self.wall = self.wall[0], brush.within(simulation.world, here)
        else:
            self._try(lambda: self._paint(simulation, camera, here, buttons))

    def release(self, simulation: Simulation, camera: Camera, button: int) -> None:
        """A button comes up."""
        if button != MOUSE_BUTTON_LEFT or self.wall is None:
            return
        (begin, end), self.wall = self.wall, None
        if math.dist(begin, end) * camera.zoom < brush.SHORTEST:
            self._say("drag from where the wall begins to where it ends")
        else:
            self._submit(simulation, lambda: brush.wall(simulation.world, self.tool, begin, end))

    def _begin_wall(self, simulation: Simulation) -> None:
        brush.wall(simulation.world, self.tool, self._last, self._last)  # refused now, not after the drag
        self.wall = self._last, self._last

    def _paint(self, simulation: Simulation, camera: Camera, here: brush.Place, buttons: int) -> None:
        radius = brush.RADIUS / camera.zoom
        erases = buttons & MOUSE_BUTTON_RIGHT
        step = radius / 2 if erases else brush.step(simulation.world, self.tool, radius)
        for place in brush.stroke(self._last, here, step):
            self._use(simulation, camera, place, buttons)
            self._last = place

    def _use(self, simulation: Simulation, camera: Camera, place: brush.Place, buttons: int) -> None:
        radius = brush.RADIUS / camera.zoom
        if buttons & MOUSE_BUTTON_LEFT:
            self._submit(simulation, lambda: brush.place(simulation.world, self.tool, place, radius))
        elif buttons & MOUSE_BUTTON_RIGHT:
            self._submit(simulation, lambda: brush.erase(place, radius))

    def _submit(self, simulation: Simulation, make: Callable[[], Command]) -> None:
        self._try(lambda: simulation.submit(make()))

    def _try(self, do: Callable[[], None]) -> None:
        try:
            do()
        except ValueError as error:
            self._say(str(error))
