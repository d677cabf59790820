"""What a window does for a session besides showing it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.app.messages import Messages
from sandbox.app.session.asking import Asking
from sandbox.app.session.filing import Filing
from sandbox.app.session.filming import Filming
from sandbox.app.session.modding import Modding
from sandbox.app.session.studying import Studying


def _nothing(*_: object) -> None:
    """What there is of it where no window shows the session."""


@dataclass(frozen=True)
class Services:
    """All of them; what is drawn or switched only where a window shows the session.

    Attributes:
        messages: tells a person something.
        asking: asks them something.
        filing: opens and saves.
        modding: switches mods.
        filming: makes films.
        studying: runs studies.
        picture: what panels draw the picture of a file with, if there is one and it is read already.
        sketch: what they draw a picture of their own with, made on a canvas.
        preview: the next picture of a scene that moves, beside the simulation that is shown.
        moment: the small picture of a keyframe, beside the simulation that is shown.
        screenshot: writes what is seen as a PNG.
        switch_panels: hides the panels and the menu, or shows them again.
        switch_full_screen: fills the screen, or no longer.
    """

    messages: Messages
    asking: Asking
    filing: Filing
    modding: Modding
    filming: Filming
    studying: Studying
    picture: Callable[[Path], Any] = _nothing
    sketch: Callable[..., Any] = _nothing
    preview: Callable[..., Any] = _nothing
    moment: Callable[..., Any] = _nothing
    screenshot: Callable[[], None] = _nothing
    switch_panels: Callable[[], None] = _nothing
    switch_full_screen: Callable[[], None] = _nothing
