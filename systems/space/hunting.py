"""Who hunts whom; and the spatial indexes of hunting: predators, for prey, and prey, for predators."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.engine.kernel import inlined
from systems.space.perception import includes

SLACK = 0.01  # u: an entity at exactly the radius lies inside its circle, not on the border


class Threats(NamedTuple):
    """All predators, including resting ones; a resource while there are any.

    Attributes:
        rows: int32 (n,), table rows of the predators, by ascending serial.
        radius: u; prey with a larger fear radius must check all predators.
        circles: the predators within `radius` of each cell, as indexes into `rows`.
    """

    rows: NDArray[np.int32]
    radius: float
    circles: Any


class Quarry(NamedTuple):
    """All entities with Prey, by cell; a resource while there are predators that pursue."""

    grid: Any


@inlined
def hunts(hunter, prey, data):
    """Return whether the predator in row `hunter` hunts the prey in row `prey`; nobody hunts itself.

    Args:
        data: of a system that reads Predator.
    """
    return hunter != prey and includes(data.predator[hunter].hunts, data.prefab[prey], True)
