"""What a mod is made of is read once, hashed alike everywhere, and never from outside its folder."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from sandbox.mods.find import content
from sandbox.mods.find.content import Content, read_content
from sandbox.mods.find.finding import Found, Origin
from sandbox.mods.find.manifest import ModError, read_manifest
from sandbox.mods.find.packages import all_or_none
from sandbox.mods.load.loading import LoadError, load
from tests.mods import write_mod
from tests.sandbox.test_files import no_privileges

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    mod = write_mod(tmp_path / "mods" / "magnet")
    (mod / "scenes").mkdir()
    (mod / "scenes" / "iron.toml").write_bytes(b"format = 1\n")
    return mod


def refusal(folder: Path) -> str:
    with pytest.raises(ModError) as caught:
        read_content(folder)
    return str(caught.value)


def test_its_files_are_read_by_name(folder: Path) -> None:
    read = read_content(folder)
    assert list(read.files) == ["magnet.py", "mod.toml", "scenes/iron.toml"]
    assert read.files["scenes/iron.toml"] == b"format = 1\n"


def test_the_digest_is_the_same_on_every_machine() -> None:
    files = {"mod.toml": b'id = "magnet"\n', "scenes/iron.toml": b"", "magnet.py": b"\r\n"}
    digest = "03da07712bc7f40361536dffdeff56d623a7a53f38aabe84b44edaa6bececda3"
    assert Content(Path("here"), files).digest == digest
    assert Content(Path("there"), dict(sorted(files.items()))).digest == digest


def test_every_byte_and_name_counts(folder: Path, tmp_path: Path) -> None:
    before = read_content(folder).digest
    digests = {before}
    for change in (
        lambda mod: (mod / "magnet.py").write_bytes((mod / "magnet.py").read_bytes() + b" "),
        lambda mod: (mod / "scenes" / "iron.toml").rename(mod / "scenes" / "steel.toml"),
        lambda mod: (mod / "scenes" / "iron.toml").rename(mod / "iron.toml"),
        lambda mod: (mod / "more.txt").write_bytes(b""),
        lambda mod: (mod / "scenes" / "iron.toml").unlink(),
    ):
        copy = tmp_path / f"copy{len(digests)}"
        shutil.copytree(folder, copy)
        assert read_content(copy).digest == before
        change(copy)
        digests.add(read_content(copy).digest)
    assert len(digests) == 6


def test_bytes_that_move_from_a_name_into_a_file_change_the_digest() -> None:
    assert Content(Path(), {"ab": b"c"}).digest != Content(Path(), {"a": b"bc"}).digest
    assert Content(Path(), {"a": b"", "b": b""}).digest != Content(Path(), {"a": b"b"}).digest


def test_what_tools_write_by_themselves_is_not_part_of_it_and_all_else_is(folder: Path) -> None:
    digests = [read_content(folder).digest]
    for name in (".git/config", "__pycache__/magnet.cpython-311.pyc", "scenes/.DS_Store", ".env", ".magnet.py.swp"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"x")
    assert [read_content(folder).digest] == digests
    for name in ("old.pyc", "data.bin", "tests/test_magnet.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"x")
        digests.append(read_content(folder).digest)
    assert len(set(digests)) == 4


@posix
def test_a_link_inside_is_read_and_one_that_leads_out_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "also.toml").symlink_to("scenes/iron.toml")
    assert read_content(folder).files["also.toml"] == b"format = 1\n"
    (tmp_path / "secret.txt").write_text("mine")
    for target in (tmp_path / "secret.txt", "../../secret.txt", "/", "../..", "nowhere/../../../x"):
        link = folder / "scenes" / "link.txt"
        link.symlink_to(target)
        assert refusal(folder) == (
            "mods/magnet/scenes/link.txt: a link that leads out of the mod: put a copy there instead"
        )
        link.unlink()


@posix
def test_links_to_folders_and_to_nothing_pipes_and_circles_are_refused(folder: Path) -> None:
    link = folder / "link"
    for target, sentence in (
        ("scenes", "mods/magnet/link: a link to a folder: put the folder itself there"),
        (".", "mods/magnet/link: a link to a folder: put the folder itself there"),
        ("nothing", "mods/magnet/link: can't be read: no such file or directory"),
        ("link", "mods/magnet/link: can't be read: too many levels of symbolic links"),
    ):
        link.symlink_to(target)
        assert refusal(folder) == sentence
        link.unlink()
    os.mkfifo(link)
    assert refusal(folder) == "mods/magnet/link: a device or pipe, not a file"


@posix
def test_a_mod_that_is_a_link_itself_is_read(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.symlink_to(folder)
    assert read_content(elsewhere).digest == read_content(folder).digest


@posix
def test_what_may_not_be_read_is_told() -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        mod = write_mod(Path(name) / "magnet")
        (mod / "magnet.py").chmod(0)
        with no_privileges(), pytest.raises(ModError, match=r"magnet\.py: can't be read: permission denied"):
            read_content(mod)


def test_too_much_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "LARGEST_MOD", 1024 * 1024)
    (folder / "big.bin").write_bytes(b"x" * 1024 * 1024)
    assert refusal(folder) == "mods/magnet: larger than 1 MB: a mod must be smaller"
    (folder / "big.bin").unlink()
    monkeypatch.setattr(content, "MOST_FILES", 2)
    assert refusal(folder) == "mods/magnet: more than 2 files: a mod must have fewer"


def test_what_a_mod_says_of_itself_is_what_was_hashed(folder: Path) -> None:
    one = Found(folder, Origin.WORKING, read_manifest(folder))
    assert read_content(folder).manifest == one.manifest
    said = (folder / "mod.toml").read_bytes()
    for changed in (said.replace(b":install", b":other"), b"id = [", b""):
        (folder / "mod.toml").write_bytes(changed)
        with pytest.raises(LoadError) as caught, all_or_none():
            load(one, read_content(folder), {})
        assert caught.value.fault.place == "mod.toml"
