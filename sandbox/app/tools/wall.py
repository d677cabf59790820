"""The Wall tool: draws a wall from press to release, or four around a rectangle."""

from __future__ import annotations

import math

from imgui_bundle import icons_fontawesome_6 as icons

from components.store.prefab import Prefab
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Form, Place, Spot, Tool
from sandbox.app.tools import brush
from sandbox.design.scene import Entry
from sandbox.edit import Spawn

SHORTEST = 3.0  # pixels: a shorter drag was an accident
TURNS = 8  # directions of a wall that is drawn with Shift


class DrawWall(Tool):
    """Draws a wall along a drag; with Shift in one of eight directions, with Ctrl around a rectangle."""

    name, title, icon = "wall", "Wall", icons.ICON_FA_ROAD_BARRIER
    help = "Drag to draw a wall; Shift keeps it to eight directions, Ctrl draws a rectangle of walls."
    uses_brush = False

    def places(self, prefab: Prefab) -> bool:
        return "Wall" in prefab.components

    def press(self, session: Session, spot: Spot) -> bool:
        if session.hand.prefab(session, self) is None:
            session.messages.warn("This world has no prefab that Wall can place: it needs the component Wall.")
            return False
        inside = brush.is_inside(session.simulation.world, spot.place)
        if not inside:
            session.messages.warn("That is outside the world.")
        return inside

    def release(self, session: Session, spot: Spot) -> None:
        begin, chosen = spot.begin, session.hand.prefab(session, self)
        if begin is None or chosen is None:
            return
        corners = self._corners(session, begin, spot)
        if math.dist(corners[0], corners[len(corners) // 2]) * session.camera.zoom < SHORTEST:
            session.messages.say("Drag from the start of the wall to its end.")
        else:
            session.hand.do(session, Spawn(Entry(chosen, points=corners, closed=len(corners) > 2)))

    def draw(self, canvas: Canvas, session: Session, spot: Spot) -> None:
        world, chosen = session.simulation.world, session.hand.prefab(session, self)
        if chosen is None:
            return
        key, colour = "Wall.thickness", brush.tint(world, chosen)
        thickness = float(world.prefabs[chosen].values().get(key, world.table.field(key).default))
        width = max(thickness / canvas.pixel, 2.0)
        if spot.begin is None:
            canvas.discs(spot.place, thickness / 2, brush.thin(colour, 200), grow=1.5)
            return
        corners = self._corners(session, spot.begin, spot)
        closed = len(corners) > 2
        canvas.polyline(corners, brush.thin(brush.INK, 210), width + 2, closed=closed, halo=0.4)
        canvas.polyline(corners, brush.thin(colour, 255), max(width - 1, 1.5), closed=closed)

    def _corners(self, session: Session, begin: Spot, spot: Spot) -> tuple[Place, ...]:
        """Return the two ends of a wall, or the four corners of a rectangle."""
        first, last = begin.place, spot.place
        if begin.form is Form.LINE:
            last = _straight(first, last)
        last = brush.within(session.simulation.world, last)
        if begin.form is Form.RECTANGLE:
            return first, (last[0], first[1]), last, (first[0], last[1])
        return first, last


def _straight(begin: Place, end: Place) -> Place:
    """Turn a wall into the nearest of the eight directions, keeping its length; return its new end."""
    turn = round(math.atan2(end[1] - begin[1], end[0] - begin[0]) / math.tau * TURNS) / TURNS * math.tau
    length = math.dist(begin, end)
    return begin[0] + length * math.cos(turn), begin[1] + length * math.sin(turn)
