"""What a panel is: a window beside the world or over it, with contents that are drawn anew in every frame.

Screens have their origin at the upper left here, as Dear ImGui has it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from sandbox.app.key_names import KEYS
from sandbox.app.session.action import MENU, SECTION
from sandbox.window_part import NAME, TEXT, Contract, WindowPart

if TYPE_CHECKING:
    from sandbox.app.gui.theme import Theme
    from sandbox.app.session.session import Session

GAP = 8.0  # pixels between the world's edge and what stands over it


class Side(Enum):
    """Where a panel comes up for the first time; people can move it."""

    LEFT = "left"
    RIGHT = "right"
    LOWER_RIGHT = "lower right"
    BELOW = "below all else at the right"
    BOTTOM = "bottom"
    FLOATING = "floating"


@dataclass(frozen=True)
class Box:
    """A rectangle of the screen, pixels from the upper left."""

    x: float
    y: float
    width: float
    height: float

    def half(self, right: bool) -> Box:
        """Its right half, or its left one."""
        wide = self.width / 2
        return Box(self.x + wide * right, self.y, wide, self.height)

    def insets(self, width: float, height: float) -> tuple[float, float, float, float]:
        """How much of a screen lies left of it, below, right of it and above, pixels."""
        return self.x, height - self.y - self.height, width - self.x - self.width, self.y


def _is_size(value: Any) -> bool:
    if not isinstance(value, tuple | list) or len(value) != 2:
        return False
    return all(isinstance(side, int | float) and math.isfinite(side) and 0 <= side <= 10_000 for side in value)


class Panel(WindowPart, ABC):
    """Shows something of a session with Dear ImGui. It reads the world, and changes it by `session.submit` alone.

    Attributes:
        name: what settings and other parts know it by.
        title: what people read.
        side: where it stands.
        keys: what to press to open and close it, any of them: "Ctrl+L", "F7".
        menu: a menu that has it besides Panels; `section` and `help`: as of an `Action`.
        size: width and height, pixels at the usual size of text; along its side a docked one is as long as that.
    """

    name: str
    title: str
    side: Side = Side.FLOATING
    keys: tuple[str, ...] = ()
    menu: str = "Panels"
    section: int = 0
    help: str = ""
    size: tuple[float, float]
    contract = Contract(
        "panel",
        {
            "name": NAME,
            "title": NAME,
            "side": (lambda value: isinstance(value, Side), "Side.LEFT, .RIGHT, .LOWER_RIGHT, .BOTTOM or .FLOATING"),
            "size": (_is_size, "width and height in pixels, like (320, 240)"),
            "keys": KEYS,
            "menu": MENU,
            "section": SECTION,
            "help": TEXT,
        },
    )

    def begin(self, session: Session) -> None:
        """Another world is shown from now on, or this panel is new: forget what is of the one before."""

    @abstractmethod
    def draw(self, session: Session, theme: Theme) -> None:
        """Draw the contents, in every frame in which they are seen: compute what is expensive less often."""

    def watch(self, session: Session) -> None:
        """A frame begins, and it is open, seen or not: for what gathers something over time."""
