"""Recordings in pictures: a PNG holds one in a chunk of its own, which other programs skip.

The letter cases of the chunk's name mark it as ancillary, private, and safe to copy when the picture is edited.
"""

from __future__ import annotations

import os
import struct
import zlib
from typing import BinaryIO

from sandbox.files.atomic import AnyPath, open_file, reason

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHUNK = struct.Struct(">I4s")  # length of the data, and name; the data and a checksum follow
FIRST, LAST, OWN = b"IHDR", b"IEND", b"boId"
MOST = 2_000_000  # bytes of a recording in a picture
MOST_CHUNKS = 1 << 16


def with_recording(picture: bytes, recording: bytes) -> bytes:
    """Return a PNG with a recording of at most MOST bytes added after its image data."""
    end = len(picture) - CHUNK.size - 4
    chunk = CHUNK.pack(len(recording), OWN) + recording + struct.pack(">I", zlib.crc32(OWN + recording))
    return picture[:end] + chunk + picture[end:]


def recording_in(path: AnyPath) -> bytes:
    """Return the recording in a PNG; of other chunks only the headers are read.

    Raises:
        ValueError: the file is not a complete PNG, or has no recording, several, a damaged one or one too large.
    """
    try:
        with open_file(path) as file:
            found = _recordings(file)
    except OSError as error:
        raise ValueError(f"can't be read: {reason(error)}") from None
    if not found:
        raise ValueError(
            f"this picture holds no recording: a screenshot of the window (F2) does, if its recording is at most "
            f"{MOST // 1_000_000} MB and no other program has rewritten the picture"
        )
    return found


def _recordings(file: BinaryIO) -> bytes:
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    if file.read(len(SIGNATURE)) != SIGNATURE:
        raise ValueError("is not a PNG picture: a screenshot of the window (F2) is one")
    found, name, count = b"", b"", 0
    while name != LAST:
        head, count = file.read(CHUNK.size), count + 1
        length, name = CHUNK.unpack(head) if len(head) == CHUNK.size else (size, b"")
        if file.tell() + length + 4 > size or (name == FIRST) != (count == 1) or count > MOST_CHUNKS:
            raise ValueError("is cut or damaged: take the picture as it was written")
        if name != OWN:
            file.seek(length + 4, os.SEEK_CUR)
            continue
        if found or not 0 < length <= MOST:
            raise ValueError(f"must hold one recording of at most {MOST:,} bytes")
        found = file.read(length)
        if file.read(4) != struct.pack(">I", zlib.crc32(OWN + found)):
            raise ValueError("its recording is damaged: take the picture as it was written")
    return found
