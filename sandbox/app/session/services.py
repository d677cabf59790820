"""What a window does for a session besides showing it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sandbox.app.messages import Messages
from sandbox.app.session.asking import Asking
from sandbox.app.session.filing import Filing
from sandbox.app.session.modding import Modding


class Window(Protocol):
    """What actions can have the window itself do."""

    def screenshot(self) -> None:
        """Write what is seen as a PNG."""

    def gif(self) -> None:
        """Begin to write the last seconds as a GIF."""

    def switch_panels(self) -> None:
        """Hide the panels and the menu, or show them again."""

    def switch_full_screen(self) -> None:
        """Fill the screen, or no longer."""


@dataclass(frozen=True)
class Services:
    """All of them.

    Attributes:
        messages: tells a person something.
        asking: asks them something.
        filing: opens and saves.
        modding: switches mods.
        picture: what panels draw the picture of a file with, if there is one and it is read already.
    """

    messages: Messages
    asking: Asking
    filing: Filing
    modding: Modding
    window: Window
    picture: Callable[[Path], Any]
