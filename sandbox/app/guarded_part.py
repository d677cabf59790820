"""Wraps the panels, tools, overlays and actions of mods, so that a failing one stops only its mod.

An exception becomes a fault, and the state of the canvas is restored.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from inspect import isfunction
from typing import Any

import numpy as np

from components.store.prefab import Prefab
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.files.asking import Asking
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.ui import Ui, lent
from sandbox.app.icons import icon_of
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.questions import Question
from sandbox.app.session.action import Action
from sandbox.app.session.mod_preferences import ModPreferences
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Place, Tool
from sandbox.mods.find.fault import Fault, inside, interrupt_of
from sandbox.mods.load.loading import LoadedMod
from sandbox.warning import filters_kept
from systems.engine.app import App

FARTHEST = 1e9  # u


class KeptPicture:
    """What a canvas is like before a mod draws on it."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas, self._attributes = canvas, vars(canvas).copy()
        self._waiting = [(waiting, len(waiting)) for waiting in canvas.waiting]
        self._target = canvas.context.active_framebuffer
        self._viewport, self._scissor = self._target.viewport, self._target.scissor

    def put_right(self, failed: bool) -> None:
        """Put it back, so that later drawing is not affected; if the mod failed, remove what it drew."""
        canvas, context = self._canvas, self._canvas.context
        vars(canvas).update(self._attributes)
        if failed:
            for waiting, count in self._waiting:
                del waiting[count:]
        if context.active_framebuffer is not self._target:
            self._target.use(force=True)
        if self._target.viewport != self._viewport:
            self._target.viewport = self._viewport
        if self._target.scissor != self._scissor:
            self._target.scissor = self._scissor
        canvas.blend()


class PartGuard:
    """The guard of all parts that one mod adds to the window; after the mod's first fault none of them runs.

    Attributes:
        fault: the mod's first fault, or None.
        mod: the mod that the parts belong to.
    """

    def __init__(self, mod: LoadedMod, asking: Asking, report: Callable[[Fault], None]) -> None:
        self.fault: Fault | None = None
        self.mod, self._asking, self._report = mod, asking, report

    def draw(self, where: str, draw: Callable[..., object], session: Session, ui: Ui) -> None:
        """Draw a panel."""
        with lent(ui.theme) as own:
            self.call(where, draw, session, own)

    def paint(self, where: str, paint: Callable[..., object], canvas: Canvas, *arguments: Any) -> None:
        """Let an overlay or tool draw on a canvas, then restore its state; if it failed, remove what it drew."""
        if self.fault is None:
            kept = KeptPicture(canvas)
            self.call(where, paint, canvas, *arguments)
            kept.put_right(self.fault is not None)

    def call(self, where: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of a part; return its result, or None if it fails or may not run."""
        if self.fault is None:
            return self._run(where, call, arguments)
        return None

    def _run(self, where: str, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        asking = self._asking
        asked, waits = [*asking.questions], asking.capture
        answer, error = None, None  # type: Any, BaseException | None
        try:
            with redirect_stdout(sys.stderr), filters_kept():
                answer = call(*arguments)
        except BaseException as raised:
            error = raised
        if isinstance(error, KeyboardInterrupt):
            raise interrupt_of(error, self.mod.id, self.mod.content.unpacked, where)
        if error is None:
            self._guard_what_it_asks(where, asked, waits)
            return answer
        asking.questions[:], asking.capture = asked, waits
        fault = self.mod.fault(error, where)
        self.fault = fault if fault.place else replace(fault, place=self._place(call))
        self._report(self.fault)
        return None

    def _guard_what_it_asks(self, where: str, asked: list[Question], capture: Any) -> None:
        """Guard the callbacks that the call left behind: answers to new questions, and the capture of the next key."""
        for index, question in enumerate(self._asking.questions):
            if not any(question is other for other in asked):
                answers = [(words, self.guarded(where, do)) for words, do in question.answers]
                self._asking.questions[index] = replace(question, answers=answers)
        waits = self._asking.capture
        if waits is not None and waits is not capture:
            self._asking.capture = self.guarded(where, waits)

    def guarded(self, where: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that calls another one; see `call`."""
        return lambda *arguments: self.call(where, call, *arguments)

    def _place(self, call: Callable[..., Any]) -> str:
        """Return file and line of a function in the mod's folder; "" if it is not defined there."""
        code = getattr(call, "__code__", None)
        return inside(code.co_filename, code.co_firstlineno, self.mod.content.unpacked) if code else ""


def own_name(guard: PartGuard, part: Any) -> str:
    """Return the unique name of a part, prefixed with the mod's id so that names of different mods can't clash."""
    return f"{guard.mod.id}.{part.name}"


class GuardedPart:
    """A proxy of a panel, tool or overlay of a mod: it copies the attributes and guards the calls of methods."""

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


PAINT = Overlay.draw, Tool.draw  # methods that get a canvas


def guarded_tool(tool: Any, guard: PartGuard) -> Any:
    """Return the proxy of a mod's tool; the values that its methods return are converted to the declared types."""
    stands: Any = GuardedPart(Tool, tool, guard)
    places, prefabs, tells, level = stands.places, stands.prefabs, stands.tells, stands.level
    stands.icon = icon_of(tool.icon)

    def known(all_prefabs: Mapping[str, Prefab]) -> list[str]:
        placed = prefabs(all_prefabs)
        return [name for name in all_prefabs if name in placed] if isinstance(placed, list | tuple | set) else []

    def told(session: Session) -> tuple[str, str]:
        words = tells(session)
        return (str(words[0]), str(words[1])) if isinstance(words, tuple) and len(words) == 2 else ("", "")

    def levelled(session: Session, pixel: tuple[float, float]) -> Place | None:
        place = level(session, pixel)
        good = isinstance(place, tuple | list) and len(place) == 3 and all(map(_is_coordinate, place))
        return tuple(map(float, place)) if good else None

    stands.places, stands.prefabs, stands.tells = lambda prefab: bool(places(prefab)), known, told
    stands.level = levelled
    return stands


def guarded_action(action: Action, guard: PartGuard) -> Action:
    """Return an action that runs the action of a mod through its guard."""

    where, since = f"action {action.title}", action.since

    def calling(call: Callable[[Session], Any] | None) -> Any:
        return call and (lambda session: bool(guard.call(where, call, session)))

    return replace(
        action,
        name=own_name(guard, action),
        do=calling(action.do),
        is_on=calling(action.is_on),
        possible=calling(action.possible),
        since=since and (lambda session: _tick(guard.call(where, since, session))),
    )


def _is_coordinate(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and bool(-FARTHEST < value < FARTHEST)


def _tick(value: Any) -> int | None:
    return value if type(value) is int else None


def guarded(mod: LoadedMod, brought: App, asking: Asking, report: Callable[[Fault], None]) -> App:
    """Return the parts that a mod adds to the window, wrapped by one guard; `report` is called with its fault."""
    guard = PartGuard(mod, asking, report)
    return App(
        panels=[GuardedPart(Panel, panel, guard) for panel in brought.panels],
        tools=[guarded_tool(tool, guard) for tool in brought.tools],
        overlays=[GuardedPart(Overlay, overlay, guard) for overlay in brought.overlays],
        charts=brought.charts,
        actions=[guarded_action(action, guard) for action in brought.actions],
        file_kinds=[
            replace(kind, open=guard.guarded(f"file kind {kind.name}", kind.open)) for kind in brought.file_kinds
        ],
        preferences=[
            ModPreferences(f"{mod.id}.{type(each).__name__}", mod.manifest.title, each) for each in brought.preferences
        ],
        scenes=brought.scenes,
    )
