"""What a tool is: something the hand can hold, and what it does where the mouse is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from components.store.prefab import Prefab
from sandbox.window_part import NAME, SWITCH, TEXT, Contract, WindowPart

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas
    from sandbox.app.session.session import Session

Place = tuple[float, float]  # u
MOST_PLACED = 1000  # a click
WAYS = "up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left", "up_down", "left_right"
CURSORS = {"crosshair", "hand", "help", "no", "size", "text", "wait", "wait_arrow", None, *(f"size_{w}" for w in WAYS)}
CLICK = 4.0  # pixels: who moves farther drags


class Form(Enum):
    """What is made of a drag."""

    STROKE = "stroke"
    LINE = "line"
    RECTANGLE = "rectangle"


@dataclass(frozen=True)
class Spot:
    """Where the mouse is, and what is held beside it.

    Attributes:
        x, y: the place under it, u.
        pixel: of the window, from its lower left.
        shift, control: whether that key is down; on a Mac the command key is the second one.
    """

    x: float
    y: float
    pixel: tuple[float, float]
    shift: bool = False
    control: bool = False

    @property
    def place(self) -> Place:
        return self.x, self.y

    @property
    def form(self) -> Form:
        """What a drag that begins here makes."""
        if self.control:
            return Form.RECTANGLE
        return Form.LINE if self.shift else Form.STROKE


class Tool(WindowPart):
    """Something for the hand: does nothing until it is told what.

    It reads the world, and changes it by commands through `session.hand.do` alone: all those from a press to its
    release are undone together.

    Attributes:
        name: what keys and other parts know it by.
        title, icon, help: what the palette shows.
        count: how many a click places at first; 0 for what places nothing.
        uses_brush: how wide the brush is matters to it.
        cursor: the shape of the mouse's pointer, by pyglet's name for it: "crosshair", "hand"; None: the usual one.
    """

    name: str
    title: str
    icon: str
    help: str
    count: int = 0
    uses_brush: bool = True
    cursor: ClassVar[str | None] = "crosshair"
    contract = Contract(
        "tool",
        {
            "name": NAME,
            "title": NAME,
            "icon": (
                lambda value: isinstance(value, str) and (len(value) <= 2 or icon_of(value) != value),
                'a letter, or the name of an icon of Font Awesome: "magnet"',
            ),
            "help": TEXT,
            "count": (
                lambda value: type(value) is int and 0 <= value <= MOST_PLACED,
                f"how many it places, 0 to {MOST_PLACED}",
            ),
            "uses_brush": SWITCH,
            "cursor": (lambda value: value in CURSORS, 'the shape of the pointer: "crosshair", "hand" or None'),
        },
    )

    def begin(self, session: Session) -> None:
        """Another world is shown from now on, or this tool is new: forget what is of the one before."""

    def places(self, prefab: Prefab) -> bool:
        """Whether it places this kind of thing."""
        return False

    def prefabs(self, prefabs: Mapping[str, Prefab]) -> list[str]:
        """The names of those it places, the scene's own first."""
        return [name for name, prefab in prefabs.items() if self.places(prefab)]

    def press(self, session: Session, spot: Spot) -> None:
        """The button goes down."""

    def drag(self, session: Session, spot: Spot) -> None:
        """The mouse moves while the button is down."""

    def frame(self, session: Session, spot: Spot) -> None:
        """A frame begins while the button is down."""

    def release(self, session: Session, spot: Spot) -> None:
        """The button comes up."""

    def let_go(self, session: Session) -> None:
        """What was begun ends here: after a release, and when another tool is taken or the window loses the mouse."""

    def tells(self, session: Session) -> tuple[str, str]:
        """What the palette says below the tools while the hand holds it: a caption and a value."""
        return "", ""

    def preview(self, canvas: Canvas, session: Session, spot: Spot) -> None:
        """Show what a click here would do, and what was begun."""


def icon_of(name: str) -> str:
    """The icon that Font Awesome calls so ("magnet", "wand-magic-sparkles"); any other text stands for itself."""
    if len(name) <= 1:
        return name
    from imgui_bundle import icons_fontawesome_6 as icons  # mods that have no tool run without the graphics library

    return str(getattr(icons, f"ICON_FA_{name.upper().replace('-', '_')}", name))
