"""Where a person's scenes are, and where a dialog begins."""

from __future__ import annotations

import contextlib
import os
import string
import sys
from pathlib import Path

from platformdirs import user_documents_path

from sandbox.scenes.bundled import bundled_scenes


def own_scenes(*, make: bool = False) -> Path:
    """The folder for a person's own scenes; `make` it where that can be done."""
    folder = user_documents_path() / "boids"
    if make:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
    return folder


def start_folder(last: Path | None) -> Path:
    """The first of these that is there: where something was opened or saved last, the person's scenes, home."""
    for folder in (last, own_scenes(), user_documents_path(), _home()):
        if folder is not None and folder.is_dir():
            return folder
    return Path.cwd()


def places() -> list[tuple[str, Path]]:
    """Where to go with one click, each with its name."""
    found = [("My scenes", own_scenes()), ("Documents", user_documents_path()), ("Home", _home())]
    found += [("Bundled scenes", bundled_scenes()[0].parent)]
    if sys.platform == "win32":
        found += [
            (f"{letter}:", Path(f"{letter}:\\")) for letter in string.ascii_uppercase if os.path.exists(f"{letter}:\\")
        ]
    else:
        found += [("Computer", Path("/"))]
    return [(name, path) for name, path in found if path.is_dir()]


def _home() -> Path:
    return Path(os.path.expanduser("~"))
