"""Makes films of a recording: marks the part to film, and runs `boids film` in parallel to the window."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_pictures_path

from sandbox.app.jobs.command_job import Ran
from sandbox.app.jobs.job import Job
from sandbox.cli.overlays import run_up
from sandbox.design.pictures import Pictures
from sandbox.files import free_name, make_folder, read_file, write_atomically
from sandbox.files.atomic import remove_left_unfinished
from sandbox.files.write_recording import hold_for
from sandbox.language import translate
from sandbox.past.views import seen_at
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from sandbox.app.session.session import Session

SECONDS = 4  # simulated, in a GIF of the last seconds
NONE = "none"  # instead of overlays: also not those that the scene shows
LONG_SIDE = 640  # pixels, of such a GIF
LOSS = "A film is being made. It is lost if you quit now."
FFMPEG = ".mp4", ".webm"  # formats that need ffmpeg


class Filming:
    """The marked part of the recording, and the film in progress.

    Attributes:
        folder: the folder films are written to.
        begin: the marked first tick while the end is not marked yet; else None.
        span: the first tick of the film, and the tick after its last; None until it is chosen.
    """

    def __init__(self) -> None:
        self.folder = user_pictures_path() / "boids"
        self._job: Job | None = None
        self.reset()

    @property
    def job(self) -> Job | None:
        """What makes a film or gets ready for it, with frames as steps; None if no film is being made."""
        return self._job if self._job is not None and not self._job.over else None

    def reset(self) -> None:
        """Forget the marked part, because another world is shown."""
        self.begin: int | None = None
        self.span: tuple[int, int] | None = None

    def knows_views(self, session: Session) -> bool:
        """Return whether the recording contains the camera's views."""
        return seen_at(session.document.timeline.branch, session.document.timeline.branch.last) is not None

    def gif(self, session: Session) -> None:
        """Start making a GIF of the last seconds before the present tick."""
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
        sound: bool = True,
        told: str = "making the film",
    ) -> None:
        """Write the recording to a file, then start the process that makes a film of `span`; warn if that fails.

        Args:
            size: pixels; `camera`: the option of `boids film`; `ending`: the suffix of the file, ".mp4".
            overlays: whether to draw the overlays that are shown now; `sound`: whether the film has sound.
            told: the message shown at the start.
        """
        document, library, jobs = session.document, session.services.modding.library, session.services.jobs
        if self.job is not None:
            session.messages.warn("a film is already being made")
            return
        words = ["--from", str(span[0]), "--to", str(span[1]), "--size", f"{size[0]}x{size[1]}", "--camera", camera]
        words += [word for mod in library.loaded for word in ("--mod", str(mod.folder))]
        if not sound:
            words.append("--silent")
        drawn = [overlay.name for overlay in _overlays(session)] if overlays else []
        words += [word for name in drawn or [NONE] for word in ("--overlay", name)]
        words += ["--glow" if session.services.glows() else "--no-glow"]
        try:
            make_folder(self.folder)
            work = tempfile.TemporaryDirectory(prefix="boids-film-", ignore_cleanup_errors=True)
        except OSError as error:
            session.messages.warn(translate("no film: {error}", error=error))
            return
        document.simulation.settle_commands()
        rate = session.simulation.world.resource(Settings).tick_rate
        held = hold_for(document.timeline, span[0] - max(math.ceil(run_up(drawn) * rate), 1))
        name, path = f"{document.moment}.boids", free_name(self.folder / f"{document.moment}{ending}")

        pictures = _pictures(session)

        def get_ready() -> None:
            held.write(Path(work.name, name))
            for picture, file in pictures.items():
                make_folder(Path(work.name, picture).parent)
                write_atomically(Path(work.name, picture), read_file(file))

        def begin(_: object) -> None:
            command = ["film", name, "--progress", "--out", str(path), *words]
            try:
                self._job = jobs.command(told, command, Path(work.name), end, loss=LOSS, panel="film")
            except OSError as error:
                failed(str(error))
            else:
                self._job.cancelled = clean_up
                session.messages.say(told)

        def end(ran: Ran) -> None:
            work.cleanup()
            made = path.exists()
            if made:
                session.messages.say(translate("saved film {path}", path=path))
            if ran.problem:
                session.messages.warn(ran.problem if made else translate("no film: {problem}", problem=ran.problem))

        def failed(wrong: str) -> None:
            work.cleanup()
            session.messages.warn(translate("no film: {error}", error=wrong))

        def clean_up() -> None:
            work.cleanup()
            remove_left_unfinished(path.parent)

        ready = jobs.begin(told, get_ready, begin, failed, drop=lambda _: work.cleanup(), loss=LOSS, panel="film")
        self._job = self._job if ready.over else ready

    def cancel(self, session: Session) -> None:
        """Give up the film in progress."""
        if self.job is not None:
            session.services.jobs.cancel(self.job)
            session.messages.say("The film was cancelled.")


def _pictures(session: Session) -> dict[str, Path]:
    """Return the pictures behind the world by their paths from the file of a world: they are looked for beside it."""
    world, folder = session.simulation.world, session.simulation.scene.folder
    return {picture: file for picture, file in world.resource(Pictures).files(folder).items() if Path(picture) != file}


def _overlays(session: Session) -> Iterator[Any]:
    """Yield the overlays that pictures show now."""
    for overlay in session.app.overlays:
        if not overlay.in_hand and (overlay.always or overlay.name in session.shown):
            yield overlay
