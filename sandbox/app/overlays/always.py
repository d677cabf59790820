"""What is always drawn: labels, what is selected, catches and births for a moment, and what a click would do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.world import World
from components.terrain import Wall
from sandbox.app.drawing.canvas import HALO, INK, NOTHING, Canvas
from sandbox.app.drawing.colours import rgb_of
from sandbox.app.drawing.letters import extent, lettered
from sandbox.app.drawing.places import LEAST, Rows, ends, largest, on_screen, places, radii
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.session import Session
from sandbox.design.labels import Labels as Kept
from systems.engine.happenings import Happenings
from systems.engine.settings import Settings

MOST = 4000  # rings in a picture: of more selected every second one has one, every third, ...
MANY = 60  # selected: from here on their rings are thinner, and closer
AROUND = 5.0  # pixels between a thing and its ring
CAUGHT, BORN = (255, 74, 62), (206, 255, 214)
SECONDS = 0.7  # simulated, that one is seen
FROM, TO = 3.0, 15.0  # u: how its ring grows
LEAST_MORE, MOST_MORE = 3.0, 13.0  # pixels that it is larger, so that it is seen from afar


class Labels(Overlay):
    """Words under the animals, as large as the scene says: they come closer with the world."""

    name, title, help = "labels", "Labels", "words that stand in the world"
    always = under = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        for words, own in session.simulation.world.resource(Kept).kept.items():
            values = Kept.whole(own)
            mask, (wide, high) = lettered(words), extent(words, values["size"])
            low = values["x"] - wide / 2, values["y"] - high / 2
            rgb = rgb_of(values["colour"])
            canvas.picture(mask, [(*rgb, 0), (*rgb, 255)], low=low, size=(wide, high))


class Selection(Overlay):
    """A ring round each selected one; along a wall a line on either side, and a ring round its ends."""

    name, title, help = "selection", "Selection", "what is selected"
    always = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        world = session.simulation.world
        rows = world.table.living(session.selection.array)
        if not len(rows):
            return
        width, gap = (2.0, AROUND) if len(rows) < MANY else (1.3, AROUND / 2)
        _standing(canvas, world, rows[world.table.has(rows, Position)], width, gap)
        _walls(canvas, world, rows[world.table.has(rows, Wall)], width, gap)


def _standing(canvas: Canvas, world: World, rows: Rows, width: float, gap: float) -> None:
    if len(rows) > MOST:  # first, roughly, who may be seen: to look up how far each of 100,000 reaches takes long
        rows = on_screen(canvas, world, rows, max(largest(world), LEAST) + 2 * gap * canvas.pixel)
        rows = rows[:: len(rows) // MOST + 1]
    here, radius = places(world, rows, canvas.alpha), radii(world, rows, LEAST)
    canvas.rings(here, radius, INK, width, grow=gap)


def _walls(canvas: Canvas, world: World, rows: Rows, width: float, gap: float) -> None:
    if not len(rows):
        return
    begin, end = ends(world, rows)
    along = end - begin
    length = np.hypot(along[:, 0], along[:, 1])[:, None]
    aside = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(length, 1e-6)
    away = world.table.records(Wall)[rows]["thickness"] / 2 + gap * canvas.pixel
    for side in (aside, -aside):
        canvas.lines(begin + side * away[:, None], end + side * away[:, None], INK, width, halo=HALO)
    for point in (begin, end):
        canvas.rings(point, away, INK, width)


class Effects(Overlay):
    """A ring that grows and fades: red where prey was caught, pale green where someone was born."""

    name, title, help = "effects", "Catches and births", "where prey was caught, and where someone was born"
    always = True

    def take(self, session: Session) -> None:
        world = session.simulation.world
        happenings = world.resources.setdefault(Happenings, Happenings())
        for happened in (happenings.catches, happenings.births):
            while happened and happened[-1][0] >= world.tick:  # the past is shown
                happened.pop()
        happenings.forget(world.tick - SECONDS * world.resource(Settings).tick_rate - 1)

    def draw(self, canvas: Canvas, session: Session) -> None:
        world = session.simulation.world
        happenings = world.resources.get(Happenings)
        if happenings is None:
            return
        now, rate = world.tick - 1 + canvas.alpha, world.resource(Settings).tick_rate
        for happened, colour in ((happenings.catches, CAUGHT), (happenings.births, BORN)):
            for tick, there in happened:
                share = (now - tick) / rate / SECONDS
                if 0 <= share < 1:
                    _burst(canvas, there, share, colour)


def _burst(canvas: Canvas, there: NDArray[np.float32], share: float, colour: tuple[int, int, int]) -> None:
    grown = 1 - (1 - share) ** 3
    left = round(255 * (1 - share) ** 1.5)
    radius, grow = FROM + (TO - FROM) * grown, LEAST_MORE + (MOST_MORE - LEAST_MORE) * grown
    canvas.rings(there, radius, (*colour, left), 3.2 - 2.2 * share, grow=grow, halo=0.3)
    if share < 0.35:
        flash = round(200 * (1 - share / 0.35))
        canvas.sectors(there, (1, 0), 360, 0.5 * radius, (*colour, flash), NOTHING, 0.0, grow=2.0)


class InHand(Overlay):
    """The brush, the outline of what would be placed, a line, a rectangle: as the tool in hand has it."""

    name, title, help = "in hand", "In hand", "what a click would do"
    always = in_hand = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        session.hand.preview(canvas, session)
