"""Reads zip files safely even if they are hostile.

A small zip file can unpack to terabytes, or contain one name twice. So its directory is read first, with limits of its
own, and data is read only after the caller has stated how much there may be, and if the budget of the file has room.
"""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO

from sandbox.files import named, open_file, reason
from sandbox.state.budget import Budget

MOST_MEMBERS = 4096
MOST_DIRECTORY = 1 << 20  # bytes
MOST_FILE = 1 << 30  # bytes
MOST_SAID = 250  # characters
OF_CHARACTER = 32  # bytes of memory at most while a character of JSON is parsed
CHUNK = 1 << 20  # bytes
END = struct.Struct("<4s4H2LH")  # the record at the end of a zip file
LOCATOR = 20  # bytes before the end record: zip64's own counts


@dataclass(frozen=True)
class Words:
    """Words of errors about a file: "a snapshot", "arrays", "a whole one is written by `save`"; and their type."""

    kind: str
    members: str
    right: str
    error: type[ValueError]

    def about(self, path: Path, text: str) -> ValueError:
        """Make an error that names the file; characters that are not printable are replaced."""
        shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[:MOST_SAID])
        return self.error(f"{named(path)}: {shown}")


class StrictZip:
    """The members of a zip file, open for reading.

    Attributes:
        members: their unpacked sizes in bytes, by name, in the order of the file.
        budget: what may be unpacked from this file; `read` and `lines` only check it, because they keep nothing.
    """

    def __init__(self, path: str | os.PathLike[str], words: Words, file: BinaryIO | None = None) -> None:
        """Read the directory.

        Args:
            file: the file to read; None: open the one at `path`.
        Raises:
            ValueError: of the type of `words`; this is not such a file.
        """
        self.path, self._words = Path(path), words
        self.members: dict[str, int] = {}
        self.budget = Budget()
        try:
            self._file: BinaryIO = file or open_file(path)
        except OSError as error:
            raise words.error(f"{named(path)}: can't be read: {reason(error)}") from None
        try:
            with self.translated():
                self._check_end()
                self._archive = zipfile.ZipFile(self._file)
            for member in self._archive.infolist():
                self._add(member)
        except BaseException:
            self._file.close()
            raise

    def error(self, text: str) -> ValueError:
        """Make an error that names the file."""
        return self._words.about(self.path, text)

    def open(self, name: str) -> IO[bytes]:
        """Open a member; it must be read and closed in a `translated` block."""
        return self._archive.open(name)

    def read(self, name: str, most: int) -> bytes:
        """Read a whole member of at most `most` bytes.

        Raises:
            ValueError: it is missing, larger or damaged.
        """
        size = self._checked_size(name, most)
        try:
            self.budget.check(size - self._size)
        except ValueError as error:
            raise self.error(f"{name} {error}") from None
        with self.translated(f"{name} "), self.open(name) as file:
            data = file.read(size + 1)
            if len(data) != size:
                raise zipfile.BadZipFile
        return data

    def lines(self, name: str, most: int, valid: int | None = None) -> Iterator[bytes]:
        """Return the lines of a member of at most `most` bytes; only one is in memory at a time.

        Args:
            valid: the bytes that count; None: all.
        Raises:
            ValueError: it is missing, larger, shorter than `valid`, or damaged. The iterator raises one if a line takes
                more than is left of the budget.
        """
        size = self._checked_size(name, most)
        left = size if valid is None else valid
        if size < left:
            raise self.error(f"{name} has {size:,} bytes, and must have {left:,}")
        with self.translated(f"{name} "), self.open(name) as file:
            while file.read(CHUNK):
                pass
        return self._lines(name, left)

    def _lines(self, name: str, left: int) -> Iterator[bytes]:
        with self.open(name) as file:
            while line := file.readline(min(left, self.budget.left // OF_CHARACTER + 1)):
                try:
                    self.budget.check(len(line) * OF_CHARACTER)
                except ValueError as error:
                    raise self.error(f"{name}: a line {error}") from None
                left -= len(line)
                yield line

    def _checked_size(self, name: str, most: int) -> int:
        if name not in self.members:
            raise self.error(f"{name} is missing")
        if self.members[name] > most:
            raise self.error(f"{name} is larger than it can be ({most:,} bytes)")
        return self.members[name]

    def _check_end(self) -> None:
        """Refuse an oversized directory before `zipfile` reads it."""
        words = self._words
        self._size = self._file.seek(0, os.SEEK_END)
        if self._size > MOST_FILE:
            raise self.error(f"is larger than {words.kind} can be ({MOST_FILE >> 20} MB)")
        self._file.seek(max(self._size - LOCATOR - END.size, 0))
        end = self._file.read()
        mark, _, _, _, members, directory, _, comment = END.unpack(end[-END.size :])
        if mark != b"PK\x05\x06" or comment or end.startswith(b"PK\x06\x07"):  # `zipfile` would use zip64's counts
            raise zipfile.BadZipFile
        if members > MOST_MEMBERS or directory > MOST_DIRECTORY:
            raise self.error(f"holds more than the {MOST_MEMBERS} {words.members} {words.kind} may have")

    def _add(self, member: zipfile.ZipInfo) -> None:
        if member.filename in self.members:
            raise self.error(f"holds {member.filename!r} twice")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or member.flag_bits & 1:
            raise self.error(f"{member.filename!r} is packed in a way that those of {self._words.kind} are not")
        self.members[member.filename] = member.file_size

    @contextmanager
    def translated(self, what: str = "") -> Iterator[None]:
        """Turn every error that damage can cause in the block into one sentence; `what`: the part that is read."""
        try:
            yield
        except self._words.error:
            raise
        except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, ValueError, RuntimeError, OSError):
            raise self.error(f"{what}is damaged or not {self._words.kind}: {self._words.right}") from None

    def close(self) -> None:
        """Close the file."""
        self._archive.close()
        self._file.close()
