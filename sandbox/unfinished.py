"""Temporary files for atomic writes: beside the target, with a recognisable name, and locked while in use."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from pathlib import Path
from typing import BinaryIO

PART = re.compile(r"\.[0-9a-f]{16}\.part")  # see `part_of`
LEFT_AFTER = 3600.0  # s


def part_of(target: Path) -> Path:
    """Return a new name, beside the target, for a file or folder that is being written."""
    return target.with_name(f".{os.urandom(8).hex()}.part")


def locked_part(target: Path) -> BinaryIO:
    """Create a temporary file beside the target, open for writing and locked."""
    while True:
        file = open(part_of(target), "xb")  # noqa: SIM115 (its caller closes it)
        if _lock(file):
            return file
        file.close()  # another process took it for a left one and has removed it


def _lock(file: BinaryIO) -> bool:
    """Lock a file that is being written; the system releases the lock when the process ends, however it ends.

    Returns:
        whether the file still exists.
    """
    if sys.platform != "win32":
        import fcntl

        with contextlib.suppress(OSError):  # not every network drive supports locks
            fcntl.flock(file, fcntl.LOCK_EX)
    return os.path.exists(file.name)


def remove_left_parts(folder: Path) -> None:
    """Remove the temporary files in a folder that nobody has locked, because their writer was killed."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if PART.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_left(entry)


def _remove_left(part: os.DirEntry[str]) -> None:
    """Remove the file, or raise an OSError if it is in use."""
    if sys.platform == "win32":  # which can't remove an open file
        if time.time() - part.stat().st_mtime > LEFT_AFTER:
            os.unlink(part)
        return
    import fcntl

    with open(part, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(part)
