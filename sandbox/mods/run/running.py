"""Which mods a window runs, on disk while it runs: what is left there was left by one that ended unexpectedly.

It is written, an id a line, before the mods are loaded: a mod may end the program while it is imported.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from platformdirs import user_state_path

from sandbox.files import read_file, write_atomically
from sandbox.session_folder import SessionFolder, left_behind

NOTE = "mods.txt"


class RunningMods:
    """Those of this window."""

    def __init__(self, root: Path | None = None) -> None:
        """`root`: the folder of all windows; without it the person's own."""
        self.root = root or user_state_path("boids-sandbox", appauthor=False) / "mods-running"
        self._own = SessionFolder(self.root)

    def begin(self, mods: Iterable[str]) -> None:
        """These are about to run; where that can't be noted, the next start will not know."""
        if names := sorted(mods):
            with contextlib.suppress(OSError):
                write_atomically(self._own.made() / NOTE, "".join(f"{name}\n" for name in names).encode())

    def end(self) -> None:
        """The window ends well."""
        self._own.remove()

    def left(self) -> list[str]:
        """The mods of windows that ended unexpectedly, told once."""
        found: set[str] = set()
        for folder in left_behind(self.root, SessionFolder):
            with contextlib.suppress(OSError, ValueError):
                found |= {name for name in read_file(folder.made() / NOTE).decode().split("\n") if name}
            folder.remove()
        return sorted(found)
