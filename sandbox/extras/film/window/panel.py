"""The Film panel: makes a film of a part of the recording, in another process while the simulation runs on."""

from __future__ import annotations

from functools import partial

from sandbox.api import Panel, Session, Side, Ui, icons
from sandbox.app.fields.span import SpanBoxes
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.progress import draw_made, draw_making
from sandbox.extras.film.cameras import may_have_depth
from sandbox.extras.film.ffmpeg import find_ffmpeg
from sandbox.extras.film.window.filming import FFMPEG, Filming
from sandbox.language import translate
from systems.engine.settings import Settings

SIZES = {
    f"{width} x {height}": (width, height)
    for width, height in ((640, 360), (1280, 720), (1920, 1080), (3840, 2160), (1080, 1080), (1080, 1920))
}
SEEN, WHOLE, ORBIT = "as seen", "whole world", "once around the world"
SELECTED, RIDE = "selected one", "ride on selected one"
OF_DEPTH = ORBIT, RIDE
CAMERAS = {
    SEEN: "Looks where you looked while it was recorded.",
    WHOLE: "Stands still and looks at the whole world.",
    ORBIT: "Turns once around the world in the length of the film; all of the world is in each picture.",
    SELECTED: "Goes along with the selected one, near to it.",
    RIDE: "Looks ahead from the head of the selected one.",
}
ENDINGS = ".mp4", ".webm", ".gif", ".webp"


class Film(Panel):
    """Asks for the range, size, camera and format of a film, and shows the progress while it is made."""

    name = "film"
    title = "Film"
    help = "saves a part of the recording as a film or GIF, whose camera may follow, ride or orbit"
    menu = "File"
    section = 3
    side = Side.LOWER_RIGHT
    size = 330.0, 330.0

    def __init__(self, filming: Filming) -> None:
        self.filming = filming
        self._widgets = FieldWidgets()
        self._boxes = SpanBoxes(self.name, self._widgets)
        self._size, self._camera, self._ending = "1280 x 720", SEEN, ENDINGS[0]
        self._overlays = self._sound = True
        self._without_ffmpeg = ""  # why some formats are not available; "" if all are

    def reset(self, session: Session) -> None:
        self.filming.reset()

    def mark(self, session: Session) -> None:
        """Mark the present tick as the start of a film; the second time make the film that ends here."""
        filming, tick = self.filming, session.document.timeline.tick
        if filming.begin is None:
            filming.begin = tick
            begun = session.with_key("The film starts here. Press again where it ends, and it is made", "film_here")
            session.messages.say(begun, about="film")
        elif filming.begin == tick:
            session.messages.warn(
                "The film would end where it starts: let the world run, then press again.", about="film"
            )
        else:
            session.messages.withdraw("film")
            filming.span, filming.begin = (min(filming.begin, tick), max(filming.begin, tick)), None
            self._look_for_ffmpeg()
            if wrong := self._wrong(session, *filming.span):
                session.messages.warn(wrong)
                session.front("film")
            else:
                self._make(session, *filming.span)

    def draw(self, session: Session, ui: Ui) -> None:
        filming = self.filming
        if ui.appears:
            self._look_for_ffmpeg()
        self._widgets.begin(session, ui)
        (begin, end), filming.span = self._boxes.draw(session, ui, filming.span)
        choose = partial(self._widgets.choice, "film")
        self._size = choose("size", "Width and height, pixels.", SIZES, self._size)
        self._camera = choose(
            "camera",
            "What the film shows.",
            CAMERAS,
            self._camera,
            self._barred_cameras(session),
            CAMERAS,
        )
        self._widgets.caption("overlays", "With the overlays that are shown now.")
        self._overlays = ui.check_box("##film overlays", self._overlays)
        self._widgets.caption("sound", "With wings, wind, water, catches and births; a GIF or WebP has none.")
        self._sound = ui.check_box("##film sound", self._sound)
        self._ending = choose("format", "The format of the file.", ENDINGS, self._ending, self._barred_endings())
        ui.space()
        wrong = self._wrong(session, begin, end)
        if draw_making(filming, session, ui, f"{icons.ICON_FA_FILM}  Make the film", enabled=not wrong):
            self._make(session, begin, end)
        rate = session.simulation.world.resource(Settings).tick_rate
        told = translate("{seconds:.1f} s. You can play on while it is made.", seconds=(end - begin) / rate)
        ui.verbatim(translate(wrong) if wrong else told, ui.theme.faint, wraps=0.0)
        draw_made(filming, session, ui)

    def _make(self, session: Session, begin: int, end: int) -> None:
        size, shown, sound, one = SIZES[self._size], self._overlays, self._sound, session.selection.one
        cameras = {SEEN: "recorded", WHOLE: "fit", ORBIT: "orbit", SELECTED: f"follow:{one}", RIDE: f"ride:{one}"}
        camera = cameras[self._camera]
        self.filming.make(session, (begin, end), size, camera, self._ending, overlays=shown, sound=sound)

    def _wrong(self, session: Session, begin: int, end: int) -> str:
        """Return why no film can be made as it is chosen; "" if one can."""
        if end <= begin:
            return "The end must be after the start."
        return self._barred_cameras(session).get(self._camera, "") or self._barred_endings().get(self._ending, "")

    def _barred_cameras(self, session: Session) -> dict[str, str]:
        barred = {} if self.filming.knows_views(session) else {SEEN: "The recording holds no camera."}
        if session.selection.one is None:
            barred |= dict.fromkeys((SELECTED, RIDE), "Select a single entity to follow.")
        if not may_have_depth(session.document.timeline):
            barred |= dict.fromkeys(OF_DEPTH, "This world is flat.")
        return barred

    def _barred_endings(self) -> dict[str, str]:
        return dict.fromkeys(FFMPEG, self._without_ffmpeg) if self._without_ffmpeg else {}

    def _look_for_ffmpeg(self) -> None:
        found = find_ffmpeg()
        self._without_ffmpeg = "" if found else "It needs ffmpeg: install it, or the package imageio-ffmpeg."
        if not found and self._ending in FFMPEG:
            self._ending = ".webp"
