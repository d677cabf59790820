"""Autosaves: a session keeps its recording in a folder of its own, which goes when the session ends well.

A recording is a folder like `000007.boids`; the newest has the highest number.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path

from sandbox.files import free_name
from sandbox.session_folder import SessionFolder, left_behind


class OwnAutosaves(SessionFolder):
    """Those of this session."""

    _number = 0

    def next_recording(self) -> Path:
        """Where to write the next one.

        Raises:
            OSError: the folder of the session can't be made.
        """
        self._number += 1
        return self.made() / f"{self._number:06}.boids"

    def keep_only(self, recording: Path) -> None:
        """What was written before it is no longer needed."""
        for path in _recordings(recording.parent):
            if path != recording:
                shutil.rmtree(path, ignore_errors=True)


class LostSession(SessionFolder):
    """What a session left that ended unexpectedly; nobody else is offered it meanwhile."""

    @property
    def recordings(self) -> list[Path]:
        """The newest first."""
        return _recordings(self.path) if self.path else []

    @property
    def age(self) -> float:
        """How long ago something was written last, s."""
        return max(time.time() - max(os.path.getmtime(path) for path in self.recordings), 0.0)

    def put_aside(self, recording: Path) -> str:
        """Keep what can't be opened, where nobody is offered it again; returns where, in words."""
        folder = self.root.parent / "unreadable"
        try:
            folder.mkdir(exist_ok=True)
            kept = free_name(folder / f"{recording.parent.name}-{recording.name}")
            recording.rename(kept)
        except OSError as error:
            return f"it can't be put aside: {error}"
        return f"it is kept as {kept}"


def find_lost(root: Path) -> LostSession | None:
    """The session that ended unexpectedly last, if there is any."""
    for lost in left_behind(root, LostSession):
        if lost.recordings:
            return lost
        lost.remove()  # it ended before it wrote anything, or well a moment ago
    return None


def keyframes_of(recording: Path) -> list[Path]:
    """The snapshots in the folder of a recording, the newest first."""
    with contextlib.suppress(OSError):
        return sorted((recording / "keyframes").glob("*.npz"), key=os.path.getmtime, reverse=True)
    return []


def tick_of(keyframe: Path) -> int:
    """The tick of such a snapshot."""
    return int(keyframe.stem.rpartition("-")[2])


def _recordings(folder: Path) -> list[Path]:
    """Those in a folder of which something can be opened, the newest first."""
    return sorted((head.parent for head in folder.glob("*.boids/recording.json")), reverse=True)
