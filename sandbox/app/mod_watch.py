"""Tells when files of mods have changed and rest: a little is looked at in every frame, all of it twice a second."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

SECONDS = 0.5  # between two looks
IN_A_FRAME = 20  # files and folders

Stamp = Mapping[str, tuple[int, int]]  # when each file was written, ns, and its size


class ModWatch:
    """Looks at folders."""

    def __init__(self) -> None:
        self._passed = 0.0
        self._walk: Iterator[None] | None = None
        self._seen: dict[Path, Stamp] = {}  # with the last look
        self._told: dict[Path, Stamp] = {}

    def pass_time(self, seconds: float, folders: Collection[Path]) -> list[Path]:
        """Look at a few files; returns the folders that are new here or have changed, once they rest for a look."""
        self._passed += seconds
        if self._walk is None:
            if self._passed < SECONDS:
                return []
            self._passed, self._found = 0.0, dict[Path, Stamp]()
            self._walk = self._look(list(folders))
        for _ in range(IN_A_FRAME):
            if next(self._walk, True):
                self._walk = None
                return self._changed()
        return []

    def _look(self, folders: list[Path]) -> Iterator[None]:
        for folder in folders:
            stamp: dict[str, tuple[int, int]] = {}
            for path, about in _files(folder):
                if about is not None:
                    stamp[path] = about.st_mtime_ns, about.st_size
                yield
            self._found[folder] = stamp

    def _changed(self) -> list[Path]:
        rest = [folder for folder, stamp in self._found.items() if stamp == self._seen.get(folder)]
        changed = [folder for folder in rest if self._told.get(folder) != self._found[folder]]
        self._seen = self._found
        self._told.update({folder: self._found[folder] for folder in changed})
        return changed


def _files(folder: Path | str) -> Iterator[tuple[str, os.stat_result | None]]:
    """Every file that belongs to a mod, and nothing for each folder that is gone into."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith(".") or entry.name == "__pycache__" or entry.name.endswith(".pyc"):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    yield entry.path, None
                    yield from _files(entry.path)
                else:
                    yield entry.path, entry.stat()
    except OSError:
        return  # it is being changed: the next look tells
