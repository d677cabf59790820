"""Mods are found in every place they may be in, each once, and finding them runs none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.mods.find import finding
from sandbox.mods.find.finding import Found, bundled_mods_folder, find_mods, own_mods_folder
from tests.mods import write_mod

SHOUTS = 'raise SystemExit("a mod was run")\n'


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder and a folder of a person's own, in which nothing is; no bundled mods."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(finding, "bundled_mods_folder", lambda: tmp_path / "bundled")
    return tmp_path


def told(found: list[Found]) -> list[tuple[str, str]]:
    return [(mod.folder.name, mod.origin.name) for mod in found]


def test_nowhere_is_nothing() -> None:
    assert find_mods() == []


def test_every_place_is_looked_into_in_order(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_mod(places / "bundled" / "couzin", SHOUTS)
    write_mod(places / "site" / "wind_package", SHOUTS)
    (places / "site" / "wind_package" / "__init__.py").write_text(SHOUTS)
    info = places / "site" / "wind_mod-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wind-mod\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[boids_sandbox.mods]\nwind = wind_package\n")
    monkeypatch.syspath_prepend(places / "site")
    write_mod(own_mods_folder() / "mine", SHOUTS)
    write_mod(places / "work" / "mods" / "magnet10", SHOUTS)
    write_mod(places / "work" / "mods" / "magnet9", SHOUTS)
    write_mod(places / "scenes" / "mods" / "iron", SHOUTS)
    named = write_mod(places / "far" / "away", SHOUTS)
    found = find_mods(places / "scenes" / "storm.toml", [named])
    assert told(found) == [
        ("away", "NAMED"),
        ("iron", "SCENE"),
        ("magnet9", "WORKING"),
        ("magnet10", "WORKING"),
        ("mine", "OWN"),
        ("wind_package", "PACKAGE"),
        ("couzin", "BUNDLED"),
    ]
    assert all(mod.manifest is not None and not mod.wrong for mod in found)
    assert "wind_package" not in sys.modules


def test_a_folder_found_in_two_ways_counts_once_where_it_goes_first(places: Path) -> None:
    mod = write_mod(places / "work" / "mods" / "magnet")
    (places / "work" / "mods" / "again").symlink_to(mod)
    (places / "data" / "boids-sandbox").mkdir(parents=True)
    own_mods_folder().symlink_to(mod.parent)
    assert told(find_mods()) == [("again", "WORKING")]
    assert told(find_mods(places / "work" / "storm.toml")) == [("again", "SCENE")]
    assert told(find_mods(named=[Path("mods/magnet"), Path("mods/../mods/magnet")])) == [("magnet", "NAMED")]


def test_what_is_no_mod_is_passed_over_and_what_was_meant_to_be_one_is_told(places: Path) -> None:
    mods = places / "work" / "mods"
    for name in ("notes", "__pycache__", ".git"):
        (mods / name).mkdir(parents=True)
    (mods / ".git" / "hook.py").touch()
    (mods / "readme.txt").touch()
    assert find_mods() == []
    write_mod(mods / "magnet", version=None)
    (mods / "wind").mkdir()
    (mods / "wind" / "wind.py").touch()
    assert [mod.wrong for mod in find_mods()] == [
        "mods/magnet/mod.toml:1:1: must have version",
        "mods/wind: there is no mod.toml in it",
    ]
    assert find_mods(named=[Path("mods/nowhere")])[0].wrong == "mods/nowhere: can't be read: no such file or directory"


def test_a_package_that_is_gone_is_told(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = places / "site" / "wind_mod-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wind-mod\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[boids_sandbox.mods]\nwind = no_such_package.mod\n")
    monkeypatch.syspath_prepend(places / "site")
    (wrong,) = find_mods()
    assert wrong.manifest is None
    assert wrong.wrong == "no_such_package: there is no installed package of that name"


def test_the_bundled_ones_are_found_in_a_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert bundled_mods_folder() == Path(__file__).parents[2] / "mods"


def test_finding_opens_no_file_of_a_mod_but_its_manifest(places: Path) -> None:
    """Told by an audit hook, which can't be taken off: in a process of its own."""
    mod = write_mod(places / "work" / "mods" / "trumpet", SHOUTS)
    script = (
        "import sys\nfrom sandbox.mods.find.finding import find_mods\nopened = []\n"
        "sys.addaudithook(lambda event, args: opened.append((event, str(args[0]))) if event in "
        "('open', 'import', 'compile', 'exec', 'subprocess.Popen', 'socket.connect') else None)\n"
        "assert find_mods()[0].manifest\n"
        "print(*{f'{event} {name}' for event, name in opened if 'trumpet' in name}, sep='\\n')\n"
    )
    env = {"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "", "XDG_DATA_HOME": str(places / "data")}
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=env, check=False)
    assert out.returncode == 0, out.stderr
    assert out.stdout.split("\n")[:-1] == [f"open {mod.relative_to(places / 'work') / 'mod.toml'}"]
