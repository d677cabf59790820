"""Reads zip files safely even if they are hostile.

A small zip file can unpack to terabytes, or contain one name twice. So its directory is read first, with limits of its
own, and data is read only after the caller has stated how much there may be.
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

MOST_MEMBERS = 4096
MOST_DIRECTORY = 1 << 20  # bytes
MOST_FILE = 1 << 30  # bytes
MOST_SAID = 250  # characters
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
        members: by name, in the order of the file.
    """

    def __init__(self, path: str | os.PathLike[str], words: Words, file: BinaryIO | None = None) -> None:
        """Read the directory.

        Args:
            file: the file to read; None: open the one at `path`.
        Raises:
            ValueError: of the type of `words`; this is not such a file.
        """
        self.path, self._words = Path(path), words
        self.members: dict[str, zipfile.ZipInfo] = {}
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
        return self._archive.open(self.members[name])

    def read(self, name: str, most: int) -> bytes:
        """Read a whole member of at most `most` bytes.

        Raises:
            ValueError: it is missing, larger or damaged.
        """
        member = self.members.get(name)
        if member is None:
            raise self.error(f"{name} is missing")
        if member.file_size > most:
            raise self.error(f"{name} is larger than it can be ({most:,} bytes)")
        with self.translated(f"{name} "), self.open(name) as file:
            data = file.read(member.file_size + 1)
            if len(data) != member.file_size:
                raise zipfile.BadZipFile
        return data

    def _check_end(self) -> None:
        """Refuse an oversized directory before `zipfile` reads it."""
        words = self._words
        size = self._file.seek(0, os.SEEK_END)
        if size > MOST_FILE:
            raise self.error(f"is larger than {words.kind} can be ({MOST_FILE >> 20} MB)")
        self._file.seek(max(size - LOCATOR - END.size, 0))
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
        self.members[member.filename] = member

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
