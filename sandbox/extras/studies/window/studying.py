"""Studies in the window: the draft, the process that runs the study, and its results so far."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_data_path

from components.store.fields import Field
from sandbox.app.session.command_process import CommandProcess
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
        draft: its draft.
        so_far: the results when they were last read; None before.
    """

    def __init__(self, folder: Path, draft: EditedStudy) -> None:
        self.folder, self.draft = folder, draft
        self.so_far: SoFar | None = None

    def look(self) -> None:
        """Read the results so far; may be called in any thread.

        Raises:
            OSError, ValueError: the results can't be read.
        """
        from sandbox.extras.studies.window.so_far import so_far  # needs the packages of studies

        self.so_far = so_far(self.folder, self.draft.points, self.draft.column)


class Studying:
    """The draft of a study, and the study that is running or was run last.

    Attributes:
        home: the folder of all studies of the window.
        draft: the draft being edited.
        shown: the study that was started last, or None.
        process: the process that runs it; None if none is running.
        wrong: why it could not be run, a sentence; or "".
    """

    def __init__(self) -> None:
        self.home = user_data_path("boids-sandbox", appauthor=False) / "studies"
        self.draft = EditedStudy()
        self.shown: Studied | None = None
        self.process: CommandProcess | None = None
        self.wrong = ""
        self._thread = ThreadPoolExecutor(1, "study")
        self._reading: Future[None] | None = None
        self._is_due, self._read_at = False, 0.0

    def vary(self, session: Session, key: str, words: str, field: Field, value: Any) -> None:
        """Add a field to the draft; a third one replaces the oldest."""
        if key not in [one.key for one in self.draft.varied]:
            self.draft.varied[:] = [*self.draft.varied[1 - MOST_VARIED :], varied(key, words, field, value)]
        session.front("study")

    def text(self, session: Session, scene: str = SCENE_COPY) -> str:
        """Return the contents of the study file of the draft; `scene`: the name of the scene file beside it."""
        return self.draft.text(scene, session.simulation.world.resource(Settings).tick_rate)

    def run(self, session: Session) -> bool:
        """Start the study, or resume it if it was started before; return whether that succeeded."""
        self.wrong, simulation = "", session.simulation
        try:
            simulation.settle_commands()
            folder = self._folder(session)
            mods = [word for mod in session.services.modding.library.loaded for word in ("--mod", str(mod.folder))]
            words = ["study", "run", str(folder / STUDY_COPY), "--out", str(folder), "--progress", *mods]
            self.process = CommandProcess(words, folder)
            if self not in session.services.jobs:
                session.services.jobs.append(self)
        except (OSError, ValueError) as error:
            self.wrong = str(error)
            return False
        if self.shown is None or self.shown.folder != folder:
            self.shown = Studied(folder, deepcopy(self.draft))
        self._is_due = True
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

    def frame(self, session: Session) -> None:
        """Read new results, and show a message when the study is done; called in every frame."""
        shown, process, now = self.shown, self.process, time.monotonic()
        if shown is None:
            return
        if self._reading is not None and self._reading.done():
            reading, self._reading = self._reading, None
            try:
                reading.result()
            except (OSError, ValueError) as error:
                self.wrong = str(error)
        ended = process is not None and process.ended
        if self._is_due and self._reading is None and (ended or now - self._read_at > OFTEN):
            self._is_due, self._read_at = process is not None and not ended, now
            self._reading = self._thread.submit(shown.look)
            if process is not None and ended:
                self.wrong = process.problem.removeprefix("vary.")
                self._end()
                if not self.wrong:
                    session.messages.say(translate("the study is done: {folder}", folder=shown.folder))

    @property
    def works(self) -> bool:
        """Whether there may be new results at the next frame."""
        return self._is_due or self._reading is not None

    def shows(self, session: Session) -> bool:
        """Return whether new results may be shown in the next frames."""
        return self.works and "study" in session.view.panels

    def cancel(self) -> None:
        """Stop the study; starting it again resumes it."""
        self._end()
        self._is_due = True

    def _end(self) -> None:
        if self.process is not None:
            self.process.close()
            self.process = None

    def close(self) -> None:
        """End the process and the thread."""
        self._end()
        self._thread.shutdown()
