"""Functions that several commands use: run ticks with a progress bar, and draw the last one."""

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
    """Run ticks with a progress bar; `step` runs one, and the functions in `noting` are called after each.

    Returns:
        The seconds that all ticks took except the first, in which kernels are loaded. The systems' times are reset
        after it, too.
    """
    begin = time.perf_counter()
    for done in progress("Running", range(ticks), ticks):
        (step or simulation.step)()
        for note in noting:
            note()
        if done == 0:
            begin = time.perf_counter()
            for system in simulation.pipeline.systems:
                system.nanoseconds = 0
    return time.perf_counter() - begin


def draw_end(simulation: Simulation, path: Path, layers: Layers = NO_LAYERS, glow: bool | None = None) -> None:
    """Write a picture of the present world; `layers`: drawn under and over the animals, see the painter."""
    from sandbox.app.drawing.picture import picture_of

    write_atomically(path, picture_of(simulation, under=layers[0], over=layers[1], glow=glow))
