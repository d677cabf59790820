"""Which mods a window runs, on disk while it runs: what is left there was left by one that ended unexpectedly.

    mods-running/
        20260301-101500-9f3a.lock       held while the window lives
        20260301-101500-9f3a.txt        an id a line

It is written before the mods are loaded: a mod may end the program while it is imported. The system lets go of a lock
when its process ends, however it ends.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable
from pathlib import Path

from platformdirs import user_state_path

from sandbox.files import make_folder, read_file, write_atomically
from sandbox.locks import Lock, take


class RunningMods:
    """Those of this window."""

    def __init__(self, root: Path | None = None) -> None:
        """`root`: the folder of all windows; without it the person's own."""
        self.root = root or user_state_path("boids-sandbox", appauthor=False) / "mods-running"
        self._path: Path | None = None
        self._lock: Lock | None = None

    def begin(self, mods: Iterable[str]) -> None:
        """These are about to run; where that can't be noted, the next start will not know."""
        names = sorted(mods)
        if not names:
            return
        with contextlib.suppress(OSError):
            if self._path is None:
                make_folder(self.root)
                path = self.root / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(4).hex()}.txt"
                self._lock = take(path.with_suffix(".lock"))
                self._path = path
            write_atomically(self._path, "".join(f"{name}\n" for name in names).encode())

    def end(self) -> None:
        """The window ends well."""
        if self._path is not None and self._lock is not None:
            _remove(self._path, self._lock)
        self._path = self._lock = None

    def left(self) -> list[str]:
        """The mods of windows that ended unexpectedly, told once."""
        found: set[str] = set()
        try:
            paths = sorted(self.root.glob("*.txt"))
        except OSError:
            return []
        for path in paths:
            with contextlib.suppress(OSError, ValueError):
                lock = take(path.with_suffix(".lock"))  # OSError: it lives
                found |= {name for name in read_file(path).decode().split("\n") if name}
                _remove(path, lock)
        return sorted(found)


def _remove(path: Path, lock: Lock) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
    lock.remove()
