"""A folder for each session, which only this session writes to, and which shows whether it ended normally.

    20260301-101500-9f3a/           the session's files
    20260301-101500-9f3a.lock       locked while the session runs

A folder whose lock is free was left behind by a session that ended unexpectedly. The system releases a lock when its
process ends, however it ends; a process id could not show that, because it may be in use again. The lock is taken
before the folder is made and lies beside it, and is removed after the folder, so that no folder is ever without owner.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from sandbox.files import make_folder
from sandbox.locks import Lock, take


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
