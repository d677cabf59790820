"""The Select tool: a click selects an entity, a drag on empty ground a rectangle; dragging the selection moves it."""

from __future__ import annotations

import math

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons

from components.store.world import World
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Form, Place, Spot, Tool
from sandbox.app.tools import brush
from sandbox.app.tools.under import enclosed, is_zone, middle_of, under
from sandbox.edit import Move
from sandbox.language import counted
from systems.engine.settings import Settings
from systems.space.torus import minimum_images

SETTLED = 0.25  # pixels: the tolerance for the place of a dragged entity


class Select(Tool):
    """Selects entities and moves the selection.

    During a drag the grabbed entity is kept under the mouse, even if it moves by itself.
    """

    name, title, icon = "select", "Select", icons.ICON_FA_ARROW_POINTER
    help = "Click to select, Shift+click to add; drag on empty ground for a rectangle, drag the selection to move it."
    uses_brush = False
    cursor = None

    def __init__(self) -> None:
        self._met: int | None = None  # the serial under the mouse when the button went down
        self._grabbed: int | None = None  # the same, if a drag moves it
        self._hold: Place = 0.0, 0.0  # offset from the mouse to its middle, u
        self._asked: tuple[Place, Place] | None = None

    def press(self, session: Session, spot: Spot) -> None:
        self._asked = None
        self._met = serial = under(session, spot)
        if serial is None or spot.form is not Form.STROKE:
            return
        world, chosen = session.simulation.world, serial in session.selection.serials
        at = middle_of(world, serial)
        if at is None or (is_zone(world, serial) and not chosen):
            return  # a drag on an unselected zone selects what lies on it
        self._grabbed, self._hold = serial, _between(world, session.hand.place_level_with(session, at), at)
        if not chosen:
            session.selection.choose((serial,))

    def update(self, session: Session, spot: Spot) -> None:
        """Move the selection after the mouse; once a frame, because the previous Move has been applied by then."""
        if not spot.moved or self._grabbed is None:
            return
        world = session.simulation.world
        at = middle_of(world, self._grabbed)
        if at is None:
            self._grabbed = None
            return
        here = session.hand.place_level_with(session, at)
        wanted = tuple(map(sum, zip(here, self._hold, strict=True)))
        offset = _between(world, at, wanted)
        if math.hypot(*offset) < SETTLED / session.camera.size_at(*at) or (at, wanted) == self._asked:
            return
        self._asked = at, wanted  # if an edge stopped it, the same command would change nothing
        session.hand.do(session, Move(session.selection.serials, *offset))

    def release(self, session: Session, spot: Spot) -> None:
        begin = spot.begin
        if begin is None:
            return
        if not spot.moved:
            self._click(session, begin)
        elif self._grabbed is not None:
            self.update(session, spot)
        else:
            found = enclosed(session, begin, spot)
            session.selection.choose(np.union1d(session.selection.array, found.array) if begin.shift else found)

    def let_go(self, session: Session) -> None:
        self._met = self._grabbed = None

    def tells(self, session: Session) -> tuple[str, str]:
        return "Selected", counted(len(session.selection.serials))

    def draw(self, canvas: Canvas, session: Session, spot: Spot) -> None:
        if spot.begin is not None and spot.moved and self._grabbed is None:
            brush.outline(canvas, spot.begin.place, spot.place, brush.INK)

    def _click(self, session: Session, begin: Spot) -> None:
        """Select the entity under the mouse; with Shift add it to the selection or remove it from there."""
        selection, serial = session.selection, self._met
        if not begin.shift:
            selection.choose(() if serial is None else (serial,))
        elif serial is not None:
            selection.choose(np.setxor1d(selection.array, [serial]))


def _between(world: World, begin: Place, end: Place) -> Place:
    """Return the offset from one place to another, u; on a torus the shortest one."""
    return tuple(minimum_images(np.subtract(end, begin), world.resource(Settings).torus).tolist())
