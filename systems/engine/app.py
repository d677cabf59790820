"""The `App`: collects all components, systems, panels and tools that functions `install(app)` add."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from components.store.handles import Component
from components.store.records import ComponentType
from systems.engine.system import System


@dataclass
class App:
    """The installed parts, of which simulations and the window are made.

    It holds no state of any world, so all worlds with the same parts share it.

    Attributes:
        systems: classes; every world makes an instance of each.
        resources: types; every world has one of each, and snapshots keep those declared with `resource`.
        prefabs: texts in TOML, written like a scene's `[prefabs.NAME]` tables.
        scenes: folders with scene files, for the gallery.
        shapes: names and corners of shapes for `Look.shape`.
        panels, tools, overlays: instances of `Panel`, `Tool` or `Overlay`; ignored without a window.
        charts: instances of `MeasureChart`, for the Charts panel.
        actions: instances of `Action`, which menu items and keys of the window run.
        file_kinds: instances of `FileKind`, which the window opens besides worlds.
        commands: functions that are commands of the command line.
        preferences: instances of types declared as resources are; the settings file has a person's choices.
    """

    components: list[ComponentType] = field(default_factory=list)
    systems: list[type[System]] = field(default_factory=list)
    resources: list[type[Any]] = field(default_factory=list)
    prefabs: list[str] = field(default_factory=list)
    scenes: list[Path] = field(default_factory=list)
    shapes: list[tuple[str, Any]] = field(default_factory=list)
    panels: list[Any] = field(default_factory=list)
    tools: list[Any] = field(default_factory=list)
    overlays: list[Any] = field(default_factory=list)
    charts: list[Any] = field(default_factory=list)
    actions: list[Any] = field(default_factory=list)
    file_kinds: list[Any] = field(default_factory=list)
    commands: list[Callable[..., Any]] = field(default_factory=list)
    preferences: list[Any] = field(default_factory=list)

    def add_component(self, *components: ComponentType) -> None:
        """Add component types: columns, scene keys, validation and widgets follow from their declarations."""
        self.components += [one for one in dict.fromkeys(components) if one not in self.components]

    def add_system(self, *systems: type[System] | System) -> None:
        """Add systems by class (an instance adds its class), and the components whose classes they name.

        Raises:
            TypeError: something else was given.
        """
        for system in systems:
            kind: Any = type(system) if isinstance(system, System) else system
            if not (isinstance(kind, type) and issubclass(kind, System)):
                given = f"the {type(system).__name__} {system!r:.60}"
                raise TypeError(f"add_system got {given}: a system is a class that extends System")
            named = (*kind.reads, *kind.writes, *kind.adds, *kind.needs)
            self.add_component(*(what for what in named if isinstance(what, type) and issubclass(what, Component)))
            self.systems.append(kind)

    def add_resource(self, *resources: type[Any]) -> None:
        """Add resource types: every world holds one of each, and scenes, commands and snapshots know them by name."""
        self.resources += [one for one in dict.fromkeys(resources) if one not in self.resources]

    def add_prefabs(self, toml: str) -> None:
        """Add prefabs, written like a scene's `[prefabs.NAME]` tables; a scene's own prefabs take precedence."""
        self.prefabs.append(toml)

    def add_scenes(self, folder: Path) -> None:
        """Add a folder of scene files to the gallery."""
        self.scenes.append(folder)

    def add_shape(self, name: str, corners: Sequence[tuple[float, float]]) -> None:
        """Add a shape for `Look.shape`, a polygon of 3 to 14 corners from (-1, -1) to (1, 1).

        The heading is along +x, and half the length of an entity is 1. The first corner must see all others: the
        polygon is drawn as a fan of triangles around it.
        """
        self.shapes.append((name, corners))

    def add_panel(self, *panels: Any) -> None:
        """Add panels to the window."""
        self.panels += panels

    def add_tool(self, *tools: Any) -> None:
        """Add tools to the palette."""
        self.tools += tools

    def add_overlay(self, *overlays: Any) -> None:
        """Add overlays, which the window draws above or below the animals."""
        self.overlays += overlays

    def add_chart(self, *charts: Any) -> None:
        """Add charts of measures over time, each a `MeasureChart`, to the Charts panel."""
        self.charts += charts

    def add_action(self, *actions: Any) -> None:
        """Add actions to the menus and keys of the window."""
        self.actions += actions

    def add_file_kind(self, *kinds: Any) -> None:
        """Add kinds of files that the window opens, each a `FileKind`."""
        self.file_kinds += kinds

    def add_command(self, *commands: Callable[..., Any]) -> None:
        """Add commands of the command line, each a function: `boids NAME` calls it.

        NAME is the function's name, with - for _. Its parameters are arguments, and options if they have defaults, as
        Typer reads them from annotations; the first line of its docstring is the help.
        """
        self.commands += commands

    def add_preferences(self, *preferences: Any) -> None:
        """Add preferences for the Settings panel: instances of types declared with `resource`."""
        self.preferences += preferences

    def include(self, other: App) -> None:
        """Add all parts of another app."""
        self.add_component(*other.components)
        self.add_resource(*other.resources)
        for kind in fields(self):
            if kind.name not in ("components", "resources"):
                getattr(self, kind.name).extend(getattr(other, kind.name))


Install = Callable[[App], None]


def installed(parts: Iterable[Install]) -> App:
    """Return an app with what these functions add, in order."""
    app = App()
    for install in parts:
        install(app)
    return app
