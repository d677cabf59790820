"""Saves a document to files: as a scene, a snapshot or a recording."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sandbox.app.document.document import Document
from sandbox.app.files.asking import Asking
from sandbox.app.files.dialog import RECORDING, SCENE, STATE, FileType, Refuse, choose
from sandbox.app.files.folders import own_scenes
from sandbox.app.files.recent import Recent
from sandbox.app.jobs.jobs import Jobs
from sandbox.app.messages import Messages
from sandbox.app.questions import nothing
from sandbox.files import free_name
from sandbox.files.members import hold_moment
from sandbox.files.write_recording import hold_to_write
from sandbox.language import translate
from sandbox.mods.load.library import Library
from sandbox.opening import load
from sandbox.scenes.bundled import is_bundled
from sandbox.scenes.writer import save_scene

UNTITLED = "untitled"
SECONDS_TO_READ = 15.0


class Saving:
    """The save operations of the File menu."""

    def __init__(
        self, document: Document, messages: Messages, asking: Asking, library: Library, jobs: Jobs, recent: Recent
    ) -> None:
        self._document, self._messages, self._asking, self._library = document, messages, asking, library
        self._jobs, self._recent = jobs, recent

    def save(self, then: Callable[[], object] = nothing) -> None:
        """Save the scene to the document's file; if it has none, ask for one."""
        file = self._document.file
        if file is None:
            scene = self._document.simulation.scene
            self.save_as(then, SCENE if scene.text or scene.entries else STATE)
        else:
            self._write(file, then, lambda wrong: self._messages.warn(wrong, SECONDS_TO_READ))

    def save_as(self, then: Callable[[], object] = nothing, kind: FileType = SCENE) -> None:
        """Ask for a file, and save the scene or a snapshot to it."""
        document = self._document
        name = f"{document.moment}.boids" if kind is STATE else f"{document.stem}.toml"
        folder = document.folder or own_scenes(make=True)
        if kind is STATE or document.file is None:
            name = free_name(folder / name).name
        do = lambda path, refuse: self._write(path, then, refuse)  # noqa: E731
        choose(document.folder, self._asking, "Save the world", (SCENE, STATE), name, do, kind)

    def save_state(self) -> None:
        """Ask for a file, and save a snapshot to it."""
        self.save_as(kind=STATE)

    def save_recording(self) -> None:
        """Ask for a file, and save the recording to it."""
        folder = self._document.folder or own_scenes(make=True)
        name = free_name(folder / f"{self._document.moment}.boids").name

        def write(path: Path, refuse: Refuse) -> None:
            self._document.simulation.settle_commands()
            self._begin_to_write(path, hold_to_write(self._document.timeline).write, nothing, refuse)

        choose(self._document.folder, self._asking, "Save the recording", (RECORDING,), name, write)

    def _write(self, path: Path, then: Callable[[], object], refuse: Refuse) -> None:
        """Write a snapshot to a .boids file, else the scene; then call `then`, or `refuse` with what is wrong."""
        self._document.simulation.settle_commands()
        if is_bundled(path):
            wrong = "{name} comes with the program and stays as it is: save under another name"
            refuse(translate(wrong, name=path.name))
        elif path.suffix.lower() == STATE.suffixes[0]:
            self._begin_to_write(path, hold_moment(self._document.simulation.world).write, then, refuse)
        elif wrong := self._write_scene(path):
            refuse(wrong)
        else:
            then()

    def _write_scene(self, path: Path) -> str:
        """Write the scene; return an error message, or ""."""
        document, simulation = self._document, self._document.simulation
        scene, name = simulation.scene, simulation.scene.name
        if name == UNTITLED:
            scene.name = path.stem
        try:
            save_scene(simulation, path)
        except (ValueError, OSError) as error:
            scene.name = name
            return str(error)
        document.file, document.again = path, lambda: load(path, mods=self._library)
        document.folder = path.parent
        document.unsaved.saved()
        self._recent.add(path)
        self._messages.say(translate("saved {path}", path=path))
        return ""

    def _begin_to_write(
        self, path: Path, write: Callable[[Path], object], then: Callable[[], object], refuse: Refuse
    ) -> None:
        """Write the present state beside the window; refuse the file only if that fails at once, else warn."""
        document, unsaved, at_once = self._document, self._document.unsaved, True
        document.folder, document.source = path.parent, path
        unsaved.saved()

        def saved(_: object) -> None:
            self._recent.add(path)
            self._messages.say(translate("saved {path}", path=path))
            then()

        def failed(wrong: str) -> None:
            unsaved.nothing_saved()
            (refuse if at_once else self._messages.warn)(wrong)

        words = translate("saving {name} ...", name=path.name)
        self._jobs.begin(words, lambda: write(path), saved, failed, finishes=True)
        at_once = False
