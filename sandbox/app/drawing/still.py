"""A still: all that the painter needs to draw the world as it was at one tick."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sandbox.simulation import Simulation
from systems.core.settings import Settings
from systems.render import Drawing
from systems.scenery import Landscape


@dataclass(frozen=True)
class Still:
    """What RENDER made.

    Attributes:
        instances: the animals, dtype INSTANCE; of `still_of` only right until RENDER runs again.
        forms: the scenery, dtype FORM.
        settings: those of the world.
        tick: ticks since it began.
    """

    instances: NDArray[np.void]
    forms: NDArray[np.void]
    settings: Settings
    tick: int

    @property
    def nbytes(self) -> int:
        """What it takes in memory, about."""
        return self.instances.nbytes + self.forms.nbytes + 1024

    def kept(self) -> Still:
        """A copy that stays right."""
        return replace(self, instances=self.instances.copy(), settings=replace(self.settings))


def still_of(simulation: Simulation) -> Still:
    """What RENDER made of a simulation when it last ran."""
    world = simulation.world
    drawing = world.resource(Drawing)
    forms = world.resource(Landscape).forms
    return Still(drawing.instances[: drawing.count], forms, world.resource(Settings), simulation.tick)
