"""The files that were opened or saved last are in the menu File, in the next session too."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.app.files.recent import MOST, Recent, _list
from sandbox.app.gui.action_palette import openings
from sandbox.scenes.bundled import bundled_scenes

from .conftest import OpenWindow, at, drifting
from .fields import frame, press

TEXT = 'format = 1\nname = "{name}"\n[[spawn]]\nprefab = "boid"\ncount = 2\n'


def files() -> list[Path]:
    recent = Recent()
    recent.look()
    return recent.files


def test_a_file_is_opened_again_from_the_menu_of_the_next_session(open_on: OpenWindow, tmp_path: Path) -> None:
    path = tmp_path / "pond.toml"
    path.write_text(TEXT.format(name="Pond"))
    first = open_on(drifting(at(100, 100)))
    first.filing.open(path)
    assert first.simulation.scene.name == "Pond"
    second = open_on(drifting(at(100, 100)))
    for label in ("File", "Recent files", "pond.toml##recent 0"):
        press(second, label)
    frame(second)
    assert second.simulation.scene.name == "Pond"
    assert "File: pond.toml" in [action.title for action in openings(second.session)]


def test_saved_files_come_first_and_those_that_are_gone_or_bundled_are_left_out(
    open_on: OpenWindow, tmp_path: Path
) -> None:
    window = open_on(drifting(at(100, 100)))
    for name in ("one", "two", "three"):
        window.session.document.file = tmp_path / f"{name}.toml"
        window.session.act("save")
    window.filing.open(bundled_scenes()[0])
    (tmp_path / "two.toml").unlink()
    assert files() == [tmp_path / "three.toml", tmp_path / "one.toml"]


def test_the_list_is_short_and_names_each_file_once(tmp_path: Path) -> None:
    for n in [*range(2 * MOST), 15]:
        path = tmp_path / f"{n}.toml"
        path.write_text("")
        Recent().add(path)
    assert [int(path.stem) for path in files()] == [15, 19, 18, 17, 16, 14, 13, 12, 11, 10]


@pytest.mark.parametrize("line", ["x" * 10_000, "/" + "y" * 300, "\0", "\u2028"])
def test_a_line_that_names_no_file_is_left_out(tmp_path: Path, line: str) -> None:
    (tmp_path / "pond.toml").write_text("")
    Recent().add(tmp_path / "pond.toml")
    with _list().open("a", encoding="utf-8") as file:
        file.write(f"\n{line}")
    assert files() == [tmp_path / "pond.toml"]


def test_the_palette_names_recent_files_without_reading_them(open_on: OpenWindow, tmp_path: Path) -> None:
    file = tmp_path / "fifty.toml"
    file.write_text("[challenge]\nstars = [1, 2, 3]\n")
    Recent().add(file)
    window = open_on(drifting(at(100, 100)))
    assert "File: fifty.toml" in [action.title for action in openings(window.session)]
