"""Ids and versions of mods, and requirements like "wind >= 1.2"."""

from __future__ import annotations

import keyword
import re

from packaging import requirements
from packaging.version import InvalidVersion, Version

LONGEST_TEXT = 200  # characters of a version or requirement
LONGEST_ID = 40
_ID = rf"[a-z][a-z0-9_]{{0,{LONGEST_ID - 1}}}"
_DEVICE = r"con|prn|aux|nul|(?:com|lpt)[1-9]"


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


def _short(text: str) -> str:
    """Return a text; one that is too long to be a version or requirement becomes none."""
    return text if len(text) <= LONGEST_TEXT else ""


def read_version(text: str) -> Version:
    """Parse a version.

    Raises:
        ValueError: the text is not a version; the message says what would be right.
    """
    try:
        return Version(_short(text))
    except InvalidVersion:
        raise ValueError('must be a version: "1.0"') from None


class Requirement(requirements.Requirement):
    """Another mod that a mod depends on or conflicts with, possibly in some versions only: "wind >= 1.2"."""

    def __init__(self, text: str) -> None:
        """Parse a requirement.

        Raises:
            ValueError: the text is not a requirement; the message says what would be right.
        """
        wrong = ValueError('must be the id of a mod, maybe with versions: "wind >= 1.2"')
        try:
            super().__init__(_short(text))
        except requirements.InvalidRequirement:
            raise wrong from None
        if not _is_id(self.name) or self.extras or self.url or self.marker:
            raise wrong

    @property
    def id(self) -> str:
        return self.name

    def met_by(self, version: Version) -> bool:
        """Return whether a version satisfies the requirement."""
        return self.specifier.contains(version, prereleases=True)
