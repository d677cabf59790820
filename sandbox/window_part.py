"""What a mod may bring for the window: how each kind of part says what its attributes must be.

The window's own files say so beside `Panel`, `Tool`, `Overlay` and `Action`. A mod's parts are held to it when the mod
is loaded: a panel without a size would fail much later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

LONGEST_NAME, LONGEST_TEXT = 60, 2000  # letters

Right = tuple[Callable[[Any], bool], str]
"""Whether a value is right, and in words what would be."""


@dataclass(frozen=True)
class Contract:
    """What parts of a kind are held to.

    Attributes:
        kind: "panel": as in `app.add_panel`.
        attributes: what each attribute must be, by its name.
    """

    kind: str
    attributes: Mapping[str, Right]


class WindowPart:
    """A part of the window, of one kind."""

    contract: ClassVar[Contract]


def _is_name(value: Any) -> bool:
    return (
        isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_NAME and value.isprintable() and "##" not in value
    )


NAME: Right = (_is_name, 'a few words without "##", like "Magnets"')
TEXT: Right = (lambda value: isinstance(value, str) and len(value) <= LONGEST_TEXT, "a text")
SWITCH: Right = (lambda value: isinstance(value, bool), "True or False")
