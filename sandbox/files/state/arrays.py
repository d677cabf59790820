"""Named one-dimensional arrays in one `.npy` member, read safely even if the file is hostile.

The member holds one record, whose fields are the arrays, so `numpy.load` returns something with `["Velocity.x"]`. numpy
could run code that such a file contains. So the header is read first, and an array only after the caller has stated
its dtype and length.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from sandbox.files.container import Container

MOST_HEADER = 1 << 16  # characters
Expected = Mapping[str, tuple[np.dtype[Any], int]]  # dtype and length of arrays, by name


def packed(arrays: Mapping[str, NDArray[Any]]) -> Iterator[Any]:
    """Yield the parts of a member with these arrays, shape (n,)."""
    stored = {name: little_endian(array) for name, array in arrays.items()}
    header = io.BytesIO()
    fields = [(name, array.dtype.str, array.shape) for name, array in stored.items()]
    npy.write_array_header_1_0(header, {"descr": fields, "fortran_order": False, "shape": ()})
    yield header.getvalue()
    yield from (array.data for array in stored.values() if len(array))


def little_endian(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array contiguous and little-endian, whatever the machine's byte order."""
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<"))


class StoredArrays:
    """The arrays of a member, which are read in their order.

    Attributes:
        lengths: by name, of those that were not read yet.
    """

    def __init__(self, file: IO[bytes], size: int) -> None:
        """Read the header.

        Args:
            size: of the member, bytes.
        Raises:
            ValueError: it is not a member with arrays.
        """
        self._file = file
        if npy.read_magic(file) != (1, 0):
            raise ValueError
        try:
            shape, _, record = npy.read_array_header_1_0(file, max_header_size=MOST_HEADER)
        except Exception as error:  # numpy parses it as a Python literal, which can fail in many ways
            raise ValueError from error
        fields = [(name, record[name]) for name in record.names or ()]
        whole = sum(field.itemsize for _, field in fields)
        if shape or any(len(field.shape) != 1 for _, field in fields) or file.tell() + whole != size:
            raise ValueError
        self._dtypes = {name: field.base for name, field in fields}
        self.lengths = {name: field.shape[0] for name, field in fields}

    def first(self, name: str, dtype: np.dtype[Any], most: int) -> NDArray[Any]:
        """Read the first array, which must be this one and have at most `most` values.

        Raises:
            ValueError: it is another one.
        """
        if next(iter(self.lengths), None) != name or self.lengths[name] > most:
            raise ValueError(f"has no {name} that says what it is")
        return self._read(name, dtype, self.lengths[name])

    def rest(self, expected: Expected) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield all other arrays with their names, in native byte order; they may be read-only.

        Raises:
            ValueError: one is missing, is not expected, or has another dtype or length.
            EOFError: the member is cut short.
        """
        if missing := expected.keys() - self.lengths.keys():
            raise ValueError(f"the array {min(missing)} is missing")
        if unknown := self.lengths.keys() - expected.keys():
            raise ValueError(f"holds an array {min(unknown)!r} that this version does not know")
        for name in [*self.lengths]:
            yield name, self._read(name, *expected[name])

    def _read(self, name: str, dtype: np.dtype[Any], length: int) -> NDArray[Any]:
        stored, found, count = dtype.newbyteorder("<"), self._dtypes[name], self.lengths.pop(name)
        if found != stored:
            raise ValueError(f"the array {name} holds {found.name}, and must hold {dtype.name}")
        if count != length:
            raise ValueError(f"the array {name} has {count} values, and must have {length}")
        data = self._file.read(length * stored.itemsize)
        if len(data) != length * stored.itemsize:
            raise EOFError
        return np.frombuffer(data, stored).astype(dtype, copy=False)


@contextmanager
def arrays_in(file: Container, member: str) -> Iterator[StoredArrays]:
    """Open a member for reading; at the end of the block it must have been read whole, so that damage is noticed."""
    with file.opened(member) as content:
        arrays = StoredArrays(content, file.members[member])
        with file.at(member):
            yield arrays
        if content.read(1):
            raise EOFError
