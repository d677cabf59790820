"""Named one-dimensional arrays in a `.npz` file, read as if someone had made the file to do harm.

A zip file can promise little and unpack to terabytes, name a member twice, or hold a pickle that runs code. So its
directory and the header of every array are read first, with bounds of their own; no data is, before the caller has
said how long an array of which dtype may be. What is then read is just as long.
"""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from sandbox.files import named, open_file, reason

MOST_MEMBERS = 4096
MOST_DIRECTORY = 1 << 20  # bytes
MOST_HEADER = 1024  # characters
MOST_FILE = 1 << 30  # bytes
MOST_SAID = 250  # characters
END = struct.Struct("<4s4H2LH")  # the record at the end of a zip file
LOCATOR = 20  # bytes before it, where zip64 keeps other counts
ALWAYS = (1980, 1, 1, 0, 0, 0)  # the time members bear: the same arrays make the same file
FAST = 1  # deflate: most columns hold one value many times, and even the fastest level finds that


class SnapshotError(ValueError):
    """A snapshot that can't be opened: which file, what is wrong and what would be right."""


def pack(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The bytes of a `.npz` file with these arrays, shape (n,), little-endian."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=FAST) as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"{name}.npy", ALWAYS)
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w") as file:
                npy.write_array(file, little_endian(array), version=(1, 0), allow_pickle=False)
    return content.getvalue()


def little_endian(array: NDArray[Any]) -> NDArray[Any]:
    """The array, contiguous and little-endian whatever the machine."""
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<"))


@dataclass(frozen=True)
class Header:
    """What the file says of an array before its data."""

    dtype: np.dtype[Any]
    length: int
    begin: int  # of the data, bytes into the member


class ArrayFile:
    """The arrays of a file, open for reading.

    Attributes:
        headers: by name, in the order of the file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Read the directory and all headers.

        Raises:
            SnapshotError: when this is no file of such arrays.
        """
        self.path = Path(path)
        self.headers: dict[str, Header] = {}
        try:
            self._file: BinaryIO = open_file(path)
        except OSError as error:
            raise SnapshotError(f"{named(path)}: can't be read: {reason(error)}") from None
        try:
            with self._translated():
                self._check_end()
                self._archive = zipfile.ZipFile(self._file)
            for member in self._archive.infolist():
                self._add(member)
        except BaseException:
            self._file.close()
            raise

    def error(self, text: str) -> SnapshotError:
        """An error that names the file; what the text quotes from it may be anything."""
        shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text[:MOST_SAID])
        return SnapshotError(f"{named(self.path)}: {shown}")

    def read(self, name: str, dtype: np.dtype[Any], length: int) -> NDArray[Any]:
        """An array that must have this dtype and length; native byte order, not to be written to.

        Raises:
            SnapshotError: when it is missing, another, damaged or cut short.
        """
        header = self.headers.get(name)
        if header is None:
            raise self.error(f"the array {name} is missing")
        stored = dtype.newbyteorder("<")
        if header.dtype != stored:
            raise self.error(f"the array {name} holds {header.dtype.name}, and must hold {dtype.name}")
        if header.length != length:
            raise self.error(f"the array {name} has {header.length} values, and must have {length}")
        with self._translated(), self._archive.open(f"{name}.npy") as file:
            file.read(header.begin)
            data = file.read(length * stored.itemsize)
            if len(data) != length * stored.itemsize or file.read(1):
                raise zipfile.BadZipFile
        return np.frombuffer(data, stored).astype(dtype, copy=False)

    def _check_end(self) -> None:
        """Refuse an oversized directory before `zipfile` reads it."""
        size = self._file.seek(0, os.SEEK_END)
        if size > MOST_FILE:
            raise self.error(f"is larger than a snapshot can be ({MOST_FILE >> 20} MB)")
        self._file.seek(max(size - LOCATOR - END.size, 0))
        end = self._file.read()
        mark, _, _, _, members, directory, _, comment = END.unpack(end[-END.size :])
        if mark != b"PK\x05\x06" or comment or end.startswith(b"PK\x06\x07"):  # `zipfile` would go by zip64's counts
            raise zipfile.BadZipFile
        if members > MOST_MEMBERS or directory > MOST_DIRECTORY:
            raise self.error(f"holds more than the {MOST_MEMBERS} arrays a snapshot may have")

    def _add(self, member: zipfile.ZipInfo) -> None:
        name = member.filename.removesuffix(".npy")
        if name == member.filename:
            raise self.error(f"holds {member.filename!r}, which is no array: it is not a snapshot")
        if name in self.headers:
            raise self.error(f"holds the array {name!r} twice")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or member.flag_bits & 1:
            raise self.error(f"the array {name!r} is packed in a way that snapshots are not")
        with self._translated(), self._archive.open(member) as file:
            shape, dtype = _shape_and_dtype(file)
            begin = file.tell()
        if dtype.hasobject:
            raise self.error(f"the array {name!r} holds Python objects, and a snapshot holds only numbers")
        if len(shape) != 1:
            raise self.error(f"the array {name!r} has {len(shape)} dimensions, and must have one")
        if begin + shape[0] * dtype.itemsize != member.file_size:
            raise self.error(f"the array {name!r} is not as long as its header says")
        self.headers[name] = Header(dtype, shape[0], begin)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Whatever damage shows as, say it in a sentence."""
        try:
            yield
        except SnapshotError:
            raise
        except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, ValueError, RuntimeError, OSError):
            raise self.error("is damaged or not a snapshot: a whole one is written by `save`") from None

    def __enter__(self) -> ArrayFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._archive.close()
        self._file.close()


def _shape_and_dtype(file: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """What an npy header of version 1.0 says.

    Raises:
        ValueError: when it is none.
    """
    if npy.read_magic(file) != (1, 0):
        raise ValueError
    try:
        shape, _, dtype = npy.read_array_header_1_0(file, max_header_size=MOST_HEADER)
    except Exception as error:  # it is parsed as a Python literal, and that fails in many ways
        raise ValueError from error
    return shape, dtype
