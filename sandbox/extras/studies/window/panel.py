"""The Study panel: varies one or two fields, runs the scene many times in another process, and plots a measure."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path

from sandbox.api import Panel, Session, Ui, icons
from sandbox.app.fields.binding import of_object
from sandbox.app.fields.lines import line, lines
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.progress import draw_progress
from sandbox.app.gui.ui import as_label
from sandbox.app.session.services import FieldChoice
from sandbox.app.shown import shown_fields
from sandbox.extras.studies.packages import lacking
from sandbox.extras.studies.panels import shown
from sandbox.extras.studies.window.edited_study import STATISTICS, EditedStudy, Varied
from sandbox.extras.studies.window.filing import open_run, save_study
from sandbox.extras.studies.window.plot import draw_map
from sandbox.extras.studies.window.studying import Studied, Studying
from sandbox.files import as_text
from sandbox.language import capitalised, translate
from systems.engine.settings import Settings

VARY = f"{icons.ICON_FA_TABLE_CELLS}  Vary in a study"
ENDS = {"low": "from", "high": "to"}
STEPS, LENGTH = (lines(shown_fields(each).values()) for each in (Varied, EditedStudy))
ABOUT = {"low": "Start of its range.", "high": "End of its range."}


class StudyPanel(Panel):
    """Asks what to vary and measure, then shows the progress and the results."""

    name = "study"
    title = "Study"
    help = "runs a scene many times with different values"
    size = 400.0, 620.0

    def __init__(self) -> None:
        self.studying = Studying()
        self._widgets = FieldWidgets()
        self._lacking: str | None = None
        self._measures: list[str] = []
        self._folds = False  # fold the questions in the next frame, because the results need the room
        self._point, self._repeat = -1, 0  # the run that was opened last

    def reset(self, session: Session) -> None:
        self._measures = []
        session.services.field_menu[VARY] = FieldChoice("Right-click varies it in a study.", self.studying.vary)

    def update(self, session: Session) -> None:
        self.studying.look(session)

    def draw(self, session: Session, ui: Ui) -> None:
        if self._lacking is None or ui.appears:
            self._lacking = lacking()
        if self._lacking:
            ui.wrapped(capitalised(self._lacking))
            return
        folds, self._folds = self._folds, False
        if ui.folds("What is studied##study", closes=folds):
            self._ask(session, ui)
        self._run(session, ui)
        if (studied := self.studying.shown) is not None:
            self._show(studied, session, ui)

    # ---- the edited study

    def _ask(self, session: Session, ui: Ui) -> None:
        study, rate = self.studying.edited, session.simulation.world.resource(Settings).tick_rate
        self._widgets.begin(session, ui)
        for number, one in enumerate(study.varied):
            with ui.named(number):
                bind = of_object(one, f"study {number}")
                if ui.button(f"{icons.ICON_FA_XMARK}##vary {number}"):
                    study.varied.remove(one)
                ui.tip("Do not vary it")
                ui.beside()
                ui.verbatim(as_label(one.words))
                for name, caption in ENDS.items():
                    field = replace(one.field, name=name, default=None, help="")
                    told = replace(line(one.field), field=field, caption=caption, about=ABOUT[name], late=False)
                    self._widgets.lines([told], bind)
                self._widgets.lines(STEPS, bind)
        if len(study.varied) == 1:
            ui.wrapped("A second field makes a map: vary one more.", ui.theme.faint)
        choose = partial(self._widgets.choice, "study")
        if not self._measures:  # kept, because some measures are expensive
            self._measures = [*session.simulation.measures()]
        study.measure = choose("measure", "What is measured, each second of a run.", self._measures, study.measure)
        study.statistic = choose("of each run", "The number that sums up a run.", STATISTICS, study.statistic)
        self._widgets.lines(LENGTH, of_object(study, "study"))
        if not study.wrong:
            runs, ticks = study.points * study.seeds, round(study.seconds * rate)
            what = translate("pairs of values" if len(study.varied) > 1 else "values")
            counts = {"points": study.points, "runs": runs, "ticks": ticks}
            ui.wrapped("{points:,} {what}, {runs:,} runs of {ticks:,} ticks.", ui.theme.faint, what=what, **counts)

    def _run(self, session: Session, ui: Ui) -> None:
        studying = self.studying
        if studying.job is not None:
            if draw_progress(studying.job, ui, "study"):
                studying.cancel(session)
                session.messages.say("The study is stopped. Run continues it.")
            return
        wrong, row = studying.edited.wrong, ui.buttons(2)
        about = "In the background, on all cores; a stopped study is continued."
        if row.button(f"{icons.ICON_FA_PLAY}  Run##study", about, enabled=not wrong):
            self.run(session)
        if row.button(f"{icons.ICON_FA_FLOPPY_DISK}  Save as file ...", "For boids study run", enabled=not wrong):
            save_study(session, studying.text(session, "{scene}"))
        if wrong:
            ui.wrapped(wrong, ui.theme.faint)

    def run(self, session: Session) -> None:
        """Start the study or resume it."""
        self._folds = self.studying.run(session)

    # ---- results

    def _show(self, studied: Studied, session: Session, ui: Ui) -> None:
        studying, filing, so_far = self.studying, session.services.filing, studied.so_far
        leave = f"{icons.ICON_FA_ARROW_LEFT}  Back to the scene##study"
        if filing.back is not None and ui.button(leave, "As it was before", (-1, 0)):
            filing.go_back()
        if so_far is not None and so_far.failed:
            ui.wrapped("{failed:,} of the runs failed: {why}", ui.theme.wrong, failed=so_far.failed, why=so_far.why)
        elif studying.wrong:
            ui.wrapped(studying.wrong, ui.theme.wrong)
        if so_far is None or not (so_far.done or studying.job):
            return
        study = studied.study
        ui.verbatim(as_label(f"{study.measure}, {translate(study.statistic)} {translate('of each run')}"))
        below = 2 * ui.row
        clicked = draw_map(study, so_far, ui.room[1] - below, ui)
        if clicked is not None:
            self._open(studied, clicked, session)
        runs = study.points * study.seeds
        done = (
            ""
            if studying.job
            else translate("{done:,} of {count:,} runs are done.", done=so_far.done, count=runs) + " "
        )
        ui.verbatim(done + translate("A click shows a run."), ui.theme.faint, wraps=0.0)
        ui.text("In {folder}", ui.theme.faint, folder=_short(studied.folder))
        ui.tip(as_text(f"{studied.folder}\n{translate('boids study plot draws it, boids study show prints it.')}"))

    def _open(self, studied: Studied, point: int, session: Session) -> None:
        """Open a run of a point; another click on the same point opens the next of its runs."""
        study = studied.study
        self._repeat = (self._repeat + 1) % study.seeds if point == self._point else 0
        self._point = point
        words = ", ".join(
            f"{one.words} {shown(value)}" for one, value in zip(study.varied, study.at(point), strict=True)
        )
        open_run(session, studied.folder, point + self._repeat * study.points, words)


def _short(folder: Path) -> str:
    """Return the path of a folder, with "~" for the home folder."""
    home = os.path.expanduser("~")
    return as_text(str(Path("~") / folder.relative_to(home) if folder.is_relative_to(home) else folder))
