"""Parts that a mod may add to the window, and contracts that say what their attributes must be.

`Panel`, `Tool`, `Overlay` and `Action` each have a contract. A mod's parts are checked against it when the mod is
loaded, because a panel without a size would fail much later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
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
