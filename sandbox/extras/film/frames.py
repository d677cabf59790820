"""Draws the frames of a film, with the painter of the window."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from sandbox.cli.overlays import run_up, viewer_of
from sandbox.extras.film.film import Film
from sandbox.past.timeline import Timeline
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
    begin, _ = film.moment(0)
    rate = timeline.simulation.world.resource(Settings).tick_rate
    ticks = max(round(run_up(film.overlays) * rate), 1)  # at least one, because snapshots don't hold previous positions
    watched = max(begin - ticks, timeline.recording.first)
    timeline.seek(min(watched, timeline.branch.last))
    while timeline.tick < watched:
        timeline.step()
    simulation = timeline.simulation
    film.view.begin(float(film.begin), float(film.count * film.ticks_per_frame))
    viewer = viewer_of(simulation, film.overlays)
    viewer.painter.choose_glow(film.glow)

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
        frame = viewer.draw(film.view.camera(timeline, film.size, alpha), alpha)
        if (failed := viewer.stop_failed()) and every > 1:  # the other processes would go on drawing its overlays
            raise ValueError(f"several processes can't go on without an overlay: {failed[0].sentence}")
        yield frame
