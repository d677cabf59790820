"""The window's own panels and tools, each brought in through the same `install(app)` a mod uses."""

from __future__ import annotations

from sandbox.app.panels import palette, scenes, time_bar
from systems.core.install import Install

BUILT_IN: tuple[Install, ...] = (
    palette.install,
    scenes.install,
    time_bar.install,
)
