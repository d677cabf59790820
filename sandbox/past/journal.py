"""Journals: recordings that are written while they go on, so that little is lost if the program is killed.

A journal is a recording in a folder. First commands are appended, last the head is replaced, which says how many bytes
of the commands are valid. So a write that is interrupted at any step leaves the previous state readable.
"""

from __future__ import annotations

import contextlib
import io
import os
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from sandbox.files import make_folder, read_file, write_atomically
from sandbox.past.recording_file import (
    COMMANDS,
    DIGESTS,
    HEAD,
    MEMBER,
    START,
    VIEWS,
    HeldRecording,
    Members,
    hold_keyframe,
    hold_recording,
)
from sandbox.past.timeline import Timeline
from sandbox.past.views import packed_views
from sandbox.state.held_state import HeldState
from sandbox.state.strict_zip import MOST_FILE

KEYFRAMES = 2  # the newest are kept, as states that can be opened even if mods have changed


@dataclass(frozen=True)
class Addition:
    """A copy of what was recorded since the last write; `keyframe`: the name of its member, and a state."""

    recording: HeldRecording
    keyframe: tuple[str, HeldState] | None


class Journal:
    """Writes the recording of a timeline into a folder. After an error nothing more can be added to it."""

    def __init__(self, folder: Path) -> None:
        """`folder` is made by the first write, and must not exist before."""
        self.folder = folder
        self._members: Members | None = None
        self._written = Counter[int]()  # commands, by the number of their branch
        self._bytes = 0  # of commands
        self._keyframes: list[Path] = []

    def hold(self, timeline: Timeline, *, keyframe: bool) -> Addition:
        """Copy what `write` is to write; must not be called during a `write`. `keyframe`: include a keyframe of now."""
        return Addition(hold_recording(timeline, self._written), hold_keyframe(timeline) if keyframe else None)

    def write(self, added: Addition) -> None:
        """Write the addition; may be called in another thread.

        Raises:
            OSError: it can't be written; what was written before is intact.
        """
        held = added.recording
        if self._members is None:
            self._members = Members(held)
            make_folder(self.folder)
            write_atomically(self.folder / START, held.start.packed())
        lines = self._members.commands(held)
        for name, data in self._members.new_copies():
            self._write(name, data)
        self._append(lines)
        head = self._members.head(held, command_bytes=self._bytes)
        write_atomically(self.folder / HEAD, head)
        write_atomically(self.folder / DIGESTS, held.digests)  # after the head: it may be older, but not newer
        write_atomically(self.folder / VIEWS, packed_views(held.views))
        self._written.update(number for number, _ in held.commands)
        if added.keyframe is not None:
            self._keep(*added.keyframe)

    def _append(self, lines: bytes) -> None:
        with open(self.folder / COMMANDS, "ab") as file:
            if file.tell() != self._bytes:
                raise OSError(f"{file.name}: another program changed it")
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
        self._bytes += len(lines)

    def _keep(self, name: str, state: HeldState) -> None:
        self._write(name, state.packed())
        self._keyframes.append(self.folder / name)
        for path in self._keyframes[:-KEYFRAMES]:
            with contextlib.suppress(OSError):
                path.unlink()
        del self._keyframes[:-KEYFRAMES]

    def _write(self, name: str, data: bytes) -> None:
        path = self.folder / name
        make_folder(path.parent)
        write_atomically(path, data)


def journal_file(folder: Path) -> BinaryIO:
    """Return a journal as a `.boids` file in memory; other files in its folder are ignored.

    Reading stops when the limit of a recording's size is exceeded.

    Raises:
        OSError: a file can't be read.
    """
    content, left = io.BytesIO(), MOST_FILE + 1
    with zipfile.ZipFile(content, "w") as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if MEMBER.fullmatch(name):
                data = read_file(path, left)
                archive.writestr(zipfile.ZipInfo(name), data)
                left -= len(data)
    return content
