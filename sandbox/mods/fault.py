"""What went wrong in a mod: where, and in words for people."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path

LONGEST = 500  # letters of a message


@dataclass(frozen=True)
class Fault:
    """Why a mod was stopped.

    Attributes:
        mod: its id.
        place: the file in the mod's folder with its line, "magnet.py:14"; empty where none is to blame.
        message: what happened, one line: "ZeroDivisionError: division by zero".
        where: what it was doing: "system magnetism, tick 500", "install", "panel Magnets".
    """

    mod: str
    place: str
    message: str
    where: str

    @property
    def sentence(self) -> str:
        """All of it: "magnet: magnet.py:14: ZeroDivisionError: division by zero (system magnetism, tick 500)"."""
        place = f"{self.place}: " if self.place else ""
        return f"{self.mod}: {place}{self.message} ({self.where})"


class TrespassError(RuntimeError):
    """A mod did what mods may not do; the message says so in whole words."""


def fault_of(error: BaseException, mod: str, folder: Path, where: str) -> Fault:
    """What went wrong, blamed on the deepest line of the mod's own files that led there."""
    return Fault(mod, _place(error, folder), _message(error), where)


def _message(error: BaseException) -> str:
    try:
        text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    except Exception:
        text = "(it can't be printed)"
    text = " ".join(text.split())[:LONGEST]
    return text if isinstance(error, TrespassError) else f"{type(error).__name__}: {text}".removesuffix(": ")


def _place(error: BaseException, folder: Path) -> str:
    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        place = _inside(frame.f_code.co_filename, line, folder) or place
    if isinstance(error, SyntaxError) and error.filename:
        place = _inside(error.filename, error.lineno or 1, folder) or place
    return place


def _inside(file: str, line: int, folder: Path) -> str:
    """A line as people read it, if its file is in a folder."""
    path, root = Path(file).resolve(), folder.resolve()
    return f"{path.relative_to(root).as_posix()}:{line}" if path.is_relative_to(root) else ""
