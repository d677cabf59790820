"""The interface of tools, which define what the mouse, and keys that are held, do in the world."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from components.store.prefab import Prefab
from sandbox.app.icons import ICON
from sandbox.app.key_names import HELD_KEYS
from sandbox.window_part import NAME, SWITCH, TEXT, Contract, WindowPart

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas
    from sandbox.app.session.session import Session
    from sandbox.undo.history import UndoStep

Place = tuple[float, ...]  # u: two numbers, or three in a world with depth
MOST_PLACED = 1000  # entities per click, the largest default
WAYS = "up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left", "up_down", "left_right"
CURSORS = {"crosshair", "hand", "help", "no", "size", "text", "wait", "wait_arrow", None, *(f"size_{w}" for w in WAYS)}
CLICK = 4.0  # pixels: a longer movement of the mouse is a drag


class Form(Enum):
    """What a drag draws: see `Spot.form`."""

    STROKE = "stroke"
    LINE = "line"
    RECTANGLE = "rectangle"


@dataclass(frozen=True)
class Spot:
    """The position of the mouse, and the modifier keys.

    Attributes:
        place: the place in the world under the mouse, u: two numbers, or three in a world with depth; `x` and `y` are
            the first ones.
        pixel: the position in the window, from its lower left.
        shift, control: whether the key is down; on macOS `control` is the Command key.
        begin: where the button went down, if it is down.
        moved: the mouse has moved since then, by more than a click does.
    """

    place: Place
    pixel: tuple[float, float]
    shift: bool = False
    control: bool = False
    begin: Spot | None = None
    moved: bool = False

    @property
    def x(self) -> float:
        return self.place[0]

    @property
    def y(self) -> float:
        return self.place[1]

    @property
    def form(self) -> Form:
        """What a drag that begins here draws: with Ctrl a rectangle, with Shift a line, else a stroke."""
        if self.control:
            return Form.RECTANGLE
        return Form.LINE if self.shift else Form.STROKE


@dataclass
class Drag:
    """What a button does from its press to its release.

    Attributes:
        tool, button: the tool in use, and the button that is down.
        begin: where it went down.
        before: the last step that could be undone then.
        moved: the mouse has moved since then, by more than a click does.
    """

    tool: Tool
    button: int
    begin: Spot
    before: UndoStep | None
    moved: bool = False

    def move(self, pixel: tuple[float, float]) -> None:
        """Note where the mouse is now, pixels from the lower left of the window."""
        self.moved = self.moved or math.dist(self.begin.pixel, pixel) >= CLICK


class Tool(WindowPart):
    """Base class of tools; its event methods do nothing.

    A tool may read the world, but changes it only by `session.hand.do`. All commands from a press to its release, or
    while keys are held, are undone together.

    Attributes:
        title, icon, help: shown in the palette; the icon is a name of Font Awesome 6 or a letter.
        count: how many entities a click places by default; 0 if it places nothing.
        uses_brush: whether the radius of the brush matters.
        offers: a field ("Obstacle.pillar") that the palette offers to switch on for what is placed; "": none.
        cursor: pyglet's name of the mouse cursor: "crosshair", "hand"; None: the default cursor.
        held: names of keys ("Left", "A") that are the tool's own while it is the current one: see `hold`.
    """

    name: str
    title: str
    icon: str
    help: str
    count: int = 0
    uses_brush: bool = True
    offers: str = ""
    cursor: ClassVar[str | None] = "crosshair"
    held: tuple[str, ...] = ()
    contract = Contract(
        "tool",
        {
            "name": NAME,
            "title": NAME,
            "icon": ICON,
            "help": TEXT,
            "count": (
                lambda value: type(value) is int and 0 <= value <= MOST_PLACED,
                f"how many it places, 0 to {MOST_PLACED}",
            ),
            "uses_brush": SWITCH,
            "held": HELD_KEYS,
            "cursor": (lambda value: value in CURSORS, 'the pointer: "crosshair", "hand" or None'),
        },
    )

    def goes_on(self) -> bool:
        """Whether clicks have begun what more of them, `finish` or `give_up` are to end, and Undo goes back in."""
        return False

    def reset(self, session: Session) -> None:
        """Forget what is of the previous world: called when another world is shown, or when this tool is new."""

    def places(self, prefab: Prefab) -> bool:
        """Return whether it can place this prefab."""
        return False

    def prefabs(self, prefabs: Mapping[str, Prefab]) -> list[str]:
        """Return the names of the prefabs it can place, the scene's own first."""
        return [name for name, prefab in prefabs.items() if self.places(prefab)]

    def level(self, session: Session, pixel: tuple[float, float]) -> Place | None:
        """Return a place as far from the viewer as it works under a pixel, in a world with depth, u.

        None: as far as what is solid there, or as the plane that the mouse works on.
        """

    def press(self, session: Session, spot: Spot) -> bool | None:
        """Handle a button press; return False to refuse it, so that neither `drag` nor `release` follow."""

    def drag(self, session: Session, spot: Spot) -> None:
        """Handle a mouse motion while the button is down."""

    def update(self, session: Session, spot: Spot) -> None:
        """Called at the start of each frame while the button is down."""

    def hold(self, session: Session, keys: frozenset[str]) -> None:
        """Called at the start of each frame while some of its `held` keys are down, and once when none is any more."""

    def release(self, session: Session, spot: Spot) -> None:
        """Handle a button release."""

    def let_go(self, session: Session) -> None:
        """End what a press began; called after a release, if another tool is taken or the window loses the focus."""

    def finish(self, session: Session) -> None:
        """End what clicks have begun, and keep it; called before another tool is taken."""

    def give_up(self, session: Session) -> None:
        """Drop what clicks have begun; called when Escape is pressed."""

    def take_back(self, session: Session) -> None:
        """Take back the last click of what clicks have begun; called by Undo while it goes on."""
        self.give_up(session)

    def tells(self, session: Session) -> tuple[str, str]:
        """Return a caption and a value that the palette shows while this is the current tool."""
        return "", ""

    def draw(self, canvas: Canvas, session: Session, spot: Spot) -> None:
        """Draw what a click here would do, and the drag in progress."""


def has_place(tool: Tool) -> bool:
    """Return whether a tool works at one place, not on what it finds there."""
    return bool(tool.count or tool.uses_brush)
