"""The built-in parts, each brought in through the same `install(app)` a mod uses."""

from __future__ import annotations

from sandbox import commands
from systems import commit, push_out, render
from systems.core.install import Install
from systems.measure import order, population
from systems.move import bounce, collision, movement, wrap
from systems.sense import obstacle_index, remember, spatial_hash
from systems.steer import avoidance, containment, flocking, repulsion

BUILT_IN: tuple[Install, ...] = (
    commands.install,
    push_out.install,
    remember.install,
    spatial_hash.install,
    obstacle_index.install,
    flocking.install,
    avoidance.install,
    repulsion.install,
    containment.install,
    movement.install,
    bounce.install,
    collision.install,
    wrap.install,
    commit.install,
    population.install,
    order.install,
    render.install,
)
