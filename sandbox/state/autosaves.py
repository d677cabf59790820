"""Autosaves: a session keeps its last few states in a folder of its own, which goes when the session ends well.

They are called `000007.npz`; the newest has the highest number.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from sandbox.files import free_name
from sandbox.session_folder import SessionFolder, left_behind

KEPT = 5  # states of a session


class OwnAutosaves(SessionFolder):
    """Those of this session."""

    _number = 0

    def next_file(self) -> Path:
        """Where to write the next state.

        Raises:
            OSError: the folder can't be made.
        """
        self._number += 1
        return self.made() / f"{self._number:06}.npz"

    def forget_old(self) -> None:
        """Keep the newest few."""
        if self.path is not None:
            for path in _states(self.path)[KEPT:]:
                with contextlib.suppress(OSError):
                    path.unlink()


class LostSession(SessionFolder):
    """What a session left that ended unexpectedly; nobody else is offered it meanwhile."""

    @property
    def states(self) -> list[Path]:
        """The newest first."""
        return _states(self.path) if self.path else []

    @property
    def age(self) -> float:
        """How long ago the newest state was written, s."""
        return max(time.time() - self.states[0].stat().st_mtime, 0.0)

    def put_aside(self, state: Path) -> str:
        """Keep a state that can't be opened, where nobody is offered it again; returns where, in words."""
        folder = self.root.parent / "unreadable"
        try:
            folder.mkdir(exist_ok=True)
            kept = free_name(folder / f"{state.parent.name}-{state.name}")
            state.rename(kept)
        except OSError as error:
            return f"it can't be put aside: {error}"
        return f"it is kept as {kept}"


def find_lost(root: Path) -> LostSession | None:
    """The session that ended unexpectedly last, if there is any."""
    for lost in left_behind(root, LostSession):
        if lost.states:
            return lost
        lost.remove()  # it ended before it wrote anything, or well a moment ago
    return None


def _states(folder: Path) -> list[Path]:
    """The states in a folder, the newest first."""
    with contextlib.suppress(OSError):
        return sorted((path for path in folder.iterdir() if path.suffix == ".npz" and path.is_file()), reverse=True)
    return []
