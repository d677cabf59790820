"""What is measured of the world; nothing in the tick reads it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field


@dataclass
class Measures:
    """The measures of the last tick by name.

    Attributes:
        wanted: names of the systems that shall measure: what nobody wants is not made, for some are dear.
        values: a number for each name; a system of phase MEASURE puts its own in when its name is wanted.
    """

    wanted: Collection[str] = ()
    values: dict[str, float] = field(default_factory=dict)
