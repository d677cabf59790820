"""Where the system has a dialog for files, that one asks: a program of its own, here one that a test answers."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

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
    window.session.asking.by_system = True
    window.session.document.folder = tmp_path
    return window


def answer(window: FlockWindow, text: str, folder: Path) -> None:
    """Have the program say what was chosen, and make frames until the window has heard it."""
    (folder / "answer").write_text(text)
    until = time.monotonic() + 20
    while (dialog := window.session.asking.dialog) is not None and dialog.system is not None:
        assert time.monotonic() < until
        look(window)


def test_what_is_chosen_is_opened(window: FlockWindow, tmp_path: Path) -> None:
    window.session.act("open")
    assert "Choose in the window that the system has opened." in look(window).texts
    assert window.session.asking.waits
    answer(window, f"{tmp_path}/other.toml\n", tmp_path)
    assert window.simulation.scene.name == "Other"
    asked = (tmp_path / "asked").read_text()
    assert f"--file-selection --filename={tmp_path}/ " in asked
    assert "*.toml *.npz *.boids" in asked


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
    window.filing.writing.wait()
    assert (tmp_path / "other.toml").read_text() != before


@pytest.mark.parametrize("how", ["there", "here", "by leaving"])
def test_a_person_may_give_up(window: FlockWindow, tmp_path: Path, how: str) -> None:
    running = window.simulation
    window.session.act("open")
    look(window)
    if how == "there":
        answer(window, "", tmp_path)
    elif how == "here":
        click(window, "Cancel##file")
    else:
        window.session.act("quit")
    assert window.session.asking.dialog is None
    assert window.simulation is running
