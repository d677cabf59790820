"""Reads and writes files: only regular files are read, and a failed write leaves the old file intact."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

AnyPath = str | os.PathLike[str]

ZIP = b"PK\x03\x04"  # the first bytes of a recording, never of a scene file
UNFINISHED = re.compile(r"\.[0-9a-f]{16}\.part")  # see `unfinished`
LEFT_AFTER = 3600.0  # s
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"
    r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"  # line separators, changes of text direction
)


def open_file(path: AnyPath) -> BinaryIO:
    """Open a regular file for reading; a pipe or device is refused, because reading it might block for ever.

    Raises:
        OSError: it is not a regular file, or can't be opened.
    """
    try:
        file: BinaryIO = open(path, "rb", opener=_without_waiting)  # noqa: SIM115 (its caller closes it)
    except ValueError as error:  # a name with a null character
        raise OSError(str(error)) from None
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError("a device or pipe, not a file")


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_file(path: AnyPath, most: int = -1) -> bytes:
    """Return the content of a regular file, or its first `most` bytes.

    Raises:
        OSError: it is not a regular file, or can't be read.
    """
    with open_file(path) as file:
        return file.read(most)


def reason(error: OSError | ValueError) -> str:
    """Return the reason of a failure, worded for the middle of a sentence."""
    return error.strerror.lower() if isinstance(error, OSError) and error.strerror else str(error)


class WriteError(OSError):
    """A file could not be written; the file that was there before is intact."""


def write_atomically(path: AnyPath, content: bytes) -> None:
    """Replace the content of the file at `path`; if that fails, the file stays as it was.

    Raises:
        WriteError: the disk is full, the folder is missing or can't be written, ...
    """
    with written_beside(path) as file:
        file.write(content)


@contextlib.contextmanager
def written_beside(path: AnyPath) -> Iterator[BinaryIO]:
    """Yield a new file that replaces the one at `path` at the end of the block, or is removed if the block fails.

    Raises:
        WriteError: it can't be written; an OSError raised in the block becomes one too.
    """
    path = Path(path)
    try:
        target = _target(path)
        beside = locked_unfinished(target)
        try:
            with beside as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if target.exists():
                    shutil.copymode(target, file.name)
                if sys.platform != "win32":  # Windows can't rename an open file
                    os.replace(file.name, target)
            if sys.platform == "win32":
                os.replace(beside.name, target)
            _flush_folder(target.parent)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(beside.name)
    except OSError as error:
        stays = "; the old file is unchanged" if os.path.exists(path) else ""
        raise WriteError(f"{named(path)}: can't be written: {reason(error)}{stays}") from error


@contextlib.contextmanager
def folder_beside(path: Path) -> Iterator[Path]:
    """Yield a new folder that becomes the one at `path` at the end of the block, or is removed if the block fails.

    Raises:
        WriteError: it can't be written, or something is at `path`; an OSError raised in the block becomes one too.
    """
    beside = unfinished(path)
    try:
        beside.mkdir()
        yield beside
        os.replace(beside, path)
    except OSError as error:
        raise WriteError(f"{named(path)}: can't be written: {reason(error)}") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _target(path: AnyPath) -> Path:
    """Return the file to replace; if the path is a link, that is the file it points to, so that the link stays."""
    try:
        target = Path(os.path.realpath(path))
        there = os.path.exists(target)
    except ValueError as error:  # a name with a null character
        raise OSError(0, str(error)) from None
    if target.is_dir():
        raise IsADirectoryError(0, "it is a folder")
    if there and not target.is_file():
        raise OSError(0, "it is a device or pipe, not a file")
    remove_left_unfinished(target.parent)
    return target


def unfinished(target: Path) -> Path:
    """Return a new name, beside the target, for a file or folder that is being written."""
    return target.with_name(f".{os.urandom(8).hex()}.part")


def locked_unfinished(target: Path) -> BinaryIO:
    """Create a temporary file beside the target, open for writing and locked."""
    while True:
        file = open(unfinished(target), "xb")  # noqa: SIM115 (its caller closes it)
        if _lock(file):
            return file
        file.close()  # another process took it for a left one and has removed it


def _lock(file: BinaryIO) -> bool:
    """Lock a file that is being written; it is released when the process ends, however it ends.

    Returns:
        whether the file still exists.
    """
    if sys.platform != "win32":
        import fcntl

        with contextlib.suppress(OSError):  # not every network drive supports locks
            fcntl.flock(file, fcntl.LOCK_EX)
    return os.path.exists(file.name)


def remove_left_unfinished(folder: Path) -> None:
    """Remove the temporary files in a folder that nobody has locked, because their writer was killed."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if UNFINISHED.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_left(entry)


def _remove_left(entry: os.DirEntry[str]) -> None:
    """Remove the file, or raise an OSError if it is in use."""
    if sys.platform == "win32":  # which can't remove an open file
        if time.time() - entry.stat().st_mtime > LEFT_AFTER:
            os.unlink(entry)
        return
    import fcntl

    with open(entry, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(entry)


def make_folder(folder: Path) -> None:
    """Make a folder and its parents; an existing one stays as it is.

    Raises:
        WriteError: it can't be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise WriteError(f"{named(folder)}: can't be created: {reason(error)}") from error


def free_name(path: Path) -> Path:
    """Return the path itself or, if it exists, the first free one of `name-2`, `name-3`, ..."""
    free, count = path, 1
    while os.path.lexists(free):
        count += 1
        free = path.with_stem(f"{path.stem}-{count}")
    return free


def changed_at(path: Path) -> int:
    """Return when a file, or the list of a folder, last changed: ns since the epoch, 0 if it does not exist."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def as_text(text: str) -> str:
    """Return a text that is safe to show: control characters, surrogates and changes of text direction are escaped."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def named(path: AnyPath) -> str:
    """Return a path as messages show it, on one line: names of files may contain line breaks and tabs."""
    return as_text(os.fspath(path)).replace("\n", "\\n").replace("\t", "\\t")


def plain_name(words: str) -> str:
    """Make a file name that is valid on any system: `dusk-over-the-pier` from "Dusk over the pier"."""
    return re.sub(r"[^\w-]+", "-", words).strip("-").lower()[:60] or "boids"


def _flush_folder(folder: Path) -> None:
    """Flush the folder too, if that can be, so that the new name survives a power failure."""
    if hasattr(os, "O_DIRECTORY"):
        with contextlib.suppress(OSError):
            entry = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(entry)
            finally:
                os.close(entry)


def is_picture(path: AnyPath) -> bool:
    """Return whether a file is a PNG, by its name."""
    return Path(path).suffix.lower() == ".png"


def is_page(path: AnyPath) -> bool:
    """Return whether a file is an HTML page, by its name."""
    return Path(path).suffix.lower() in (".html", ".htm")


def is_recording(path: AnyPath) -> bool:
    """Return whether a file is a recording, by its name or its first bytes; a picture or page may contain one."""
    if Path(path).suffix.lower() == ".npz":
        return False  # of numpy
    if Path(path).suffix.lower() == ".boids" or is_picture(path) or is_page(path):
        return True
    try:
        with open_file(path) as file:
            return file.read(len(ZIP)) == ZIP
    except OSError:
        return False
