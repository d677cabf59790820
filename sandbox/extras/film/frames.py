"""Draws the frames of a film, with the painter of the window."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from sandbox.app.drawing.picture import drawn, graphics, painter_of
from sandbox.extras.film.film import Film
from sandbox.past.timeline import Timeline
from systems.engine.app import installed
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from PIL.Image import Image

    from sandbox.extras.film.soundtrack import Soundtrack


def frames(
    film: Film, timeline: Timeline, first: int = 0, every: int = 1, sound: Soundtrack | None = None
) -> Generator[Image, None, None]:
    """Draw frames in order and yield them as RGB images.

    Each process observes the same ticks, so that the frames don't depend on the number of processes.

    Args:
        first, every: draw the frame `first`, and from there each `every`-th.
        sound: takes up each tick.
    Raises:
        ValueError: there is no such overlay, or no entity to follow; or one of several processes lost an overlay.
        OSError: the frames can't be drawn.
    """
    painter = painter_of(graphics())
    painter.choose_glow(film.glow)
    from sandbox.app.drawing.offscreen import Offscreen  # load arcade, for which `graphics` chose a display
    from sandbox.app.overlays.overlay import run_up
    from sandbox.app.parts import BUILT_IN
    from sandbox.app.viewer import Viewer

    begin, _ = film.moment(0)
    rate = timeline.simulation.world.resource(Settings).tick_rate
    seconds = run_up(film.overlays, installed(BUILT_IN).overlays)
    ticks = max(round(seconds * rate), 1)  # at least one, because snapshots don't hold previous positions
    watched = max(begin - ticks, timeline.recording.first)
    timeline.seek(min(watched, timeline.branch.last))
    while timeline.tick < watched:
        timeline.step()
    simulation = timeline.simulation
    viewer, target = Viewer(simulation, film.overlays), Offscreen(painter.context)

    def take() -> None:
        film.view.take(simulation)
        if sound is not None:
            sound.hear(simulation, film.view.camera(timeline, film.size, 1.0))

    if simulation.tick == begin:
        take()
    for number in range(first, film.count, every):
        tick, alpha = film.moment(number)
        while simulation.tick < tick:
            timeline.step()
            viewer.take()
            if simulation.tick >= begin:
                take()
        under, over = viewer.layers()
        frame = drawn(painter, film.view.camera(timeline, film.size, alpha), alpha, under=under, over=over, into=target)
        if (failed := viewer.stop_failed()) and every > 1:  # the other processes would go on drawing its overlays
            raise ValueError(f"several processes can't go on without an overlay: {failed[0].sentence}")
        yield frame
        painter.context.gc()  # frees unused GL objects, which a window does in every frame
