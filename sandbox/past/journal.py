"""Recordings that are written while they go on, so that little is lost when the program is killed.

A journal is a recording in a folder. Commands are appended to; the head is replaced at last, and says how many bytes of
them belong to it. So whatever is killed between two of these steps leaves what was whole before.
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

KEYFRAMES = 2  # the newest; each is a state that can be opened where mods are no longer what they were


@dataclass(frozen=True)
class Addition:
    """What has been recorded since the last time, held still; `keyframe`: the member that it is, and a state."""

    recording: HeldRecording
    keyframe: tuple[str, HeldState] | None


class Journal:
    """Writes what is recorded on a timeline into a folder. After an error nothing more can be added to it."""

    def __init__(self, folder: Path) -> None:
        """A new one, in a folder that is not there yet."""
        self.folder = folder
        self._members: Members | None = None
        self._written = Counter[int]()  # commands, by the number of their branch
        self._bytes = 0  # of commands
        self._keyframes: list[Path] = []

    def hold(self, timeline: Timeline, *, keyframe: bool) -> Addition:
        """What is to be written now, but not while `write` is at work; `keyframe`: with one of this moment."""
        return Addition(hold_recording(timeline, self._written), hold_keyframe(timeline) if keyframe else None)

    def write(self, added: Addition) -> None:
        """Write it; another thread may do that.

        Raises:
            OSError: it can't be written; what was there before is whole.
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
        write_atomically(self.folder / DIGESTS, held.digests)  # it may be older than the head, not newer
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
    """A journal as the file that recordings are; what else lies in its folder is left alone.

    No more is read than shows that it is too much.

    Raises:
        OSError: it can't be read.
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
