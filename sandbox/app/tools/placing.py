"""The tools that place things: one or several with a click, more along a drag, in a line, or all over a rectangle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from components.store.world import Prefab
from sandbox.app import brush
from sandbox.app.tools.ghosts import circle, ghost, outline, thin, tint
from sandbox.app.tools.tool import Form, Place, Spot, Tool
from sandbox.commands import Spawn
from sandbox.scene import Entry

if TYPE_CHECKING:
    from sandbox.app.canvas import Canvas
    from sandbox.app.session import Session

SHORTEST = 6.0  # pixels: a shorter drag was a click


@dataclass
class _Drag:
    """What the button has begun: where it went down, where the last one was placed, and what becomes of it."""

    begin: Spot
    last: Place
    form: Form


@dataclass(eq=False)
class Placing(Tool):
    """Places any prefab that has a component.

    Attributes:
        component: what it must have, or `another` in its stead; `without`: what it must not have.
        swarms: they move, so in a rectangle they stand anywhere, each with its own heading.
        paints: a drag places more of them; `touching`: side by side.
        aims: the field that the direction of a drag sets, degrees.
    """

    name: str
    title: str
    icon: str
    help: str
    component: str
    without: tuple[str, ...] = ()
    another: str = ""
    count: int = 1
    swarms: bool = False
    paints: bool = True
    touching: bool = False
    aims: str = ""
    uses_brush: bool = True

    def __post_init__(self) -> None:
        self._drag: _Drag | None = None

    def places(self, prefab: Prefab) -> bool:
        own = prefab.components
        return (self.component in own or self.another in own) and not any(name in own for name in self.without)

    def press(self, session: Session, spot: Spot) -> None:
        world = session.simulation.world
        if session.hand.prefab(session, self) is None:
            session.messages.warn(f"this scene has no prefab with {self.component} to place")
            return
        inside = brush.is_inside(world, spot.place)
        if not inside:
            session.messages.warn("that is outside the world")
        if inside or (spot.form is Form.STROKE and self.paints):
            self._drag = _Drag(spot, spot.place, spot.form)
        if inside and spot.form is Form.STROKE and not self.aims:
            self._put(session, spot.place)

    def drag(self, session: Session, spot: Spot) -> None:
        drag = self._drag
        if drag is None or drag.form is not Form.STROKE or not self.paints:
            return
        for place in brush.stroke(drag.last, spot.place, self._step(session)):
            if brush.is_inside(session.simulation.world, place):
                self._put(session, place)
            drag.last = place

    def release(self, session: Session, spot: Spot) -> None:
        drag, world = self._drag, session.simulation.world
        if drag is None:
            return
        end = brush.within(world, spot.place)
        if drag.form is Form.STROKE:
            if self.aims:
                self._put(session, drag.begin.place, self._aimed(drag, spot))
        elif drag.form is Form.RECTANGLE and self.swarms:
            area = brush.rectangle(drag.begin.place, end)
            many = max(round(area.width * area.height / self._step(session) ** 2), 1)
            self._spawn(session, Entry(self._chosen(session), many, area=area))
        else:
            for x, y in self._spots(session, drag, end):
                self._put(session, (x, y), one=True)

    def let_go(self, session: Session) -> None:
        self._drag = None

    def preview(self, canvas: Canvas, session: Session, spot: Spot) -> None:
        world, hand = session.simulation.world, session.hand
        chosen, drag = hand.prefab(session, self), self._drag
        if chosen is None:
            return
        if drag is None or drag.form is Form.STROKE:
            here = spot.place if drag is None or self.paints else drag.begin.place
            if hand.count > 1:
                circle(canvas, here, hand.reach(session), thin(tint(world, chosen), 160))
            if brush.is_inside(world, here):
                direction = self._aimed(drag, spot).get(self.aims) if drag else None
                ghost(canvas, world, chosen, [here], direction)
        else:
            end = brush.within(world, spot.place)
            if drag.form is Form.RECTANGLE:
                outline(canvas, drag.begin.place, end, tint(world, chosen))
            if not (self.swarms and drag.form is Form.RECTANGLE):
                ghost(canvas, world, chosen, self._spots(session, drag, end))

    def _chosen(self, session: Session) -> str:
        chosen = session.hand.prefab(session, self)
        assert chosen is not None
        return chosen

    def _step(self, session: Session) -> float:
        """How far apart (u) a drag places one after another, so that they don't pile up."""
        apart = 2 * brush.body(session.simulation.world, self._chosen(session))
        many = session.hand.count > 1
        return apart if self.touching and not many else max(apart, session.hand.reach(session))

    def _spots(self, session: Session, drag: _Drag, end: Place) -> brush.Places:
        spread = brush.line if drag.form is Form.LINE else brush.grid
        return spread(drag.begin.place, end, self._step(session))

    def _aimed(self, drag: _Drag, spot: Spot) -> dict[str, float]:
        """What the direction of a drag sets."""
        (x, y), (from_x, from_y) = spot.pixel, drag.begin.pixel
        if not self.aims or math.hypot(x - from_x, y - from_y) < SHORTEST:
            return {}
        return {self.aims: math.degrees(math.atan2(y - from_y, x - from_x))}

    def _put(self, session: Session, at: Place, values: dict[str, Any] | None = None, one: bool = False) -> None:
        """Place as many as a click does."""
        chosen, count = self._chosen(session), 1 if one else session.hand.count
        if count == 1:
            self._spawn(session, Entry(chosen, at=at, values=values or {}))
        else:
            area = brush.patch(session.simulation.world, at, session.hand.reach(session))
            self._spawn(session, Entry(chosen, count, area=area, values=values or {}))

    def _spawn(self, session: Session, entry: Entry) -> None:
        session.hand.do(session, Spawn(entry))
