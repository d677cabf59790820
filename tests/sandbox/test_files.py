"""Files are written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE

import pytest

from sandbox.app.preferences import read_preferences, settings_file
from sandbox.files import WriteError, free_name, make_folder, read_file, write_atomically
from sandbox.files.atomic import UNFINISHED
from sandbox.files.container import RecordingError
from sandbox.mods.find.trust import Trust, trust_file
from sandbox.opening import is_own_scene, load
from sandbox.scenes.headline import Headline, headline
from sandbox.scenes.reader import SceneError, read_scene

posix = pytest.mark.skipif(sys.platform == "win32", reason="pipes, links and locks of POSIX")


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
    with full_disk(4096), pytest.raises(WriteError, match=r"a\.bin: can't be written: file too large; the old file"):
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
        with no_privileges(), pytest.raises(WriteError, match="permission denied; the old file is unchanged"):
            write_atomically(folder / "a.bin", b"new")
        assert (folder / "a.bin").read_bytes() == b"old"
        assert os.listdir(folder) == ["a.bin"]
        folder.chmod(0o755)


def test_a_missing_folder_and_a_folder_in_the_way_are_named(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match=r"missing.a\.bin: can't be written: no such file or directory$"):
        write_atomically(tmp_path / "missing" / "a.bin", b"new")
    with pytest.raises(WriteError, match="it is a folder"):
        write_atomically(tmp_path, b"new")
    assert os.listdir(tmp_path) == []


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(WriteError, match="not a file"):
        write_atomically(pipe, b"new")
    assert pipe.is_fifo()


@posix
def test_what_a_killed_process_left_goes_at_the_next_write_and_what_one_still_writes_stays(tmp_path: Path) -> None:
    program = (
        "import os, sys; from sandbox.files import write_atomically\n"
        "os.fsync = lambda file: (print('writing', flush=True), sys.stdin.read())\n"
        f"write_atomically({str(tmp_path / 'theirs.bin')!r}, b'x')"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=PIPE, stdout=PIPE) as other:
        assert other.stdout
        assert other.stdout.readline() == b"writing\n"
        write_atomically(tmp_path / "ours.bin", b"y")
        (part,) = (name for name in os.listdir(tmp_path) if name != "ours.bin")
        assert UNFINISHED.fullmatch(part)
        other.kill()
    assert sorted(os.listdir(tmp_path)) == [part, "ours.bin"]
    write_atomically(tmp_path / "ours.bin", b"z")
    assert os.listdir(tmp_path) == ["ours.bin"]


@posix
def test_only_files_of_our_own_naming_are_removed(tmp_path: Path) -> None:
    own, others = f".{'0' * 16}.part", [".1.part", f"{'0' * 16}.part", f".{'0' * 16}.part~", f".{'2' * 16}.part"]
    for name in (own, *others[:3]):
        (tmp_path / name).touch()
    (tmp_path / others[3]).mkdir()
    (tmp_path / f".{'3' * 16}.part").symlink_to(tmp_path / others[0])
    write_atomically(tmp_path / "a.bin", b"x")
    assert sorted(os.listdir(tmp_path)) == sorted(["a.bin", *others, f".{'3' * 16}.part"])


@pytest.mark.parametrize(("name", "why"), [("a" * 256, "file name too long"), ("a\0b", "embedded null")])
def test_a_name_that_none_can_have_is_refused_in_a_sentence(tmp_path: Path, name: str, why: str) -> None:
    for do in (lambda path: write_atomically(path, b"x"), lambda path: make_folder(path / "in")):
        with pytest.raises(WriteError, match=f": can't be (written|created): {why}"):
            do(tmp_path / name)
    with pytest.raises(OSError, match="null" if "\0" in name else "too long"):
        read_file(tmp_path / name)
    with pytest.raises(SceneError, match=f"can't be read: {why}"):
        read_scene(tmp_path / name)
    with pytest.raises(RecordingError, match=f"can't be read: {why}"):
        load(tmp_path / f"{name}.boids")
    with pytest.raises(OSError, match="there is no"):
        load(tmp_path / f"{name}.toml")
    assert free_name(tmp_path / name) == tmp_path / name
    assert not is_own_scene(tmp_path / name)


@posix
def test_what_is_no_file_is_nowhere_read_nor_waited_for(tmp_path: Path) -> None:
    for pipe in (path := tmp_path / "pipe", saved := tmp_path / "pipe.boids", trust_file(), settings_file()):
        pipe.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(pipe)
    for name in (path, "/dev/zero"):
        with pytest.raises(OSError, match="a device or pipe"):
            read_file(name)
        with pytest.raises(SceneError, match="can't be read: a device or pipe"):
            read_scene(name)
        with pytest.raises(OSError, match="is a device or pipe, no scene"):
            load(name)
    with pytest.raises(RecordingError, match="can't be read: a device or pipe"):
        load(saved)
    assert "can't be read, so no mod is enabled: a device or pipe" in Trust().wrong
    assert "can't be read, so the usual settings are used: a device or pipe" in read_preferences()[1]
    assert headline(path) == Headline("pipe")
