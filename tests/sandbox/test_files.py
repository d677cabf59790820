"""Files are written whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sandbox.files import WriteError, write_atomically


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    for content in (b"first", b"", b"x" * 100_000):
        write_atomically(path, content)
        assert path.read_bytes() == content
        assert os.listdir(tmp_path) == ["a.bin"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes and links of POSIX")
def test_a_replaced_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "a.bin", tmp_path / "link.bin"
    write_atomically(path, b"first")
    path.chmod(0o640)
    link.symlink_to(path)
    write_atomically(link, b"second")
    assert path.read_bytes() == b"second"
    assert path.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file can grow beyond `size` bytes."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_on_a_full_disk_the_old_file_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    write_atomically(path, b"old")
    with full_disk(4096), pytest.raises(WriteError, match=r"a\.bin: can't be written: file too large; what stood"):
        write_atomically(path, b"new" * 10_000)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.bin"]


@contextmanager
def no_privileges() -> Iterator[None]:
    """root may write anywhere: be nobody for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="folders of POSIX")
def test_in_a_read_only_folder_the_old_file_is_whole() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.bin").write_bytes(b"old")
        folder.chmod(0o555)
        with no_privileges(), pytest.raises(WriteError, match="permission denied; what stood there before is whole"):
            write_atomically(folder / "a.bin", b"new")
        assert (folder / "a.bin").read_bytes() == b"old"
        assert os.listdir(folder) == ["a.bin"]
        folder.chmod(0o755)


def test_a_missing_folder_and_a_folder_in_the_way_are_named(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=r"missing.a\.bin: can't be written: no such file or directory$"):
        write_atomically(tmp_path / "missing" / "a.bin", b"new")
    with pytest.raises(WriteError, match="a folder stands there"):
        write_atomically(tmp_path, b"new")
    assert os.listdir(tmp_path) == []


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(WriteError, match="no file"):
        write_atomically(pipe, b"new")
    assert pipe.is_fifo()
