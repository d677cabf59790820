"""The Share panel: makes a page that plays a part of the recording, in another process while the simulation runs on."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.fields.span import Span, SpanBoxes
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.progress import draw_made, draw_making
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.session.making import Making, Told
from sandbox.app.session.session import Session
from sandbox.language import translate
from systems.engine.measures import POPULATION
from systems.engine.settings import Settings

USUAL = "polarization"


class Sharing(Making):
    """The page in progress."""

    name = "share"
    told = Told(
        "another page waits for its turn",
        "no page: {error}",
        "saved page {path}",
        "The page was cancelled.",
        "A page is being made. It is lost if you quit now.",
    )


class Share(Panel):
    """Asks for the range, the texts and the measures of a page, and shows the progress while it is made."""

    name = "share"
    title = "Share"
    help = "saves a part of the recording as a page that plays in a browser"
    side = Side.LOWER_RIGHT
    size = 330.0, 290.0

    def __init__(self) -> None:
        self.sharing, self._widgets = Sharing(), FieldWidgets()
        self._boxes = SpanBoxes(self.name, self._widgets)
        self.reset()

    def reset(self, session: Session | None = None) -> None:
        self.span: Span | None = None
        self._title = self._caption = ""
        self._measures = [USUAL]

    def draw(self, session: Session, ui: Ui) -> None:
        self._widgets.begin(session, ui)
        (begin, end), self.span = self._boxes.draw(session, ui, self.span)
        scene = session.simulation.scene
        self._widgets.caption("title", "The heading of the page.")
        self._title = ui.text_box("##share title", self._title, scene.name)
        self._widgets.caption("caption", "A text below the picture.")
        self._caption = ui.text_box("##share caption", self._caption, "as in the scene")
        self._choose_measures(session, ui)
        ui.space()
        make = f"{icons.ICON_FA_SHARE_NODES}  Make the page"
        if draw_making(self.sharing, session, ui, make, enabled=end > begin):
            self.make(session, (begin, end))
        rate = session.simulation.world.resource(Settings).tick_rate
        told = translate("{seconds:.1f} s. You can play on while it is made.", seconds=(end - begin) / rate)
        ui.verbatim(told if end > begin else translate("The end must be after the start."), ui.theme.faint, wraps=0.0)
        draw_made(self.sharing, session, ui)

    def _choose_measures(self, session: Session, ui: Ui) -> None:
        self._widgets.caption("measures", "Drawn over time below the picture, at least one.")
        chosen = self._measures
        ui.leave()
        with ui.combo("##share measures", ", ".join(translate(as_label(name)) for name in chosen), long=True) as on:
            for name in _measures_of(session) if on else ():
                with ui.disabled(chosen == [name]):
                    is_on = ui.check_box(f"{as_label(name)}##share", name in chosen)
                if is_on != (name in chosen):
                    self._measures = [*chosen, name] if is_on else [other for other in chosen if other != name]

    def make(self, session: Session, span: Span) -> None:
        """Start making a page of a part of the recording."""
        words = ["--from", str(span[0]), "--to", str(span[1])]
        words += ["--title", self._title] if self._title else []
        words += ["--caption", self._caption] if self._caption else []
        words += [word for name in self._measures for word in ("--measure", name)]
        self.sharing.begin_making(session, span[0], ".html", words, "making the page")


def _measures_of(session: Session) -> list[str]:
    """Return the names of what was measured since the world was opened, and of what charts would measure."""
    log, systems = session.document.measures, session.simulation.pipeline.by_name
    charted = [name for chart in session.app.charts if chart.system in systems for name in chart.measures]
    lived = [name for name in log.names if not name.startswith(POPULATION) or log.is_some(name)]
    return list(dict.fromkeys([*lived, *charted]))
