"""Offers at the start to open the autosaves of a session that ended unexpectedly."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from sandbox.app.document.again import Make, Shown, simulation_of
from sandbox.app.files.autosave import Autosave
from sandbox.app.files.filing import Filing, Made
from sandbox.app.questions import Question
from sandbox.app.session.session import Session
from sandbox.files.container import RecordingError
from sandbox.files.read_recording import open_recording, open_state
from sandbox.files.sessions import LostSession, find_lost, keyframes_of, pictures_of
from sandbox.language import translate
from sandbox.mods.load.library import Library
from sandbox.past.timeline import Timeline


def offer_lost(session: Session, filing: Filing, autosave: Autosave) -> None:
    """Ask whether to open the autosaves of the last lost session, if there is one."""
    lost = find_lost(autosave.root)
    if lost is None:
        return

    def open_newest() -> None:
        _open_newest(session, filing, autosave, lost)

    def throw_away() -> None:
        lost.remove()
        offer_lost(session, filing, autosave)

    text = translate(
        "The last session ended unexpectedly; its world and its past were kept {when}. Open it? "
        "“Later” asks again at the next start.",
        when=in_words(lost.age),
    )
    answers = [("Open", open_newest), ("Discard", throw_away), ("Later", lost.leave)]
    session.ask(Question("Open the last session's world?", text, answers))


def _open_newest(session: Session, filing: Filing, autosave: Autosave, lost: LostSession) -> None:
    """Open the newest recording of which any part can be read; set damaged recordings aside."""
    library = session.services.modding.library
    problems: list[tuple[Path, str]] = []

    def make() -> Shown:
        for recording in lost.recordings:
            shown, wrong = opened_as_far_as_it_goes(recording, library)
            if wrong:
                problems.append((recording, wrong))
            if shown is not None:
                return shown
            if library.safe:  # it may be intact, but need a mod
                break
        raise RecordingError("none of them can be opened")

    def tell(opened: bool) -> None:
        for recording, wrong in problems:
            if library.safe and not opened:
                session.messages.warn(translate("{wrong}; it is offered again at the next start", wrong=wrong), 30)
            else:
                session.messages.warn(f"{wrong}; {lost.put_aside(recording)}", 30)

    def show(made: Made) -> None:
        done = "opened the last session's world; save it to keep it for good"
        filing.show_made(made, session.document.again, done)
        session.document.file = session.document.source = None
        session.document.unsaved.nothing_saved()
        tell(True)
        session.playback.present()
        autosave.take_over(lost)

    def give_up(_: str) -> None:
        tell(False)
        lost.leave()

    filing.make(make, "the world", show, give_up, keep_state=True)


def opened_as_far_as_it_goes(recording: Path, library: Library) -> tuple[Shown | None, str]:
    """Open a recording; if it ends before one of its keyframes, open the world of the newest that can be read.

    Returns:
        What was opened, or None; and what is wrong with the recording, or "".
    """
    newest = keyframes_of(recording)

    def whole() -> Timeline:
        timeline = open_recording(recording, library)
        is_behind = newest and timeline.branch.last < newest[0][0]
        if timeline.cut and (is_behind or library.safe):
            timeline.close()
            raise RecordingError(timeline.cut)
        return timeline

    makes: list[Make] = [whole, *(partial(open_state, recording, library, member) for _, member in newest)]
    first = ""
    for make in makes:
        try:
            shown = make()
        except (ValueError, OSError) as error:
            first = first or str(error)
            continue
        scene = simulation_of(shown).scene
        scene.folder = pictures_of(recording) or scene.folder
        return shown, first
    return None, first


def in_words(seconds: float) -> str:
    """Return an age in words: "40 s ago", "3 minutes ago"."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = round(seconds / size)
            return translate(f"{{count}} {unit}{'s' if count > 1 else ''} ago", count=count)
    return translate("{seconds:.0f} s ago", seconds=seconds)
