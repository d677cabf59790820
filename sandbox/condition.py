"""Comparisons of a named value, such as a measure, with a number: "population.wolf == 0"."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

COMPARED: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_PATTERN = re.compile(r"\s*(\S+)\s*(==|!=|<=|>=|<|>)\s*(\S+)\s*")


@dataclass(frozen=True)
class Condition:
    """A comparison of a named value with a number."""

    name: str
    sign: str
    number: float

    @classmethod
    def read(cls, text: str) -> Condition:
        """Parse a text such as "population.wolf == 0".

        Raises:
            ValueError: the text is no such comparison.
        """
        found = _PATTERN.fullmatch(text)
        try:
            number = float(found[3]) if found else 0.0
        except ValueError:
            found = None
        if found is None:
            raise ValueError(f'must be a measure, one of {" ".join(COMPARED)} and a number: "population.wolf == 0"')
        return cls(found[1], found[2], number)

    @staticmethod
    def looks_like(text: str) -> bool:
        """Return whether a text is a comparison, perhaps with something else than a number."""
        return _PATTERN.fullmatch(text) is not None

    def holds(self, values: Mapping[str, float]) -> bool:
        """Return whether the condition holds for these values; it does not if its value is missing or NaN."""
        value = values.get(self.name, math.nan)
        return not math.isnan(value) and COMPARED[self.sign](value, self.number)

    def __str__(self) -> str:
        return f"{self.name} {self.sign} {self.number:g}"
