"""The window's own panels, tools, overlays and actions, each brought in through the same `install(app)` a mod uses."""

from __future__ import annotations

from sandbox.app.controls import actions
from sandbox.app.overlays import effects, grid, heat, in_hand, perception, selection, trails, vectors
from sandbox.app.panels import (
    charts,
    explain,
    help,
    inspector,
    log,
    mods,
    palette,
    profiler,
    scenes,
    settings,
    time_bar,
    world,
)
from sandbox.app.tools import beckon, erase, select, things
from systems.engine.app import Install

BUILT_IN: tuple[Install, ...] = (
    actions.install,
    select.install,
    things.install,
    beckon.install,
    erase.install,
    charts.install,
    explain.install,
    help.install,
    inspector.install,
    log.install,
    mods.install,
    palette.install,
    profiler.install,
    scenes.install,
    settings.install,
    time_bar.install,
    world.install,
    heat.install,
    grid.install,
    perception.install,
    trails.install,
    vectors.install,
    selection.install,
    effects.install,
    in_hand.install,
)
