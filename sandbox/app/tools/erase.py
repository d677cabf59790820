"""The eraser: removes entities under the brush; the right button does this with every tool."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.drawing.canvas import Canvas
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Form, Place, Spot, Tool
from sandbox.app.tools import brush
from sandbox.app.tools.under import enclosed
from sandbox.edit import Despawn, Erase
from sandbox.edit.touched import touched

STEP = 0.7  # distance of erased circles along a stroke, as a share of the brush's radius


class Eraser(Tool):
    """Removes entities along a stroke, along a straight line, or in a rectangle."""

    name, title, icon = "erase", "Erase", icons.ICON_FA_ERASER
    help = "Removes what is under the brush, as the right button does with every tool."

    def __init__(self) -> None:
        self._last: Place = 0.0, 0.0
        self._took = False  # whether it has ever removed something
        self._told = 0  # of the right button; 1: that it erases, 2: also how to undo that

    def press(self, session: Session, spot: Spot) -> None:
        self._last = spot.place
        if spot.form is Form.STROKE:
            self._erase(session, spot.place)

    def drag(self, session: Session, spot: Spot) -> None:
        if spot.begin is not None and spot.begin.form is Form.STROKE:
            self._along(session, spot.place)

    def release(self, session: Session, spot: Spot) -> None:
        begin = spot.begin
        if begin is None:
            return
        if begin.form is Form.LINE:
            self._erase(session, begin.place)
            self._along(session, spot.place)
            self._erase(session, spot.place)
        elif begin.form is Form.RECTANGLE and (serials := enclosed(session, begin, spot)):
            self._took = session.hand.do(session, Despawn(serials)) or self._took
        self._tell(session)

    def draw(self, canvas: Canvas, session: Session, spot: Spot) -> None:
        begin, radius = spot.begin, session.hand.brush_radius(session)
        if begin is not None and begin.form is Form.RECTANGLE:
            brush.outline(canvas, begin.place, spot.place, brush.DANGER)
            return
        if begin is not None and begin.form is Form.LINE:
            brush.circle(canvas, begin.place, radius, brush.DANGER)
            canvas.lines(begin.place, spot.place, brush.thin(brush.DANGER, 60), 2 * radius / canvas.pixel)
        brush.circle(canvas, spot.place, radius, brush.DANGER)

    def _along(self, session: Session, end: Place) -> None:
        for place in brush.stroke(self._last, end, STEP * session.hand.brush_radius(session)):
            self._erase(session, place)
            self._last = place

    def _erase(self, session: Session, at: Place) -> None:
        radius = session.hand.brush_radius(session)
        takes = self._took or len(touched(session.simulation.world, at, radius)) > 0
        done = session.hand.do(session, Erase(at[0], at[1], radius, None, *at[2:]))
        self._took = self._took or (takes and done)

    def _tell(self, session: Session) -> None:
        """Tell who first uses the right button what it does, and when it first takes something, how to undo that."""
        before, self._told = self._told, 1 + self._took
        if self._told == before or session.hand.tool.name == self.name:
            return
        if self._took:
            words = session.with_key("The right button erases with every tool. Undo brings back what it took", "undo")
            session.messages.say(words)
        else:
            session.messages.say("The right button erases with every tool")
