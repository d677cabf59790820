"""The hand: holds a tool, and brings it what the mouse does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_MIDDLE as MIDDLE
from arcade import MOUSE_BUTTON_RIGHT as RIGHT
from arcade.key import MOD_ACCEL, MOD_ALT, MOD_SHIFT

from sandbox.app.session.tool import Spot, Tool
from systems.space.torus import minimum_images

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas
    from sandbox.app.session.session import Session
    from sandbox.edit import Command

FIRST = "boid"  # what it holds at first
BRUSH, SMALLEST, LARGEST = 28.0, 4.0, 400.0  # pixels of the screen
STEP = 1.2  # for a key, or a notch of the wheel
MOST = 10_000  # a click places


class Hand:
    """What the left button does, how wide the brush is, how many a click places and of what.

    The right button erases, whatever the tool; the middle one picks, and so does the left one with Alt.

    Attributes:
        tools: every installed one, in the palette's order.
        brush: radius of the brush, pixels of the screen, at any zoom.
        pixel: where the mouse is while it is over the world, or was last while a button is down; else None.
    """

    def __init__(self, tools: Sequence[Tool], eraser: Tool, picker: Tool) -> None:
        self.tools, self._eraser, self._picker = tools, eraser, picker
        self._name = FIRST
        self.brush = BRUSH
        self.pixel: tuple[float, float] | None = None
        self._modifiers = 0
        self._place = 0.0, 0.0  # where in the world it was last, u
        self._counts: dict[str, int] = {}
        self._spread: set[str] = set()  # names of tools
        self._prefabs: dict[str, str] = {}
        self._usual: dict[str, str] = {}  # by a tool's name, what it places in this world unless a person chooses
        self._used: tuple[Tool, int] | None = None  # what a button that is down does, and which
        self._did = False  # a command since it went down

    # ---- what it holds

    @property
    def tool(self) -> Tool:
        """The one it holds: while a mod's is gone the first choice, and that one again when it comes back."""
        by_name = {tool.name: tool for tool in self.tools}
        return by_name.get(self._name) or by_name.get(FIRST) or self.tools[0]

    @property
    def number(self) -> int:
        """That of the tool it holds, from 1 on."""
        return self.tools.index(self.tool) + 1

    def begin(self, session: Session) -> None:
        """Another world is shown."""
        self.let_go(session)
        self._usual = {}

    def begin_anew(self, session: Session) -> None:
        """Be as at the start of the program: a lesson counts on that."""
        self.begin(session)
        self._name, self.brush = FIRST, BRUSH
        self._counts, self._spread, self._prefabs = {}, set(), {}

    def take(self, session: Session, tool: Tool) -> None:
        """Hold this tool."""
        self.let_go(session)
        self._name = tool.name

    def put_down_what_is_gone(self, session: Session) -> None:
        """The tools are others now: what one that went has begun ends."""
        if self._used and self._used[0] not in self.tools:
            self.let_go(session)

    def take_number(self, session: Session, number: int) -> None:
        """Hold the tool of a number; past the last comes the first."""
        self.take(session, self.tools[(number - 1) % len(self.tools)])

    @property
    def count(self) -> int:
        """How many a click of this tool places; 0: it places nothing."""
        return self._counts.get(self.tool.name, self.tool.count)

    @count.setter
    def count(self, count: int) -> None:
        self._counts[self.tool.name] = min(max(count, 1), MOST)

    @property
    def spread(self) -> bool:
        """Whether a click of this tool places all over the world, wherever it is."""
        return self.tool.name in self._spread

    @spread.setter
    def spread(self, spread: bool) -> None:
        (self._spread.add if spread else self._spread.discard)(self.tool.name)

    def widen(self, steps: float) -> None:
        """Make the brush wider by so many steps, or narrower."""
        self.brush = min(max(self.brush * STEP**steps, SMALLEST), LARGEST)

    def reach(self, session: Session) -> float:
        """The radius of the brush, u."""
        return self.brush / session.camera.zoom

    def choose(self, tool: Tool, prefab: str) -> None:
        """From now on this tool places this prefab."""
        self._prefabs[tool.name] = prefab

    def prefab(self, session: Session, tool: Tool) -> str | None:
        """What a tool places: what a person chose, else which of its kinds was the most numerous when first asked."""
        world = session.simulation.world
        for chosen in (self._prefabs.get(tool.name), self._usual.get(tool.name)):
            if chosen in world.prefabs and tool.places(world.prefabs[chosen]):
                return chosen
        able = tool.prefabs(world.prefabs)
        if not able:
            return None
        counts = session.simulation.populations()
        self._usual[tool.name] = max(able, key=lambda name: counts.get(name, 0))
        return self._usual[tool.name]

    # ---- what the mouse does

    def press(self, session: Session, x: float, y: float, button: int, modifiers: int) -> None:
        """A button goes down at a pixel of the world; what another one had begun ends."""
        self.let_go(session)
        self._note(x, y, modifiers)
        spot = self.spot(session)
        if button == MIDDLE or (button == LEFT and modifiers & MOD_ALT):
            used = self._picker
        elif button == RIGHT:
            used = self._eraser
        elif button == LEFT:
            used = self.tool
        else:
            return
        self._used = used, button
        used.press(session, spot)

    def drag(self, session: Session, x: float, y: float, modifiers: int) -> None:
        """The mouse moves to a pixel while a button is down that went down on the world."""
        self._note(x, y, modifiers)
        if self._used:
            self._used[0].drag(session, self.spot(session))

    def release(self, session: Session, x: float, y: float, button: int, modifiers: int) -> None:
        """A button comes up, maybe outside the window."""
        self._note(x, y, modifiers)
        if self._used and self._used[1] == button:
            self._used[0].release(session, self.spot(session))
            self.let_go(session)
        width, height = session.camera.screen
        if not (0 <= x < width and 0 <= y < height):
            self.leave()

    @property
    def holds(self) -> bool:
        """Whether a button is down that went down on the world."""
        return self._used is not None

    def hover(self, x: float, y: float) -> None:
        """The mouse is over the world, no button down."""
        self._note(x, y, 0)

    def leave(self) -> None:
        """The mouse is over the world no more; what a button that is down has begun stays where it was last."""
        if self._used is None:
            self.pixel = None

    def frame(self, session: Session) -> None:
        """A frame begins."""
        if self._used:
            self._used[0].frame(session, self.spot(session))

    def let_go(self, session: Session) -> None:
        """End what a button that is down has begun."""
        if self._used:
            tool, self._used = self._used[0], None
            tool.let_go(session)
        self._did = False

    def do(self, session: Session, command: Command) -> bool:
        """Submit an edit, undone together with all others since the button went down; whether it can be done."""
        done = session.submit(command, joins=self._did)
        self._did = self._did or done
        return done

    def preview(self, canvas: Canvas, session: Session) -> None:
        """Show what a click would do, and what was begun."""
        if self.pixel is not None:
            tool = self._used[0] if self._used else self.tool
            tool.preview(canvas, session, self.spot(session))

    def spot(self, session: Session) -> Spot:
        """Where the mouse is; in the middle of the screen when it is not over the world.

        Over a copy of a world that wraps it is where the world itself has that place; a button that is down takes the
        mouse over the edges without a leap.
        """
        camera = session.camera
        pixel = self.pixel or (camera.screen[0] / 2, camera.screen[1] / 2)
        place = camera.to_world(*pixel)
        if camera.tiles:
            width, height = camera.world
            last = self._place if self._used else (width / 2, height / 2)
            x, y = minimum_images(np.subtract(place, last), camera.world).tolist()
            place = last[0] + x, last[1] + y
        self._place = place
        held = (bool(self._modifiers & bit) for bit in (MOD_SHIFT, MOD_ACCEL))
        return Spot(*place, pixel, *held)

    def _note(self, x: float, y: float, modifiers: int) -> None:
        self.pixel, self._modifiers = (x, y), modifiers
