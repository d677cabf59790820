"""Finds other programs that are installed, such as ffmpeg."""

from __future__ import annotations

import os
import shutil
import sys


def find_program(*names: str) -> str | None:
    """Return the path of the first of these programs on PATH, never of one in the working folder."""
    # On Windows, `shutil.which` alone looks into the working folder first.
    ending = ".exe" if sys.platform == "win32" else ""
    folders = [folder for folder in os.get_exec_path() if os.path.isabs(folder)]
    paths = (os.path.join(folder, name + ending) for name in names for folder in folders)
    return next(filter(shutil.which, paths), None)
