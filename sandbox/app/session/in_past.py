"""Tells when the past is entered or changed, and when time comes to the present or to another branch again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandbox.app.messages import SECONDS, STANDING
from sandbox.clock import time_in_words
from sandbox.language import translate
from sandbox.past.branch import Branch

if TYPE_CHECKING:
    from sandbox.app.session.session import Session

ABOUT = "past"
ENTERED = "This is the past, and time stands. {play}. If you change something, a new branch begins here. {back}."
RETURNED = "In the present again."
STANDS = "In the present again, and time stands. {play}."
BRANCHED = (
    "You changed the past: from here on, the world takes another course. The old course is kept: "
    "the thin line above the time bar leads back to it."
)
SWITCHED = "Back on the course that you left: it goes on from {time}. {play}."
BRANCHED_AGAIN = "You changed the past: a new branch begins here."


class InPast:
    """Remembers which moment was shown in the last frame."""

    def __init__(self) -> None:
        self._told_branch = False
        self.begin()

    def begin(self) -> None:
        """Another world is shown."""
        self._was: bool | None = None  # whether the past was shown; None: before the moment that the world opens at
        self._known: list[Branch] | None = None

    def frame(self, session: Session) -> None:
        """Tell what has become of the moment that is shown, at the end of a frame's work on the world."""
        timeline, playback = session.document.timeline, session.playback
        known, self._known = self._known, [*timeline.recording.branches]
        if known is not None and timeline.branch not in known and timeline.branch.parent is not None:
            _say(session, BRANCHED_AGAIN if self._told_branch else BRANCHED, 2 * SECONDS)
            self._told_branch, self._was = True, timeline.in_past
        if playback.goes or playback.held:
            return
        was, self._was = self._was, timeline.in_past
        returned, playback.returns_to = playback.returns_to, None
        switched = returned is timeline.branch and not self._was
        if not switched and (was is None or was == self._was or playback.loop is not None):
            return
        play = session.with_key("Play on", "pause")
        if switched:
            time = time_in_words(timeline.tick, session.clock.tick_rate)
            _say(session, translate(SWITCHED, time=time, play=play), 2 * SECONDS)
        elif not session.clock.paused:
            if not self._was:
                _say(session, RETURNED)
        elif not self._was:
            _say(session, translate(STANDS, play=play), about=STANDING)
        else:
            back = session.with_key("Back to the present", "present")
            _say(session, translate(ENTERED, play=play, back=back), 2 * SECONDS, STANDING)


def _say(session: Session, words: str, seconds: float = SECONDS, about: str = ABOUT) -> None:
    """Show a message in place of the one before."""
    for topic in (ABOUT, STANDING):
        session.messages.withdraw(topic)
    session.messages.say(words, seconds, about)
