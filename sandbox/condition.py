"""A measure, or something else with a name, compared with a number: "population.wolf == 0"."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

COMPARED: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
SAID = re.compile(r"\s*(\S+)\s*(==|!=|<=|>=|<|>)\s*(\S+)\s*")


@dataclass(frozen=True)
class Condition:
    """A comparison of the value of that name with a number."""

    name: str
    sign: str
    number: float

    @classmethod
    def read(cls, text: str) -> Condition:
        """What a text says: "population.wolf == 0".

        Raises:
            ValueError: it says nothing of that kind.
        """
        found = SAID.fullmatch(text)
        try:
            number = float(found[3]) if found else 0.0
        except ValueError:
            found = None
        if found is None:
            raise ValueError(f'must be a measure, one of {" ".join(COMPARED)} and a number: "population.wolf == 0"')
        return cls(found[1], found[2], number)

    def holds(self, values: Mapping[str, float]) -> bool:
        """Whether it holds for these values; where none has the name it does not."""
        return COMPARED[self.sign](values.get(self.name, math.nan), self.number)

    def __str__(self) -> str:
        return f"{self.name} {self.sign} {self.number:g}"
