"""The desktop's own file dialog, if there is one: another process, which answers asynchronously."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from imgui_bundle import portable_file_dialogs as system

from sandbox.language import translate

LINUX = "zenity", "kdialog", "matedialog", "qarma"  # programs that show a file dialog
SOON = 0.5  # s: an answer within this time does not come from the user, but from a program that failed


def is_there() -> bool:
    """Return whether the desktop has a file dialog."""
    return sys.platform in ("win32", "darwin") or any(map(shutil.which, LINUX))


class NativeDialog:
    """An open dialog of the desktop."""

    def __init__(self, title: str, path: str, kinds: Iterable[tuple[str, tuple[str, ...]]], *, saves: bool) -> None:
        """Open the dialog.

        Args:
            path: a folder, with a separator at its end, or the file suggested at first.
            kinds: kinds of files to choose from: words, and suffixes; all files if there are no suffixes.
        """
        filters = [part for words, suffixes in kinds for part in (translate(words), _patterns(suffixes))]
        make = system.save_file if saves else system.open_file
        self._asked = make(translate(title), path, filters)
        self._begun = self._seen_open = time.monotonic()

    def answered(self) -> bool:
        """Return whether the user has chosen a file or cancelled."""
        if self._asked.ready(0):
            return True
        self._seen_open = time.monotonic()
        return False

    def answer(self) -> Path | None:
        """Wait for the answer; return the chosen path, or None if the user cancelled.

        Raises:
            ValueError: the answer is not a valid path, or the dialog could not be shown.
        """
        found, is_soon = self._asked.result(), self._seen_open < self._begun + SOON
        first = found if isinstance(found, str) else next(iter(found), "")
        if "\0" in first or (is_soon and not first):
            raise ValueError("no answer")
        return Path(first) if first else None

    def close(self) -> None:
        """Close the dialog without an answer."""
        self._asked.kill()


def _patterns(suffixes: tuple[str, ...]) -> str:
    return " ".join(f"*{suffix}" for suffix in suffixes) or "*"
