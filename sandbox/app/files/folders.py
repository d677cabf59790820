"""The folder of the user's scenes, that of the first file dialog, and the program that shows one."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from subprocess import DEVNULL

from platformdirs import user_documents_path

from sandbox.language import translate
from sandbox.programs import find_program

PATIENCE = 5.0  # s: a program that has not failed by then shows the folder


def own_scenes(*, make: bool = False) -> Path:
    """Return the folder of the user's own scenes; if `make`, try to create it."""
    folder = user_documents_path() / "boids"
    if make:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
    return folder


def start_folder(last: Path | None) -> Path:
    """Return the first folder that exists of: the last one used, the user's scenes, documents, home."""
    for folder in (last, own_scenes(), user_documents_path(), Path(os.path.expanduser("~"))):
        if folder is not None and folder.is_dir():
            return folder
    return Path.cwd()


def show_folder(folder: Path) -> None:
    """Show a folder by the desktop's own program; wait a few seconds for whether it fails.

    Raises:
        OSError: there is none.
    """
    if sys.platform == "win32":
        os.startfile(folder)
        return
    program = find_program("open" if sys.platform == "darwin" else "xdg-open")
    if program:
        process = subprocess.Popen([program, folder], stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, process_group=0)
        with contextlib.suppress(subprocess.TimeoutExpired):
            program = None if process.wait(PATIENCE) else program
    if not program:
        raise OSError(translate("no program to show folders was found; the folder is {folder}", folder=folder))
