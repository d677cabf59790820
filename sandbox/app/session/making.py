"""Makes a file of a recording, such as a film or a page, with a command of this program in parallel to the window."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from platformdirs import user_pictures_path

from sandbox.app.jobs.command_job import Ran
from sandbox.app.jobs.job import Job
from sandbox.app.messages import SECONDS
from sandbox.design.pictures import Pictures
from sandbox.files import free_name, make_folder, read_file, write_atomically
from sandbox.files.atomic import remove_left_unfinished
from sandbox.files.write_recording import hold_for
from sandbox.language import translate

if TYPE_CHECKING:
    from sandbox.app.session.session import Session

LONG = 2 * SECONDS  # of the message that a file is made: people have looked elsewhere meanwhile


class Told(NamedTuple):
    """What is told of a kind of file; messages of an error have {error}, of the file {path}."""

    waits: str
    none: str
    saved: str
    cancelled: str
    loss: str


class Making:
    """The file in progress, if any; others wait until it is made.

    Attributes:
        folder: the folder files are written to.
        made: a sentence that names the last file that was made; "": none was.
        is_new: whether the panel has still to bring that into view.
        told: what is told of them; `name`: of the command, and of the panel that shows it.
    """

    name: str
    told: Told

    def __init__(self) -> None:
        self.folder = user_pictures_path() / "boids"
        self.made, self.is_new = "", False
        self._job: Job | None = None

    @property
    def job(self) -> Job | None:
        """What makes a file or gets ready for it; None if none is being made."""
        return self._job if self._job is not None and not self._job.over else None

    def begin_making(self, session: Session, first: int, ending: str, options: Sequence[str], told: str) -> None:
        """Write the recording to a file, then start the process that makes a file of it; warn if that fails.

        While another file is being made, this one waits.

        Args:
            first: the tick that must be reached without running all that is before it.
            ending: the suffix of the file, ".mp4"; `options`: of the command; `told`: the message shown at the start.
        """
        document, library, jobs = session.document, session.services.modding.library, session.services.jobs
        mods = [word for mod in library.loaded for word in ("--mod", str(mod.folder))]
        try:
            make_folder(self.folder)
            work = tempfile.TemporaryDirectory(prefix="boids-made-", ignore_cleanup_errors=True)
        except OSError as error:
            session.messages.warn(translate(self.told.none, error=error))
            return
        document.simulation.settle_commands()
        held = hold_for(document.timeline, first)
        moment, pictures, loss = document.moment, _pictures(session), self.told.loss
        if self.job is not None:
            session.messages.say(self.told.waits)

        def get_ready() -> None:
            held.write(Path(work.name, f"{moment}.boids"))
            for picture, file in pictures.items():
                make_folder(Path(work.name, picture).parent)
                write_atomically(Path(work.name, picture), read_file(file))

        def begin(_: object) -> None:
            if (other := self.job) is not None:
                jobs.begin(self.told.waits, other.wait, begin, lane=self.name, drop=lambda _: work.cleanup())
                return
            path = free_name(self.folder / f"{moment}{ending}")
            command = [self.name, f"{moment}.boids", "--progress", "--out", str(path), *options, *mods]
            try:
                job = jobs.command(told, command, Path(work.name), partial(end, path), loss=loss, panel=self.name)
            except OSError as error:
                failed(str(error))
            else:
                self._job, job.cancelled = job, partial(clean_up, path)
                session.messages.say(told)

        def end(path: Path, ran: Ran) -> None:
            work.cleanup()
            made = path.exists()
            if made:
                self.made, self.is_new = translate(self.told.saved, path=path), True
                session.messages.say(self.made, LONG)
            if ran.problem:
                session.messages.warn(ran.problem if made else translate(self.told.none, error=ran.problem))

        def failed(wrong: str) -> None:
            self._job = self.job
            work.cleanup()
            session.messages.warn(translate(self.told.none, error=wrong))

        def clean_up(path: Path) -> None:
            work.cleanup()
            remove_left_unfinished(path.parent)

        ready = jobs.begin(told, get_ready, begin, failed, drop=lambda _: work.cleanup(), loss=loss, panel=self.name)
        if not ready.over and self.job is None:
            self._job = ready

    def cancel(self, session: Session) -> None:
        """Give up the file in progress."""
        if (job := self.job) is not None:
            self._job = None  # else what it holds of the recording would stay in memory
            session.services.jobs.cancel(job)
            session.messages.say(self.told.cancelled)


def _pictures(session: Session) -> dict[str, Path]:
    """Return the pictures behind the world by their paths from the file of a world: they are looked for beside it."""
    world, folder = session.simulation.world, session.simulation.scene.folder
    return {picture: file for picture, file in world.resource(Pictures).files(folder).items() if Path(picture) != file}
