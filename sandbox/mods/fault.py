"""What went wrong in a mod: where, and in words for people."""

from __future__ import annotations

from dataclasses import dataclass


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
