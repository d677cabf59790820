"""Ids and versions of mods, and requirements like "wind >= 1.2"."""

from __future__ import annotations

import keyword
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, field

LONGEST_ID = 40
_ID = rf"[a-z][a-z0-9_]{{0,{LONGEST_ID - 1}}}"
_DEVICE = r"con|prn|aux|nul|(?:com|lpt)[1-9]"
_VERSION = r"\d{1,9}(?:\.\d{1,9}){0,3}"
_REQUIREMENT = re.compile(rf"\s*({_ID})\s*(?:(>=|<=|==|>|<)\s*({_VERSION})\s*)?", re.ASCII)
_COMPARISONS: dict[str, Callable[[Version, Version], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}


def read_id(text: str) -> str:
    """Check a mod's id and return it; it becomes part of a package name.

    Raises:
        ValueError: the text is not a valid id; the message says what would be right.
    """
    if re.fullmatch(_DEVICE, text):
        raise ValueError("is a device's name on Windows, where no folder can be called that: choose another")
    if _is_id(text):
        return text
    if keyword.iskeyword(text):
        raise ValueError("is a word of Python's own: a mod can't be called that")
    near = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_0123456789")[:LONGEST_ID]
    meant = f'; did you mean "{near}"?' if _is_id(near) else ""
    raise ValueError(f"must be lower case letters, digits and _, at most {LONGEST_ID}, a letter first{meant}")


def _is_id(text: str) -> bool:
    return bool(re.fullmatch(_ID, text)) and not keyword.iskeyword(text) and not re.fullmatch(_DEVICE, text)


def natural(id: str) -> tuple[list[int | str], str]:
    """Return a sort key for natural order, where wind2 comes before wind10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", id)], id


@dataclass(frozen=True, order=True)
class Version:
    """One to four numbers; 1.0 and 1.0.0 are the same version.

    Attributes:
        numbers: without trailing zeros.
        written: the version as it was written.
    """

    numbers: tuple[int, ...]
    written: str = field(compare=False)

    @classmethod
    def read(cls, text: str) -> Version:
        """Parse a version.

        Raises:
            ValueError: the text is not a version; the message says what would be right.
        """
        if not re.fullmatch(_VERSION, text, re.ASCII):
            raise ValueError('must be 1 to 4 numbers with dots between: "1.0"')
        numbers = [int(part) for part in text.split(".")]
        while numbers and not numbers[-1]:
            numbers.pop()
        return cls(tuple(numbers), text)

    def __str__(self) -> str:
        return self.written


@dataclass(frozen=True)
class Requirement:
    """Another mod that a mod depends on or conflicts with, possibly in some versions only.

    Attributes:
        comparison: one of >=, <=, ==, >, <; empty if any version will do.
    """

    id: str
    comparison: str = ""
    version: Version | None = None

    @classmethod
    def read(cls, text: str) -> Requirement:
        """Parse a requirement like "wind" or "wind >= 1.2".

        Raises:
            ValueError: the text is not a requirement; the message says what would be right.
        """
        match = _REQUIREMENT.fullmatch(text)
        if match is None:
            raise ValueError('must be the id of a mod, maybe with a version: "wind >= 1.2"')
        id, comparison, version = match.groups()
        return cls(id, comparison or "", Version.read(version) if version else None)

    def met_by(self, version: Version) -> bool:
        """Return whether a version satisfies the requirement."""
        return self.version is None or _COMPARISONS[self.comparison](version, self.version)

    def __str__(self) -> str:
        return self.id if self.version is None else f"{self.id} {self.comparison} {self.version}"
