"""Pictures to take home: a screenshot, and a GIF of the last seconds, in the pictures folder.

The last seconds are kept for those who have made a GIF before. Their first one is of the seconds that follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from platformdirs import user_pictures_path

from sandbox.app.drawing.gif import write_gif
from sandbox.app.drawing.gif_recorder import SECONDS, GifRecorder
from sandbox.app.drawing.painter import Painter
from sandbox.app.drawing.picture import render
from sandbox.app.overlays.overlays import Overlays
from sandbox.app.session.session import Session
from sandbox.files import free_name, make_folder, write_atomically


class Shots:
    """What a window takes pictures with.

    Attributes:
        folder: where they are written to.
    """

    def __init__(self, painter: Painter, overlays: Overlays, session: Session) -> None:
        self.folder = user_pictures_path() / "boids"
        self._painter, self._overlays, self._session = painter, overlays, session
        self._recorder = GifRecorder(painter.context)
        self._to_come: float | None = None  # s that are still recorded for the first GIF
        self._writing: Iterator[float] | None = None
        self._path = self.folder

    @property
    def writes(self) -> bool:
        """Whether a GIF is being recorded or written."""
        return self._to_come is not None or self._writing is not None

    def begin(self) -> None:
        """Another world is shown."""
        self._recorder.begin()

    def frame(self, seconds: float, changed: bool) -> None:
        """Keep what is seen when the world changed, and go on with a GIF that is being written, one picture of it."""
        session = self._session
        if changed and session.preferences.gifs:
            self._recorder.take(session.camera.screen, seconds, self._draw)
        if self._to_come is not None:
            self._to_come -= seconds
            if self._to_come <= 0:
                self._to_come = None
                self._begin_to_write()
        if self._writing is not None:
            self._go_on()

    def picture(self, ratio: float) -> None:
        """Write what is seen, without panels and what is in hand, as a PNG."""
        session = self._session
        path = self._free_path(".png")
        try:
            make_folder(self.folder)
            camera, layers = session.camera.without_panels(), self._overlays.layers(session, in_hand=False)
            write_atomically(path, render(self._painter, camera, session.clock.alpha, ratio, *layers))
        except OSError as error:
            session.messages.warn(f"no screenshot: {error}")
        else:
            session.messages.say(f"saved screenshot {path}")

    def gif(self) -> None:
        """Begin to write the last seconds as a GIF; a frame adds one picture to it. The first: those that follow."""
        session = self._session
        if self.writes:
            session.messages.say("a GIF is being made already")
        elif session.preferences.gifs:
            self._begin_to_write()
            session.messages.say("writing a GIF of the last seconds")
        else:
            session.preferences.gifs, self._to_come = True, SECONDS
            session.messages.say(f"recording {SECONDS:.0f} seconds for a GIF. From now on the last ones are kept.")

    def _begin_to_write(self) -> None:
        self._path = self._free_path(".gif")
        self._writing = write_gif(self._recorder.moments, self._path)

    def _go_on(self) -> None:
        try:
            make_folder(self.folder)
            if next(self._writing, None) is None:  # type: ignore[arg-type]
                self._writing = None
                self._session.messages.say(f"saved GIF {self._path}")
        except (OSError, ValueError) as error:
            self._writing = None
            self._session.messages.warn(f"no GIF: {error}")

    def _draw(self, ratio: float) -> None:
        """Draw what is seen, without panels and what is in hand."""
        session = self._session
        layers = self._overlays.layers(session, in_hand=False)
        self._painter.draw(session.camera.without_panels(), session.clock.alpha, ratio, *layers)

    def _free_path(self, suffix: str) -> Path:
        return free_name(self.folder / f"{self._session.document.moment}{suffix}")
