"""The window's own panels and tools, each brought in through the same `install(app)` a mod uses."""

from __future__ import annotations

from sandbox.app.overlays import in_hand, selection
from sandbox.app.panels import palette, time_bar
from sandbox.app.tools import beckon, erase, select, things
from systems.core.install import Install

BUILT_IN: tuple[Install, ...] = (
    select.install,
    things.install,
    beckon.install,
    erase.install,
    selection.install,
    in_hand.install,
    palette.install,
    time_bar.install,
)
