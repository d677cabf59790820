"""The frames of a film, drawn by the window's own painter."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from sandbox.app.drawing.picture import drawn, graphics, painter_of
from sandbox.film.film import Film
from sandbox.past.timeline import Timeline
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from PIL.Image import Image

RUN_UP = 20  # s, simulated, that overlays watch before the first frame: the heat map forgets half in 1.5 s


def frames(film: Film, timeline: Timeline, first: int = 0, every: int = 1) -> Generator[Image, None, None]:
    """Draw frames, one after another, RGB.

    Every process that draws some of them watches the same ticks, so that they are the same for any number of them.

    Args:
        first, every: which ones: this one, and each so many after it.
    Raises:
        ValueError: there is no such overlay, or nobody to follow.
        OSError: they can't be drawn.
    """
    painter = painter_of(graphics())
    from sandbox.app.viewer import Viewer  # it loads arcade, for which `graphics` has chosen a display

    begin, _ = film.moment(0)
    rate = timeline.simulation.world.resource(Settings).tick_rate
    run_up = RUN_UP * rate if film.overlays else 1  # a tick, for where animals were is in no snapshot
    watched = max(begin - run_up, timeline.recording.first)
    timeline.seek(min(watched, timeline.branch.last))
    while timeline.tick < watched:
        timeline.step()
    simulation = timeline.simulation
    viewer = Viewer(simulation, film.overlays)
    if simulation.tick == begin:
        film.view.take(simulation)
    for number in range(first, film.count, every):
        tick, alpha = film.moment(number)
        while simulation.tick < tick:
            timeline.step()
            viewer.take()
            if simulation.tick >= begin:
                film.view.take(simulation)
        under, over = viewer.layers()
        yield drawn(painter, film.view.camera(timeline, film.size, alpha), alpha, under=under, over=over)
        painter.context.gc()  # a window frees what is no longer needed in every frame, and here there is none
