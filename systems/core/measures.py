"""What is measured of the world; nothing in the tick reads it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Measures:
    """The measures of the last tick by name; they are made only while someone wants them."""

    wanted: bool = False
    values: dict[str, float] = field(default_factory=dict)
