"""The members of a recording, read strictly: from a zip file, the folder of a journal, a picture or a page.

A small zip file can unpack to terabytes, or contain one name twice. So its directory is read first, with limits of its
own, and a member only after the caller has stated how much there may be. One budget bounds the memory that all its
members together may take.
"""

from __future__ import annotations

import io
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO

from sandbox.files.atomic import AnyPath, is_page, is_picture, named, open_file, reason
from sandbox.files.page import recording_in_page
from sandbox.files.png import recording_in
from sandbox.long_work import tell_how_far

HEAD, START, COMMANDS, DIGESTS, VIEWS = "recording.json", "start.npy", "commands.jsonl", "digests.bin", "views.bin"
DEEP_VIEWS = "deep_views.bin"
KEYFRAME = re.compile(r"keyframes/(\d{1,9})-(\d{1,19})\.npy", re.ASCII)  # branch, tick
MEMBER = re.compile(
    rf"recording\.json|start\.npy|commands\.jsonl|(digests|views|deep_views)\.bin|copies/\d{{1,9}}\.npy|{KEYFRAME.pattern}",
    re.ASCII,
)
MOST_MEMORY = 240 << 20  # bytes: the budget
MOST_MEMBERS = 4096
MOST_DIRECTORY = 1 << 20  # bytes
MOST_FILE = 1 << 30  # bytes
MOST_SHOWN = 250  # characters
OF_CHARACTER = 32  # bytes of memory at most while a character of JSON is parsed
CHUNK = 1 << 20  # bytes
END = struct.Struct("<4s4H2LH")  # the record at the end of a zip file
LOCATOR = 20  # bytes before the end record: zip64's own counts
ALWAYS = (1980, 1, 1, 0, 0, 0)  # the date of all members, so that the same world makes the same file
FAST = 1  # deflate level: most columns repeat one value, which even the fastest level packs well

Member = tuple[str, Iterable[Any]]
"""A name, and the parts of its content, which are like bytes."""


class RecordingError(ValueError):
    """A recording can't be opened; the message says which file, what is wrong and what would be right."""


def write_zip(file: IO[bytes], members: Iterable[Member]) -> None:
    """Write members as a zip file."""
    with zipfile.ZipFile(file, "w", compresslevel=FAST) as archive:
        for name, content in members:
            member = zipfile.ZipInfo(name, ALWAYS)
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w") as target:
                target.writelines(content)


class Container:
    """The members of a recording, open for reading.

    Attributes:
        members: their unpacked sizes in bytes, by name.
        left: what is left of the budget, bytes. The state that a recording begins with is not charged: its arrays are
            at most those of the largest world. Everything else is, each thing once.
    """

    def __init__(self, path: AnyPath) -> None:
        """Read the directory of a `.boids` file, of one in a picture or page, or of a folder.

        Raises:
            RecordingError: this is not a recording.
        """
        self.path = Path(path)
        self.members: dict[str, int] = {}
        self.left = MOST_MEMORY
        self._size = 0  # bytes of the file
        self._opened = 0  # how many members were opened so far
        self._open: Callable[[str], IO[bytes]]
        self.close: Callable[[], object] = lambda: None
        try:
            if self.path.is_dir():
                self._list_folder()
                return
            content: BinaryIO
            if is_picture(path) or is_page(path):
                content = io.BytesIO((recording_in if is_picture(path) else recording_in_page)(path))
            else:
                content = open_file(path)
        except OSError as error:
            raise RecordingError(f"{named(error.filename or path)}: can't be read: {reason(error)}") from None
        except ValueError as error:
            raise self.error(str(error)) from None
        try:
            self._list_zip(content)
        except BaseException:
            content.close()
            raise

    def error(self, text: str) -> RecordingError:
        """Make an error that names the file; characters that are not printable are replaced."""
        shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[:MOST_SHOWN])
        return RecordingError(f"{named(self.path)}: {shown}")

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Turn a ValueError in the block into a RecordingError that names the place in the file."""
        try:
            yield
        except RecordingError:
            raise
        except ValueError as error:
            told = str(error).replace("\n", "; ")
            raise self.error(f"{place}: {told}") from None

    def check(self, size: int) -> None:
        """Raise ValueError if fewer bytes than `size` are left of the budget."""
        if size > self.left:
            raise ValueError(f"takes too much memory: what a file unpacks to must fit into {MOST_MEMORY >> 20} MB")

    def take(self, size: int) -> None:
        """Charge `size` bytes.

        Raises:
            ValueError: fewer are left.
        """
        self.check(size)
        self.left -= size

    @contextmanager
    def opened(self, name: str) -> Iterator[IO[bytes]]:
        """Open a member; every error that damage can cause in the block becomes one sentence.

        Raises:
            RecordingError: the member is missing or damaged.
        """
        if name not in self.members:
            raise self.error(f"{name} is missing")
        self._opened += 1
        tell_how_far(min(self._opened, len(self.members)), len(self.members))
        with self._translated(f"{name} "), self._open(name) as file:
            yield file

    def read(self, name: str, most: int) -> bytes:
        """Read a whole member of at most `most` bytes; what it unpacks to must fit into the budget.

        Raises:
            RecordingError: it is missing, larger or damaged.
        """
        size = self._checked_size(name, most)
        with self.at(name):
            self.check(size - self._size)
        with self.opened(name) as file:
            data = file.read(size + 1)
            if len(data) != size:
                raise zipfile.BadZipFile
        return data

    def lines(self, name: str, most: int, valid: int | None = None) -> Iterator[bytes]:
        """Return the lines of a member of at most `most` bytes; only one is in memory at a time.

        Args:
            valid: the bytes that count; None: all.
        Raises:
            RecordingError: it is missing, larger, shorter than `valid`, or damaged. The iterator raises one if a line
                takes more than is left of the budget.
        """
        size = self._checked_size(name, most)
        left = size if valid is None else valid
        if size < left:
            raise self.error(f"{name} has {size:,} bytes, and must have {left:,}")
        with self.opened(name) as file:
            while file.read(CHUNK):
                pass
        return self._lines(name, left)

    def _lines(self, name: str, left: int) -> Iterator[bytes]:
        with self._open(name) as file:
            while line := file.readline(min(left, self.left // OF_CHARACTER + 1)):
                if len(line) * OF_CHARACTER > self.left:
                    with self.at(f"{name}: a line"):
                        self.check(len(line) * OF_CHARACTER)
                left -= len(line)
                yield line

    def _checked_size(self, name: str, most: int) -> int:
        if name not in self.members:
            raise self.error(f"{name} is missing")
        if self.members[name] > most:
            raise self.error(f"{name} is larger than it can be ({most:,} bytes)")
        return self.members[name]

    def _list_folder(self) -> None:
        files = ((path.relative_to(self.path).as_posix(), path) for path in self.path.rglob("*"))
        self.members = {name: path.stat().st_size for name, path in files if MEMBER.fullmatch(name)}
        self._open = self._open_in_folder
        self._size = sum(self.members.values())
        self._check_size()

    def _open_in_folder(self, name: str) -> IO[bytes]:
        try:
            return open_file(self.path / name)
        except OSError as error:
            raise self.error(f"{name}: can't be read: {reason(error)}") from None

    def _list_zip(self, file: BinaryIO) -> None:
        with self._translated():
            self._check_end(file)
            archive = zipfile.ZipFile(file)
        for member in archive.infolist():
            if member.filename in self.members:
                raise self.error(f"holds {member.filename!r} twice")
            if not MEMBER.fullmatch(member.filename):
                raise self.error(f"holds {member.filename!r}, which is not part of a recording")
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or member.flag_bits & 1:
                raise self.error(f"{member.filename!r} is packed in a way that those of a recording are not")
            self.members[member.filename] = member.file_size
        self._open, self.close = archive.open, file.close

    def _check_end(self, file: BinaryIO) -> None:
        """Refuse an oversized directory before `zipfile` reads it."""
        self._size = file.seek(0, os.SEEK_END)
        self._check_size()
        file.seek(max(self._size - LOCATOR - END.size, 0))
        end = file.read()
        mark, _, _, _, members, directory, _, comment = END.unpack(end[-END.size :])
        if mark != b"PK\x05\x06" or comment or end.startswith(b"PK\x06\x07"):  # `zipfile` would use zip64's counts
            raise zipfile.BadZipFile
        if members > MOST_MEMBERS or directory > MOST_DIRECTORY:
            raise self.error(f"holds more than the {MOST_MEMBERS} members a recording may have")

    def _check_size(self) -> None:
        if self._size > MOST_FILE:
            raise self.error(f"is larger than a recording can be ({MOST_FILE >> 20} MB)")

    @contextmanager
    def _translated(self, what: str = "") -> Iterator[None]:
        try:
            yield
        except RecordingError:
            raise
        except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, ValueError, RuntimeError, OSError):
            right = "a whole one is written by `boids run --record`"
            raise self.error(f"{what}is damaged or not a recording: {right}") from None
