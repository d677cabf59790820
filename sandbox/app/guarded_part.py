"""Panels, tools, overlays and actions of mods, as the window has them: one that fails stops its mod alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from imgui_bundle import icons_fontawesome_6 as icons

from components.store.world import Prefab
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.theme import Theme
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.part_guard import Mod, PartGuard
from sandbox.app.session.action import Action
from sandbox.app.session.asking import Asking
from sandbox.app.session.mod_preferences import ModPreferences
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Spot, Tool
from sandbox.mods.find.fault import Fault
from systems.engine.app import App


def icon_of(name: str) -> str:
    """The icon that Font Awesome calls so ("magnet", "wand-magic-sparkles"); any other text stands for itself."""
    known = getattr(icons, f"ICON_FA_{name.upper().replace('-', '_')}", name) if len(name) > 1 else name
    return str(known)


def own_name(guard: PartGuard, part: Any) -> str:
    """What a part of a mod is called among all: no mod needs to know the names of others, or of the program's parts."""
    return f"{guard.mod.id}.{part.name}"


class GuardedPanel(Panel):
    """Stands for a panel of a mod."""

    def __init__(self, panel: Panel, guard: PartGuard) -> None:
        self.name, self.title, self.side, self.size = own_name(guard, panel), panel.title, panel.side, panel.size
        self.keys, self.menu, self.section = panel.keys, panel.menu, panel.section
        self._panel, self._guard, self._where = panel, guard, f"panel {panel.title}"

    def begin(self, session: Session) -> None:
        self._guard.call(self._where, self._panel.begin, session)

    def draw(self, session: Session, theme: Theme) -> None:
        self._guard.draw(self._where, self._panel.draw, session, theme)

    def watch(self, session: Session) -> None:
        self._guard.call(self._where, self._panel.watch, session)


class GuardedTool(Tool):
    """Stands for a tool of a mod."""

    def __init__(self, tool: Tool, guard: PartGuard) -> None:
        self.name, self.title, self.icon, self.help = own_name(guard, tool), tool.title, icon_of(tool.icon), tool.help
        self.count, self.uses_brush = tool.count, tool.uses_brush
        self.cursor = tool.cursor  # type: ignore[misc]  # most tools say it for all of their class
        self._tool, self._guard, self._where = tool, guard, f"tool {tool.title}"

    def begin(self, session: Session) -> None:
        self._guard.call(self._where, self._tool.begin, session)

    def places(self, prefab: Prefab) -> bool:
        return bool(self._guard.call(self._where, self._tool.places, prefab))

    def prefabs(self, prefabs: Mapping[str, Prefab]) -> list[str]:
        placed = self._guard.call(self._where, self._tool.prefabs, prefabs)
        return [name for name in prefabs if name in placed] if isinstance(placed, list | tuple | set) else []

    def press(self, session: Session, spot: Spot) -> None:
        self._guard.call(self._where, self._tool.press, session, spot)

    def drag(self, session: Session, spot: Spot) -> None:
        self._guard.call(self._where, self._tool.drag, session, spot)

    def frame(self, session: Session, spot: Spot) -> None:
        self._guard.call(self._where, self._tool.frame, session, spot)

    def release(self, session: Session, spot: Spot) -> None:
        self._guard.call(self._where, self._tool.release, session, spot)

    def let_go(self, session: Session) -> None:
        self._guard.call(self._where, self._tool.let_go, session)

    def tells(self, session: Session) -> tuple[str, str]:
        told = self._guard.call(self._where, self._tool.tells, session)
        return (str(told[0]), str(told[1])) if isinstance(told, tuple) and len(told) == 2 else ("", "")

    def preview(self, canvas: Canvas, session: Session, spot: Spot) -> None:
        self._guard.paint(self._where, self._tool.preview, canvas, session, spot)


class GuardedOverlay(Overlay):
    """Stands for an overlay of a mod."""

    def __init__(self, overlay: Overlay, guard: PartGuard) -> None:
        self.name, self.title, self.help = own_name(guard, overlay), overlay.title, overlay.help  # type: ignore[misc]
        self.keys = overlay.keys
        self.always, self.under = overlay.always, overlay.under  # type: ignore[misc]
        self._overlay, self._guard, self._where = overlay, guard, f"overlay {overlay.title}"

    def begin(self, session: Session) -> None:
        self._guard.call(self._where, self._overlay.begin, session)

    def draw(self, canvas: Canvas, session: Session) -> None:
        self._guard.paint(self._where, self._overlay.draw, canvas, session)

    def take(self, session: Session) -> None:
        self._guard.call(self._where, self._overlay.take, session)


def guarded_action(action: Action, guard: PartGuard) -> Action:
    """What stands for an action of a mod."""

    def calling(call: Callable[[Session], Any] | None) -> Any:
        return call and (lambda session: bool(guard.call(f"action {action.title}", call, session)))

    return replace(
        action,
        name=own_name(guard, action),
        do=calling(action.do),
        is_on=calling(action.is_on),
        possible=calling(action.possible),
    )


def guarded(mod: Mod, part: App, asking: Asking, report: Callable[[Fault], None]) -> App:
    """What a mod brings for a window, so that nothing it does there goes beyond it; `report` hears of its fault."""
    guard = PartGuard(mod, asking, report)
    return App(
        panels=[GuardedPanel(panel, guard) for panel in part.panels],
        tools=[GuardedTool(tool, guard) for tool in part.tools],
        overlays=[GuardedOverlay(overlay, guard) for overlay in part.overlays],
        charts=part.charts,
        actions=[guarded_action(action, guard) for action in part.actions],
        preferences=[
            ModPreferences(f"{mod.id}.{type(each).__name__}", mod.manifest.title, each) for each in part.preferences
        ],
        scenes=part.scenes,
    )
