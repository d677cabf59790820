"""The commands about mods as a person types them, from nothing to a mod that is on."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from sandbox.mods.trust import trust_file
from tests.command_line import boids
from tests.mods import write_mod


@pytest.fixture
def mod(tmp_path: Path):
    """Types `boids mod ...` in a working folder, as a person who keeps nothing yet."""

    def type_(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
        return boids("mod", *words, cwd=tmp_path, **{"COLUMNS": "200", **environment})

    return type_


def row(out: subprocess.CompletedProcess[str], id: str) -> str:
    return next((line for line in out.stdout.splitlines() if line.strip().startswith(f"{id} ")), "")


def test_from_nothing_to_a_mod_that_is_on_and_off_again(mod, tmp_path: Path) -> None:
    written = mod("new", "gust")
    assert "boids mod check mods/gust" in written.stdout
    checked = mod("check", "mods/gust")
    assert (checked.returncode, checked.stdout[:15]) == (0, "mods/gust: good")
    assert " off " in row(mod("list"), "gust")
    assert "gust is on" in mod("enable", "gust").stdout
    listed = mod("list")
    assert "the working folder: mods/gust" in row(listed, "gust")
    assert " on " in row(listed, "gust")
    (tmp_path / "mods" / "gust" / "notes.txt").touch()
    assert "changed since it was enabled" in row(mod("list"), "gust")
    assert mod("disable", "gust").stdout == "gust is off\n"
    assert " off " in row(mod("list"), "gust")


def test_check_prints_a_line_for_each_mistake(mod, tmp_path: Path) -> None:
    write_mod(tmp_path / "mods" / "gust", version="one", titel="Gust")
    out = mod("check", "mods/gust")
    assert out.returncode == 1
    assert [line.split(" ")[0] for line in out.stdout.splitlines()] == [
        "mods/gust/mod.toml:2:1:",
        "mods/gust/mod.toml:5:1:",
    ]


def test_list_says_of_each_why_it_is_not_on(mod, tmp_path: Path) -> None:
    write_mod(tmp_path / "mods" / "gust", depends=["wind >= 2"])
    write_mod(tmp_path / "mods" / "wind")
    write_mod(tmp_path / "mods" / "twin", id="wind")
    write_mod(tmp_path / "mods" / "torn", "raise ValueError('torn [apart]')\n")
    (tmp_path / "mods" / "none").mkdir()
    (tmp_path / "mods" / "none" / "none.py").touch()
    assert mod("enable", "torn").returncode == 1
    out = mod("enable", "gust")
    assert (out.returncode, out.stderr) == (
        1,
        "boids: gust is enabled, but not on: needs wind >= 2, and there is 1.0: get the right one\n",
    )
    listed = mod("list")
    assert "torn.py:1: ValueError: torn [apart]" in row(listed, "torn")
    assert "needs wind >= 2, and there is 1.0" in row(listed, "gust")
    assert "there is no mod.toml in it" in row(listed, "none")
    assert listed.stdout.count("has the same id: remove one of them or change its id") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["new", "My Mod"], 'did you mean "my_mod"?'),
        (["new", "boid"], "choose another"),
        (["enable", "nobody"], "there is no mod 'nobody'"),
        (["disable", "nobody"], "nobody is not enabled"),
        (["chek", "mods/gust"], "Did you mean 'check'"),
    ],
)
def test_a_mistake_ends_in_a_sentence(mod, words: list[str], said: str) -> None:
    out = mod(*words)
    assert out.returncode in (1, 2)
    assert said in out.stderr
    assert "Traceback" not in out.stderr + out.stdout


def test_a_broken_file_of_what_is_enabled_is_told_and_mended(mod) -> None:
    mod("new", "gust")
    path = trust_file()
    path.parent.mkdir(parents=True)
    path.write_text("enabled = [")
    out = mod("list")
    assert "can't be read, so no mod is enabled" in out.stderr
    assert " off " in row(out, "gust")
    assert mod("enable", "gust").returncode == 0
    assert " on " in row(mod("list"), "gust")
    assert sorted(os.listdir(path.parent)) == ["mods-unread.toml", "mods.toml"]
