"""Autosaves: a session writes its recording to a folder of its own, which is removed when the session ends normally.

A recording is a folder such as `000007.boids`; the newest has the highest number. Beside it, `000007.folder` says in
which folder its world looks for pictures: recordings don't say it, because people share them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path

from sandbox.files import free_name, read_file, write_atomically
from sandbox.session_folder import SessionFolder, left_behind

FOLDER = ".folder"


class OwnAutosaves(SessionFolder):
    """The folder of this session's autosaves."""

    _number = 0

    def next_recording(self, pictures: Path | None = None) -> Path:
        """Return the path for the next recording, of a world that looks for pictures in the folder `pictures`.

        Raises:
            OSError: the folder of the session can't be made or written.
        """
        self._number += 1
        path = self.made() / f"{self._number:06}.boids"
        if pictures is not None:
            write_atomically(path.with_suffix(FOLDER), os.fsencode(pictures))
        return path

    def keep_only(self, recording: Path) -> None:
        """Remove all recordings of the session except this one."""
        for path in _recordings(recording.parent):
            if path != recording:
                shutil.rmtree(path, ignore_errors=True)


class LostSession(SessionFolder):
    """The folder of a session that ended unexpectedly; it is locked, so no other session offers it meanwhile."""

    @property
    def recordings(self) -> list[Path]:
        """Its recordings, newest first."""
        return _recordings(self.path) if self.path else []

    @property
    def age(self) -> float:
        """The time since the last recording was written, s."""
        return max(time.time() - max(os.path.getmtime(path) for path in self.recordings), 0.0)

    def put_aside(self, recording: Path) -> str:
        """Move an unreadable recording to a folder where it is not offered again; return a sentence that says where."""
        folder = self.root.parent / "unreadable"
        try:
            folder.mkdir(exist_ok=True)
            kept = free_name(folder / f"{recording.parent.name}-{recording.name}")
            recording.rename(kept)
        except OSError as error:
            return f"it can't be put aside: {error}"
        return f"it is kept as {kept}"


def find_lost(root: Path) -> LostSession | None:
    """Return the latest session that ended unexpectedly, or None."""
    for lost in left_behind(root, LostSession):
        if lost.recordings:
            return lost
        lost.remove()  # it ended before it wrote anything, or normally a moment ago
    return None


def keyframes_of(recording: Path) -> list[Path]:
    """Return the snapshots in the folder of a recording, newest first."""
    with contextlib.suppress(OSError):
        return sorted((recording / "keyframes").glob("*.npz"), key=os.path.getmtime, reverse=True)
    return []


def pictures_of(recording: Path) -> Path | None:
    """Return the folder in which the world of a recording looks for pictures, or None if it is not known."""
    with contextlib.suppress(OSError, ValueError):
        return Path(os.fsdecode(read_file(recording.with_suffix(FOLDER))))
    return None


def tick_of(keyframe: Path) -> int:
    """Return the tick of such a snapshot, from its name."""
    return int(keyframe.stem.rpartition("-")[2])


def _recordings(folder: Path) -> list[Path]:
    """Return the recordings in a folder that have their head file, newest first."""
    return sorted((head.parent for head in folder.glob("*.boids/recording.json")), reverse=True)
