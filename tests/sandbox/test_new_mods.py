"""`boids mod new` writes a mod that works, whole or not at all."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.files import WriteError
from sandbox.mods.check.checking import check
from sandbox.mods.find.trust import Trust
from sandbox.mods.new_mod import write_new_mod
from tests.sandbox.test_files import full_disk

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def working(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_what_is_written_is_good_and_short_and_its_own_test_passes(tmp_path: Path) -> None:
    folder = write_new_mod("wind_tunnel", Path("mods"))
    assert folder == Path("mods/wind_tunnel")
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*")) == [
        "mod.toml",
        "tests/test_wind_tunnel.py",
        "wind_tunnel.py",
    ]
    assert check(folder, Trust(tmp_path / "none.toml")) == []
    text = (folder / "wind_tunnel.py").read_text()
    statements = [line for line in text.splitlines() if line.strip() and '"""' not in line]
    assert len(statements) <= 35
    assert [node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)] == [
        "WindTunnel",
        "WindTunnelTurning",
    ]
    out = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert out.returncode == 0, out.stdout
    assert "1 passed" in out.stdout


@pytest.mark.parametrize("name", ["", "Magnet", "9lives", "my-mod", "../evil", "a" * 41, "class", "mod.toml", "a/b"])
def test_a_bad_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"must be lower case|is a word of Python"):
        write_new_mod(name, Path("mods"))
    assert not Path("mods").exists()


@pytest.mark.parametrize("name", ["boid", "wind", "none", "app", "system", "wander"])
def test_a_name_that_means_something_already_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="the program has something of that name already"):
        write_new_mod(name, Path("mods"))


def test_what_stands_there_stays(tmp_path: Path) -> None:
    for kind in ("folder", "file", "link"):
        path = Path("mods") / kind
        path.parent.mkdir(exist_ok=True)
        {"folder": path.mkdir, "file": path.touch, "link": lambda p=path: p.symlink_to("nowhere")}[kind]()
        with pytest.raises(WriteError, match=rf"mods.{kind}: it already exists"):
            write_new_mod(kind, Path("mods"))
    assert sorted(os.listdir("mods")) == ["file", "folder", "link"]
    assert os.listdir("mods/folder") == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_on_a_full_disk_nothing_is_left(tmp_path: Path) -> None:
    with full_disk(256), pytest.raises(WriteError, match="can't be written: file too large"):
        write_new_mod("magnet", Path("mods"))
    assert os.listdir("mods") == []


def test_where_no_folder_can_be_made_it_is_told() -> None:
    Path("mods").touch()
    with pytest.raises(WriteError, match="mods: can't be created"):
        write_new_mod("magnet", Path("mods"))
