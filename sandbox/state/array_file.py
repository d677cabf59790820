"""Named one-dimensional arrays in a `.npz` file, read safely even if the file is hostile.

A file may contain a pickle that runs code. So all headers are read first, and data is read only after the caller has
stated dtype and length of an array; exactly that much is read.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from sandbox.state.strict_zip import StrictZip, Words

MOST_HEADER = 1024  # characters
ALWAYS = (1980, 1, 1, 0, 0, 0)  # the date of all members, so that the same arrays make the same file
FAST = 1  # deflate level: most columns repeat one value, which even the fastest level packs well


class SnapshotError(ValueError):
    """A snapshot can't be opened; the message says which file, what is wrong and what would be right."""


WORDS = Words("a snapshot", "arrays", "a whole one is written by `save`", SnapshotError)


def pack(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return the bytes of a `.npz` file with these arrays, shape (n,), little-endian."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=FAST) as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"{name}.npy", ALWAYS)
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w") as file:
                npy.write_array(file, little_endian(array), version=(1, 0), allow_pickle=False)
    return content.getvalue()


def little_endian(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array contiguous and little-endian, whatever the machine's byte order."""
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<"))


@dataclass(frozen=True)
class Header:
    """The header of an array, which comes before its data."""

    dtype: np.dtype[Any]
    length: int
    begin: int  # offset of the data in the member, bytes


class ArrayFile:
    """The arrays of a file, open for reading until `close`.

    Attributes:
        headers: by name, in the order of the file.
        size: the bytes of all arrays.
    """

    def __init__(self, path: str | os.PathLike[str], file: BinaryIO | None = None) -> None:
        """Read the directory and all headers.

        Args:
            file: the file to read; None: open the one at `path`.
        Raises:
            SnapshotError: this is not a file of such arrays.
        """
        self._zip = StrictZip(path, WORDS, file)
        self.error, self.close = self._zip.error, self._zip.close
        self.headers: dict[str, Header] = {}
        try:
            for name in self._zip.members:
                self._add(name)
            self.size = sum(self._zip.members.values())
        except BaseException:
            self.close()
            raise

    def read(self, name: str, dtype: np.dtype[Any], length: int) -> NDArray[Any]:
        """Read an array, which must have this dtype and length; the result has native byte order and may be read-only.

        Raises:
            SnapshotError: it is missing, damaged, cut short, or has another dtype or length.
        """
        header = self.headers.get(name)
        if header is None:
            raise self.error(f"the array {name} is missing")
        stored = dtype.newbyteorder("<")
        if header.dtype != stored:
            raise self.error(f"the array {name} holds {header.dtype.name}, and must hold {dtype.name}")
        if header.length != length:
            raise self.error(f"the array {name} has {header.length} values, and must have {length}")
        with self._zip.translated(), self._zip.open(f"{name}.npy") as file:
            file.read(header.begin)
            data = file.read(length * stored.itemsize)
            if len(data) != length * stored.itemsize or file.read(1):
                raise zipfile.BadZipFile
        return np.frombuffer(data, stored).astype(dtype, copy=False)

    def _add(self, member: str) -> None:
        name = member.removesuffix(".npy")
        if name == member:
            raise self.error(f"holds {member!r}, which is not an array: this is not a snapshot")
        with self._zip.translated(), self._zip.open(member) as file:
            shape, dtype = _shape_and_dtype(file)
            begin = file.tell()
        if dtype.hasobject:
            raise self.error(f"the array {name!r} holds Python objects, and a snapshot holds only numbers")
        if len(shape) != 1:
            raise self.error(f"the array {name!r} has {len(shape)} dimensions, and must have one")
        if begin + shape[0] * dtype.itemsize != self._zip.members[member]:
            raise self.error(f"the array {name!r} is not as long as its header says")
        self.headers[name] = Header(dtype, shape[0], begin)


def _shape_and_dtype(file: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Read shape and dtype from an npy header of version 1.0.

    Raises:
        ValueError: it is not such a header.
    """
    if npy.read_magic(file) != (1, 0):
        raise ValueError
    try:
        shape, _, dtype = npy.read_array_header_1_0(file, max_header_size=MOST_HEADER)
    except Exception as error:  # numpy parses it as a Python literal, which can fail in many ways
        raise ValueError from error
    return shape, dtype
