"""The folder of the user's scenes, and that of the first file dialog."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from platformdirs import user_documents_path


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
