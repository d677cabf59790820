"""Running ticks behind a progress bar, and drawing how they end: what several commands do."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.files import write_atomically
from sandbox.terminal import progress

if TYPE_CHECKING:
    from sandbox.app.drawing.painter import Layer
    from sandbox.simulation import Simulation

    Layers = tuple[Layer | None, Layer | None]

NO_LAYERS = None, None


def run_ticks(
    simulation: Simulation,
    ticks: int,
    noting: Sequence[Callable[[], object]] = (),
    step: Callable[[], None] | None = None,
) -> float:
    """Run ticks behind a progress bar; `step` runs one, and `noting` is called after each.

    Returns:
        The seconds that all of them took but the first, in which kernels are loaded; systems count from there too.
    """
    begin = time.perf_counter()
    for done in progress("Running", ticks):
        (step or simulation.step)()
        for note in noting:
            note()
        if done == 0:
            begin = time.perf_counter()
            for system in simulation.pipeline.systems:
                system.nanoseconds = 0
    return time.perf_counter() - begin


def draw_end(simulation: Simulation, path: Path, layers: Layers = NO_LAYERS) -> None:
    """Write a picture of the world as it is now; `layers`: see the painter."""
    from sandbox.app.drawing.picture import picture_of

    write_atomically(path, picture_of(simulation, under=layers[0], over=layers[1]))
