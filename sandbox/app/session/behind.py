"""Shows a picture file of the user behind the world."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from sandbox.app.drawing.own_pictures import UNREADABLE
from sandbox.app.session.document import Document
from sandbox.edit import SetTables
from sandbox.files import plain_name
from sandbox.language import translate
from sandbox.opening import is_picture
from sandbox.past.in_picture import recording_in

MOST_PIXELS = Image.MAX_IMAGE_PIXELS or 0
SUFFIXES = ".png", ".jpg", ".jpeg", ".webp"


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
        with Image.open(path) as file:
            file.load()
    except Image.DecompressionBombError:
        return translate("{name}: has too many pixels: {most:,} at most", name=path.name, most=2 * MOST_PIXELS)
    except UNREADABLE:
        return translate("{name}: is not a readable picture: use PNG, JPEG or WebP", name=path.name)
    own = {plain_name(path.stem): {"file": str(path.absolute())}}
    return (
        ""
        if document.submit(SetTables("pictures", own, f"show {path.name} behind the world"))
        else translate("it can't be")
    )
