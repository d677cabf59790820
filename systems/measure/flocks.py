"""Number of flocks, computed only on request."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker
from components.motion import Position
from components.store.declare import number
from components.store.world import World
from systems.engine.app import App
from systems.engine.measures import Measures
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.space.linked import LINK, linked_groups
from systems.space.torus import places_in_world

Places = tuple[NDArray[np.float64], ...]
"""For each axis, the coordinates of points, (n,), u."""


class Flocks(System):
    """Number of flocks of flocking entities.

    Two entities are linked if they are nearer to each other than `link`, whatever their prefabs. A flock consists of
    two or more entities that are linked, directly or through others. Without entities that flock, it is NaN.
    """

    phase = Phase.MEASURE
    reads = (*PLACE, Flocker, Settings)
    adds = (Measures,)
    link: float = number(LINK, "u", 0, 1e4, "boids nearer to each other than this belong to one flock", above_low=True)

    def applies(self, world: World) -> bool:
        return self.name in world.resource(Measures).wanted

    def run(self, world: World) -> None:
        places = places_in_world(world, world.table.rows(Position, Flocker))
        torus = world.resource(Settings).torus
        count = float(count_flocks(places, float(self.link), torus)) if len(places[0]) else math.nan
        world.resource(Measures).values["flocks"] = count


def count_flocks(places: Places, link: float, torus: tuple[float, ...] | None) -> int:
    """Count groups of two or more points linked by distances below `link` (u)."""
    return len(linked_groups(places, link, torus)[1])


def install(app: App) -> None:
    app.add_component(Position)
    app.add_system(Flocks)
