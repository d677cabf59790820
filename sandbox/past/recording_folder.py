"""A recording in a folder, as a journal writes it: its members are read as those of a zip file are."""

from __future__ import annotations

import re
from pathlib import Path

from sandbox.files import open_file, reason
from sandbox.state.strict_zip import MOST_MEMBERS, Words


class RecordingFolder:
    """The members of a recording that are files; what else lies beside them is left alone.

    Attributes:
        members: their names.
    """

    def __init__(self, path: Path, words: Words, names: re.Pattern[str]) -> None:
        """Look which there are.

        Raises:
            ValueError: of the type of `words`: the folder can't be read, or holds too many.
        """
        self.path, self._words = path, words
        try:
            found = [file.relative_to(path).as_posix() for file in sorted(path.rglob("*"))]
        except OSError as error:
            raise self.error(f"can't be read: {reason(error)}") from None
        self.members = [name for name in found if names.fullmatch(name)]
        if len(self.members) > MOST_MEMBERS:
            raise self.error(f"holds more than the {MOST_MEMBERS} {words.members} {words.kind} may have")

    def error(self, text: str) -> ValueError:
        """An error that names the folder."""
        return self._words.about(self.path, text)

    def read(self, name: str, most: int) -> bytes:
        """A whole member of at most so many bytes.

        Raises:
            ValueError: it is missing or larger.
        """
        try:
            with open_file(self.path / name) as file:
                data = file.read(most + 1)
        except OSError as error:
            raise self.error(f"{name} is missing" if name not in self.members else f"{name}: {reason(error)}") from None
        if len(data) > most:
            raise self.error(f"{name} is larger than it can be ({most:,} bytes)")
        return data

    def close(self) -> None:
        """There is nothing to close."""
