"""Edit commands for the selection: copy, cut, paste, remove, select all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.motion import Position
from components.store.world import World
from components.terrain import Wall
from sandbox.app.document.document import Copied
from sandbox.app.drawing.places import ends, places
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Place
from sandbox.edit import Despawn, Paste, copy_of
from sandbox.language import translate
from systems.engine.settings import Settings
from systems.space.torus import minimum_images

ASIDE = 24.0  # pixels: how far aside pasted entities are from the copied ones if the mouse is not over the world


def copy(session: Session) -> None:
    """Copy the selected entities as they are now."""
    world, selection = session.simulation.world, session.selection
    selection.keep_living(world)  # some may have died since the last frame
    if selection.serials:
        session.document.copied = Copied(copy_of(world, selection.array), _middle(world, selection.array))
        session.messages.say(translate("{count:,} copied", count=len(selection.serials)), 2)
    else:
        session.messages.say("Nothing is selected.")


def cut(session: Session) -> None:
    """Copy the selected entities, and remove them from the world."""
    copy(session)
    remove(session)


def remove(session: Session) -> None:
    """Remove the selected entities from the world."""
    if session.selection.serials:
        session.submit(Despawn(session.selection.serials))


def paste(session: Session) -> None:
    """Paste the copied entities around the mouse, and select the new ones."""
    copied, hand = session.document.copied, session.hand
    if copied is None:
        session.messages.say("Nothing has been copied.")
        return
    middle = copied.middle
    if hand.pixel is not None and len(middle) == len(session.simulation.world.table.axes):  # else Paste is refused
        offset = tuple(np.subtract(hand.place_level_with(session, middle), middle).tolist())
    else:
        offset = ASIDE / session.camera.zoom, -ASIDE / session.camera.zoom
    session.simulation.settle_commands()  # so that `next_serial` is the first serial of the pasted entities
    first = session.simulation.world.next_serial
    if session.submit(Paste(copied.copies, *offset)):
        session.selection.choose(np.arange(first, first + len(copied.copies)))


def select_all(session: Session) -> None:
    """Select all entities."""
    table = session.simulation.world.table
    session.selection.choose(table.serial[: table.size])


def _middle(world: World, serials: NDArray[np.int64]) -> Place:
    """Return the centre of the bounding box of some entities, u; on a torus, of their images nearest to the first."""
    rows, settings = world.table.living(serials), world.resource(Settings)
    begin, end = ends(world, rows[world.table.has(rows, Wall)])
    walls = np.pad((begin + end) / 2, [(0, 0), (0, len(settings.size) - 2)], constant_values=settings.depth / 2)
    at = np.concatenate([places(world, rows[world.table.has(rows, Position)], 1.0), walls])
    at = at[:1] + minimum_images(at - at[:1], settings.torus)
    return tuple(((at.min(0) + at.max(0)) / 2).tolist())
