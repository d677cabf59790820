"""A lock that lives no longer than its process: a file that only one can hold."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path


class Lock:
    """Held from `take` until it is let go."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path, self._descriptor = path, descriptor

    def let_go(self) -> None:
        """Others may take it now; letting go twice does no harm."""
        if self._descriptor >= 0:
            os.close(self._descriptor)  # both systems unlock what is closed
        self._descriptor = -1

    def remove(self) -> None:
        """Let go, and leave no file."""
        if os.name == "posix":  # while it is held, so that nobody takes what is about to go
            with contextlib.suppress(OSError):
                self._path.unlink()
            self.let_go()
        else:  # Windows removes no open file
            self.let_go()
            with contextlib.suppress(OSError):
                self._path.unlink()


def take(path: Path) -> Lock:
    """Take the lock of a file, which is made where there is none.

    Raises:
        OSError: another holds it, or the file can't be made.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return Lock(path, descriptor)
