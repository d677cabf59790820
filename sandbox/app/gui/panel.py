"""The base class of panels: windows beside the world or over it, whose contents are drawn anew in every frame.

Screen coordinates have their origin at the upper left, as in Dear ImGui.
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
    from sandbox.app.gui.ui import Ui
    from sandbox.app.session.session import Session

GAP = 8.0  # pixels between the edge of the middle and what is drawn over the world


class Side(Enum):
    """The side at which a panel first appears; people can move it."""

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

    def half(self, second: bool, stacked: bool) -> Box:
        """Return the second or the first half: right or left, or lower or upper if `stacked`."""
        if stacked:
            high = self.height / 2
            return Box(self.x, self.y + high * second, self.width, high)
        wide = self.width / 2
        return Box(self.x + wide * second, self.y, wide, self.height)

    def insets(self, width: float, height: float) -> tuple[float, float, float, float]:
        """Return the distances to the left, lower, right and upper edge of a screen of this size, pixels."""
        return self.x, height - self.y - self.height, width - self.x - self.width, self.y


def _is_size(value: Any) -> bool:
    if not isinstance(value, tuple | list) or len(value) != 2:
        return False
    return all(isinstance(side, int | float) and math.isfinite(side) and 0 <= side <= 10_000 for side in value)


class Panel(WindowPart, ABC):
    """Shows something of a session. It may read the world, and changes it only by `session.submit`.

    Attributes:
        name, title: for settings and other parts; for people.
        side: the side at which it first appears.
        keys: the keys that open and close it: "Ctrl+L", "F7".
        menu: a menu that lists it besides Panels; `section` and `help`: as of an `Action`.
        size: width and height, pixels at the usual text size; a docked panel is as long as its side.
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

    def reset(self, session: Session) -> None:
        """Forget what is of the previous world: called when another world is shown, or when this panel is new."""

    def opened(self, session: Session) -> None:
        """Called when it is opened, or its key shows it again."""

    @abstractmethod
    def draw(self, session: Session, ui: Ui) -> None:
        """Draw the contents. Called in every frame in which the panel is visible: do expensive work less often."""

    def update(self, session: Session) -> None:
        """Collect data over time. Called before each frame, and once a second at rest, while the panel is open."""
