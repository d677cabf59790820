"""A lesson as data: steps with a text, a part of the window to point at, and a task; a challenge has a score, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sandbox.condition import Condition

ANYONE = "anyone"  # any selected entity
SECONDS, DEEDS = "seconds", "deeds"
"""What a challenge can count besides measures: simulated time since its world began, and edits by the person."""


@dataclass(frozen=True)
class Check:
    """A task for a person.

    Attributes:
        kind: a key of `checks.KINDS`: "action", "placed", "measure" ...
        name: the action, panel, prefab, field or measure that it concerns.
        condition: the condition for a measure or value.
        seconds: simulated time that must pass.
    """

    kind: str
    name: str = ""
    condition: Condition | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class LessonStep:
    """One thing to do or to read.

    Attributes:
        text: a subset of Markdown.
        point: the part of the window that a ring points at; "" if there is none.
        check: the task that completes the step; None if it is only to be read.
        done: the text shown after it is completed.
    """

    text: str
    point: str = ""
    check: Check | None = None
    done: str = ""


@dataclass(frozen=True)
class Challenge:
    """How a lesson is scored.

    Attributes:
        score: what is counted: a measure, SECONDS or DEEDS.
        stars: the scores for one, two and three stars. If they get smaller, less is better.
        ends: when the score counts.
        lost: when the attempt is lost and begins again: if any of these holds, and always if the person did anything
            but use the hand, undo, and place entities of `may_place`.
        may_place: names of prefabs.
    """

    score: str
    stars: tuple[float, float, float]
    ends: Condition
    lost: tuple[Condition, ...] = ()
    may_place: tuple[str, ...] = ()


def stars_for(score: float, stars: Sequence[float]) -> int:
    """Return how many stars a score gets, 0 to 3; `stars`: those of a challenge."""
    return sum(is_better(score, least, stars) or score == least for least in stars)


def is_better(score: float, other: float, stars: Sequence[float]) -> bool:
    """Return whether a score is better than another one; what is not a number is not."""
    return score < other if stars[0] > stars[-1] else score > other


@dataclass(frozen=True)
class Lesson:
    """A lesson; `file` is its own file, `scene` the file of its scene; `challenge`: how it is scored, if it is."""

    file: Path
    title: str
    description: str
    scene: Path
    steps: tuple[LessonStep, ...]
    challenge: Challenge | None = None

    @property
    def key(self) -> str:
        """The name under which its best score is kept, the same in all languages."""
        return Path(self.file.stem).stem
