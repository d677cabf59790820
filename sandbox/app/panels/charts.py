"""The Charts panel: populations, order, flocks, mean speed, mean energy and food over time."""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import icons_fontawesome_6 as icons
from platformdirs import user_documents_path

from sandbox.app.gui.chart import LONGEST, Shown, draw_charts
from sandbox.app.gui.chart_lines import charts_of
from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.ui import Ui
from sandbox.app.measuring.measures_log import MeasuresLog
from sandbox.app.session.session import Session
from sandbox.files import free_name, make_folder
from sandbox.language import translate
from sandbox.report import write_measures
from sandbox.window_part import MeasureChart

SPANS = (10.0, 30.0, 120.0, 600.0, LONGEST)  # s
CHARTS = (
    MeasureChart(
        "Alignment",
        "order",
        {"polarization": "polarization", "milling": "milling"},
        1.0,
        colours={"polarization": "#5ca8e8", "milling": "#e0863c"},
    ),
    MeasureChart("Flocks", "flocks", {"flocks": "flocks"}),
    MeasureChart("Mean speed", "order", {"mean_speed": "mean speed"}, unit="u/s", colours={"mean_speed": "#b48ad8"}),
    MeasureChart("Mean energy", "tally", {"mean_energy": "mean energy"}, colours={"mean_energy": "#5fb66b"}),
    MeasureChart("Food", "tally", {"food": "food"}, colours={"food": "#e0863c"}),
)


class Charts(Panel):
    """Draws charts of what was measured since the simulation was opened.

    Flocks, and what mods measure, only while the panel was open.

    Attributes:
        folder: the folder that "CSV" writes to.
        span: the length of the time range shown, s.
        end: the end of the time range, s; None: the present.
    """

    name = "charts"
    title = "Charts"
    help = "populations, how aligned all are (polarization, alignment) and speed over time"
    side = Side.LOWER_RIGHT
    size = 560.0, 520.0

    def __init__(self) -> None:
        self.folder = user_documents_path() / "boids"
        self.log = MeasuresLog()  # that of the session drawn last
        self.span = 30.0
        self.end: float | None = None
        self._under_mouse: float | None = None  # the time under the mouse, s
        self._wrapped = 0.0  # pixels: see `Shown`

    def reset(self, session: Session) -> None:
        self.log = session.document.measures  # that of the world before would keep its past in memory

    def draw(self, session: Session, ui: Ui) -> None:
        self.log = session.document.measures
        if self.end is not None and self.end > self.log.now:  # another simulation
            self.end = None
        self._bar(session, ui)
        comparison = session.document.comparison
        other = comparison.measures if comparison is not None and len(comparison.measures) else None
        charts = charts_of(self.log, session.simulation.world, ui.theme, session.app.charts)
        if not charts:
            ui.wrapped("As soon as something lives here, its numbers are drawn over time.")
        shown = self._shown()
        self._under_mouse, self._wrapped = draw_charts(charts, self.log, shown, ui, other)
        self._take_range(shown, ui)

    # ---- time range

    def _shown(self) -> Shown:
        """Choose the time range; a log shorter than the range fills the charts from the left."""
        return Shown.of(self.log, self._end - self.span, self._end, self._under_mouse, self._wrapped)

    @property
    def _end(self) -> float:
        return self.end if self.end is not None else max(self.log.now, float(self.log.seconds[0]) + self.span)

    def _take_range(self, shown: Shown, ui: Ui) -> None:
        """Follow a drag, which looks back, the wheel with Ctrl, which zooms; a double click returns to the present."""
        if self._under_mouse is not None and ui.twice:
            self.end = None
        elif (shown.begin.value, shown.end.value) != (self._end - self.span, self._end):
            span = shown.end.value - shown.begin.value
            if self.end is not None or abs(span - self.span) < 1e-6 * span:  # the wheel leaves the present in sight
                self.end = max(shown.end.value, min(float(self.log.seconds[0]) + span, self.log.now))
            self.span = span
        if self.end is not None and self.end >= self.log.now:
            self.end = None

    def _bar(self, session: Session, ui: Ui) -> None:
        ui.on_a_row()
        ui.text("Show")
        ui.beside()
        ui.wide(ui.size(_in_words(SPANS[-1]))[0] + 44 * ui.scale)
        with ui.combo("##span", _in_words(self.span)) as on:
            for span in SPANS if on else ():
                if ui.entry(_in_words(span), span == self.span):
                    self.span = span
        ui.tip("Time span shown; hold Ctrl and turn the wheel over a chart to change it")
        ui.beside()
        back = "Back to the present; drag a chart to look back"
        if ui.button(f"{icons.ICON_FA_FORWARD_FAST}##now", back, enabled=self.end is not None):
            self.end = None
        save = f"{icons.ICON_FA_FILE_ARROW_DOWN}  CSV##charts"
        ui.at_the_right(save)
        if ui.button(save, translate("Save everything measured as a CSV table in\n{folder}", folder=self.folder)):
            self.save(session)

    def save(self, session: Session) -> Path | None:
        """Write all rows as a CSV table; return its path, or show a warning and return None."""
        path = free_name(self.folder / f"{session.document.moment}.csv")
        try:
            make_folder(self.folder)
            write_measures(path, self.log.rows())
        except OSError as error:
            session.messages.warn(translate("Could not save the charts: {error}", error=error))
            return None
        session.messages.say(translate("Saved the charts as {path}", path=path))
        return path


def _in_words(span: float) -> str:
    return f"{span:.0f} s" if span < 100 else translate("{minutes:.3g} minutes", minutes=span / 60)
