"""Tools that place entities: one or several with a click, or more along a drag, in a line, or in a rectangle."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from components.store.prefab import Prefab
from sandbox.app.document.placed import SECONDS
from sandbox.app.session.tool import Form, Place, Spot, Tool
from sandbox.app.tools import brush
from sandbox.design.scene import Entry
from sandbox.edit import Spawn
from sandbox.language import translate

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas
    from sandbox.app.session.session import Session

SHORTEST = 6.0  # pixels: a shorter drag counts as a click


@dataclass(eq=False)
class Placing(Tool):
    """Places any prefab that has a component.

    Attributes:
        component: the prefab must have this component or `another`, and none of the components in `without`.
        swarms: they move, so a rectangle is filled at random, each with its own heading; else in rows.
        paints: a drag places more of them; `touching`: side by side.
        aims: the field, in degrees, that is set to the direction of a drag; `tilts`: in a world with depth, the one
            that is set to how far it points out of the plane of x and y.
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
    tilts: str = ""
    uses_brush: bool = True
    offers: str = ""

    def __post_init__(self) -> None:
        self._last: Place = 0.0, 0.0  # where the drag last placed entities
        self._told = False  # how to follow what it has placed

    def refers_to(self) -> Iterable[tuple[str, str]]:
        components = (self.component, *filter(None, (self.another,)), *self.without)
        fields = filter(None, (self.aims, self.tilts, self.offers))
        return [*(("component", name) for name in components), *(("field", key) for key in fields)]

    def places(self, prefab: Prefab) -> bool:
        own = prefab.components
        return (self.component in own or self.another in own) and not any(name in own for name in self.without)

    def press(self, session: Session, spot: Spot) -> bool:
        world, chosen = session.simulation.world, session.hand.prefab(session)
        if chosen is None:
            session.messages.warn(
                translate(
                    "This world has no prefab that {title} can place: it needs the component {component}.",
                    title=self.title,
                    component=self.component,
                )
            )
            return False
        inside = brush.is_inside(world, spot.place)
        if not inside:
            session.messages.warn("That is outside the world.")
        self._last = spot.place
        if inside and spot.form is Form.STROKE and not self.aims:
            self._put(session, chosen, [spot.place])
        return inside or (spot.form is Form.STROKE and self.paints)

    def drag(self, session: Session, spot: Spot) -> None:
        begin, chosen = spot.begin, session.hand.prefab(session)
        if begin is None or chosen is None or begin.form is not Form.STROKE or not self.paints or session.hand.spread:
            return
        step = self._step(session, chosen)
        if session.hand.count > 1:
            step = max(step, brush.filled_radius(session))
        dabs = list(brush.stroke(self._last, spot.place, step))
        self._last = dabs[-1] if dabs else self._last
        self._put(session, chosen, [place for place in dabs if brush.is_inside(session.simulation.world, place)])

    def release(self, session: Session, spot: Spot) -> None:
        begin, chosen = spot.begin, session.hand.prefab(session)
        if begin is None or chosen is None:
            return
        end = self._end(session, begin, spot)
        if begin.form is Form.STROKE:
            if self.aims:
                self._put(session, chosen, [begin.place], self._aimed(session, begin, spot))
        elif begin.form is Form.RECTANGLE and self.swarms and len(end) == 2:
            many = brush.number_in(brush.sides(session, begin.place, end), self._step(session, chosen))
            session.hand.do(session, Spawn(Entry(chosen, many, area=brush.rectangle(begin.place, end))))
        else:
            places = tuple(map(tuple, self._spots(session, chosen, begin, end).tolist()))
            entry = Entry(chosen, len(places), values=session.hand.offered(session))
            if places and session.hand.do(session, Spawn(entry, places)):
                session.pop(places, brush.body(session.simulation.world, chosen))

    def draw(self, canvas: Canvas, session: Session, spot: Spot) -> None:
        world, hand, begin = session.simulation.world, session.hand, spot.begin
        chosen = hand.prefab(session)
        if chosen is None:
            return
        if begin is None or begin.form is Form.STROKE:
            here = spot.place if begin is None or self.paints else begin.place
            if hand.count > 1 and not hand.spread:
                brush.circle(canvas, here, brush.filled_radius(session), brush.thin(brush.tint(world, chosen), 160))
            if brush.is_inside(world, here):
                brush.ghost(canvas, world, chosen, [here], self._aimed(session, begin, spot) if begin else {})
            else:
                brush.cross(canvas, session, here)
            return
        end = self._end(session, begin, spot)
        if begin.form is Form.RECTANGLE:
            corner = np.add(begin.place, brush.sides(session, begin.place, end).sum(axis=0))
            brush.outline(canvas, begin.place, tuple(corner.tolist()), brush.tint(world, chosen))
        if begin.form is Form.LINE or not self.swarms:
            brush.ghost(canvas, world, chosen, self._spots(session, chosen, begin, end))

    def _end(self, session: Session, begin: Spot, spot: Spot) -> Place:
        """Return where in the world a line ends, or a rectangle that faces the viewer, u."""
        faces = begin.form is Form.RECTANGLE
        end = session.hand.place_level_with(session, begin.place) if faces else spot.place
        return brush.within(session.simulation.world, end)

    def _step(self, session: Session, chosen: str) -> float:
        """Return the distance (u) between places along a drag, so that entities don't overlap."""
        apart = 2 * brush.body(session.simulation.world, chosen)
        many = session.hand.count > 1
        return apart if self.touching and not many else max(apart, session.hand.brush_radius(session))

    def _spots(self, session: Session, chosen: str, begin: Spot, end: Place) -> brush.Places:
        step = self._step(session, chosen)
        if begin.form is Form.LINE:
            return brush.line(begin.place, end, step)
        spread = brush.strewn if self.swarms else brush.rows_of_places
        return spread(session.simulation.world, begin.place, brush.sides(session, begin.place, end), step)

    def _aimed(self, session: Session, begin: Spot, spot: Spot) -> dict[str, float]:
        """Return the values that `aims` and `tilts` get, or {} if the tool has no such field or the drag is short."""
        drawn = np.subtract(spot.pixel, begin.pixel)
        if not self.aims or math.hypot(*drawn) < SHORTEST:
            return {}
        x, y, *outward = (drawn @ brush.screen_axes(session)).tolist()
        aimed = {self.aims: math.degrees(math.atan2(y, x))}
        if outward and self.tilts:
            aimed[self.tilts] = math.degrees(math.atan2(outward[0], math.hypot(x, y)))
        return aimed

    def _put(self, session: Session, chosen: str, places: list[Place], values: dict[str, float] | None = None) -> None:
        """Place entities at each of these places, as many as a click does, or spread them over the whole world."""
        hand = session.hand
        given = {**hand.offered(session), **(values or {})}
        if hand.spread:
            hand.do(session, Spawn(Entry(chosen, hand.count, values=given)))
        elif hand.count == 1 and places:
            if hand.do(session, Spawn(Entry(chosen, len(places), values=given), tuple(places))):
                session.pop(places, brush.body(session.simulation.world, chosen))
                self._tell(session)
        elif hand.count > 1:
            radius = brush.filled_radius(session)
            for place in places:
                area = brush.patch(session.simulation.world, place, radius)
                if hand.do(session, Spawn(Entry(chosen, hand.count, area=area, values=given))):
                    session.pop([place], radius)

    def _tell(self, session: Session) -> None:
        """Tell once how to follow what was placed and moves: it may leave the view."""
        if self.swarms and not self._told and not session.selection.serials:
            self._told = True
            session.messages.say(session.with_key("Follow the one that you have placed", "follow"), SECONDS)
