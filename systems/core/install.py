"""The one door: every component, system, panel and tool, built in or a mod's, comes through `install(app)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from components.store.table import ComponentType
from systems.core.pipeline import System


@dataclass
class App:
    """What the installed parts bring: a simulation is made of components and systems, the window of the rest.

    Attributes:
        panels, tools, overlays: see `sandbox.app.panels.panel`, `sandbox.app.tools.tool` and
            `sandbox.app.overlays.overlay`; a program without a window ignores them.
    """

    components: list[ComponentType] = field(default_factory=list)
    systems: list[System] = field(default_factory=list)
    panels: list[Any] = field(default_factory=list)
    tools: list[Any] = field(default_factory=list)
    overlays: list[Any] = field(default_factory=list)

    def add_component(self, *components: ComponentType) -> None:
        """Make component types known: their columns, scene keys, validation and widgets follow."""
        self.components += [component for component in components if component not in self.components]

    def add_system(self, *systems: System) -> None:
        """Add systems; where in a tick they run is what they declare."""
        self.systems += systems

    def add_panel(self, *panels: Any) -> None:
        """Add panels to the window."""
        self.panels += panels

    def add_tool(self, *tools: Any) -> None:
        """Add tools to the palette."""
        self.tools += tools

    def add_overlay(self, *overlays: Any) -> None:
        """Add what a window can draw over and under the animals."""
        self.overlays += overlays


Install = Callable[[App], None]


def installed(parts: Iterable[Install]) -> App:
    """An app with these parts, installed in order."""
    app = App()
    for install in parts:
        install(app)
    return app
