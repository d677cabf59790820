"""The view can be copied into another program; here a test stands in for the system's clipboard."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from arcade import key
from PIL import Image

from sandbox.app.window import FlockWindow

from .conftest import OpenWindow, at, drifting
from .fields import tap

pytestmark = [pytest.mark.painted, pytest.mark.skipif(sys.platform != "linux", reason="other systems have theirs")]


@pytest.fixture
def window(open_on: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlockWindow:
    """A window on a system without a program for the clipboard."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    window = open_on(drifting(at(100, 100), size=40), (320, 180))
    window.shots.folder = tmp_path / "pictures"
    window.on_update(0.01)
    return window


def copy(window: FlockWindow) -> str:
    """Press the keys, and wait; return the messages."""
    tap(window, key.C, key.MOD_CTRL | key.MOD_SHIFT)
    window.jobs.finish()
    return " ".join(message.sentence for message in window.session.messages.log)


def program(name: str, folder: Path, script: str) -> None:
    (folder / "bin").mkdir()
    (folder / "bin" / name).write_text(f"#!/bin/sh\nPATH={os.defpath}\n{script}\n")
    (folder / "bin" / name).chmod(0o755)


def test_the_picture_goes_to_the_clipboard(window: FlockWindow, tmp_path: Path) -> None:
    program("xclip", tmp_path, f'echo "$@" > {tmp_path}/asked; cat > {tmp_path}/copied.png')
    assert "Copied the picture" in copy(window)
    with Image.open(tmp_path / "copied.png") as picture:
        assert picture.size == (320, 180)
        assert picture.getpixel((50, 130))[0] > 150
    assert "image/png" in (tmp_path / "asked").read_text()
    assert not window.shots.folder.exists()


def test_without_such_a_program_it_says_which_is_needed_and_saves_a_screenshot(window: FlockWindow) -> None:
    assert "only with the program xclip: saved as a screenshot instead" in copy(window)
    assert len([*window.shots.folder.glob("*.png")]) == 1


def test_one_in_the_working_folder_is_not_run(
    window: FlockWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("xclip", tmp_path, f"touch {tmp_path}/ran")
    monkeypatch.chdir(tmp_path / "bin")
    monkeypatch.setenv("PATH", ".")
    assert "only with the program xclip" in copy(window)
    window.jobs.finish()
    assert not (tmp_path / "ran").exists()


def test_if_the_program_fails_it_says_what_that_said_and_saves_a_screenshot(
    window: FlockWindow, tmp_path: Path
) -> None:
    program("xclip", tmp_path, "cat > /dev/null; echo no display >&2; exit 1")
    assert "Xclip: no display" in copy(window)
    window.jobs.finish()
    assert len([*window.shots.folder.glob("*.png")]) == 1
