"""Films of what was recorded: which part of it, and the process that makes one while play goes on."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_pictures_path

from sandbox.app.session.command_process import CommandProcess
from sandbox.files import free_name, make_folder
from sandbox.language import said
from sandbox.past.recording_file import hold_for
from sandbox.past.views import seen_at
from sandbox.unfinished import remove_left_parts
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from sandbox.app.session.session import Session

SECONDS = 4  # of a GIF of the last ones, simulated
LONG_SIDE = 640  # pixels, of such a GIF
RUN_UP = 20  # s before a film: the world is run from there, for overlays show what was
FFMPEG = ".mp4", ".webm"  # what it is needed for


class Filming:
    """What a person films.

    Attributes:
        folder: where films are written to.
        begin: the tick at which one begins whose end is not marked yet; None without one.
        span: the first tick of what is to be filmed, and the one before which it ends; None while nobody chose.
        process: makes a film now, its steps are frames; None where none is made.
        find_ffmpeg: where ffmpeg is, None without one.
    """

    def __init__(self, find_ffmpeg: Callable[[], str | None]) -> None:
        self.folder = user_pictures_path() / "boids"
        self.process: CommandProcess | None = None
        self._path = Path()  # where its film will be
        self._work: tempfile.TemporaryDirectory[str] | None = None  # what it needs, which goes with it
        self.find_ffmpeg = find_ffmpeg
        self.forget()

    def forget(self) -> None:
        """Another world is shown."""
        self.begin: int | None = None
        self.span: tuple[int, int] | None = None

    def record(self, session: Session) -> None:
        """Mark the moment that is shown as the beginning of a film, then as its end, and show the panel."""
        tick = session.document.timeline.tick
        if self.begin is None:
            self.begin = tick
            begun = session.with_key("The film begins here. Record again where it ends", "record")
            session.messages.say(begun, about="film")
        else:
            session.messages.withdraw("film")
            self.span, self.begin = (min(self.begin, tick), max(self.begin, tick)), None
            session.front("film")

    def knows_views(self, session: Session) -> bool:
        """Whether it was recorded where the camera looked."""
        return seen_at(session.document.timeline.branch, session.document.timeline.branch.last) is not None

    def gif(self, session: Session) -> None:
        """Begin to make a GIF of the last seconds before the moment that is shown."""
        timeline, (wide, high) = session.document.timeline, session.camera.screen
        rate, end = session.simulation.world.resource(Settings).tick_rate, timeline.tick
        begin = max(timeline.recording.first, end - SECONDS * rate)
        if end - begin < rate:
            session.messages.warn("no GIF: less than a second was recorded, so let the world run for a moment")
            return
        share = LONG_SIDE / max(wide, high)
        size = max(round(wide * share), 1), max(round(high * share), 1)
        camera = "recorded" if self.knows_views(session) else "fit"
        self.make(session, (begin, end), size, camera, ".gif", told="making a GIF of the last seconds")

    def make(
        self,
        session: Session,
        span: tuple[int, int],
        size: tuple[int, int],
        camera: str,
        ending: str,
        *,
        overlays: bool = True,
        told: str = "making the film",
    ) -> None:
        """Begin to make a film of some ticks, once its recording is written; if it can't be made, say why.

        Args:
            size: pixels; `camera`: as `boids film` takes it; `ending`: of the file, ".mp4".
            overlays: with those that are shown now.
            told: is said when it begins.
        """
        document, library, writing = session.document, session.services.modding.library, session.services.filing.writing
        writing.wait()
        if self.process is not None:
            session.messages.warn("a film is being made already")
            return
        words = ["--from", str(span[0]), "--to", str(span[1]), "--size", f"{size[0]}x{size[1]}", "--camera", camera]
        words += [word for mod in library.loaded for word in ("--mod", str(mod.folder))]
        if overlays:
            words += [word for name in _overlays(session) for word in ("--overlay", name)]
        try:
            make_folder(self.folder)
            work = tempfile.TemporaryDirectory(prefix="boids-film-", ignore_cleanup_errors=True)
        except OSError as error:
            session.messages.warn(said("no film: {error}", error=error))
            return
        document.simulation.settle_commands()
        rate = session.simulation.world.resource(Settings).tick_rate
        write = hold_for(document.timeline, span[0] - RUN_UP * rate)
        name, path = f"{document.moment}.boids", free_name(self.folder / f"{document.moment}{ending}")

        def get_ready() -> str:
            write(Path(work.name, name))
            return told

        def begin() -> None:
            command = ["film", name, "--progress", "--out", str(path), *words]
            try:
                self.process, self._path, self._work = CommandProcess(command, Path(work.name)), path, work
            except OSError as error:
                session.messages.warn(said("no film: {error}", error=error))

        if wrong := writing.begin("getting the film ready ...", get_ready, begin):
            session.messages.warn(said("no film: {error}", error=wrong))

    def frame(self, session: Session) -> None:
        """Tell what became of a film that has ended."""
        process = self.process
        if process is None or not process.ended:
            return
        problem, path, made = process.problem, self._path, self._path.exists()
        self.close()
        if made:
            session.messages.say(said("saved film {path}", path=path))
        if problem:
            session.messages.warn(problem if made else said("no film: {problem}", problem=problem))

    def close(self) -> None:
        """Make no film any more; one that is not whole leaves no trace."""
        if self.process is not None and self._work is not None:
            was_made = self.process.ended
            self.process.close()
            if not was_made:
                remove_left_parts(self._path.parent)
            self._work.cleanup()
            self.process = self._work = None


def _overlays(session: Session) -> Iterator[str]:
    """Those that pictures show now."""
    for overlay in session.app.overlays:
        if not overlay.in_hand and (overlay.always or overlay.name in session.shown):
            yield overlay.name
