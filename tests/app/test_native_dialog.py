"""Where the desktop has a dialog for files, that one asks: a program of its own, here one that a test answers."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from sandbox.app.files.native_dialog import SOON
from sandbox.app.window import FlockWindow

from .conftest import OpenWindow, at, drifting
from .widgets import click, look

PROGRAM = """#!/bin/sh
echo "$@" > {folder}/asked
until [ -e {folder}/answer ]; do sleep 0.02; done
cat {folder}/answer
"""
OTHER = '[[spawn]]\nprefab = "boid"\ncount = 2\n'

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have theirs built in")


@pytest.fixture
def window(open_on: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlockWindow:
    """As with a display, on a system with such a program."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "zenity"
    program.write_text(PROGRAM.format(folder=tmp_path))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "other.toml").write_text(f'format = 1\nname = "Other"\n{OTHER}')
    (tmp_path / "wrong.toml").write_text(f'format = 1\nnmae = "Other"\n{OTHER}')
    window = open_on(drifting(at(100, 100)), (900, 640))
    window.session.asking.natively = True
    window.session.document.folder = tmp_path
    return window


def answer(window: FlockWindow, text: str, folder: Path) -> None:
    """Have the program say what was chosen, and make frames until the window has heard it."""
    (folder / "answer").write_text(text)
    until = time.monotonic() + 20
    while (dialog := window.session.asking.dialog) is not None and dialog.native is not None:
        assert time.monotonic() < until
        look(window)


def test_what_is_chosen_is_opened(window: FlockWindow, tmp_path: Path) -> None:
    window.session.act("open")
    assert "Choose a file in the dialog of the desktop." in look(window).texts
    assert window.session.asking.waits
    answer(window, f"{tmp_path}/other.toml\n", tmp_path)
    assert window.simulation.scene.name == "Other"
    asked = (tmp_path / "asked").read_text()
    assert f"--file-selection --filename={tmp_path}/ " in asked
    assert "*.toml *.boids" in asked


def test_what_can_not_be_opened_is_asked_for_again(window: FlockWindow, tmp_path: Path) -> None:
    running = window.simulation
    window.session.act("open")
    answer(window, f"{tmp_path}/wrong.toml\n", tmp_path)
    assert window.simulation is running
    assert 'did you mean "name"' in look(window).text
    assert "other.toml" in look(window).texts


def test_a_name_without_ending_gets_one_and_replaces_nothing_unasked(window: FlockWindow, tmp_path: Path) -> None:
    before = (tmp_path / "other.toml").read_text()
    window.session.act("save_as")
    answer(window, f"{tmp_path}/other\n", tmp_path)
    assert (tmp_path / "other.toml").read_text() == before
    click(window, "Replace")
    window.jobs.finish()
    assert (tmp_path / "other.toml").read_text() != before


@pytest.mark.parametrize("how", ["there", "here", "by leaving"])
def test_a_person_may_give_up(window: FlockWindow, tmp_path: Path, how: str) -> None:
    running = window.simulation
    window.session.act("open")
    look(window)
    if how == "there":
        time.sleep(SOON)
        look(window)
        answer(window, "", tmp_path)
    elif how == "here":
        click(window, "Cancel##file")
    else:
        window.session.act("quit")
    assert window.session.asking.dialog is None
    assert window.simulation is running


@pytest.mark.parametrize(
    "does", ["exit 1", "kill -9 $$", r"printf '/tmp/caf\351.toml\n'", r"printf '/tmp/a\0b.toml\n'"]
)
@pytest.mark.parametrize("act", ["open", "save_as"])
def test_where_it_fails_the_window_asks_itself(window: FlockWindow, tmp_path: Path, does: str, act: str) -> None:
    (tmp_path / "bin" / "zenity").write_text(f"#!/bin/sh\n{does}\n")
    window.session.act(act)
    time.sleep(2 * SOON)  # a slow frame
    answer(window, "", tmp_path)
    dialog = window.session.asking.dialog
    assert dialog is not None
    assert dialog.native is None
    assert "other.toml" in look(window).texts


@pytest.mark.parametrize("by", ["another", "the system's end of the program"])
def test_one_that_nobody_waits_for_is_closed(window: FlockWindow, tmp_path: Path, by: str) -> None:
    (tmp_path / "bin" / "zenity").write_text(f"#!/bin/sh\necho $$ > {tmp_path}/number\nexec sleep 20\n")
    window.session.act("open")
    while not (tmp_path / "number").exists() or not (tmp_path / "number").read_text():
        look(window)
    if by == "another":
        window.session.act("save_as")
        window.session.asking.end_dialog()
    else:
        window.close()
    until, number = time.monotonic() + 10, (tmp_path / "number").read_text().strip()
    while runs(number):
        assert time.monotonic() < until


def runs(number: str) -> bool:
    """Whether the process of a number runs: one that is over may still be listed."""
    try:
        return Path(f"/proc/{number}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False
