"""The built-in parts, each brought in through the same `install(app)` a mod uses."""

from __future__ import annotations

from sandbox import commands
from systems import commit, render
from systems.core.install import Install
from systems.life import predation
from systems.measure import order, population
from systems.move import edges, movement
from systems.sense import hunters, remember, spatial_hash
from systems.steer import containment, flee, flocking, pursuit

BUILT_IN: tuple[Install, ...] = (
    commands.install,
    remember.install,
    spatial_hash.install,
    flocking.install,
    hunters.install,
    flee.install,
    pursuit.install,
    containment.install,
    movement.install,
    edges.install,
    predation.install,
    commit.install,
    population.install,
    order.install,
    render.install,
)
