"""Studies that a person begins in the window: what is put together, the process that runs it, its results so far."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_data_path

from components.store.fields import Field
from sandbox.app.session.command_process import CommandProcess
from sandbox.app.session.study_draft import MOST_VARIED, Draft, varied
from sandbox.files import make_folder, plain_name, write_atomically
from sandbox.language import said
from sandbox.scenes.writer import scene_text
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from sandbox.app.session.session import Session
    from sandbox.studies.live import Live, SoFar

OFTEN = 0.25  # s between two looks at the results
STUDY, SCENE = "study.toml", "scene.toml"


class Studied:
    """A study that was begun.

    Attributes:
        folder: of its results.
        draft: what it is.
        so_far: what there was when it was looked at last; None before.
    """

    def __init__(self, folder: Path, draft: Draft) -> None:
        self.folder, self.draft = folder, draft
        self.so_far: SoFar | None = None
        self._live: Live | None = None

    def look(self) -> None:
        """See what there is by now, in any thread.

        Raises:
            OSError, ValueError: it can't be read.
        """
        from sandbox.studies.live import Live  # it needs the extra `study`

        draft = self.draft
        self._live = self._live or Live(self.folder, draft.points, draft.seeds, draft.column)
        self.so_far = self._live.look()


class Studying:
    """What a person studies.

    Attributes:
        home: the folder for all their studies.
        draft: the study that is put together.
        shown: the one that was begun last.
        process: runs it now; None where none is run.
        wrong: why it could not be run, a sentence; or "".
    """

    def __init__(self) -> None:
        self.home = user_data_path("boids-sandbox", appauthor=False) / "studies"
        self.draft = Draft()
        self.shown: Studied | None = None
        self.process: CommandProcess | None = None
        self.wrong = ""
        self._thread = ThreadPoolExecutor(1, "study")
        self._look: Future[None] | None = None
        self._is_due, self._looked = False, 0.0

    def vary(self, session: Session, key: str, words: str, field: Field, value: Any) -> None:
        """Have a field take several values; of three, the one that came first goes."""
        if key not in [one.key for one in self.draft.varied]:
            self.draft.varied[:] = [*self.draft.varied[1 - MOST_VARIED :], varied(key, words, field, value)]
        session.front("study")

    def text(self, session: Session, scene: str = SCENE) -> str:
        """The study file of what is put together; `scene`: the file of its scene, beside it."""
        return self.draft.text(scene, session.simulation.world.resource(Settings).tick_rate)

    def run(self, session: Session) -> bool:
        """Begin the study, or go on with it where it was begun before; returns whether that is done."""
        self.wrong, simulation = "", session.simulation
        try:
            simulation.settle_commands()
            folder = self._folder(session)
            mods = [word for mod in session.services.modding.library.loaded for word in ("--mod", str(mod.folder))]
            words = ["study", "run", str(folder / STUDY), "--out", str(folder), "--progress", *mods]
            self.process = CommandProcess(words, folder)
        except (OSError, ValueError) as error:
            self.wrong = str(error)
            return False
        if self.shown is None or self.shown.folder != folder:
            self.shown = Studied(folder, deepcopy(self.draft))
        self._is_due = True
        return True

    def _folder(self, session: Session) -> Path:
        """Where the study is to be run: its files are there, and maybe results of it.

        Raises:
            OSError, ValueError: it can't be written.
        """
        shown, study = self.shown, self.text(session).encode()
        is_run_shown = shown is not None and session.services.filing.back is not None
        if shown is not None and is_run_shown and (shown.folder / STUDY).read_bytes() == study:
            return shown.folder  # the scene of a run differs from that of the study
        name, number = plain_name(session.simulation.scene.name), 1
        scene = scene_text(session.simulation, self.home / name).encode()
        while (folder := self.home / f"{name}-{number}").exists():
            files = folder / STUDY, folder / SCENE
            if all(file.exists() for file in files) and [file.read_bytes() for file in files] == [study, scene]:
                return folder
            number += 1
        make_folder(folder)
        write_atomically(folder / SCENE, scene)
        write_atomically(folder / STUDY, study)
        return folder

    def frame(self, session: Session) -> None:
        """Take up what is new, and tell when the study is done."""
        shown, process, now = self.shown, self.process, time.monotonic()
        if shown is None:
            return
        if self._look is not None and self._look.done():
            look, self._look = self._look, None
            try:
                look.result()
            except (OSError, ValueError) as error:
                self.wrong = str(error)
        ended = process is not None and process.ended
        if self._is_due and self._look is None and (ended or now - self._looked > OFTEN):
            self._is_due, self._looked = process is not None and not ended, now
            self._look = self._thread.submit(shown.look)
            if process is not None and ended:
                self.wrong = process.problem.removeprefix("vary.")
                self._end()
                if not self.wrong:
                    session.messages.say(said("the study is done: {folder}", folder=shown.folder))

    @property
    def works(self) -> bool:
        """Whether something of it may be new with the next frame."""
        return self._is_due or self._look is not None

    def cancel(self) -> None:
        """Run it no more; another time it goes on where it stopped."""
        self._end()
        self._is_due = True

    def _end(self) -> None:
        if self.process is not None:
            self.process.close()
            self.process = None

    def close(self) -> None:
        """End what goes on."""
        self._end()
        self._thread.shutdown()
