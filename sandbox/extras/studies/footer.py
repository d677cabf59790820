"""Reads, of a Parquet file, how each chunk of a column is compressed, and how large it would unpack.

pyarrow tells this too, but ends the process where the statistics beside it are damaged. The end of a file describes it
in the compact protocol of Apache Thrift: https://github.com/apache/parquet-format
"""

from __future__ import annotations

import os
from typing import Any, BinaryIO

MOST = 1 << 24  # bytes of the description
DEEPEST = 16  # levels of structs and lists
TRUE, FALSE, BYTE, INTEGERS, DOUBLE, BINARY, LISTS, MAP, STRUCT = 1, 2, 3, (4, 5, 6), 7, 8, (9, 10), 11, 12
ROW_GROUPS, COLUMNS, OF_CHUNK, CODEC, UNPACKED = 4, 1, 3, 4, 6  # numbers of fields
UNCOMPRESSED, SNAPPY = 0, 1


def chunks_in(file: BinaryIO) -> list[tuple[int, int]]:
    """Return the codec of each chunk of a column, and its size when unpacked, bytes.

    Raises:
        ValueError: the description is damaged.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - 8, 0))
    length = int.from_bytes(file.read(4), "little")
    if length > min(size - 8, MOST):
        raise ValueError("its description is damaged")
    file.seek(size - 8 - length)
    try:
        groups = _Description(file.read(length)).struct()[ROW_GROUPS]
        chunks = [chunk[OF_CHUNK] for group in groups for chunk in group[COLUMNS]]
        return [(int(chunk[CODEC]), int(chunk[UNPACKED])) for chunk in chunks]
    except (IndexError, KeyError, TypeError) as error:
        raise ValueError("its description is damaged") from error


class _Description:
    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    def struct(self, level: int = 0) -> dict[int, Any]:
        """Read a struct: the values of its fields by number."""
        fields, number = dict[int, Any](), 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            fields[number] = kind == TRUE if kind in (TRUE, FALSE) else self._value(kind, level + 1)
        return fields

    def _value(self, kind: int, level: int) -> Any:
        if level > DEEPEST:
            raise IndexError("too deep")
        if kind == STRUCT:
            return self.struct(level)
        if kind in INTEGERS:
            return self._integer()
        if kind in (TRUE, FALSE, BYTE):
            return self._byte()
        if kind in (DOUBLE, BINARY):
            return self._bytes(8 if kind == DOUBLE else self._number())
        if kind in LISTS:
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._number()
            return [self._value(head & 15, level + 1) for _ in range(count)]
        if kind == MAP:
            count = self._number()
            kinds = self._byte() if count else 0
            return [(self._value(kinds >> 4, level + 1), self._value(kinds & 15, level + 1)) for _ in range(count)]
        raise IndexError("no such type")

    def _byte(self) -> int:
        self._at += 1
        return self._content[self._at - 1]

    def _bytes(self, count: int) -> bytes:
        self._at += count
        if self._at > len(self._content):
            raise IndexError("cut")
        return self._content[self._at - count : self._at]

    def _number(self) -> int:
        """Read an integer of seven bits in each byte, the lowest first."""
        number, bits = 0, 0
        while (byte := self._byte()) & 128:
            number, bits = number | (byte & 127) << bits, bits + 7
            if bits > 63:
                raise IndexError("too long")
        return number | byte << bits

    def _integer(self) -> int:
        number = self._number()
        return number >> 1 ^ -(number & 1)
