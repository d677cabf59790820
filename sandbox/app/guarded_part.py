"""Panels, tools, overlays and actions of mods, as the window has them: one that fails stops its mod alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from inspect import isfunction
from typing import Any

from components.store.prefab import Prefab
from sandbox.app.gui.panel import Panel
from sandbox.app.icon import icon_of
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.part_guard import Mod, PartGuard
from sandbox.app.session.action import Action
from sandbox.app.session.asking import Asking
from sandbox.app.session.mod_preferences import ModPreferences
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Tool
from sandbox.mods.find.fault import Fault
from systems.engine.app import App


def own_name(guard: PartGuard, part: Any) -> str:
    """What a part of a mod is called among all: no mod needs to know the names of others, or of the program's parts."""
    return f"{guard.mod.id}.{part.name}"


class GuardedPart:
    """Stands for a panel, tool or overlay of a mod: it says what that says, and does what that does, guarded."""

    name: str

    def __init__(self, kind: type[Panel] | type[Tool] | type[Overlay], part: Any, guard: PartGuard) -> None:
        where = f"{kind.__name__.lower()} {part.title}"
        for name in kind.__annotations__:
            setattr(self, name, getattr(part, name))
        self.name = own_name(guard, part)
        for name, declared in vars(kind).items():
            if isfunction(declared) and not name.startswith("_"):
                run = guard.draw if declared is Panel.draw else guard.paint if declared in PAINT else guard.call
                setattr(self, name, partial(run, where, getattr(part, name)))


PAINT = Overlay.draw, Tool.preview  # they get a canvas


def guarded_tool(tool: Any, guard: PartGuard) -> Any:
    """What stands for a tool of a mod; what it answers is of the right type."""
    stands: Any = GuardedPart(Tool, tool, guard)
    places, prefabs, tells, stands.icon = stands.places, stands.prefabs, stands.tells, icon_of(tool.icon)

    def known(all_prefabs: Mapping[str, Prefab]) -> list[str]:
        placed = prefabs(all_prefabs)
        return [name for name in all_prefabs if name in placed] if isinstance(placed, list | tuple | set) else []

    def told(session: Session) -> tuple[str, str]:
        words = tells(session)
        return (str(words[0]), str(words[1])) if isinstance(words, tuple) and len(words) == 2 else ("", "")

    stands.places, stands.prefabs, stands.tells = lambda prefab: bool(places(prefab)), known, told
    return stands


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
        panels=[GuardedPart(Panel, panel, guard) for panel in part.panels],
        tools=[guarded_tool(tool, guard) for tool in part.tools],
        overlays=[GuardedPart(Overlay, overlay, guard) for overlay in part.overlays],
        charts=part.charts,
        actions=[guarded_action(action, guard) for action in part.actions],
        preferences=[
            ModPreferences(f"{mod.id}.{type(each).__name__}", mod.manifest.title, each) for each in part.preferences
        ],
        scenes=part.scenes,
    )
