"""The hand: holds the current tool, and passes mouse events to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_MIDDLE as MIDDLE
from arcade import MOUSE_BUTTON_RIGHT as RIGHT
from arcade.key import MOD_ACCEL, MOD_ALT, MOD_SHIFT

from components.store.fields import Field
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.sight import above_floor, before_solids
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.session.tool import Drag, Spot, Tool
from sandbox.edit import Undo
from sandbox.undo.history import History, UndoStep
from systems.space.torus import minimum_images

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas
    from sandbox.app.session.session import Session
    from sandbox.edit import Command

FIRST = "boid"  # the default tool
BRUSH, SMALLEST, LARGEST = 28.0, 4.0, 400.0  # pixels of the screen
STEP = 1.2  # factor of the brush's radius per key press or scroll step
MOST = 10_000  # entities per click


class Hand:
    """The current tool, the radius of the brush, and for each tool how many entities of which prefab it places.

    The left button uses the tool; the right button always erases; the middle button, or Alt with the left one, picks.

    Attributes:
        tools: all installed tools, in the palette's order.
        brush: radius of the brush, pixels of the screen, independent of the zoom.
        pixel: the mouse's position over the world, or the last one while a button is down; else None.
        keys: the tool's own keys that are down.
        deeds: how often the button or keys went down and something was done.
    """

    def __init__(self, tools: Sequence[Tool], eraser: Tool, picker: Tool) -> None:
        self.tools, self._eraser, self._picker = tools, eraser, picker
        self._name = FIRST
        self.brush = BRUSH
        self.pixel: tuple[float, float] | None = None
        self._modifiers = 0
        self._place: tuple[float, ...] = 0.0, 0.0  # the mouse's last place in the world, u
        self._before_plane = 0.0  # u: how far before the plane of a world with depth that place is
        self._counts: dict[str, int] = {}
        self._spread: set[str] = set()  # names of tools whose clicks place all over the world
        self._switched: set[str] = set()  # names of tools that switch on what they offer
        self._prefabs: dict[str, str] = {}
        self._defaults: dict[str, str] = {}  # by a tool's name, its default prefab in this world
        self._drag: Drag | None = None  # what the button does that is down
        self.keys: set[str] = set()
        self._struck: set[str] = set()  # keys that went down since the last frame, also those that are up again
        self.deeds = 0
        self._held_by: Tool | None = None  # the tool whose keys were down in the last frame
        self._has_submitted = False  # whether a command was submitted since the button or the keys went down

    # ---- the tool and its settings

    @property
    def tool(self) -> Tool:
        """The current tool; while the tool of a mod is not installed, the default tool takes its place."""
        by_name = {tool.name: tool for tool in self.tools}
        return by_name.get(self._name) or by_name.get(FIRST) or self.tools[0]

    @property
    def used(self) -> Tool:
        """The tool in use, or the one that a click would use."""
        return self._drag.tool if self._drag else self.tool

    @property
    def number(self) -> int:
        """The number of the current tool, from 1."""
        return self.tools.index(self.tool) + 1

    def reset(self, session: Session) -> None:
        """End what is in progress and forget default prefabs, because another world is shown."""
        self.put_down(session)
        self._defaults = {}

    def begin_anew(self, session: Session) -> None:
        """Reset tool, brush and settings as at the start of the program."""
        self.reset(session)
        self.brush = BRUSH
        self.forget_choices()

    def forget_choices(self) -> None:
        """Reset the tool, and what tools place and how many, as at the start of the program."""
        self._name = FIRST
        self._counts, self._spread, self._switched, self._prefabs = {}, set(), set(), {}

    def take(self, session: Session, tool: Tool) -> None:
        """Make a tool the current one; what clicks of the previous one have begun is finished."""
        self.put_down(session)
        self.tool.finish(session)
        self._has_submitted = False
        self._name = tool.name

    def put_down_what_is_gone(self, session: Session) -> None:
        """End the use of a tool that is no longer installed; called when the tools have changed."""
        if self._drag and self._drag.tool not in self.tools:
            self.let_go(session)

    def take_number(self, session: Session, number: int) -> None:
        """Make the tool of a number the current one; numbers wrap around after the last tool."""
        self.take(session, self.tools[(number - 1) % len(self.tools)])

    @property
    def count(self) -> int:
        """How many entities a click of the current tool places; 0 for tools that place nothing."""
        return self._counts.get(self.tool.name, self.tool.count)

    @count.setter
    def count(self, count: int) -> None:
        self._counts[self.tool.name] = min(max(count, 1), MOST)

    @property
    def spread(self) -> bool:
        """Whether a click of the current tool places entities all over the world."""
        return self.tool.name in self._spread

    @spread.setter
    def spread(self, spread: bool) -> None:
        (self._spread.add if spread else self._spread.discard)(self.tool.name)

    @property
    def switched(self) -> bool:
        """Whether the field that the current tool offers is switched on for what it places."""
        return self.tool.name in self._switched

    @switched.setter
    def switched(self, on: bool) -> None:
        (self._switched.add if on else self._switched.discard)(self.tool.name)

    def offer(self, session: Session) -> Field | None:
        """Return the field that the current tool offers to switch on in this world, if any."""
        table = session.simulation.world.table
        return table.field(self.tool.offers) if self.tool.offers in table.columns else None

    def offered(self, session: Session) -> dict[str, bool]:
        """Return the value of that field for what is placed, by its key, if it is switched on."""
        return {field.key: True} if self.switched and (field := self.offer(session)) else {}

    def widen(self, steps: float) -> None:
        """Make the brush wider by some steps, or narrower if `steps` is negative."""
        self.brush = min(max(self.brush * STEP**steps, SMALLEST), LARGEST)

    def brush_radius(self, session: Session) -> float:
        """Return the radius of the brush, u."""
        return self.brush / session.camera.size_at(*self.spot(session).place)

    def choose(self, tool: Tool, prefab: str) -> None:
        """Set the prefab that a tool places."""
        self._prefabs[tool.name] = prefab

    def prefab(self, session: Session, tool: Tool | None = None) -> str | None:
        """Return the prefab that a tool, by default the one in use, places: the chosen one; else that of which there
        were most when it was first asked for; or None.
        """
        world, tool = session.simulation.world, tool or self.used
        for chosen in (self._prefabs.get(tool.name), self._defaults.get(tool.name)):
            if chosen in world.prefabs and tool.places(world.prefabs[chosen]):
                return chosen
        able = tool.prefabs(world.prefabs)
        if not able:
            return None
        counts = session.simulation.populations()
        self._defaults[tool.name] = max(able, key=lambda name: counts.get(name, 0))
        return self._defaults[tool.name]

    # ---- mouse events

    def press(self, session: Session, x: float, y: float, button: int, modifiers: int) -> None:
        """Handle a button press over the world; end the use of another button."""
        self.let_go(session)
        session.suit()
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
        self._drag = Drag(used, button, spot, _last_step(session))
        if used.press(session, spot) is False:
            self._drag = None

    def drag(self, session: Session, x: float, y: float, modifiers: int) -> None:
        """Handle a mouse motion while a button is down."""
        session.suit()
        self._note(x, y, modifiers)
        if self._drag:
            self._drag.tool.drag(session, self.spot(session))

    def release(self, session: Session, x: float, y: float, button: int, modifiers: int) -> None:
        """Handle a button release, which may be outside the window."""
        session.suit()
        self._note(x, y, modifiers)
        if self._drag and self._drag.button == button:
            self._drag.tool.release(session, self.spot(session))
            self.let_go(session)
        width, height = session.camera.screen
        if not (0 <= x < width and 0 <= y < height):
            self.leave()

    @property
    def holds(self) -> bool:
        """Whether a button is down that was pressed over the world, or one of the tool's keys."""
        return self._drag is not None or bool(self.keys)

    @property
    def is_busy(self) -> bool:
        """Whether the tool is amid something that Escape gives up."""
        return self.holds or self.tool.goes_on()

    def hover(self, x: float, y: float, modifiers: int = 0) -> None:
        """Handle a mouse motion over the world without a button."""
        self._note(x, y, modifiers)

    def leave(self) -> None:
        """Note that the mouse has left the world; the last position is kept while the tool is busy."""
        if not self.is_busy:
            self.pixel = None

    def press_key(self, key: str) -> None:
        """Note that one of the tool's keys went down."""
        self.keys.add(key)
        self._struck.add(key)

    def update(self, session: Session) -> None:
        """Call the tool in use at the start of each frame."""
        keys, self._struck = frozenset(self.keys | self._struck), set()
        before, self._held_by = self._held_by, self.tool if keys else None
        if before is not None and before is not self._held_by:
            before.hold(session, frozenset())
            self._has_submitted = False
        if self._held_by is not None:
            self._held_by.hold(session, keys)
        if self._drag:
            self._drag.tool.update(session, self.spot(session))

    def let_go(self, session: Session) -> None:
        """End the use of the tool, if a button is down."""
        if self._drag:
            tool, self._drag = self._drag.tool, None
            tool.let_go(session)
        self._has_submitted = False

    def put_down(self, session: Session) -> None:
        """End the use of the tool by button and keys."""
        self.keys.clear()
        self._struck.clear()
        self.let_go(session)

    def take_back(self, session: Session) -> bool:
        """Take back the last click of what clicks have begun; return whether there was one."""
        goes_on = self.tool.goes_on()
        if goes_on:
            self.tool.take_back(session)
        return goes_on

    def cancel(self, session: Session) -> None:
        """End the use of the tool, and undo what it has done since the button went down."""
        has_submitted, drag = self._has_submitted, self._drag
        self.let_go(session)
        self.tool.give_up(session)
        session.simulation.settle_commands()
        if drag and has_submitted and _last_step(session) is not drag.before:
            session.submit(Undo())

    def do(self, session: Session, command: Command) -> bool:
        """Submit a command, undone together with the others since the press; return whether it was accepted."""
        done = session.submit(command, joins=self._has_submitted)
        self.deeds += done and not self._has_submitted
        self._has_submitted = self._has_submitted or done
        return done

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Draw the preview of the tool in use, or of the tool that a click would use."""
        if self.pixel is not None:
            self.used.draw(canvas, session, self.spot(session))

    def spot(self, session: Session) -> Spot:
        """Return the mouse's position; the middle of the screen if the mouse is not over the world.

        Over a copy of a torus, the place is the corresponding one in the world itself; while a button is down, places
        go on continuously beyond the edges.
        """
        camera = session.camera
        pixel = self.pixel or (camera.screen[0] / 2, camera.screen[1] / 2)
        place: tuple[float, ...] = camera.to_world(*pixel)
        if isinstance(camera, SpaceCamera):
            place = self._place_in_space(session, camera, pixel)
        if isinstance(camera, Camera) and camera.tiles:
            width, height = camera.world_size
            last = self._place if self._drag else (width / 2, height / 2)
            x, y = minimum_images(np.subtract(place, last), camera.world_size).tolist()
            place = last[0] + x, last[1] + y
        self._place = place
        shift, control = (bool(self._modifiers & bit) for bit in (MOD_SHIFT, MOD_ACCEL))
        drag = self._drag
        begin, moved = (drag.begin, drag.moved) if drag else (None, False)
        return Spot(place, pixel, shift, control, begin, moved)

    def _place_in_space(self, session: Session, camera: SpaceCamera, pixel: tuple[float, float]) -> tuple[float, ...]:
        """Return the place under the mouse as far from the viewer as the tool in use works, u, but above the floor.

        While a button is down, it stays as far before the plane that the mouse works on as it was.
        """
        world, plane, toward = session.simulation.world, camera.works_at, camera.axes[2]
        if not self._drag:
            on_plane = camera.to_world(*pixel)
            at = self.used.level(session, pixel) or before_solids(world, camera, pixel, on_plane)
            place = above_floor(world, camera, pixel, camera.to_world(*pixel, at))
            self._before_plane = float(np.subtract(place, plane) @ toward)
            return place
        return above_floor(world, camera, pixel, camera.to_world(*pixel, plane + self._before_plane * toward))

    def place_level_with(self, session: Session, at: tuple[float, ...]) -> tuple[float, ...]:
        """Return the place under the mouse as far from the viewer as this one, u: in a flat world that of `spot`."""
        camera, spot = session.camera, self.spot(session)
        return camera.to_world(*spot.pixel, at) if isinstance(camera, SpaceCamera) else spot.place

    def _note(self, x: float, y: float, modifiers: int) -> None:
        self.pixel, self._modifiers = (x, y), modifiers
        if self._drag:
            self._drag.move(self.pixel)


def _last_step(session: Session) -> UndoStep | None:
    """Return the step that would be undone now."""
    undoable = session.simulation.world.resource(History).undoable
    return undoable[-1] if undoable else None
