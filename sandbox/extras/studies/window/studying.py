"""Studies in the window: the edited one, the process that runs the study, and its results so far."""

from __future__ import annotations

import time
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_data_path

from components.store.fields import Field
from sandbox.app.jobs.command_job import Ran
from sandbox.app.jobs.job import Job
from sandbox.design.pictures import copy_pictures
from sandbox.extras.studies.files import PICTURES, SCENE_COPY, STUDY_COPY
from sandbox.extras.studies.window.edited_study import MOST_VARIED, EditedStudy, varied
from sandbox.files import make_folder, plain_name, write_atomically
from sandbox.language import translate
from sandbox.scenes.writer import scene_into
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from sandbox.app.session.session import Session
    from sandbox.extras.studies.window.so_far import SoFar

OFTEN = 0.25  # s between two reads of the results


class Studied:
    """A study that was started.

    Attributes:
        folder: the folder of its results.
        study: what it was when it was started.
        so_far: the results when they were last read; None before.
    """

    def __init__(self, folder: Path, study: EditedStudy) -> None:
        self.folder, self.study = folder, study
        self.so_far: SoFar | None = None

    def look(self) -> None:
        """Read the results so far; may be called in any thread.

        Raises:
            OSError, ValueError: the results can't be read.
        """
        from sandbox.extras.studies.window.so_far import so_far  # needs the packages of studies

        self.so_far = so_far(self.folder, self.study.points, self.study.column)


class Studying:
    """The study that is edited, and the study that is running or was run last.

    Attributes:
        home: the folder of all studies of the window.
        edited: the study that is edited.
        shown: the study that was started last, or None.
        wrong: why it could not be run, a sentence; or "".
    """

    def __init__(self) -> None:
        self.home = user_data_path("boids-sandbox", appauthor=False) / "studies"
        self.edited = EditedStudy()
        self.shown: Studied | None = None
        self.wrong = ""
        self._job: Job | None = None
        self._reading: Job | None = None
        self._read_at = 0.0

    @property
    def job(self) -> Job | None:
        """What runs the study, with runs as steps; None if it does not run."""
        return self._job if self._job is not None and not self._job.over else None

    def vary(self, session: Session, key: str, words: str, field: Field, value: Any) -> None:
        """Add a field to the edited study; a third one replaces the oldest."""
        if key not in [one.key for one in self.edited.varied]:
            self.edited.varied[:] = [*self.edited.varied[1 - MOST_VARIED :], varied(key, words, field, value)]
        session.front("study")

    def text(self, session: Session, scene: str = SCENE_COPY) -> str:
        """Return the contents of the file of the edited study; `scene`: the name of the scene file beside it."""
        return self.edited.text(scene, session.simulation.world.resource(Settings).tick_rate)

    def run(self, session: Session) -> bool:
        """Start the study, or resume it if it was started before; return whether that succeeded."""
        self.wrong, simulation = "", session.simulation
        try:
            simulation.settle_commands()
            folder = self._folder(session)
            mods = [word for mod in session.services.modding.library.loaded for word in ("--mod", str(mod.folder))]
            words = ["study", "run", str(folder / STUDY_COPY), "--out", str(folder), "--progress", *mods]
            told = translate("running a study of {scene}", scene=simulation.scene.name)
            end = partial(self._end, session)
            self._job = session.services.jobs.command(told, words, folder, end, panel="study")
            self._job.cancelled = partial(self._read, session)
        except (OSError, ValueError) as error:
            self.wrong = str(error)
            return False
        if self.shown is None or self.shown.folder != folder:
            self.shown = Studied(folder, deepcopy(self.edited))
        return True

    def _folder(self, session: Session) -> Path:
        """Return the folder of the study, made with its files if no folder has the same study and scene.

        Raises:
            OSError, ValueError: the files can't be written.
        """
        shown, study = self.shown, self.text(session).encode()
        is_run_shown = shown is not None and session.services.filing.back is not None
        if shown is not None and is_run_shown and (shown.folder / STUDY_COPY).read_bytes() == study:
            return shown.folder  # without comparing scenes: that of the shown run differs from the study's
        name, number = plain_name(session.simulation.scene.name), 1
        text, copies = scene_into(session.simulation, self.home / name / PICTURES)
        scene = text.encode()
        while (folder := self.home / f"{name}-{number}").exists():
            files = folder / STUDY_COPY, folder / SCENE_COPY
            if all(file.exists() for file in files) and [file.read_bytes() for file in files] == [study, scene]:
                return folder
            number += 1
        make_folder(folder)
        copy_pictures(copies, folder / PICTURES)  # where the results have theirs
        write_atomically(folder / SCENE_COPY, scene)
        write_atomically(folder / STUDY_COPY, study)
        return folder

    def look(self, session: Session) -> None:
        """Read new results now and then, while the study runs; called in every frame while the panel is open."""
        reads = self._reading is not None and not self._reading.over
        if self.job is not None and not reads and time.monotonic() - self._read_at > OFTEN:
            self._read(session)

    def _read(self, session: Session) -> None:
        """Read the results, in a thread."""
        shown, self._read_at = self.shown, time.monotonic()
        if shown is None:
            return

        def failed(wrong: str) -> None:
            self.wrong = wrong

        self._reading = session.services.jobs.begin("", shown.look, failed=failed, lane="study")

    def _end(self, session: Session, ran: Ran) -> None:
        """Read the results, and say that the study is done, or why not."""
        self._read(session)
        self.wrong = ran.problem.removeprefix("vary.")
        if not self.wrong and self.shown is not None:
            session.messages.say(translate("the study is done: {folder}", folder=self.shown.folder))

    def cancel(self, session: Session) -> None:
        """Stop the study; starting it again resumes it."""
        if self.job is not None:
            session.services.jobs.cancel(self.job)
