"""The services that a session gets from its window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from components.store.fields import Field
from sandbox.app.files.asking import Asking
from sandbox.app.files.filing import Filing
from sandbox.app.jobs.jobs import Jobs
from sandbox.app.messages import Messages
from sandbox.app.session.modding import Modding

if TYPE_CHECKING:
    from sandbox.app.session.session import Session


def _nothing(*_: object) -> None:
    """Do nothing: the default of services that need a window."""


@dataclass(frozen=True)
class FieldChoice:
    """What a right click on a number of a panel does.

    Attributes:
        help: a line of the number's tooltip.
        do: gets the session, the key of the field for `--set`, its name, its declaration and its value.
    """

    help: str
    do: Callable[[Session, str, str, Field, Any], None]


@dataclass(frozen=True)
class Services:
    """The services of a window; without a window, the optional ones do nothing.

    Attributes:
        messages: shows messages.
        asking: shows questions and the file dialog.
        filing: opens and saves.
        modding: enables and switches mods.
        jobs: work beside the window.
        glows: returns whether backdrops of night and space glow.
        field_menu: what a right click on a number of a panel offers, by its label.
        picture: returns the texture of a picture file for panels, or None if it is not loaded.
        sketch: returns the texture of a picture that a panel draws on a canvas.
        preview: returns the next frame of a scene's animated preview.
        moment: returns the thumbnail of a keyframe.
        look: returns the picture of the world in a colouring, with an overlay.
        screenshot: writes the view as a PNG; `copy_picture` puts it on the clipboard.
        toggle_panels: hides or shows panels and menu.
        begin_ambient: shows the scenes over the whole screen until a key is pressed.
        switch_full_screen: enters or leaves full screen.
    """

    messages: Messages
    asking: Asking
    filing: Filing
    modding: Modding
    jobs: Jobs
    glows: Callable[[], bool] = bool
    picture: Callable[[Path], Any] = _nothing
    sketch: Callable[..., Any] = _nothing
    preview: Callable[..., Any] = _nothing
    moment: Callable[..., Any] = _nothing
    look: Callable[..., Any] = _nothing
    screenshot: Callable[[], None] = _nothing
    copy_picture: Callable[[], None] = _nothing
    toggle_panels: Callable[[], None] = _nothing
    begin_ambient: Callable[[], None] = _nothing
    switch_full_screen: Callable[[], None] = _nothing
    field_menu: dict[str, FieldChoice] = field(default_factory=dict)
