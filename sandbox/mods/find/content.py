"""Reads all files of a mod once, so that the bytes that were hashed and enabled are the bytes that run.

Only what tools write by themselves is left out, hidden names and `__pycache__`: a mod's code can't find it either.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sandbox.files import read_file, reason
from sandbox.mods.find.manifest import (
    LARGEST_MANIFEST,
    MANIFEST,
    Manifest,
    ModError,
    from_here,
    manifest_of,
    mod_error,
    shown,
)
from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import TomlSource
from systems.engine.kernel_cache import cache_root

LARGEST_MOD = 16 * 1024 * 1024  # bytes
MOST_FILES = 2000


@dataclass(frozen=True)
class Content:
    """The files of a mod.

    Attributes:
        folder: the mod's folder.
        files: the bytes of each file by its path relative to the folder, with slashes, sorted by path.
    """

    folder: Path
    files: Mapping[str, bytes]

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of all names and bytes, 64 hexadecimal digits; it identifies the content."""
        whole = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            for each in (name.encode("utf-8", "surrogateescape"), content):
                whole.update(len(each).to_bytes(8, "little"))
                whole.update(each)
        return whole.hexdigest()

    @cached_property
    def unpacked(self) -> Path:
        """A folder with these files, from which they are imported: in the cache, under their digest."""
        around = cache_root() / "mods" / self.digest[:32]
        folder = Path(os.path.realpath(around)) / self.manifest.id
        try:
            if not self._is_in(folder):
                self._unpack(around)
                _remove_old(around.parent)
            os.utime(around)
        except OSError:  # a cache that can't be written
            folder = Path(os.path.realpath(self._spare.name)) / self.manifest.id
            self._write(folder)
        return folder

    @cached_property
    def _spare(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory(prefix="boids-mod-", ignore_cleanup_errors=True)

    def _is_in(self, folder: Path) -> bool:
        """Return whether these files, and no others, are in this folder and around it."""
        names = {folder / name for name in self._package}
        there = {path for path in folder.parent.rglob("*") if path.is_symlink() or not path.is_dir()}
        return there == names and all(_bytes_of(folder / name) == content for name, content in self._package.items())

    @property
    def _package(self) -> Mapping[str, bytes]:
        """The files, and an empty `__init__.py` if there is none, so that they are a package of the usual kind.

        In each folder `__pycache__` is a file: so Python neither keeps nor reads bytecode, which nobody has hashed.
        """
        folders = {"", *(f"{folder.as_posix()}/" for name in self.files for folder in Path(name).parents[:-1])}
        return {"__init__.py": b"", **self.files, **{f"{folder}__pycache__": b"" for folder in folders}}

    def _unpack(self, around: Path) -> None:
        """Write the files beside the folder and rename it, because other processes may unpack the same mod now."""
        around.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=around.parent, prefix=".part-") as made:
            self._write(Path(made, "all", self.manifest.id))
            if not self._is_in(around / self.manifest.id):
                shutil.rmtree(around, ignore_errors=True)  # it may hold other bytes
                Path(made, "all").rename(around)

    def _write(self, folder: Path) -> None:
        for name, content in self._package.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def original(self, path: Path) -> Path:
        """Return the path in the mod's folder for one in `unpacked`; other paths are returned as they are."""
        real = Path(os.path.realpath(path))
        return self.folder / real.relative_to(self.unpacked) if real.is_relative_to(self.unpacked) else path

    @cached_property
    def manifest(self) -> Manifest:
        """The manifest, parsed from the bytes that are hashed, even if the file in the folder has changed since.

        Raises:
            ModError: it has mistakes; the message lists all of them.
        """
        names = {name.partition("/")[0] for name in self.files}
        try:
            source = TomlSource(str(from_here(self.folder / MANIFEST)), self.files.get(MANIFEST, b""), LARGEST_MANIFEST)
            return manifest_of(source, names)
        except SceneError as error:
            raise mod_error(error) from None


def _bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _remove_old(folder: Path) -> None:
    """Remove mods that were not imported for a month."""
    for old in folder.iterdir():
        with suppress(FileNotFoundError):  # another process may remove it too
            if old.stat().st_mtime < time.time() - 30 * 86400:
                shutil.rmtree(old, ignore_errors=True)


def read_content(folder: Path) -> Content:
    """Read all files of a mod.

    Raises:
        ModError: a file can't be read, a link leads out of the folder, or there are too many files or bytes.
    """
    files: dict[str, bytes] = {}
    left = LARGEST_MOD
    for name in _names(folder):
        try:
            files[name] = read_file(folder / name, left + 1)
        except OSError as error:
            raise _unreadable(folder / name, error) from None
        left -= len(files[name])
        if left < 0:
            raise ModError(f"{shown(folder)}: larger than {LARGEST_MOD // 1024**2} MB: a mod must be smaller")
        if len(files) > MOST_FILES:
            raise ModError(f"{shown(folder)}: more than {MOST_FILES:,} files: a mod must have fewer")
    return Content(folder, dict(sorted(files.items())))


def is_content(name: str) -> bool:
    """Return whether a file or folder with this path, relative to the mod's folder, belongs to the mod."""
    own = name.rpartition("/")[2]
    return not own.startswith(".") and own != "__pycache__"


def _names(folder: Path, inner: str = "") -> Iterator[str]:
    """Yield the paths of the files in `folder / inner`, relative to `folder`."""
    try:
        names = sorted(os.listdir(folder / inner))
    except OSError as error:
        raise _unreadable(folder / inner, error) from None
    root = Path(os.path.realpath(folder))
    for name in names:
        path, name = folder / inner / name, f"{inner}{name}"
        if not is_content(name):
            continue
        leads_to = Path(os.path.realpath(path))
        if not leads_to.is_relative_to(root):
            raise ModError(f"{shown(path)}: a link that leads out of the mod: put a copy there instead")
        try:
            mode = path.stat().st_mode
        except OSError as error:
            raise _unreadable(path, error) from None
        if stat.S_ISREG(mode):
            yield name
        elif not stat.S_ISDIR(mode):
            raise ModError(f"{shown(path)}: a device or pipe, not a file")
        elif leads_to != root / name:
            raise ModError(f"{shown(path)}: a link to a folder: put the folder itself there")
        else:
            yield from _names(folder, f"{name}/")


def _unreadable(path: Path, error: OSError) -> ModError:
    return ModError(f"{shown(path)}: can't be read: {reason(error)}")
