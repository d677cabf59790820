"""Notes on disk which mods a window runs; a note that is left over is from a window that ended unexpectedly.

The note has one id per line. It is written before the mods are loaded, because importing a mod may end the program.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from platformdirs import user_state_path

from sandbox.files import read_file, write_atomically
from sandbox.files.sessions import SessionFolder, left_behind

NOTE = "mods.txt"


class RunningMods:
    """The note of the mods that this window runs."""

    def __init__(self, root: Path | None = None) -> None:
        """`root`: the folder with the notes of all windows; the default is that of the user."""
        self.root = root or user_state_path("boids-sandbox", appauthor=False) / "mods-running"
        self._own = SessionFolder(self.root)

    def begin(self, mods: Iterable[str]) -> None:
        """Note that these mods are about to run. A note that can't be written is skipped."""
        if names := sorted(mods):
            with contextlib.suppress(OSError):
                write_atomically(self._own.made() / NOTE, "".join(f"{name}\n" for name in names).encode())

    def end(self) -> None:
        """Remove the note, when the window ends normally."""
        self._own.remove()

    def left(self) -> list[str]:
        """Return the mods of windows that ended unexpectedly, and remove their notes."""
        found: set[str] = set()
        for folder in left_behind(self.root, SessionFolder):
            with contextlib.suppress(OSError, ValueError):
                found |= {name for name in read_file(folder.made() / NOTE).decode().split("\n") if name}
            folder.remove()
        return sorted(found)
