"""The panel Study, and the entry of the menu of fields that fills it."""

from __future__ import annotations

from sandbox.extras.studies.window.panel import StudyPanel
from systems.engine.app import App


def install(app: App) -> None:
    """Add the panel."""
    app.add_panel(StudyPanel())
