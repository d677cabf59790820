"""Number boxes for a part of a recording: from when to when."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sandbox.app.fields.tips import Typing
from sandbox.app.fields.widgets import FieldWidgets
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from sandbox.app.gui.ui import Ui
    from sandbox.app.session.session import Session

SECONDS = 10  # the default length
PACE = 0.05  # s per pixel of dragging
Span = tuple[int, int]


class SpanBoxes:
    """Two number boxes in a panel, with buttons that take the moment that is shown, or the loop."""

    def __init__(self, name: str, widgets: FieldWidgets) -> None:
        """Make them; `name`: of the panel; `widgets`: what it draws its captions with."""
        self._name, self._widgets, self._typing = name, widgets, Typing()

    def draw(self, session: Session, ui: Ui, chosen: Span | None) -> tuple[Span, Span | None]:
        """Draw them; return the first and the last tick, and what is chosen now.

        Args:
            chosen: what was chosen; None: the loop, or the last seconds up to the present.
        """
        timeline, loop = session.document.timeline, session.playback.loop
        rate = session.simulation.world.resource(Settings).tick_rate
        loop = loop if loop and loop[0] < loop[1] else None
        span = chosen or loop or (timeline.tick - SECONDS * rate, timeline.tick)
        first, last = timeline.recording.first, timeline.branch.last
        begin, end = span = min(max(span[0], first), last), min(max(span[1], first), last)
        begin, end = self._time(session, ui, "from", begin, rate), self._time(session, ui, "to", end, rate)
        if loop and loop != (begin, end):
            self._widgets.caption("", "")
            if ui.button(f"From the loop##{self._name}", "The loop that is marked on the time bar", (-1, 0)):
                begin, end = loop
        if (begin, end) != span:
            long = span[1] - span[0]
            if begin >= end and begin != span[0]:
                end = min(begin + long, last)
            elif begin >= end:
                begin = max(end - long, first)
            chosen = begin, end
        return (begin, end), chosen

    def _time(self, session: Session, ui: Ui, caption: str, tick: int, rate: int) -> int:
        timeline = session.document.timeline
        first, last = timeline.recording.first, timeline.branch.last
        about = "Drag it, click to type seconds, or take the moment that is shown."
        self._widgets.caption(caption, about)
        ui.leave(f"Here##{caption}")
        # The bounds as they are displayed, with two decimals.
        low, high = math.floor(100 * first / rate) / 100, math.ceil(100 * last / rate) / 100
        seconds = ui.drag(f"##{self._name} {caption}", tick / rate, PACE, low, high, "%.2f s")
        refused = self._typing.tell(session.messages, caption, low, high, unit="s")
        if not ui.busy:
            ui.tip(about)
        ui.beside()
        if ui.button(f"Here##{caption}", "The moment that is shown"):
            return timeline.tick
        return min(max(round(seconds * rate), first), last) if not refused else tick
