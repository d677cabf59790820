"""A folder for each session, that only it writes to, and that tells whether the session ended well.

    20260301-101500-9f3a/           what the session keeps
    20260301-101500-9f3a.lock       held while it lives

A folder whose lock nobody holds was left behind by a session that ended unexpectedly. The system lets go of a lock
when its process ends, however it ends; the number of a process may be another's by then. The lock is taken before the
folder is made and lies beside it, so that no folder is ever without an owner, and a folder goes before its lock does.
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
    """The folder of a session, among those of all sessions in `root`; nothing is on the disk before `made`."""

    def __init__(self, root: Path, path: Path | None = None, lock: Lock | None = None) -> None:
        self.root, self.path = root, path
        self._lock = lock

    def made(self) -> Path:
        """The folder, which is made where it is not there.

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
        """The session ended well, or what it left is no longer needed; what can't be removed counts as left behind."""
        if self.path is not None and self._lock is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            if os.path.lexists(self.path):
                self._lock.let_go()
            else:
                self._lock.remove()
        self.path = self._lock = None

    def leave(self) -> None:
        """Let others find what is in it."""
        if self._lock is not None:
            self._lock.let_go()


Kind = TypeVar("Kind", bound=SessionFolder)


def left_behind(root: Path, kind: type[Kind]) -> Iterator[Kind]:
    """The folders of sessions that ended unexpectedly, the last first; until they are left, nobody else has them."""
    try:
        paths = sorted((path for path in root.iterdir() if path.is_dir()), reverse=True)
    except OSError:
        return
    for path in paths:
        try:
            lock = take(path.with_suffix(".lock"))
        except OSError:
            continue  # it lives
        yield kind(root, path, lock)
