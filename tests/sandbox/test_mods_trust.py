"""Which mods are enabled is kept whole, by id and content; a broken file enables nothing and is not lost."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest
import tomli

from sandbox.files import WriteError
from sandbox.mods.find.trust import Trust, trust_file
from tests.sandbox.test_files import no_privileges

ONE, TWO, THREE = "1" * 64, "2" * 64, "3" * 64
posix = pytest.mark.skipif(sys.platform == "win32", reason="folders and limits of POSIX")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "mods.toml"


def reread(path: Path) -> dict[str, dict[str, str]]:
    trust = Trust(path)
    assert not trust.wrong
    return trust.enabled


def test_it_is_kept_beside_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert Trust().path == trust_file() == tmp_path / "boids-sandbox" / "mods.toml"


def test_at_first_nothing_is_enabled_and_nothing_written(path: Path) -> None:
    assert reread(path) == {}
    assert not path.parent.exists()


def test_what_is_enabled_is_found_again(path: Path) -> None:
    trust = Trust(path)
    trust.enable("magnet", ONE)
    trust.enable("wind", TWO)
    trust.enable("magnet", TWO)
    assert reread(path) == trust.enabled == {"magnet": {TWO: ""}, "wind": {TWO: ""}}
    trust.disable("magnet")
    trust.disable("never_there")
    assert reread(path) == trust.enabled == {"wind": {TWO: ""}}


def test_each_copy_of_a_mod_is_enabled_for_itself(path: Path) -> None:
    trust = Trust(path)
    trust.enable("magnet", ONE, Path("/here"))
    trust.enable("magnet", TWO, Path("/there"))
    assert trust.allows("magnet", ONE)
    assert trust.allows("magnet", TWO)
    trust.enable("magnet", THREE, Path("/here"))
    assert reread(path) == trust.enabled == {"magnet": {TWO: "/there", THREE: "/here"}}
    assert not trust.allows("magnet", ONE)


def test_two_windows_keep_what_the_other_enabled(path: Path) -> None:
    one, other = Trust(path), Trust(path)
    one.enable("magnet", ONE)
    other.enable("wind", TWO)
    one.disable("nothing")
    assert reread(path) == {"magnet": {ONE: ""}, "wind": {TWO: ""}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"enabled = [", "can't be read, so no mod is enabled"),
        (b"\xff\xfe", "can't be read, so no mod is enabled"),
        (b"[" * 5000, "can't be read, so no mod is enabled"),
        (b'enabled = "all"', "enabled must be a table, so no mod is enabled"),
    ],
)
def test_a_broken_file_enables_nothing(path: Path, text: bytes, said: str) -> None:
    path.parent.mkdir()
    path.write_bytes(text)
    trust = Trust(path)
    assert not trust.enabled
    assert trust.wrong.startswith(f"{path}: {said}")


@pytest.mark.parametrize("text", [b"enabled = [", b"\xff\xfe", b"[" * 5000])
def test_a_broken_file_is_put_aside_when_it_is_written(path: Path, text: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(text)
    Trust(path).enable("magnet", ONE)
    assert reread(path) == {"magnet": {ONE: ""}}
    assert (path.parent / "mods-unread.toml").read_bytes() == text


def test_a_wrong_entry_is_named_and_enables_nothing_and_the_rest_counts(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(f'[enabled]\nmagnet = true\nwind = "{ONE}"\nfood = "yes"\niron = "{ONE.upper()}Z"\n')
    trust = Trust(path)
    assert trust.enabled == {"wind": {ONE: ""}}
    assert trust.wrong == f"{path}: not enabled, because they have no digest: magnet, food, iron"


def test_what_others_wrote_into_it_stays(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(f'# mine\ncolour = "red"\n\n[enabled]  # by me\nwind = "{ONE}" # good\n')
    trust = Trust(path)
    trust.enable("magnet", TWO)
    trust.disable("wind")
    text = path.read_text()
    assert tomli.loads(text) == {"colour": "red", "enabled": {"magnet": {TWO: ""}}}
    assert "# mine" in text
    assert "# by me" in text


def test_a_foreign_file_whose_enabled_is_no_table_is_mended(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("enabled = 3\nother = 4\n")
    Trust(path).enable("magnet", ONE)
    assert tomli.loads(path.read_text()) == {"enabled": {"magnet": {ONE: ""}}, "other": 4}


@posix
def test_in_a_read_only_folder_nothing_changes_and_it_is_told() -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "mods.toml"
        trust = Trust(path)
        trust.enable("magnet", ONE)
        Path(name).chmod(0o555)
        with no_privileges():
            for change in (lambda: trust.enable("wind", TWO), lambda: trust.disable("magnet")):
                with pytest.raises(WriteError, match=r"mods\.toml: can't be written: permission denied"):
                    change()
        Path(name).chmod(0o755)
        assert reread(path) == trust.enabled == {"magnet": {ONE: ""}}


def test_a_folder_in_its_place_is_put_aside(path: Path) -> None:
    path.mkdir(parents=True)
    assert "can't be read" in Trust(path).wrong
    Trust(path).enable("magnet", ONE)
    assert reread(path) == {"magnet": {ONE: ""}}
