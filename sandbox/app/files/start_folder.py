"""The folder of the user's scenes, and the folders of file dialogs."""

from __future__ import annotations

import contextlib
import os
import string
import sys
from pathlib import Path

from platformdirs import user_documents_path

from sandbox.scenes.bundled import bundled_scenes


def own_scenes(*, make: bool = False) -> Path:
    """Return the folder of the user's own scenes; if `make`, try to create it."""
    folder = user_documents_path() / "boids"
    if make:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
    return folder


def start_folder(last: Path | None) -> Path:
    """Return the first folder that exists of: the last one used, the user's scenes, documents, home."""
    for folder in (last, own_scenes(), user_documents_path(), _home()):
        if folder is not None and folder.is_dir():
            return folder
    return Path.cwd()


def places() -> list[tuple[str, Path]]:
    """Return the folders of the dialog's sidebar, each with its name."""
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
