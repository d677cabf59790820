"""Named one-dimensional arrays in a `.npz` file, read as if someone had made the file to do harm.

A file may hold a pickle that runs code. So the header of every array is read first; no data is, before the caller has
said how long an array of which dtype may be. What is then read is just as long.
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
ALWAYS = (1980, 1, 1, 0, 0, 0)  # the time members bear: the same arrays make the same file
FAST = 1  # deflate: most columns hold one value many times, and even the fastest level finds that


class SnapshotError(ValueError):
    """A snapshot that can't be opened: which file, what is wrong and what would be right."""


WORDS = Words("a snapshot", "arrays", "a whole one is written by `save`", SnapshotError)


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
    """The arrays of a file, open for reading until `close`.

    Attributes:
        headers: by name, in the order of the file.
    """

    def __init__(self, path: str | os.PathLike[str], file: BinaryIO | None = None) -> None:
        """Read the directory and all headers.

        Args:
            file: what to read; without it the file at `path`.
        Raises:
            SnapshotError: when this is no file of such arrays.
        """
        self._zip = StrictZip(path, WORDS, file)
        self.error, self.close = self._zip.error, self._zip.close
        self.headers: dict[str, Header] = {}
        try:
            for name in self._zip.members:
                self._add(name)
        except BaseException:
            self.close()
            raise

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
        if begin + shape[0] * dtype.itemsize != self._zip.members[member].file_size:
            raise self.error(f"the array {name!r} is not as long as its header says")
        self.headers[name] = Header(dtype, shape[0], begin)


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
