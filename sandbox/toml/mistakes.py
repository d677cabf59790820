"""Mistakes in a file, each with its place, and the error that contains all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sandbox.files import named

SHOWN = 120  # characters of a source line that are shown


@dataclass(frozen=True, order=True)
class Mistake:
    """One mistake: its place, what is wrong, and what would be right.

    Attributes:
        line, column: from 1, in characters; 0 if the mistake concerns the whole file.
        sentence: "Flocker.cohesion_strength = -3.0: must be 0 to 1,000,000 (1/s²)".
        source: the line in the file.
    """

    file: str
    line: int
    column: int
    sentence: str
    source: str = ""

    def __str__(self) -> str:
        """Return `file:line:column: sentence`, then the source line and a caret below the place."""
        from rich.cells import cell_len  # imported lazily: without mistakes it is not needed

        sentence = "".join(map(_printable, self.sentence))  # a key may contain control characters
        if not self.line:
            return f"{named(self.file)}: {sentence}"
        head = f"{named(self.file)}:{self.line}:{self.column}: {sentence}"
        if not self.source.strip():
            return head
        first = max(0, self.column - 1 - SHOWN // 2) if len(self.source) > SHOWN else 0
        shown = "".join(_printable(char) for char in self.source[first : first + SHOWN])
        before = cell_len(shown[: self.column - 1 - first])  # a character takes 0 to 2 columns of a terminal
        return f"{head}\n    {shown}\n    {' ' * before}^"


class SceneError(ValueError):
    """A scene that can't be opened; `mistakes` has all reasons, in the order of the file."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(str(mistake) for mistake in self.mistakes))


def _printable(char: str) -> str:
    if char == "\t":
        return " "
    return char if char.isprintable() else "\N{REPLACEMENT CHARACTER}"
