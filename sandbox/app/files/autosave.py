"""Writes the recording of a session to disk every few seconds, without a visible pause.

The main thread only copies what was recorded since, and once a minute the state, which takes some milliseconds for
100,000 boids. A thread packs and writes the copy; numpy and zlib release the GIL, so it hardly slows down frames.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from sandbox.app.jobs.job import Job
from sandbox.app.jobs.jobs import Jobs
from sandbox.files.journal import Journal
from sandbox.files.members import HeldRecording
from sandbox.files.sessions import LostSession, OwnAutosaves
from sandbox.language import translate
from sandbox.past.recording import Recording
from sandbox.past.timeline import Timeline

SECONDS = 3.0  # between two additions
SECONDS_OF_KEYFRAME = 60.0


class Autosave:
    """Writes one addition to the recording at a time; repeated failures are reported once."""

    def __init__(self, root: Path, warn: Callable[[str], None], jobs: Jobs) -> None:
        """Prepare the autosave of this session; `root`: the folder of all sessions' autosaves."""
        self.root = root
        self._own = OwnAutosaves(root)
        self._warn, self._jobs = warn, jobs
        self._journal: Journal | None = None
        self._recording: Recording | None = None  # the recording that the journal belongs to
        self._passed = self._since_keyframe = 0.0
        self._last: tuple[object, ...] = ()
        self._mods: tuple[object, ...] = ()
        self._taken_over: LostSession | None = None
        self._writing: Job | None = None
        self._is_reported = False

    def take_over(self, lost: LostSession) -> None:
        """Take over the autosaves of a lost session: delete them once its world is written as part of this session."""
        self._taken_over = lost
        self._passed = SECONDS
        self._last = ()

    def begin_with(self, timeline: Timeline) -> None:
        """Start with a timeline that was just opened or made: it is not written until it changes."""
        self.wait()
        if self._recording is not timeline.recording:  # of the world before, and hundreds of megabytes
            self._journal = self._recording = None
        self._last = _mark(timeline)
        self._mods = _mods(timeline)

    def pass_time(self, seconds: float, timeline: Timeline) -> None:
        """Start to write an addition if it is due, something was recorded, and the last one is written."""
        self._passed += seconds
        self._since_keyframe += seconds
        if self._passed < SECONDS or self._writing is not None:
            return
        self._passed = 0.0
        if _mark(timeline) != self._last:
            self._start(timeline)

    def wait(self) -> None:
        """Wait until the current write has finished."""
        if self._writing is not None:
            self._jobs.wait(self._writing)

    def keep(self, timeline: Timeline) -> None:
        """End the session, but keep its autosaves, so that the unsaved world is offered at the next start."""
        self.wait()
        self._start(timeline)
        self.wait()
        self._own.leave()

    def close(self) -> None:
        """End the session normally: delete its autosaves and those that it took over."""
        self.wait()
        self._own.remove()
        if self._taken_over is not None:
            self._taken_over.remove()
            self._taken_over = None

    def _start(self, timeline: Timeline) -> None:
        if self._recording is not timeline.recording:
            self._journal, self._recording = None, timeline.recording
        try:
            journal = self._journal or Journal(self._own.next_recording(timeline.simulation.scene.folder))
        except OSError as error:
            self._report(str(error))
            return
        is_due = self._since_keyframe >= SECONDS_OF_KEYFRAME or _mods(timeline) != self._mods
        added = journal.hold(timeline, keyframe=is_due and timeline.is_newest)
        if added.keyframes:
            self._since_keyframe, self._mods = 0.0, _mods(timeline)
        self._journal, self._last = journal, _mark(timeline)
        work = partial(self._write, journal, added)
        self._writing = self._jobs.begin("", work, self._written, self._failed, lane="autosave")

    def _write(self, journal: Journal, added: HeldRecording) -> None:
        """Write an addition; runs in the thread."""
        try:
            journal.write(added)
            self._own.keep_only(journal.folder)
        except Exception as error:  # any failure must be shown to the user
            raise OSError(str(error)) from error

    def _written(self, _: object) -> None:
        self._writing, self._is_reported = None, False
        if self._taken_over is not None:
            self._taken_over.remove()
            self._taken_over = None

    def _failed(self, wrong: str) -> None:
        self._writing, self._journal, self._last = None, None, ()
        self._report(wrong)

    def _report(self, wrong: str) -> None:
        if not self._is_reported:
            self._warn(translate("no autosave: {wrong}", wrong=wrong))
        self._is_reported = True


def _mark(timeline: Timeline) -> tuple[object, ...]:
    """Return a value that changes whenever more is recorded."""
    recording = timeline.recording
    return recording, *((b.last, b.count) for b in recording.branches), *recording.markers.items()


def _mods(timeline: Timeline) -> tuple[object, ...]:
    return tuple(timeline.simulation.mods.mods.values())
