"""Reading and writing files: only regular ones are read, and writing loses nothing."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from sandbox.unfinished import locked_part, remove_left_parts

AnyPath = str | os.PathLike[str]

_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"
    r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"  # other lines, other directions
)


def open_file(path: AnyPath) -> BinaryIO:
    """Open a regular file for reading; a pipe or device might be waited for without an end.

    Raises:
        OSError: it is none, or can't be opened.
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
    """The bytes of a regular file, or so many of them.

    Raises:
        OSError: it is none, or can't be read.
    """
    with open_file(path) as file:
        return file.read(most)


def reason(error: OSError | ValueError) -> str:
    """Why something could not be done, in the middle of a sentence."""
    return error.strerror.lower() if isinstance(error, OSError) and error.strerror else str(error)


class WriteError(OSError):
    """A file could not be written; what stood at its place before is whole."""


def write_atomically(path: AnyPath, content: bytes) -> None:
    """Make `content` the whole of the file at `path`, or leave what is there as it was.

    Raises:
        WriteError: the disk is full, the folder is missing or can't be written, ...
    """
    with written_beside(path) as file:
        file.write(content)


@contextlib.contextmanager
def written_beside(path: AnyPath) -> Iterator[BinaryIO]:
    """A new file that takes the place of the one at `path` at the end, and is removed where the block fails.

    Raises:
        WriteError: it can't be written; every OSError within is told as one.
    """
    try:
        target = _target(path)
        beside = locked_part(target)
        try:
            with beside as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if target.exists():
                    shutil.copymode(target, file.name)
                if sys.platform != "win32":  # Windows renames no open file
                    os.replace(file.name, target)
            if sys.platform == "win32":
                os.replace(beside.name, target)
            _keep_name(target.parent)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(beside.name)
    except OSError as error:
        stays = "; the old file is unchanged" if os.path.exists(path) else ""
        raise WriteError(f"{named(path)}: can't be written: {reason(error)}{stays}") from error


def _target(path: AnyPath) -> Path:
    """The file that is to be replaced: a link stays one, and what it points to is replaced."""
    try:
        target = Path(os.path.realpath(path))
        there = os.path.exists(target)
    except ValueError as error:  # a name with a null character
        raise OSError(0, str(error)) from None
    if target.is_dir():
        raise IsADirectoryError(0, "it is a folder")
    if there and not target.is_file():
        raise OSError(0, "it is a device or pipe, not a file")
    remove_left_parts(target.parent)
    return target


def make_folder(folder: Path) -> None:
    """Make a folder, with those it is in; one that is there stays as it is.

    Raises:
        WriteError: it can't be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise WriteError(f"{named(folder)}: can't be created: {reason(error)}") from error


def free_name(path: Path) -> Path:
    """The path itself, or where something stands there the first free `name-2`, `name-3`, ..."""
    free, count = path, 1
    while os.path.lexists(free):
        count += 1
        free = path.with_stem(f"{path.stem}-{count}")
    return free


def changed_at(path: Path) -> int:
    """When a file was changed, or what is in a folder, ns since the epoch; 0 where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def as_text(text: str) -> str:
    """A text as it can be shown: escaped is what is no text, or writes over the terminal or in other directions."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def named(path: AnyPath) -> str:
    """A path as messages name it, in one line: names of files may hold line breaks and tabs."""
    return as_text(os.fspath(path)).replace("\n", "\\n").replace("\t", "\\t")


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
