"""What a lesson is: steps, each with a text, what it points at, and what a person is to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sandbox.condition import Condition

ANYONE = "anyone"  # whoever is selected


@dataclass(frozen=True)
class Check:
    """What a person is to do.

    Attributes:
        kind: a key of `reader.CHECKS`: "action", "placed", "measure" ...
        name: the action, panel, prefab, field or measure that it is about.
        condition: what a measure or a value must be.
        seconds: how much time of the world must pass.
    """

    kind: str
    name: str = ""
    condition: Condition | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class Step:
    """One thing to do or to read.

    Attributes:
        text: a little Markdown.
        point: what is framed in the window; "": nothing.
        check: what ticks it off; None: it is only read.
        done: what is said once it is ticked off.
    """

    text: str
    point: str = ""
    check: Check | None = None
    done: str = ""


@dataclass(frozen=True)
class Lesson:
    """A lesson; `file`: where it stands, `scene`: the file of its scene."""

    file: Path
    title: str
    description: str
    scene: Path
    steps: tuple[Step, ...]
