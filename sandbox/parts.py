"""The built-in parts, each brought in through the same `install(app)` a mod uses."""

from __future__ import annotations

from components.predation import Predator
from sandbox import commands
from systems import commit, render, scenery
from systems.core.install import App, Install
from systems.measure import order, population
from systems.move import edges, movement
from systems.sense import remember, spatial_hash
from systems.steer import containment, flocking


def _predator(app: App) -> None:
    """Until a system brings it."""
    app.add_component(Predator)


BUILT_IN: tuple[Install, ...] = (
    commands.install,
    _predator,
    remember.install,
    spatial_hash.install,
    flocking.install,
    containment.install,
    movement.install,
    edges.install,
    commit.install,
    population.install,
    order.install,
    scenery.install,
    render.install,
)
