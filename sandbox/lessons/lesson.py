"""A lesson as data: steps with a text, a part of the window to point at, and a task."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sandbox.condition import Condition

ANYONE = "anyone"  # any selected entity


@dataclass(frozen=True)
class Check:
    """A task for a person.

    Attributes:
        kind: a key of `reader.CHECKS`: "action", "placed", "measure" ...
        name: the action, panel, prefab, field or measure that it concerns.
        condition: the condition for a measure or value.
        seconds: simulated time that must pass.
    """

    kind: str
    name: str = ""
    condition: Condition | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class Step:
    """One thing to do or to read.

    Attributes:
        text: a subset of Markdown.
        point: the part of the window that is framed; "" if there is none.
        check: the task that completes the step; None if it is only to be read.
        done: the text shown after it is completed.
    """

    text: str
    point: str = ""
    check: Check | None = None
    done: str = ""


@dataclass(frozen=True)
class Lesson:
    """A lesson; `file` is its own file, `scene` the file of its scene."""

    file: Path
    title: str
    description: str
    scene: Path
    steps: tuple[Step, ...]
