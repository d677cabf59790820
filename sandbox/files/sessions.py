"""A folder for each session, which only this session writes to, and which shows whether it ended normally.

    20260301-101500-9f3a/           the session's files
    20260301-101500-9f3a.lock       locked while the session runs

A folder whose lock is free was left behind by a session that ended unexpectedly. A lock is released when its
process ends, however it ends; a process id could not show that, because it may be in use again. The lock is taken
before the folder is made and lies beside it, and is removed after the folder, so that no folder is ever without owner.

The window writes its recording to such a folder, as a folder like `000007.boids`; the newest has the highest number.
Beside it, `000007.folder` says in which folder its world looks for pictures: recordings don't say it, because people
share them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from sandbox.files.atomic import free_name, make_folder, read_file, write_atomically
from systems.engine.file_lock import Lock, take

FOLDER = ".folder"


class SessionFolder:
    """The folder of a session, beside those of other sessions in `root`; nothing is on the disk before `made`."""

    def __init__(self, root: Path, path: Path | None = None, lock: Lock | None = None) -> None:
        self.root, self.path = root, path
        self._lock = lock

    def made(self) -> Path:
        """Return the folder; make it if it does not exist.

        Raises:
            OSError: it can't be made.
        """
        make_folder(self.root)
        if self._lock is None or self.path is None:
            path = self.root / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(4).hex()}"
            self.path, self._lock = path, take(path.with_suffix(".lock"))
        make_folder(self.path)
        return self.path

    def remove(self) -> None:
        """Remove the folder, after a normal end or because it is not needed; what can't be removed is left behind."""
        if self.path is not None and self._lock is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            if os.path.lexists(self.path):
                self._lock.let_go()
            else:
                self._lock.remove()
        self.path = self._lock = None

    def leave(self) -> None:
        """Release the lock, so that other sessions find the folder as left behind."""
        if self._lock is not None:
            self._lock.let_go()


Kind = TypeVar("Kind", bound=SessionFolder)


def left_behind(root: Path, kind: type[Kind]) -> Iterator[Kind]:
    """Yield the folders of sessions that ended unexpectedly, latest first; each is locked until `leave` or `remove`."""
    try:
        paths = sorted((path for path in root.iterdir() if path.is_dir()), reverse=True)
    except OSError:
        return
    for path in paths:
        try:
            lock = take(path.with_suffix(".lock"))
        except OSError:
            continue  # its session is running
        yield kind(root, path, lock)


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


def keyframes_of(recording: Path) -> list[tuple[int, str]]:
    """Return the ticks and members of the keyframes of a recording, the newest first."""
    with contextlib.suppress(OSError):
        newest = sorted((recording / "keyframes").glob("*.npy"), key=os.path.getmtime, reverse=True)
        return [(int(path.stem.rpartition("-")[2]), f"keyframes/{path.name}") for path in newest]
    return []


def pictures_of(recording: Path) -> Path | None:
    """Return the folder in which the world of a recording looks for pictures, or None if it is not known."""
    with contextlib.suppress(OSError, ValueError):
        return Path(os.fsdecode(read_file(recording.with_suffix(FOLDER))))
    return None


def _recordings(folder: Path) -> list[Path]:
    """Return the recordings in a folder that have their head file, newest first."""
    return sorted((head.parent for head in folder.glob("*.boids/recording.json")), reverse=True)
