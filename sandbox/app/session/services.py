"""The services that a session gets from its window."""

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
    """Do nothing: the default of services that need a window."""


@dataclass(frozen=True)
class Services:
    """The services of a window; without a window, the optional ones do nothing.

    Attributes:
        messages: shows messages.
        asking: shows questions and the file dialog.
        filing: opens and saves.
        modding: enables and switches mods.
        filming: makes films.
        studying: runs studies.
        picture: returns the texture of a picture file for panels, or None if it is not loaded.
        sketch: returns the texture of a picture that a panel draws on a canvas.
        preview: returns the next frame of a scene's animated preview.
        moment: returns the thumbnail of a keyframe.
        look: returns the picture of the world in a colouring, with an overlay.
        screenshot: writes the view as a PNG; `copy_picture` puts it on the clipboard.
        switch_panels: hides or shows panels and menu.
        begin_ambient: shows the scenes over the whole screen until a key is pressed.
        switch_full_screen: toggles full screen.
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
    look: Callable[..., Any] = _nothing
    screenshot: Callable[[], None] = _nothing
    copy_picture: Callable[[], None] = _nothing
    switch_panels: Callable[[], None] = _nothing
    begin_ambient: Callable[[], None] = _nothing
    switch_full_screen: Callable[[], None] = _nothing
