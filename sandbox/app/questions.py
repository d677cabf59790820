"""A question that must be answered before all else: nothing is lost because someone pressed the wrong key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Question:
    """A few words, and answers that each do something; Escape gives the last one.

    Attributes:
        title: what it is about.
        text: the whole sentence.
        answers: words of a button, and what it does.
    """

    title: str
    text: str
    answers: list[tuple[str, Callable[[], None]]]
