"""Makes numbers small: whole numbers as differences, whose bytes lie in planes, and deflates them.

A **section** is a row of whole numbers that hardly change from one to the next, or bytes as they are. Numbers are
stored as differences, zigzag-coded (0, -1, 1, -2 ... become 0, 1, 2, 3 ...), first all lowest bytes, then all second
ones and so on, as long as they are not all zero.

A **bundle** is deflated: the length of a JSON text in four bytes, the text, and the sections one after the other. The
text has, as `sections`, the offset and the length in bytes of each, from the end of the text.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

BITS = 16  # of a place along each axis of the world
LENGTH = struct.Struct("<I")
LEVEL = 9  # of deflate

Numbers = NDArray[np.int64]


def planes(differences: Numbers) -> bytes:
    """Return whole numbers of at most 31 bits as planes of bytes."""
    coded = ((differences << 1) ^ (differences >> 63)).astype("<u4")
    of_each = coded.view(np.uint8).reshape(-1, 4).T
    return b"".join(plane.tobytes() for plane in of_each[: 1 + max(np.flatnonzero(of_each.any(axis=1)), default=0)])


def differences(values: Numbers, first: NDArray[np.bool_], wraps: bool = False, twice: bool = False) -> Numbers:
    """Return what each value differs from the one before it, or, `twice`, from where two before it lead.

    Args:
        values: whole numbers, (n,).
        first: where a new row of numbers begins, bool (n,), which knows nothing of the one before.
        wraps: whether they are modulo 2**BITS.
    """
    found, again = _less_before(values, first), first.copy()
    again[1:] |= first[:-1]
    if twice:
        second = _less_before(found, first)
        found = np.where(again, found, second)
    half = 1 << BITS - 1
    return (found + half) % (1 << BITS) - half if wraps else found


def _less_before(values: Numbers, first: NDArray[np.bool_]) -> Numbers:
    found = values.copy()
    found[1:] -= np.where(first[1:], 0, values[:-1])
    return found


def bundle(about: Mapping[str, Any], sections: Mapping[str, bytes]) -> bytes:
    """Return a bundle of a JSON object and sections by name."""
    ends = np.cumsum([0, *map(len, sections.values())]).tolist()
    where = {name: (at, len(content)) for at, (name, content) in zip(ends, sections.items(), strict=False)}
    text = json.dumps({**about, "sections": where}, separators=(",", ":"), allow_nan=False).encode()
    return zlib.compress(LENGTH.pack(len(text)) + text + b"".join(sections.values()), LEVEL)
