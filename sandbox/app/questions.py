"""A question that must be answered before all else: nothing is lost because someone pressed the wrong key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sandbox.files import as_text

Answers = Sequence[tuple[str, Callable[[], object]]]  # words of a button, and what it does


@dataclass
class Question:
    """A few words, and answers that each do something; Escape gives the last one, Enter the first.

    Attributes:
        title: what it is about.
        text: the whole sentence.
        by_enter: whether Enter answers; not where the first answer takes something away.
        listing: the text is a list of lines that stand below each other as they are.
    """

    title: str
    text: str
    answers: Answers
    by_enter: bool = True
    listing: bool = False

    def __post_init__(self) -> None:
        self.title, self.text = as_text(self.title), as_text(self.text)  # they may name any file

    def is_same(self, other: Question) -> bool:
        """Whether it asks the same."""
        return (self.title, self.text) == (other.title, other.text)


def nothing() -> None:
    """What the answer does that leaves all as it is."""
