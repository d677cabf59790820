"""The widths of the flock along its principal axes, and along its flight: computed only on request."""

from __future__ import annotations

import math

import numpy as np

from components.flock import Flocker
from components.motion import Position, Velocity
from components.store.world import World
from systems.engine.app import App
from systems.engine.measures import Measures
from systems.engine.settings import Settings
from systems.engine.system import PLACE, Phase, System
from systems.exact.symmetric import eigen
from systems.space.centre import centre_of, mean_of
from systems.space.flock import Flock, flock_of, moments_of
from systems.space.torus import minimum_images

NAMES = {2: ("shortest_width", "longest_width"), 3: ("shortest_width", "middle_width", "longest_width")}
AHEAD = "width_ahead"
OF_BOX = 12.0  # the square of the side of an evenly filled box is so many variances


class Widths(System):
    """The widths of all that flock: a box that is evenly filled has its own sides; along the mean velocity, too."""

    phase = Phase.MEASURE
    reads = (*PLACE, Velocity, Flocker, Settings)
    adds = (Measures,)

    def applies(self, world: World) -> bool:
        return self.name in world.resource(Measures).wanted

    def run(self, world: World) -> None:
        world.resource(Measures).values |= widths(flock_of(world))


def widths(flock: Flock) -> dict[str, float]:
    """Return the widths, u: along the principal axes, ascending, and along the mean velocity; NaN without anybody.

    Each is sqrt(12) times the standard deviation along its axis.
    """
    names = NAMES[len(flock.places)]
    if not flock.size:
        return dict.fromkeys((*names, AHEAD), math.nan)
    centre = centre_of(flock.places, flock.torus)
    offsets = minimum_images(np.stack(flock.places, axis=1) - centre, flock.torus if flock.torus[0] else None)
    moments, heading = moments_of(along - mean_of(along) for along in offsets.T), flock.heading
    found = {name: _width(variance) for name, (variance, _) in zip(names, eigen(moments), strict=True)}
    if heading is None:
        return {**found, AHEAD: math.nan}
    ahead = [sum(number * along for number, along in zip(row, heading, strict=True)) for row in moments]
    return {**found, AHEAD: _width(sum(number * along for number, along in zip(ahead, heading, strict=True)))}


def _width(variance: float) -> float:
    return math.sqrt(OF_BOX * max(variance, 0.0))


def install(app: App) -> None:
    app.add_component(Position)
    app.add_system(Widths)
