"""Offers at the start to open the autosaves of a session that ended unexpectedly."""

from __future__ import annotations

from sandbox.app.files.autosave import Autosave
from sandbox.app.questions import Question
from sandbox.app.session.filing import Filing
from sandbox.app.session.session import Session
from sandbox.files.sessions import LostSession, find_lost
from sandbox.language import translate


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
    for recording in lost.recordings:
        is_open, wrong = filing.open_lost(recording)
        if not is_open and session.services.modding.library.safe:  # it may be intact, but need a mod
            session.messages.warn(translate("{wrong}; it is offered again at the next start", wrong=wrong), 30)
            break
        if wrong:
            session.messages.warn(f"{wrong}; {lost.put_aside(recording)}", 30)
        if is_open:
            session.playback.present()
            autosave.take_over(lost)
            return
    lost.leave()


def in_words(seconds: float) -> str:
    """Return an age in words: "40 s ago", "3 minutes ago"."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = round(seconds / size)
            return translate(f"{{count}} {unit}{'s' if count > 1 else ''} ago", count=count)
    return translate("{seconds:.0f} s ago", seconds=seconds)
