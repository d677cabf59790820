"""The File menu: opens, restarts and closes worlds, and asks before unsaved changes are lost.

Every action that replaces the world first asks about unsaved changes:

    open, drop, restart, new, quit ── unsaved changes? ── Save / Don't save / Cancel ── then
                                                            └─ a file to write to? else the dialog
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sandbox.app.files.file_dialog import ANY, PICTURE, RECORDING, SCENE, WORLDS, Kind
from sandbox.app.files.recent import Recent
from sandbox.app.messages import Messages
from sandbox.app.questions import Answers, Question, nothing
from sandbox.app.restart import Make, Shown, maker, simulation_of
from sandbox.app.session.asking import Asking
from sandbox.app.session.behind import is_only_picture, show_behind
from sandbox.app.session.choose_file import PHOTO, choose
from sandbox.app.session.document import Document
from sandbox.app.session.file_kind import FileKind, kind_of
from sandbox.app.session.saving import SECONDS_TO_READ, UNTITLED, Saving
from sandbox.app.session.view import View
from sandbox.design.pictures import Pictures, wrong_pictures
from sandbox.files.container import RecordingError
from sandbox.files.read_recording import has_past, open_recording, open_state
from sandbox.files.sessions import keyframes_of, pictures_of
from sandbox.language import translate
from sandbox.mods.load.library import Library
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.opening import is_own_scene, load, other_than_a_world
from sandbox.past.timeline import Timeline
from sandbox.scenes.bundled import is_bundled
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.toml.source import TomlSource

NEW = f'format = 1\nname = "{UNTITLED}"\n'.encode()


class Filing:
    """The operations of the File menu on a document.

    Args:
        library: the mods that worlds are opened with.
        wait_for: runs a function in a thread and returns its result; shows the words if that takes long.
        show: replaces the simulation that is shown.
        leave: closes the window.

    Attributes:
        recent: the files that were opened or saved last.
        saving: writes to files; `writing`: the write in progress.
        back: goes back from a visit to the scene that was shown before; None if there is none.
        kinds: the kinds of files that are opened otherwise than worlds; `open_other` opens one.
    """

    def __init__(
        self,
        document: Document,
        view: View,
        messages: Messages,
        asking: Asking,
        library: Library,
        wait_for: Callable[[str, Callable[[], Any]], Any],
        show: Callable[[Shown, Make], None],
        leave: Callable[[], None],
    ) -> None:
        self._document, self._view, self._messages, self._asking = document, view, messages, asking
        self._library, self._wait_for, self._show, self._leave = library, wait_for, show, leave
        self.recent = Recent()
        self.saving = Saving(document, messages, asking, library, self.recent)
        self.writing = self.saving.writing
        self.back: Callable[[], object] | None = None
        self.kinds: Sequence[FileKind] = ()
        self.open_other: Callable[[FileKind, Path], object] = lambda *_: None

    def ask_open(self) -> None:
        """Show the dialog for opening a file."""
        others = (Kind(f"{kind.name} ({kind.ending})", (kind.ending,)) for kind in self.kinds if kind.is_one is None)
        kinds = (WORLDS, SCENE, RECORDING, PICTURE, *others, ANY)
        choose(self._document, self._asking, "Open", kinds, "", self._open_chosen)

    def open(self, path: Path, then: Callable[[], object] = nothing) -> None:
        """Open a scene file, a recording, or the moment of a screenshot; call `then` once it is shown.

        Any other picture is shown behind the world.
        """
        if self._asking.waits:
            self._messages.warn("answer the question first")
        elif (kind := kind_of(path, self.kinds)) is not None:
            self.open_other(kind, path)
        elif what := other_than_a_world(path):
            self._messages.warn(what, SECONDS_TO_READ)
        elif is_only_picture(path):
            if wrong := show_behind(self._document, path):
                self._messages.warn(wrong, SECONDS_TO_READ)
            else:
                self._messages.say(
                    translate("{name} is now the background: the panel World can dim or remove it", name=path.name)
                )
        elif not (self._document.unsaved.some and self._why_unreadable(path)):  # before a question is asked in vain
            self._when_saved("opening another world", lambda: self._open(path) or then())

    def ask_picture(self) -> None:
        """Show the dialog for choosing a picture to be shown behind the world."""
        choose(
            self._document,
            self._asking,
            "Show a picture",
            (PHOTO, ANY),
            "",
            lambda path: show_behind(self._document, path),
        )

    def new(self) -> None:
        """Replace the world by an empty one."""
        self._when_saved("beginning with an empty world", self._new)

    def restart(self) -> None:
        """Restart the simulation, with the same seed."""
        self._when_saved("restarting", lambda: self._change(self._document.again, "restarted"))

    def quit(self) -> None:
        """Close the window, even if other questions are open."""
        self._asking.end_dialog()
        self._when_saved("quitting", self._leave, first=True)

    def _when_saved(self, before: str, then: Callable[[], object], *, first: bool = False) -> None:
        """Call `then`, which replaces the world, once changes are saved or the user has chosen not to save them."""
        document = self._document
        if self.writing.goes_on:
            self._wait_for(self.writing.words, self.writing.block)
        self.writing.wait()  # reports a failure, which marks the document as unsaved
        if not document.unsaved.some or (document.practises and document.file is None):
            then()
            return
        text = translate(
            "{title} has changes that are not saved. Save them before {before}?",
            title=document.title,
            before=translate(before),
        )
        answers: Answers = [("Save", lambda: self.saving.save(then)), ("Don't save", then), ("Cancel", nothing)]
        self._asking.ask(Question("Save the changes?", text, answers), first=first)

    def _open_chosen(self, path: Path) -> str:
        """Open the file chosen in the dialog, which shows the returned error message."""
        if (kind := kind_of(path, self.kinds)) is not None:
            self.open_other(kind, path)
            return ""
        if not self._document.unsaved.some:
            return self._open(path, by_dialog=True)
        if wrong := self._why_unreadable(path, by_dialog=True):
            return wrong
        self._when_saved("opening another world", lambda: self._open(path))
        return ""

    def _open(self, path: Path, *, by_dialog: bool = False) -> str:
        """Open a file; return an error message, or ""."""
        done = translate("opened {name}", name=path.name)
        wrong = self._change(lambda: self._read(path), done, path.name, by_dialog=by_dialog)
        if not wrong:
            self._document.file = path if is_own_scene(path) else None
            self.recent.add(path)
            if not is_bundled(path):
                self._document.folder = path.parent
        return wrong

    def _why_unreadable(self, path: Path, *, by_dialog: bool = False) -> str:
        """Read a file; if that fails, show why and return the error message, else return ""."""
        try:
            with self._library.looking_elsewhere():
                self._wait_for(translate("opening {name} ...", name=path.name), lambda: self._read(path)).close()
        except (ValueError, OSError) as error:
            return self._refused(str(error), path.name, by_dialog)
        finally:
            self._document.simulation.world.enter()
        return ""

    def _read(self, path: Path) -> Shown:
        return open_recording(path, self._library) if has_past(path) else load(path, mods=self._library)

    def reopen(self, make: Make, path: Path) -> None:
        """Open by `make` a scene that could not be opened before."""
        if not self._change(make, translate("opened {name}", name=path.name), path.name):
            self._document.file = path.absolute() if is_own_scene(path) else None

    def visit(self, make: Callable[[LoadedMods], Timeline], done: str, name: str, before: str) -> None:
        """Show the past of another world, from which `go_back` leads back to this one.

        Args:
            make: opens it, with the mods of this window.
            done: the message on success; `name`: names it in an error message.
            before: what the question about unsaved changes says is about to happen.
        """

        def show() -> None:
            back = self.back or self._way_back()
            if not self._change(lambda: make(self._library), done, name):
                self._document.file, self.back = None, back

        self._when_saved(before, show)

    def go_back(self) -> None:
        """Go back from a visit to the scene that was shown before."""
        self._when_saved("going back to the scene", self.back or nothing)

    def _way_back(self) -> Callable[[], object]:
        """Return a function that shows the present world again in its present state, with its file."""
        document, camera = self._document, self._view.camera
        document.simulation.settle_commands()
        title, file, again, is_saved = document.title, document.file, document.again, not document.unsaved.some
        make = maker(document.simulation)

        def back() -> None:
            if not self._change(make, translate("back to {title}", title=title)):
                document.file, document.again, self._view.camera = file, again, camera
                if not is_saved:
                    document.unsaved.nothing_saved()

        return back

    def open_lost(self, recording: Path) -> tuple[bool, str]:
        """Open an autosave of a lost session, as an unsaved document without a file.

        If the recording ends before one of its keyframes, the world of that keyframe is opened.

        Returns:
            Whether anything was opened, and what is wrong with the recording, or "".
        """
        newest = keyframes_of(recording)

        def whole() -> Timeline:
            timeline = open_recording(recording, self._library)
            is_behind = newest and timeline.branch.last < newest[0][0]
            if timeline.cut and (is_behind or self._library.safe):
                timeline.close()
                raise RecordingError(timeline.cut)
            return timeline

        def with_pictures(make: Make) -> Shown:
            shown = make()
            scene = simulation_of(shown).scene
            scene.folder = pictures_of(recording) or scene.folder
            return shown

        makes: list[Make] = [
            whole,
            *(partial(open_state, recording, self._library, member) for _, member in newest),
        ]
        first = ""
        for make in makes:
            told = "opened the last session's world; save it to keep it for good"
            wrong = self._change(partial(with_pictures, make), told, recording.name, keep_state=True)
            if not wrong:
                self._document.file = None
                self._document.unsaved.nothing_saved()
                return True, first
            first = first or wrong
        return False, first

    def _new(self) -> None:
        scene = scene_of(TomlSource(UNTITLED, NEW), self._library)
        if not self._change(lambda: Simulation(scene), "an empty world"):
            self._document.file = None

    def _change(
        self, make: Make, done: str, name: str = "the scene", *, keep_state: bool = False, by_dialog: bool = False
    ) -> str:
        """Show a newly made simulation; if that fails, keep the running one and return the error message.

        Args:
            done: the message on success.
            name: names the scene in an error message.
            keep_state: restart from a copy of the state in memory, not from the file.
            by_dialog: the file was chosen in the dialog, which shows an error message of one line.
        """
        again, camera, clock = self._document.again, self._view.camera, self._view.clock
        try:
            shown = self._wait_for(translate("opening {name} ...", name=translate(name)), make)
            if keep_state or isinstance(shown, Timeline):
                make = maker(simulation_of(shown))
        except (ValueError, OSError) as error:
            return self._refused(str(error), name, by_dialog)
        self._show(shown, make)
        self.back = self.back if make is again else None
        self._view.clock.speed = clock.speed
        if make is again:
            self._view.camera, self._view.clock.paused = camera, clock.paused or self._view.clock.paused
        self._messages.say(done)
        self.tell_lacks()
        return ""

    def tell_lacks(self) -> None:
        """Warn about parts of a scene or recording that can't be shown."""
        timeline, scene = self._document.timeline, self._document.simulation.scene
        for file, why in wrong_pictures(scene.tables.get(Pictures.table, {}), scene.folder).items():
            self._messages.warn(translate(why, name=file), SECONDS_TO_READ)
        if timeline.cut:
            self._messages.warn(timeline.cut, SECONDS_TO_READ)
        if not timeline.recording.runs:
            text = "It was recorded with another version: only some moments of it can be shown."
            self._messages.warn(text, SECONDS_TO_READ)

    def _refused(self, wrong: str, name: str, by_dialog: bool) -> str:
        """Show why a file could not be opened, one line as a message, several as a question; return the first line."""
        first, *more = wrong.splitlines() or ["it can't be opened"]
        if more:
            self._messages.warn(wrong, 0)  # only for the log
            self._asking.ask(
                Question(
                    translate("{name} can't be opened", name=translate(name)), wrong, [("Close", nothing)], listing=True
                )
            )
        else:
            self._messages.warn(first, 0 if by_dialog else SECONDS_TO_READ)
        return first
