"""Writing a file so that nothing is lost: beside its target, flushed, then renamed over it."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
from pathlib import Path


class WriteError(OSError):
    """A file could not be written; what stood at its place before is whole."""


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Make `content` the whole of the file at `path`, or leave what is there as it was.

    Raises:
        WriteError: the disk is full, the folder is missing or can't be written, ...
    """
    target = Path(os.path.realpath(path))  # a link stays one, and what it points to is replaced
    beside = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        if target.is_dir():
            raise IsADirectoryError(0, "a folder stands there")
        if target.exists() and not target.is_file():
            raise OSError(0, "a device or pipe stands there, no file")
        with open(beside, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        os.replace(beside, target)
        _keep_name(target.parent)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        stays = "; what stood there before is whole" if target.exists() else ""
        raise WriteError(f"{path}: can't be written: {reason}{stays}") from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def make_folder(folder: Path) -> None:
    """Make a folder, with those it is in; one that is there stays as it is.

    Raises:
        WriteError: it can't be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"{folder}: can't be made: {(error.strerror or str(error)).lower()}") from error


def free_name(path: Path) -> Path:
    """The path itself, or where something stands there the first free `name-2`, `name-3`, ..."""
    free, count = path, 1
    while free.exists():
        count += 1
        free = path.with_stem(f"{path.stem}-{count}")
    return free


def as_text(name: str) -> str:
    """A path as it can be shown: on Linux it may hold bytes that are no text."""
    return name.encode(errors="replace").decode()


def plain_name(words: str) -> str:
    """What a file may be called after some words, on any system: "Dusk over the pier" is `dusk-over-the-pier`."""
    return re.sub(r"[^\w-]+", "-", words).strip("-").lower()[:60] or "boids"


def _keep_name(folder: Path) -> None:
    """Flush the folder too, where a system has that: then the new name outlasts a loss of power."""
    if hasattr(os, "O_DIRECTORY"):
        with contextlib.suppress(OSError):
            entry = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(entry)
            finally:
                os.close(entry)
