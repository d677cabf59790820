"""Locks between processes: of a session's folder, a study's results, a kernel that is being compiled."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

HELD = PermissionError if sys.platform == "win32" else BlockingIOError  # what the system says of a lock that is held


class HeldError(OSError):
    """A lock is held already."""


class Lock:
    """A lock, held from `take` until it is released."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path, self._descriptor = path, descriptor

    def let_go(self) -> None:
        """Release the lock; releasing it twice does no harm."""
        if self._descriptor >= 0:
            os.close(self._descriptor)  # closing a file unlocks it, on POSIX and on Windows
        self._descriptor = -1

    def remove(self) -> None:
        """Release the lock and remove its file."""
        if os.name == "posix":  # while it is held, so that nobody takes a lock that is being removed
            with contextlib.suppress(OSError):
                self._path.unlink()
            self.let_go()
        else:  # Windows can't remove an open file
            self.let_go()
            with contextlib.suppress(OSError):
                self._path.unlink()


def take(path: Path) -> Lock:
    """Take the lock of a file; make the file if it does not exist.

    Raises:
        HeldError: the lock is held already.
        OSError: the file can't be made, or the disk has no locks.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        if isinstance(error, HELD):
            raise HeldError(error.errno, "is held already", str(path)) from None
        raise
    return Lock(path, descriptor)
