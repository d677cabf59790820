"""The files that were opened or saved last, kept from session to session."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_state_path

from sandbox.files import make_folder, read_file, write_atomically
from sandbox.scenes.bundled import is_bundled

MOST = 10


class Recent:
    """A short list in the folder of what programs remember, the newest file first.

    Attributes:
        files: those that were still there when `look` was called.
    """

    def __init__(self) -> None:
        self.files: list[Path] = []

    def look(self) -> None:
        """Read the list anew, which other windows may have changed; files that are gone are left out."""
        self.files = [path for path in self._read() if _is_there(path)]

    def add(self, path: Path) -> None:
        """Put a file first; scenes that come with the program are in the gallery, and left out here."""
        path = path.absolute()
        if is_bundled(path) or len(str(path).splitlines()) != 1:
            return
        files = [path, *(other for other in self._read() if other != path)][:MOST]
        try:
            make_folder(_list().parent)
            write_atomically(_list(), "\n".join(map(str, files)).encode("utf-8", "surrogateescape"))
        except OSError:
            return  # nothing is lost but a convenience

    def _read(self) -> list[Path]:
        try:
            lines = read_file(_list()).decode("utf-8", "surrogateescape").splitlines()
        except (OSError, ValueError):
            return []
        return [Path(line) for line in lines[:MOST] if "\0" not in line]


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # in a folder that may not be read, on a drive that does not answer, or no name of a file


def _list() -> Path:
    return user_state_path("boids-sandbox", appauthor=False) / "recent.txt"
