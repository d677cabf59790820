"""The built-in parts, each brought in through the same `install(app)` a mod uses."""

from __future__ import annotations

from sandbox import commands
from systems import commit, render, scenery
from systems.core.install import Install
from systems.measure import order, population
from systems.move import edges, movement
from systems.sense import remember, spatial_hash
from systems.steer import containment, flocking

BUILT_IN: tuple[Install, ...] = (
    commands.install,
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
