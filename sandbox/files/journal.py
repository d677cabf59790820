"""Journals: recordings that are written while they go on, so that little is lost if the program is killed.

A journal is a recording in a folder. Commands are appended, and the head, which says how many bytes of them are valid,
is replaced after that. So a write that is interrupted at any step leaves the journal readable as it was.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sandbox.files.atomic import make_folder, written_beside
from sandbox.files.container import COMMANDS, START
from sandbox.files.members import HeldRecording, Writer
from sandbox.files.write_recording import hold_recording, hold_shown
from sandbox.past.timeline import Timeline

KEYFRAMES = 2  # the newest are kept, as states that can be opened even if mods have changed


class Journal:
    """Writes the recording of a timeline into a folder. After an error nothing more can be added to it."""

    def __init__(self, folder: Path) -> None:
        """`folder` is made by the first write, and must not exist before."""
        self.folder = folder
        self._writer = Writer()
        self._written = Counter[int]()  # commands, by the number of their branch
        self._bytes = 0  # of commands
        self._keyframes: list[Path] = []

    def hold(self, timeline: Timeline, *, keyframe: bool) -> HeldRecording:
        """Copy what `write` is to write; must not be called during a `write`. `keyframe`: include a keyframe of now."""
        return hold_recording(timeline, self._written, hold_shown(timeline) if keyframe else ())

    def write(self, added: HeldRecording) -> None:
        """Write what was recorded since the last write; may be called in another thread.

        Raises:
            OSError: it can't be written; what was written before is intact.
        """
        for name, content in self._writer.members(added):
            path = self.folder / name
            if name == START or path.parent != self.folder:  # if the folder was removed meanwhile, writing fails
                make_folder(path.parent)
            if name == COMMANDS:
                self._append(path, content)
                continue
            with written_beside(path) as file:
                file.writelines(content)
        self._written.update(number for number, _ in added.commands)
        self._keyframes += [self.folder / name for name, _ in added.keyframes]
        for path in self._keyframes[:-KEYFRAMES]:
            with contextlib.suppress(OSError):
                path.unlink()
        del self._keyframes[:-KEYFRAMES]

    def _append(self, path: Path, lines: Iterable[Any]) -> None:
        with open(path, "ab") as file:
            if file.tell() != self._bytes:
                raise OSError(f"{file.name}: another program changed it")
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
            self._bytes = file.tell()
