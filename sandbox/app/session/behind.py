"""Shows a picture file of the user behind the world."""

from __future__ import annotations

from pathlib import Path

from sandbox.app.drawing.own_pictures import UNREADABLE
from sandbox.app.session.document import Document
from sandbox.design.pictures import NO_PICTURE, SUFFIXES, PictureError, choose_picture, open_picture
from sandbox.edit import SetTables
from sandbox.files import plain_name
from sandbox.files.atomic import is_picture
from sandbox.files.png import recording_in
from sandbox.language import translate


def is_only_picture(path: Path) -> bool:
    """Return whether a file is a picture by its suffix, and not a screenshot that contains a recording."""
    if not is_picture(path):
        return path.suffix.lower() in SUFFIXES
    try:
        return not recording_in(path)
    except ValueError:
        return True


def show_behind(document: Document, path: Path) -> str:
    """Show a picture behind the world, in place of the previous one; return an error message, or ""."""
    try:
        with open_picture(path) as picture:
            picture.load()
    except PictureError as error:
        return translate(error.text, name=path.name)
    except UNREADABLE:
        return translate(NO_PICTURE, name=path.name)
    try:
        file = choose_picture(path, document.simulation.scene.folder)
    except OSError as error:
        return str(error)
    own = {plain_name(path.stem): {"file": file}}
    return (
        ""
        if document.submit(SetTables("pictures", own, f"show {path.name} behind the world"))
        else translate("it can't be")
    )
