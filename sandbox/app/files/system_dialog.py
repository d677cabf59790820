"""The system's own dialog for files, where it has one: it is another program, and answers when it likes."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from imgui_bundle import portable_file_dialogs as system

from sandbox.language import said

LINUX = "zenity", "kdialog", "matedialog", "qarma"  # programs that show one
SOON = 0.2  # s: no person answers before; a program that was never seen open so long could show nothing


def is_there() -> bool:
    """Whether the system has one."""
    return sys.platform in ("win32", "darwin") or any(map(shutil.which, LINUX))


class SystemDialog:
    """One that is open."""

    def __init__(self, title: str, path: str, kinds: Iterable[tuple[str, tuple[str, ...]]], *, saves: bool) -> None:
        """Open one.

        Args:
            path: of a folder, with a separator at its end, or of a file as it is called at first.
            kinds: of files to choose from: words, and suffixes; any file, where there are none.
        """
        filters = [part for words, suffixes in kinds for part in (said(words), _patterns(suffixes))]
        make = system.save_file if saves else system.open_file
        self._asked = make(said(title), path, filters)
        self._begun = self._seen_open = time.monotonic()

    def answered(self) -> bool:
        """Whether a person has chosen, or given up."""
        if self._asked.ready(0):
            return True
        self._seen_open = time.monotonic()
        return False

    def answer(self) -> Path | None:
        """What was chosen; waits for it.

        Raises:
            ValueError: it is no name of a file that could be said, or there was no dialog to choose in.
        """
        found, is_soon = self._asked.result(), self._seen_open < self._begun + SOON
        first = found if isinstance(found, str) else next(iter(found), "")
        if "\0" in first or (is_soon and not first):
            raise ValueError("no answer")
        return Path(first) if first else None

    def close(self) -> None:
        """Nobody wants an answer any more."""
        self._asked.kill()


def _patterns(suffixes: tuple[str, ...]) -> str:
    return " ".join(f"*{suffix}" for suffix in suffixes) or "*"
