"""Files while they are written: beside their place, under names that tell them, locked while anybody writes."""

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
    """What a file or folder is called while it is written, beside its place."""
    return target.with_name(f".{os.urandom(8).hex()}.part")


def locked_part(target: Path) -> BinaryIO:
    """A new file beside a place, open for writing and locked."""
    while True:
        file = open(part_of(target), "xb")  # noqa: SIM115 (its caller closes it)
        if _lock(file):
            return file
        file.close()  # whoever cleans up was quicker, and has removed it


def _lock(file: BinaryIO) -> bool:
    """Lock a file that is being written; the system lets go of it when the process ends, however it ends.

    Returns:
        whether it is still there.
    """
    if sys.platform != "win32":
        import fcntl

        with contextlib.suppress(OSError):  # not every network drive knows locks
            fcntl.flock(file, fcntl.LOCK_EX)
    return os.path.exists(file.name)


def remove_left_parts(folder: Path) -> None:
    """Remove the files in a folder whose writer was killed: nobody holds their lock."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if PART.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_left(entry)


def _remove_left(part: os.DirEntry[str]) -> None:
    """Remove it, or raise an OSError."""
    if sys.platform == "win32":  # which removes no open file
        if time.time() - part.stat().st_mtime > LEFT_AFTER:
            os.unlink(part)
        return
    import fcntl

    with open(part, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(part)
