"""Screenshots, written to the pictures folder or put on the clipboard.

A screenshot contains the recording, so that opening it leads back to its moment. A thread packs and writes it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path

from PIL import Image
from platformdirs import user_pictures_path

from sandbox.app.drawn_world import DrawnWorld
from sandbox.app.files.saving import SECONDS_TO_READ
from sandbox.app.picture_clipboard import NoClipboardError, copy_picture, copying_program
from sandbox.files import free_name, make_folder, write_atomically
from sandbox.files.members import HeldRecording
from sandbox.files.png import MOST, with_recording
from sandbox.files.write_recording import hold_recording, hold_shown
from sandbox.language import translate


class Shots:
    """Takes screenshots of a window.

    Attributes:
        folder: the folder they are written to.
    """

    def __init__(self, world: DrawnWorld) -> None:
        self.folder = user_pictures_path() / "boids"
        self._world, self._session = world, world.session

    def picture(self, ratio: float) -> None:
        """Write the view that panels leave free as a PNG, without the preview of the tool."""
        session, timeline = self._session, self._session.document.timeline
        path = self.folder / f"{session.document.moment}.png"
        timeline.take_up()
        try:
            make_folder(self.folder)
            picture = self._view(ratio)
        except OSError as error:
            session.messages.warn(translate("no screenshot: {error}", error=error))
            return
        held = hold_recording(timeline, keyframes=hold_shown(timeline))
        words, work = translate("saving {name} ...", name=path.name), partial(_saved, path, picture, held)
        session.services.jobs.begin(words, work, session.messages.say, finishes=True)

    def copy(self, ratio: float) -> None:
        """Put the view on the clipboard; where that can't be, say why, and write a screenshot instead."""
        messages = self._session.messages
        try:
            copying_program()
            picture = self._view(ratio)
        except NoClipboardError as error:
            messages.warn(translate("{why}: saved as a screenshot instead", why=error), SECONDS_TO_READ)
            self.picture(ratio)
            return
        except OSError as error:
            messages.warn(translate("no screenshot: {error}", error=error))
            return

        def save_instead(wrong: str) -> None:
            messages.warn(wrong)
            self.picture(ratio)

        work = partial(_copied, picture)
        self._session.services.jobs.begin(
            translate("copying the picture ..."), work, messages.say, save_instead, finishes=True
        )

    def _view(self, ratio: float) -> Image.Image:
        """Return the view that panels leave free, without the preview of the tool."""
        return self._world.picture(self._session.camera.without_panels(), self._session.clock.alpha, ratio)


def _copied(picture: Image.Image) -> str:
    """Put a picture on the clipboard; return the message for the user."""
    file = BytesIO()
    picture.save(file, "PNG")
    copy_picture(file.getvalue())
    return translate("copied the picture: paste it into another program")


def _saved(path: Path, picture: Image.Image, held: HeldRecording) -> str:
    """Write a picture that contains a recording, if that is small enough; return the message for the user.

    Args:
        path: the file; if it exists, a free name beside it is used.
        held: if it is too large with its keyframe, which lets a later version show the moment even if its ticks give
            other results, it is written without.
    """
    recording = held.packed()
    if len(recording) > MOST and held.keyframes:
        recording = replace(held, keyframes=()).packed()
    file, told = BytesIO(), ""
    picture.save(file, "PNG")
    content = file.getvalue()
    if len(recording) <= MOST:
        content = with_recording(content, recording)
    else:
        told = translate(
            " without its recording, so it can't lead back to this moment: the recording has {size:.1f} MB, and a "
            "picture holds at most {most:g} MB",
            size=len(recording) / 1e6,
            most=MOST / 1e6,
        )
    path = free_name(path)
    try:
        write_atomically(path, content)
    except OSError as error:
        raise OSError(translate("no screenshot: {error}", error=error)) from None
    return translate("saved screenshot {path}{told}", path=path, told=told)
