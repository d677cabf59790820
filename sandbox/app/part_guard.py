"""Runs what a mod does in the window: what it raises becomes a fault, and what it left is put right."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.kept_picture import KeptPicture
from sandbox.app.gui.aside import Aside
from sandbox.app.gui.recovery import BrokenFrameError, Drawing
from sandbox.app.questions import Question
from sandbox.app.session.asking import Asking
from sandbox.mods.find.fault import Fault, TrespassError, interrupt_of
from sandbox.mods.find.manifest import Manifest


class Mod(Protocol):
    """Whose code it is."""

    @property
    def id(self) -> str: ...
    @property
    def manifest(self) -> Manifest: ...
    @property
    def folder(self) -> Path: ...
    def fault(self, error: BaseException, where: str) -> Fault: ...


class PartGuard:
    """One for all that a mod brings for a window; after the mod's first fault nothing of it runs.

    Attributes:
        fault: that one.
        mod: whose parts they are.
    """

    def __init__(self, mod: Mod, asking: Asking, report: Callable[[Fault], None]) -> None:
        self.fault: Fault | None = None
        self.mod, self._asking, self._report = mod, asking, report

    def draw(self, where: str, draw: Callable[..., object], *arguments: Any) -> None:
        """Have a panel drawn.

        Raises:
            BrokenFrameError: it left Dear ImGui so that the frame must be begun again, without it.
        """
        if self.fault is None:
            drawing = Drawing()
            self._run(where, draw, arguments, drawing.what_is_left)
            if drawing.is_broken:
                raise BrokenFrameError(where)

    def paint(self, where: str, paint: Callable[..., object], canvas: Canvas, *arguments: Any) -> None:
        """Have something drawn on a canvas, and put the picture right after it."""
        if self.fault is None:
            kept = KeptPicture(canvas)
            self.call(where, paint, canvas, *arguments)
            kept.put_right(self.fault is not None)

    def call(self, where: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """Have something done that draws no panel; returns what it returns, None where it can't."""
        if self.fault is None:
            return self._run(where, call, arguments, Aside().put_right)
        return None

    def _run(
        self, where: str, call: Callable[..., Any], arguments: tuple[Any, ...], put_right: Callable[[], str]
    ) -> Any:
        asking = self._asking
        asked, waits = [*asking.questions], asking.capture
        answer, error = None, None  # type: Any, BaseException | None
        try:
            with redirect_stdout(sys.stderr):
                answer = call(*arguments)
        except BaseException as raised:
            error = raised
        left = put_right()
        if isinstance(error, KeyboardInterrupt):
            raise interrupt_of(error, self.mod.id, self.mod.folder, where)
        if error is None and left:
            error = TrespassError(left)
        if error is None:
            self._guard_what_it_asks(where, asked, waits)
            return answer
        asking.questions[:], asking.capture = asked, waits
        fault = self.mod.fault(error, where)
        self.fault = fault if fault.place else replace(fault, place=self._place(call))
        self._report(self.fault)
        return None

    def _guard_what_it_asks(self, where: str, asked: list[Question], capture: Any) -> None:
        """The answers to questions of it, or the key that it waits for, come later."""
        for place, question in enumerate(self._asking.questions):
            if not any(question is other for other in asked):
                answers = [(words, self._guarded(where, do)) for words, do in question.answers]
                self._asking.questions[place] = replace(question, answers=answers)
        waits = self._asking.capture
        if waits is not None and waits is not capture:
            self._asking.capture = self._guarded(where, waits)

    def _guarded(self, where: str, call: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments: self.call(where, call, *arguments)

    def _place(self, call: Callable[..., Any]) -> str:
        """Where what was called stands in the mod's folder."""
        code = getattr(call, "__code__", None)
        path = Path(code.co_filename) if code else Path()
        inside = code and path.is_relative_to(self.mod.folder)
        return f"{path.relative_to(self.mod.folder).as_posix()}:{code.co_firstlineno}" if code and inside else ""
