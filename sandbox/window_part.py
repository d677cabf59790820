"""Parts that a mod may add to the window, and contracts that say what their attributes must be.

`Panel`, `Tool`, `Overlay` and `Action` each have a contract. A mod's parts are checked against it when the mod is
loaded, because a panel without a size would fail much later. A `MeasureChart` is data, and checks itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

LONGEST_NAME, LONGEST_TEXT = 60, 2000  # characters

Right = tuple[Callable[[Any], bool], str]
"""A check of a value, and words that say what would be valid."""


@dataclass(frozen=True)
class Contract:
    """The requirements on the attributes of parts of one kind.

    Attributes:
        kind: "panel": as in `app.add_panel`.
        attributes: the check of each attribute, by its name.
    """

    kind: str
    attributes: Mapping[str, Right]


class WindowPart:
    """A part of the window, of one kind."""

    contract: ClassVar[Contract]

    def refers_to(self) -> Iterable[tuple[str, str]]:
        """Return what it names: "system", "prefab", "component" or "field", and the name. Unknown names are refused."""
        return ()


def _is_name(value: Any) -> bool:
    return (
        isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_NAME and value.isprintable() and "##" not in value
    )


NAME: Right = (_is_name, 'a few words without "##", like "Magnets"')
TEXT: Right = (lambda value: isinstance(value, str) and len(value) <= LONGEST_TEXT, "a text")
SWITCH: Right = (lambda value: isinstance(value, bool), "True or False")


@dataclass(frozen=True)
class MeasureChart:
    """A chart of the Charts panel: measures of one system over time, on one scale; only in worlds that measure them.

    Attributes:
        system: the name of the system, of phase MEASURE, that computes the measures.
        measures: the names in `Measures.values`, each with the words that people read.
        top: the highest value of the scale; None: it fits the values.
        unit: shown behind numbers; "" for none.
        colours: "#rrggbb" of lines by the measure's name; the other lines get default colours in turn.
    """

    title: str
    system: str
    measures: Mapping[str, str]
    top: float | None = None
    unit: str = ""
    colours: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise ValueError if the chart could not be drawn."""
        given: dict[str, Any] = vars(self)
        pairs = given["measures"].items() if isinstance(given["measures"], Mapping) else ()
        if not pairs or not all(isinstance(words, str) for pair in pairs for words in pair):
            raise ValueError(f"chart {self.title!r}: measures must give each measure's name the words that people read")
        top = given["top"]
        if top is not None and not (isinstance(top, int | float) and 0 < top < math.inf):
            raise ValueError(f"chart {self.title!r}: top = {top!r}: must be a number above 0, or None")
        colours = given["colours"]
        if not isinstance(colours, Mapping) or not all(
            name in given["measures"] and re.fullmatch("#[0-9a-fA-F]{6}", str(colour))
            for name, colour in colours.items()
        ):
            raise ValueError(f"chart {self.title!r}: colours must give names of its measures colours like '#e8d9a0'")
        if not isinstance(given["system"], str) or not isinstance(given["unit"], str):
            raise ValueError(f"chart {self.title!r}: system and unit must be texts")
