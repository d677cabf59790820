"""The Profiler panel: the time of each system, with its check box, and of each stage of a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.theme import Rgba
from sandbox.app.gui.ui import Ui
from sandbox.app.measuring.profile import Profile
from sandbox.app.panels.inspected_systems import draw_enabled
from sandbox.app.session.session import Session
from systems.engine.system import Phase, System

ROOM_FOR_BARS = 400.0  # pixels: a narrower panel has no bars


@dataclass(frozen=True)
class Line:
    """A row of the table: a system, a stage of a frame, or a heading, which has no bar.

    Attributes:
        whole: the time of the tick or frame that it is part of, ms.
        longest: the time that fills the bar, ms; 0 for a heading.
    """

    words: str
    ms: float
    whole: float
    longest: float = 0.0
    system: System | None = None


class Profiler(Panel):
    """Shows milliseconds by system, averaged over the last second, in pipeline order or the slowest first.

    Attributes:
        sorted: list the slowest systems first.
    """

    name = "profiler"
    title = "Profiler"
    help = "how long each system and each frame takes"
    side = Side.LOWER_RIGHT
    size = 480.0, 560.0

    def __init__(self) -> None:
        self.profile = Profile()
        self.sorted = False

    def update(self, session: Session) -> None:
        """Measure this frame; called in every frame while the panel is open."""
        self.profile.update(session.simulation, session.view.frame_times)

    def draw(self, session: Session, ui: Ui) -> None:
        self.sorted = ui.check_box("Slowest first", self.sorted)
        lines = _lines(session.simulation.pipeline.systems, self.profile.systems, self.profile.stages, self.sorted)
        with ui.styled(frame_padding=(8, 1)):
            bars = ui.room[0] > ROOM_FOR_BARS * ui.scale
            with ui.table("systems", [180, None, 70, 42] if bars else [None, 70, 42], scrolls=True) as shown:
                if shown:
                    self._rows(lines, bars, session, ui)

    def _rows(self, lines: list[Line], bars: bool, session: Session, ui: Ui) -> None:
        for _, line in ui.visible(lines):
            ui.next_row()
            if line.system:
                draw_enabled(session, ui, line.system)
            else:
                ui.on_a_row()
                ui.text(line.words, _ink(line, ui))
            ui.next_cell()
            if bars:
                if line.longest:
                    _bar(ui, line.ms / line.longest)
                ui.next_cell()
            _right(ui, f"{line.ms:.3f} ms", ui.theme.ink if line.ms >= 0.0005 else ui.theme.faint)
            ui.next_cell()
            _right(ui, f"{100 * line.ms / line.whole if line.whole else 0:.0f}%", ui.theme.faint)


def _lines(
    pipeline: Sequence[System], systems: Mapping[str, float], stages: Mapping[str, float], by_time: bool
) -> list[Line]:
    """Return the rows: a tick with its systems, by phase or the slowest first, then a frame with its stages."""
    in_tick = [system for system in pipeline if system.phase is not Phase.RENDER]
    tick, frame = sum(systems.get(system.name, 0.0) for system in in_tick), sum(stages.values())
    longest = max((systems.get(system.name, 0.0) for system in in_tick), default=0.0) or 1.0
    lines = [Line("A tick", tick, tick)]
    if by_time:
        slowest = sorted(in_tick, key=lambda system: -systems.get(system.name, 0.0))
        lines += [Line(s.name, systems.get(s.name, 0.0), tick, longest, s) for s in slowest]
    for phase in Phase if not by_time else ():
        own = [(system, systems.get(system.name, 0.0)) for system in in_tick if system.phase is phase]
        if own:
            lines.append(Line(phase.name, sum(ms for _, ms in own), tick))
            lines += [Line(system.name, ms, tick, longest, system) for system, ms in own]
    drawing = [system for system in pipeline if system.phase is Phase.RENDER]
    longest = max([*stages.values(), *(systems.get(system.name, 0.0) for system in drawing)], default=0.0) or 1.0
    lines.append(Line("A frame", frame, frame))
    lines += [Line(words, ms, frame, longest) for words, ms in stages.items()]
    lines += [Line(system.name, systems.get(system.name, 0.0), frame, longest, system) for system in drawing]
    return lines


def _ink(line: Line, ui: Ui) -> Rgba:
    if line.longest:
        return ui.theme.ink
    return ui.theme.accent if line.ms == line.whole else ui.theme.faint


def _bar(ui: Ui, share: float) -> None:
    (x, y), wide, high = ui.here, ui.room[0], 8 * ui.scale
    y += (ui.button_height - high) / 2
    ui.pen.box((x, y), (x + wide, y + high), ui.theme.well, high / 2)
    ui.pen.box((x, y), (x + share * wide, y + high), ui.theme.accent, high / 2)


def _right(ui: Ui, text: str, colour: Rgba) -> None:
    ui.to_the_right(ui.size(text)[0])
    ui.on_a_row()
    ui.verbatim(text, colour)
