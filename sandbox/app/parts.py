"""The window's own panels and tools, each brought in through the same `install(app)` a mod uses."""

from __future__ import annotations

from sandbox.app.panels import charts, help, log, palette, profiler, settings, time_bar
from systems.core.install import Install

BUILT_IN: tuple[Install, ...] = (
    palette.install,
    time_bar.install,
    charts.install,
    profiler.install,
    log.install,
    help.install,
    settings.install,
)
