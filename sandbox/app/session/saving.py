"""Saves a document to files: as a scene, a snapshot or a recording."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sandbox.app.files.file_dialog import RECORDING, SCENE, STATE, Kind
from sandbox.app.files.recent import Recent
from sandbox.app.files.start_folder import own_scenes
from sandbox.app.messages import Messages
from sandbox.app.questions import nothing
from sandbox.app.session.asking import Asking
from sandbox.app.session.choose_file import choose
from sandbox.app.session.document import Document
from sandbox.app.session.writing import Writing
from sandbox.files import as_text, free_name, plain_name
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
    """The save operations of the File menu.

    Attributes:
        writing: writes files in a thread.
    """

    def __init__(
        self, document: Document, messages: Messages, asking: Asking, library: Library, recent: Recent
    ) -> None:
        self._document, self._messages, self._asking, self._library = document, messages, asking, library
        self._recent = recent
        self.writing = Writing(messages)

    def save(self, then: Callable[[], object] = nothing) -> None:
        """Save the scene to the document's file; if it has none, ask for one."""
        file = self._document.file
        if file is None:
            scene = self._document.simulation.scene
            self.save_as(then, SCENE if scene.text or scene.entries else STATE)
        elif wrong := self._write(file, then):
            self._messages.warn(wrong, SECONDS_TO_READ)

    def save_as(self, then: Callable[[], object] = nothing, kind: Kind = SCENE) -> None:
        """Ask for a file, and save the scene or a snapshot to it."""
        document = self._document
        stem = as_text(document.file.stem) if document.file else plain_name(document.simulation.scene.name)
        name = f"{stem}-{document.simulation.tick}.boids" if kind is STATE else f"{stem}.toml"
        folder = document.folder or own_scenes(make=True)
        if kind is STATE or document.file is None:
            name = free_name(folder / name).name
        title = "Save the scene" if kind is SCENE else "Save the state"
        choose(self._document, self._asking, title, (SCENE, STATE), name, lambda path: self._write(path, then), kind)

    def save_state(self) -> None:
        """Ask for a file, and save a snapshot to it."""
        self.save_as(kind=STATE)

    def _write(self, path: Path, then: Callable[[], object]) -> str:
        """Write a snapshot to a .boids file, else the scene; return an error message, or call `then` and return ""."""
        self._document.simulation.settle_commands()
        if is_bundled(path):
            return translate(
                "{name} comes with the program and stays as it is: save under another name", name=path.name
            )
        if path.suffix.lower() == STATE.suffixes[0]:
            return self._begin_to_write(path, hold_moment(self._document.simulation.world).write, then)
        wrong = self._write_scene(path)
        if not wrong:
            then()
        return wrong

    def _write_scene(self, path: Path) -> str:
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

    def _begin_to_write(self, path: Path, write: Callable[[Path], object], then: Callable[[], object] = nothing) -> str:
        """Start `write` in a thread, which writes the present state; return an error message if it fails at once."""
        unsaved = self._document.unsaved
        self._document.folder = path.parent
        unsaved.saved()

        def work() -> str:
            write(path)
            self._recent.add(path)
            return translate("saved {path}", path=path)

        return self.writing.begin(translate("saving {name} ...", name=path.name), work, then, unsaved.nothing_saved)

    def save_recording(self) -> None:
        """Ask for a file, and save the recording to it."""
        folder = self._document.folder or own_scenes(make=True)
        name = free_name(folder / f"{self._document.moment}.boids").name
        choose(self._document, self._asking, "Save the recording", (RECORDING,), name, self._write_recording)

    def _write_recording(self, path: Path) -> str:
        """Start writing the recording; return an error message, or ""."""
        self._document.simulation.settle_commands()
        return self._begin_to_write(path, hold_to_write(self._document.timeline).write)
