"""The File menu: opens, restarts and closes worlds, and asks before unsaved changes are lost.

A world is made beside the window, in which time stands meanwhile. Whatever replaces the world first asks:

    open, drop ── made ── unsaved changes? ── Save / Don't save / Cancel ── shown
    restart, new, quit ── unsaved changes? ── Save / Don't save / Cancel ── then
                                                └─ a file to write to? else the dialog
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sandbox.app.document.again import Make, Shown, maker, simulation_of
from sandbox.app.document.document import Document
from sandbox.app.document.view import View
from sandbox.app.files.asking import Asking
from sandbox.app.files.behind import is_only_picture, show_behind
from sandbox.app.files.dialog import ANY, OPENABLE, PAGE, PHOTO, PICTURE, RECORDING, SCENE, FileType, Refuse, choose
from sandbox.app.files.recent import Recent
from sandbox.app.files.saving import SECONDS_TO_READ, UNTITLED, Saving
from sandbox.app.jobs.jobs import Jobs
from sandbox.app.messages import Messages
from sandbox.app.questions import Answers, Question, nothing
from sandbox.design.pictures import Pictures, wrong_pictures
from sandbox.files.read_recording import has_past, open_recording
from sandbox.language import translate
from sandbox.mods.load.library import Library
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.opening import is_own_scene, load, other_than_a_world
from sandbox.past.timeline import Timeline
from sandbox.scenes.bundled import is_bundled
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.toml.source import TomlSource
from sandbox.warm_up import prepare

NEW = f'format = 1\nname = "{UNTITLED}"\n'.encode()


class Made(NamedTuple):
    """A world that was made beside the window, with the beginning of its past.

    Attributes:
        again: makes it again in its present state, if it is not made again from its file.
    """

    timeline: Timeline
    again: Make | None

    @classmethod
    def by(cls, make: Make, *, keep_state: bool = False) -> Made:
        """Make a world; a recording, or any world if `keep_state`, is later made again in its present state."""
        shown = make()
        again = maker(simulation_of(shown)) if keep_state or isinstance(shown, Timeline) else None
        return cls(shown if isinstance(shown, Timeline) else Timeline(shown), again)

    def close(self) -> None:
        """Free the world."""
        self.timeline.close()


class Filing:
    """The operations of the File menu on a document.

    Args:
        library: the mods that worlds are opened with.
        show: replaces the simulation that is shown.
        leave: closes the window.

    Attributes:
        recent: the files that were opened or saved last.
        saving: writes to files.
        back: goes back from a visit to the scene that was shown before; None if there is none.
        others: returns the kinds of files for the dialog that are opened otherwise than worlds; `open_other` opens a
            file of such a kind, and returns whether it is of one.
    """

    def __init__(
        self,
        document: Document,
        view: View,
        messages: Messages,
        asking: Asking,
        library: Library,
        jobs: Jobs,
        show: Callable[[Shown, Make], None],
        leave: Callable[[], None],
    ) -> None:
        self._document, self._view, self._messages, self._asking = document, view, messages, asking
        self._library, self._jobs, self._show, self._leave = library, jobs, show, leave
        self.recent = Recent()
        self.saving = Saving(document, messages, asking, library, jobs, self.recent)
        self.back: Callable[[], object] | None = None
        self.others: Callable[[], Iterable[FileType]] = tuple
        self.open_other: Callable[[Path], bool] = lambda _: False

    # ---- opening

    def ask_open(self) -> None:
        """Show the dialog for opening a file."""
        kinds = (OPENABLE, SCENE, RECORDING, PICTURE, PAGE, *self.others(), ANY)
        choose(self._document.folder, self._asking, "Open", kinds, "", self._open_chosen)

    def ask_picture(self) -> None:
        """Show the dialog for choosing a picture to be shown behind the world."""

        def do(path: Path, refuse: Refuse) -> None:
            if wrong := show_behind(self._document, path):
                refuse(wrong)

        choose(self._document.folder, self._asking, "Show a picture", (PHOTO, ANY), "", do)

    def open(self, path: Path, then: Callable[[], object] = nothing) -> None:
        """Open a scene file, a recording, or the moment of a screenshot; call `then` once it is shown.

        Any other picture is shown behind the world.
        """
        if self._asking.work is not None:
            self._messages.warn("wait for what is being done, or cancel it")
        elif self._asking.waits:
            self._messages.warn("answer the question first")
        elif self.open_other(path):
            return
        elif what := other_than_a_world(path):
            self._messages.warn(what, SECONDS_TO_READ)
        elif is_only_picture(path):
            if wrong := show_behind(self._document, path):
                self._messages.warn(wrong, SECONDS_TO_READ)
            else:
                self._messages.say(
                    translate("{name} is now the background: the panel World can dim or remove it", name=path.name)
                )
        else:
            self._open(path, then)

    def _open_chosen(self, path: Path, refuse: Refuse) -> None:
        if not self.open_other(path):
            self._open(path, refuse=refuse)

    def _open(self, path: Path, then: Callable[[], object] = nothing, refuse: Refuse | None = None) -> None:
        library = self._library.elsewhere()

        def show(made: Made) -> None:
            self._library.follow(library)
            self.show_made(made, lambda: _read(path, self._library), translate("opened {name}", name=path.name))
            self._document.file = path if is_own_scene(path) else None
            self.recent.add(path)
            if not is_bundled(path):
                self._document.folder, self._document.source = path.parent, path
            then()

        def ask(made: Made) -> None:
            def read_again() -> None:  # saving may have changed the file
                made.close()
                self._open(path, then, refuse)

            do = partial(show, made)
            self._when_saved("opening another world", do, saved=read_again, stay=made.close)

        self.make(lambda: _read(path, library), path.name, ask, refuse)

    def reopen(self, make: Make, path: Path) -> None:
        """Open by `make` a scene that could not be opened before."""

        def show(made: Made) -> None:
            self.show_made(made, make, translate("opened {name}", name=path.name))
            self._document.file = path.absolute() if is_own_scene(path) else None

        self.make(make, path.name, show)

    def make(
        self,
        make: Make,
        name: str,
        take: Callable[[Made], object],
        refuse: Refuse | None = None,
        *,
        keep_state: bool = False,
    ) -> None:
        """Make a world beside the window, in which time stands meanwhile.

        Args:
            name: names the world; `take`: gets it; `keep_state`: see `Made.by`.
            refuse: gets the first line of an error message, instead of a message.
        """
        job = self._jobs.begin(
            translate("opening {name} ...", name=translate(name)),
            lambda: Made.by(make, keep_state=keep_state),
            take,
            lambda wrong: self._refused(wrong, name, refuse),
            lane="opening",
            drop=Made.close,
        )
        self._asking.wait_for(job, partial(self._jobs.cancel, job))

    def show_made(self, made: Made, again: Make, done: str) -> None:
        """Show a world.

        Args:
            again: makes it again, for restarting, if it does not say how; `done`: the message.
        """
        again = made.again or again
        is_restart, camera, clock = again is self._document.again, self._view.camera, self._view.clock
        self._show(made.timeline, again)
        self.back = self.back if is_restart else None
        self._view.clock.speed = clock.speed
        if is_restart:
            self._view.camera, self._view.clock.paused = camera, clock.paused or self._view.clock.paused
        self._messages.say(done)
        self.tell_lacks()

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

    def _refused(self, wrong: str, name: str, refuse: Refuse | None) -> None:
        """Show why a world could not be made: one line where it was asked for, several as a question."""
        first, *more = wrong.splitlines()
        if more:
            self._messages.warn(wrong, 0)  # only for the log
            title, answers = translate("{name} can't be opened", name=translate(name)), [("Close", nothing)]
            self._asking.ask(Question(title, wrong, answers, listing=True))
        else:
            self._messages.warn(first, 0 if refuse else SECONDS_TO_READ)
        if refuse is not None:
            refuse(first)

    # ---- other worlds than those of files

    def new(self) -> None:
        """Replace the world by an empty one."""
        self._when_saved("beginning with an empty world", self._new)

    def _new(self) -> None:
        scene = scene_of(TomlSource(UNTITLED, NEW), self._library)
        make = partial(Simulation, scene)
        self.show_made(Made.by(make), make, "an empty world")
        self._document.file = None

    def restart(self) -> None:
        """Restart the simulation, with the same seed."""
        again = self._document.again
        do = partial(self.make, again, "the scene", lambda made: self.show_made(made, again, "restarted"))
        self._when_saved("restarting", do)

    def visit(self, make: Callable[[LoadedMods], Timeline], done: str, name: str, before: str) -> None:
        """Show the past of another world, from which `go_back` leads back to this one.

        Args:
            make: opens it, with the mods of this window.
            done: the message on success; `name`: names it in an error message.
            before: what the question about unsaved changes says is about to happen.
        """

        def show(back: Callable[[], object], made: Made) -> None:
            self.show_made(made, self._document.again, done)
            self._document.file, self._document.source, self.back = None, None, back

        def open_it() -> None:
            self.make(lambda: make(self._library), name, partial(show, self.back or self._way_back()))

        self._when_saved(before, open_it)

    def go_back(self) -> None:
        """Go back from a visit to the scene that was shown before."""
        self._when_saved("going back to the scene", self.back or nothing)

    def _way_back(self) -> Callable[[], object]:
        """Return a function that shows the present world again in its present state, with its file."""
        document, camera = self._document, self._view.camera
        document.simulation.settle_commands()
        title, again, is_saved = document.title, document.again, not document.unsaved.some
        paused = self._view.clock.paused
        file, source = document.file, document.source
        make = maker(document.simulation)

        def show(made: Made) -> None:
            self.show_made(made, make, translate("back to {title}", title=title))
            document.file, document.source, document.again, self._view.camera = file, source, again, camera
            self._view.clock.paused = paused
            if not is_saved:
                document.unsaved.nothing_saved()

        return partial(self.make, make, title, show)

    # ---- what is not saved

    def quit(self) -> None:
        """Close the window, even if other questions are open."""
        self._asking.end_dialog()
        self._when_saved("quitting", self._leave, first=True)

    def _when_saved(
        self,
        before: str,
        then: Callable[[], object],
        *,
        saved: Callable[[], object] | None = None,
        stay: Callable[[], object] = nothing,
        first: bool = False,
    ) -> None:
        """Call `then`, which replaces the world, once changes are saved or the user has chosen not to save them.

        Args:
            before: what is about to happen.
            saved: called instead after changes were saved; `stay`: if the user chooses to stay.
            first: ask before other questions.
        """
        document = self._document
        if (job := self._jobs.finishing) is not None:
            job.afterwards = partial(self._when_saved, before, then, saved=saved, stay=stay, first=first)

            def give_up() -> None:
                job.afterwards = None
                stay()

            self._asking.wait_for(job, give_up)
            return
        if not document.unsaved.some or (document.practises and document.file is None):
            then()
            return
        text = translate(
            "{title} has changes that are not saved. Save them before {before}?",
            title=document.title,
            before=translate(before),
        )
        answers: Answers = [
            ("Save", lambda: self.saving.save(saved or then)),
            ("Don't save", then),
            ("Cancel", stay),
        ]
        self._asking.ask(Question("Save the changes?", text, answers), first=first)


def _read(path: Path, library: Library) -> Shown:
    prepare(path)
    return open_recording(path, library) if has_past(path) else load(path, mods=library)
