"""Autosaves: a session keeps its last few states in a folder of its own, which goes when the session ends well.

    autosave/
        20260301-101500-9f3a.lock       held while the session lives
        20260301-101500-9f3a/
            000007.npz ...              the newest has the highest number

A folder whose lock nobody holds was left behind by a session that ended unexpectedly. The system lets go of a lock
when its process ends, however it ends; the number of a process may be another's by then. The lock is taken before the
folder is made and lies beside it, so that no folder is ever without an owner, and a folder goes before its lock does.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path

from sandbox.files import free_name, make_folder
from sandbox.locks import Lock, take

KEPT = 5  # states of a session


class OwnAutosaves:
    """Those of this session; nothing is made on the disk before the first is asked for."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folder: Path | None = None
        self._lock: Lock | None = None
        self._number = 0

    def next_file(self) -> Path:
        """Where to write the next state.

        Raises:
            OSError: the folder can't be made.
        """
        if self._folder is None or not self._folder.is_dir():
            self._begin()
        assert self._folder is not None
        self._number += 1
        return self._folder / f"{self._number:06}.npz"

    def forget_old(self) -> None:
        """Keep the newest few."""
        if self._folder is not None:
            for path in _states(self._folder)[KEPT:]:
                with contextlib.suppress(OSError):
                    path.unlink()

    def end(self) -> None:
        """The session ends well: nothing is left of it."""
        if self._folder is not None and self._lock is not None:
            _remove(self._folder, self._lock)
        self._folder = self._lock = None

    def leave(self) -> None:
        """The session ends: what it kept is for the next one."""
        if self._lock is not None:
            self._lock.let_go()

    def _begin(self) -> None:
        make_folder(self.root)
        if self._lock is None or self._folder is None:
            self._folder = self.root / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(4).hex()}"
            self._lock = take(self._folder.with_suffix(".lock"))
        make_folder(self._folder)


class LostSession:
    """What a session left that ended unexpectedly; nobody else is offered it meanwhile.

    Attributes:
        states: the newest first.
    """

    def __init__(self, folder: Path, lock: Lock) -> None:
        self.states = _states(folder)
        self._folder, self._lock = folder, lock

    @property
    def age(self) -> float:
        """How long ago the newest state was written, s."""
        return max(time.time() - self.states[0].stat().st_mtime, 0.0)

    def throw_away(self) -> None:
        _remove(self._folder, self._lock)

    def put_aside(self, state: Path) -> str:
        """Keep a state that can't be opened, where nobody is offered it again; returns where, in words."""
        folder = self._folder.parent.parent / "unreadable"
        try:
            folder.mkdir(exist_ok=True)
            kept = free_name(folder / f"{self._folder.name}-{state.name}")
            state.rename(kept)
        except OSError as error:
            return f"it can't be put aside: {error}"
        return f"it is kept as {kept}"

    def leave(self) -> None:
        """Keep it for another time."""
        self._lock.let_go()


def find_lost(root: Path) -> LostSession | None:
    """The session that ended unexpectedly last, if there is any."""
    try:
        folders = sorted((path for path in root.iterdir() if path.is_dir()), reverse=True)
    except OSError:
        return None
    for folder in folders:
        try:
            lock = take(folder.with_suffix(".lock"))
        except OSError:
            continue  # it lives
        if _states(folder):
            return LostSession(folder, lock)
        if folder.is_dir():  # it ended before it wrote anything
            _remove(folder, lock)
        else:  # it ended well a moment ago
            lock.remove()
    return None


def _states(folder: Path) -> list[Path]:
    """The states in a folder, the newest first."""
    with contextlib.suppress(OSError):
        return sorted((path for path in folder.iterdir() if path.suffix == ".npz" and path.is_file()), reverse=True)
    return []


def _remove(folder: Path, lock: Lock) -> None:
    """What can't be removed stays, and is offered again."""
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder):
        lock.let_go()
    else:
        lock.remove()
