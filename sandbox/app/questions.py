"""A modal question, so that nothing is lost by one wrong key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sandbox.files import as_text

Answers = Sequence[tuple[str, Callable[[], object]]]  # text and callback of each button


@dataclass
class Question:
    """A question with its answers, each with a callback; Escape chooses the last answer, Enter the first.

    Attributes:
        title: heading of the dialog.
        text: the question in full, or what there is to tell.
        by_enter: whether Enter chooses the first answer; False if that answer is risky.
        listing: whether the text is a list of lines, which are not wrapped together.
    """

    title: str
    text: str
    answers: Answers = field(default_factory=lambda: [("Close", nothing)])
    by_enter: bool = True
    listing: bool = False

    def __post_init__(self) -> None:
        self.title, self.text = as_text(self.title), as_text(self.text)  # file names may be no valid Unicode


def nothing() -> None:
    """Do nothing: the callback of answers like "Cancel"."""
