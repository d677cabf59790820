"""Keeps the recording of a session on disk, a few seconds behind, without a pause that could be seen.

The frame's thread only holds still what was recorded since, and once a minute the state, some milliseconds at 100,000
boids; packing and writing happen in a thread, whose work is numpy's and zlib's and leaves the frame's thread alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from sandbox.language import said
from sandbox.past.journal import Addition, Journal
from sandbox.past.recording import Recording
from sandbox.past.timeline import Timeline
from sandbox.state.autosaves import LostSession, OwnAutosaves

SECONDS = 3.0  # between two
SECONDS_OF_KEYFRAME = 60.0


class Autosave:
    """Writes one addition at a time; a failure is told once, until one succeeds again."""

    def __init__(self, root: Path, warn: Callable[[str], None]) -> None:
        """`root`: the folder of all sessions' autosaves."""
        self.root = root
        self._own = OwnAutosaves(root)
        self._warn = warn
        self._journal: Journal | None = None
        self._recording: Recording | None = None  # the one that it is of
        self._passed = self._since_keyframe = 0.0
        self._last: tuple[object, ...] = ()
        self._mods: tuple[object, ...] = ()
        self._taken_over: LostSession | None = None
        self._thread: threading.Thread | None = None
        self._wrong: str | None = None
        self._told = False

    def take_over(self, lost: LostSession) -> None:
        """What is shown is that of a lost session: what it left goes as soon as it is written as our own."""
        self._taken_over = lost
        self._passed = SECONDS
        self._last = ()

    def begin_with(self, timeline: Timeline) -> None:
        """This was opened or made anew: it needs no keeping until it changes."""
        self.wait()
        self._last = _mark(timeline)
        self._mods = _mods(timeline)

    def pass_time(self, seconds: float, timeline: Timeline) -> None:
        """Write when it is time, something was recorded and the last addition is written."""
        self._passed += seconds
        self._since_keyframe += seconds
        if self._thread is not None and not self._thread.is_alive():
            self._end_thread()
        if self._passed < SECONDS or self._thread is not None:
            return
        self._passed = 0.0
        if _mark(timeline) != self._last:
            self._start(timeline)

    def wait(self) -> None:
        """Until what is being written is written."""
        if self._thread is not None:
            self._end_thread()

    def keep(self, timeline: Timeline) -> None:
        """The session ends, and its world, which is not saved, is offered at the next start."""
        self.wait()
        self._start(timeline)
        self.wait()
        self._own.leave()

    def close(self) -> None:
        """The session ends well: nothing is left of its autosaves, nor of what it took over."""
        self.wait()
        self._own.remove()
        if self._taken_over is not None:
            self._taken_over.remove()
            self._taken_over = None

    def _start(self, timeline: Timeline) -> None:
        if self._recording is not timeline.recording:
            self._journal, self._recording = None, timeline.recording
        try:
            journal = self._journal or Journal(self._own.next_recording())
        except OSError as error:
            self._tell(str(error))
            return
        is_due = self._since_keyframe >= SECONDS_OF_KEYFRAME or _mods(timeline) != self._mods
        added = journal.hold(timeline, keyframe=is_due and timeline.is_newest)
        if added.keyframe is not None:
            self._since_keyframe, self._mods = 0.0, _mods(timeline)
        self._journal, self._last = journal, _mark(timeline)
        self._thread = threading.Thread(target=self._write, args=(journal, added), name="autosave")
        self._thread.start()

    def _write(self, journal: Journal, added: Addition) -> None:
        """In the thread."""
        self._wrong = None
        try:
            journal.write(added)
            self._own.keep_only(journal.folder)
        except Exception as error:  # whatever it is, the person must hear of it
            self._wrong = str(error)

    def _end_thread(self) -> None:
        assert self._thread is not None
        self._thread.join()
        self._thread = None
        if self._wrong is not None:
            self._journal, self._last = None, ()
            self._tell(self._wrong)
            return
        self._told = False
        if self._taken_over is not None:
            self._taken_over.remove()
            self._taken_over = None

    def _tell(self, wrong: str) -> None:
        if not self._told:
            self._warn(said("no autosave: {wrong}", wrong=wrong))
        self._told = True


def _mark(timeline: Timeline) -> tuple[object, ...]:
    """What differs as soon as more is recorded."""
    recording = timeline.recording
    return recording, *((b.last, len(b.commands)) for b in recording.branches), *recording.markers.items()


def _mods(timeline: Timeline) -> tuple[object, ...]:
    return tuple(timeline.simulation.mods.mods.values())
