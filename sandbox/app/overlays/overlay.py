"""The base class of overlays, which are drawn over or under the animals and help to understand the world."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from sandbox.app.key_names import KEYS
from sandbox.window_part import NAME, SWITCH, TEXT, Contract, WindowPart

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas
    from sandbox.app.session.session import Session

MOMENTS = 2.0  # s: overlays that remember nothing draw what the world itself remembers, at most so long


class Overlay(WindowPart, ABC):
    """Draws something that helps to understand the world; must only read the world.

    Attributes:
        name: the name that `session.shown` contains while the overlay is shown.
        title: the title that people read; `help`: one line about what it shows.
        keys: the keys that show or hide it: "K", "Ctrl+K".
        always: it is always shown.
        under: it is drawn under the animals.
        in_hand: it previews a click, so it is left out of pictures.
        past: for how many simulated seconds it remembers what `update` read.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    help: ClassVar[str]
    keys: tuple[str, ...] = ()
    always: ClassVar[bool] = False
    under: ClassVar[bool] = False
    in_hand: ClassVar[bool] = False
    past: ClassVar[float] = 20.0
    contract = Contract(
        "overlay", {"name": NAME, "title": NAME, "help": TEXT, "keys": KEYS, "always": SWITCH, "under": SWITCH}
    )

    def reset(self, session: Session) -> None:
        """Forget what is of the previous world: called when another world is shown, or when this overlay is new."""

    def tells(self, session: Session) -> str:
        """Return what a person is told who shows it now; "": nothing."""
        return ""

    @abstractmethod
    def draw(self, canvas: Canvas, session: Session) -> None:
        """Draw on the canvas; called in every frame while it is shown."""

    def update(self, session: Session) -> None:
        """Read what changed: called when it is shown, then after ticks, commands, selecting, pausing and resuming."""

    @property
    def run_up(self) -> float:
        """For how many simulated seconds it must observe the world before a picture."""
        return MOMENTS if type(self).update is Overlay.update else self.past
