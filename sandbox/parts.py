"""The functions that install the built-in parts; each is an `install(app)` like that of a mod."""

from __future__ import annotations

from sandbox import edit, render
from systems import commit, push_out
from systems.engine import events, ledger, measures, settings
from systems.engine.app import Install
from systems.flocking import flocking, spatial_hash
from systems.life import feeding, lifecycle, metabolism, predation
from systems.measure import anisotropy, correlation, flocks, nearest_neighbour, order, population, tally, widths
from systems.move import bounce, collision, movement, wrap
from systems.sense import food_index, hunters, obstacle_index, remember
from systems.steer import attraction, avoidance, containment, flee, hunger, leading, pursuit, repulsion, wander, wind

BUILT_IN: tuple[Install, ...] = (
    settings.install,
    ledger.install,
    events.install,
    measures.install,
    edit.install,
    push_out.install,
    remember.install,
    spatial_hash.install,
    hunters.install,
    food_index.install,
    obstacle_index.install,
    flocking.install,
    flee.install,
    pursuit.install,
    hunger.install,
    leading.install,
    attraction.install,
    wander.install,
    avoidance.install,
    repulsion.install,
    wind.install,
    containment.install,
    movement.install,
    bounce.install,
    collision.install,
    wrap.install,
    predation.install,
    feeding.install,
    metabolism.install,
    lifecycle.install,
    commit.install,
    population.install,
    order.install,
    tally.install,
    flocks.install,
    nearest_neighbour.install,
    correlation.install,
    anisotropy.install,
    widths.install,
    render.install,
)
