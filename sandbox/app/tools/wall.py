"""The Wall tool: draws a wall from click to click, along a drag, or around a rectangle."""

from __future__ import annotations

import math
from typing import NamedTuple

from imgui_bundle import icons_fontawesome_6 as icons

from components.store.prefab import Prefab
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.messages import SECONDS
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Form, Place, Spot, Tool
from sandbox.app.tools import brush
from sandbox.app.tools.corners import joined, simplified, straight
from sandbox.design.scene import Entry
from sandbox.edit import Spawn

NEAR = 10.0  # pixels: so near a corner, or the end of another wall, it is meant
BEND = 8.0  # pixels: the hand may leave a straight line by so much
GOES_ON = "Click for each corner. A double click or Enter ends the wall, Undo takes back a corner, Esc drops it."
TOO_SHORT = "A wall has two corners or more: click for each of them, or drag from one end to the other."


class Drawn(NamedTuple):
    """A wall as it would be if the button were pressed or released now.

    Attributes:
        ends: there is no corner to come; `closed`: its last corner is joined to its first one.
        joins: its last corner is the end of another wall, or its own.
    """

    corners: tuple[Place, ...]
    ends: bool = False
    closed: bool = False
    joins: bool = False


class DrawWall(Tool):
    """Draws a wall from click to click or along a drag, with Shift in eight directions; with Ctrl a rectangle.

    Clicked corners become a wall when it ends: by a click on the last corner, as the second one of a double click is,
    or on the first one, which closes it; by Enter, or because another tool is taken. A drag by itself is a whole wall.
    """

    name, title, icon = "wall", "Wall", icons.ICON_FA_ROAD_BARRIER
    help = (
        "Click for each corner, and twice for the last; or drag. "
        "Shift keeps it to eight directions, Ctrl draws a rectangle."
    )
    uses_brush = False
    held = ("Enter",)

    def __init__(self) -> None:
        self._corners: list[Place] = []  # those that were clicked
        self._path: list[Place] = []  # of the drag in progress

    def goes_on(self) -> bool:
        return bool(self._corners)

    def reset(self, session: Session) -> None:
        self._corners.clear()

    def places(self, prefab: Prefab) -> bool:
        return "Wall" in prefab.components

    # ---- events

    def press(self, session: Session, spot: Spot) -> bool:
        if session.hand.prefab(session) is None:
            session.messages.warn("This world has no prefab that Wall can place: it needs the component Wall.")
            return False
        spot = brush.in_picture_plane(session, spot)
        inside = brush.is_inside(session.simulation.world, spot.place)
        if not inside:
            session.messages.warn("That is outside the world.")
        self._path = [self._joint(session, spot.place) or spot.place]
        return inside

    def drag(self, session: Session, spot: Spot) -> None:
        at = brush.within(session.simulation.world, brush.in_picture_plane(session, spot).place)
        if self._path and at != self._path[-1]:
            self._path.append(at)

    def release(self, session: Session, spot: Spot) -> None:
        spot = brush.in_picture_plane(session, spot)
        begin, was_begun = spot.begin, self.goes_on()
        if begin is None:
            return
        drawn = self._drawn(session, spot)
        is_drag = not self._is_click(session, spot)
        if is_drag and begin.form is Form.RECTANGLE:
            self._put(session, drawn)
        elif drawn.ends or (is_drag and not was_begun):
            self._end(session, drawn)
        else:
            self._corners[:] = drawn.corners
            if not was_begun:
                session.messages.say(GOES_ON, 2 * SECONDS, about="wall")

    def hold(self, session: Session, keys: frozenset[str]) -> None:
        if keys:
            self.finish(session)

    def let_go(self, session: Session) -> None:
        self._path.clear()

    def finish(self, session: Session) -> None:
        if self.goes_on():
            self._end(session, Drawn(tuple(self._corners)))

    def give_up(self, session: Session) -> None:
        self._corners.clear()
        session.messages.withdraw("wall")

    def take_back(self, session: Session) -> None:
        del self._corners[-1:]
        if not self._corners:
            self.give_up(session)

    def _end(self, session: Session, drawn: Drawn) -> None:
        """Make a wall of the corners."""
        self.give_up(session)
        if len(drawn.corners) > 1:
            self._put(session, drawn)
        else:
            session.messages.say(TOO_SHORT, about="wall")

    def _put(self, session: Session, drawn: Drawn) -> None:
        chosen = session.hand.prefab(session, session.hand.tool)  # Enter may end it while the right button is down
        if chosen is not None:
            corners = tuple((x, y) for x, y in drawn.corners)
            session.hand.do(session, Spawn(Entry(chosen, points=corners, closed=drawn.closed)))

    # ---- corners

    def _drawn(self, session: Session, spot: Spot) -> Drawn:
        """Return the wall with what a click here, or the drag so far, adds to it."""
        begin, before, world = spot.begin, self._corners, session.simulation.world
        if begin is None or self._is_click(session, spot):
            return self._clicked(session, begin or spot)
        first, last = self._path[0], brush.within(world, spot.place)
        if begin.form is Form.RECTANGLE:
            return Drawn((first, (last[0], first[1]), last, (first[0], last[1])), closed=True)
        if before and self._are_near(session, before[-1], first):
            first = before[-1]
        if begin.form is Form.LINE:
            return self._with_path(session, [first, brush.within(world, straight(first, spot.place))])
        joint = self._joint(session, last, first)
        path = simplified([first, *self._path[1:], joint or last], BEND / session.camera.size_at(*first))
        return self._with_path(session, path, joint is not None)

    def _clicked(self, session: Session, spot: Spot) -> Drawn:
        """Return the wall with the corner that a click adds; or the whole wall if the click ends it."""
        before = tuple(self._corners)
        if before and self._are_near(session, before[-1], spot.place):
            return Drawn(before, ends=True, joins=True)
        if len(before) > 2 and self._are_near(session, before[0], spot.place):
            return Drawn(before, ends=True, closed=True, joins=True)
        turned = before and spot.form is Form.LINE
        at = brush.within(session.simulation.world, straight(before[-1], spot.place) if turned else spot.place)
        joint = None if turned else self._joint(session, at, before[-1] if before else None)
        return Drawn((*before, joint or at), joins=joint is not None)

    def _with_path(self, session: Session, path: list[Place], joins: bool = False) -> Drawn:
        """Return the wall with the corners of a drag, except those that are near the one before."""
        kept, last = [*self._corners], path[-1]
        for corner in path[:-1]:
            if not kept or not self._are_near(session, kept[-1], corner):
                kept.append(corner)
        if len(kept) > 1 and self._are_near(session, kept[-1], last):
            kept.pop()
        closed = len(kept) > 2 and self._are_near(session, kept[0], last)
        return Drawn((*kept,) if closed else (*kept, last), closed, closed, joins or closed)

    def _is_click(self, session: Session, spot: Spot) -> bool:
        """Return whether the button goes down here, or the mouse has hardly moved since."""
        begin = spot.begin.place if spot.begin and spot.moved else None
        return begin is None or all(self._are_near(session, begin, place) for place in self._path[1:])

    def _joint(self, session: Session, at: Place, without: Place | None = None) -> Place | None:
        """Return the end of another wall that is near, or None."""
        return joined(session.simulation.world, at, NEAR / session.camera.size_at(*at), without)

    def _are_near(self, session: Session, one: Place, other: Place) -> bool:
        return math.dist(one, other) * session.camera.size_at(*one) <= NEAR

    # ---- the picture

    def draw(self, canvas: Canvas, session: Session, spot: Spot) -> None:
        world, chosen = session.simulation.world, session.hand.prefab(session)
        if chosen is None:
            return
        key, colour = "Wall.thickness", brush.tint(world, chosen)
        thickness = float(world.prefabs[chosen].values().get(key, world.table.field(key).default))
        width = max(thickness / canvas.pixel, 2.0)
        flat = brush.in_picture_plane(session, spot)
        drawn = self._drawn(session, flat)
        if flat.begin is None and not brush.is_inside(world, flat.place):
            brush.cross(canvas, session, spot.place)
            drawn = Drawn(tuple(self._corners))
        if not drawn.corners:
            return
        if len(drawn.corners) > 1:
            canvas.polyline(drawn.corners, brush.thin(brush.INK, 210), width + 2, closed=drawn.closed, halo=0.4)
            canvas.polyline(drawn.corners, brush.thin(colour, 255), max(width - 1, 1.5), closed=drawn.closed)
        canvas.discs(drawn.corners, thickness / 2, brush.thin(colour, 200), grow=1.5)
        if drawn.joins:
            at = drawn.corners[0 if drawn.closed else -1]
            canvas.rings(at, thickness / 2, brush.INK, 2.0, grow=NEAR / 2, halo=0.4)
