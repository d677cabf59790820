"""What an overlay is: something drawn over or under the animals that helps to understand the world."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from sandbox.app.key_names import KEYS
from sandbox.window_part import NAME, SWITCH, TEXT, Contract, WindowPart

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas
    from sandbox.app.session.session import Session


class Overlay(WindowPart, ABC):
    """Draws something that helps to understand the world. It only reads it.

    Attributes:
        name: what `session.shown` holds while it is shown.
        title: what people read; `help`: one line that says what is seen.
        keys: what to press to switch it on and off, any of them: "K", "Ctrl+K".
        always: it is always shown.
        under: it lies under the animals.
        in_hand: it shows what a click would do: pictures leave it out.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    help: ClassVar[str]
    keys: tuple[str, ...] = ()
    always: ClassVar[bool] = False
    under: ClassVar[bool] = False
    in_hand: ClassVar[bool] = False
    contract = Contract(
        "overlay", {"name": NAME, "title": NAME, "help": TEXT, "keys": KEYS, "always": SWITCH, "under": SWITCH}
    )

    def begin(self, session: Session) -> None:
        """Another world is shown from now on, or this overlay is new: forget what is of the one before."""

    @abstractmethod
    def draw(self, canvas: Canvas, session: Session) -> None:
        """Put on the canvas what is to be seen in this frame."""

    def take(self, session: Session) -> None:
        """Note what changed: called when the world did, while it is shown."""
