"""Pictures behind the world, such as photographs, maps or drawings.

A scene may name only pictures within its own folder, and the text of the path is judged before the disk is touched:
a stranger's scene reaches no other file, and no other computer.
"""

from __future__ import annotations

import filecmp
import hashlib
import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_data_path

from components.store.declare import number
from components.store.fields import declared
from sandbox.design.kept_tables import KeptTables, Tables
from sandbox.files import make_folder, named, plain_name, read_file, write_atomically
from sandbox.toml.paths import InnerPath, within

if TYPE_CHECKING:
    from PIL.Image import Image

SUFFIXES = ".png", ".jpg", ".jpeg", ".webp"
MEGAPIXELS = {"WEBP": 12, "PNG": 20, "JPEG": 24}  # of a file up to 1 MB: decoding these takes up to 300 MB of memory
LARGER = 4  # how many times as many a larger file may have, as many for each MB
MOST_BYTES, MOST_TOGETHER = 64 << 20, 80_000_000  # of a file; pixels of all pictures of a world
NO_SUCH = "{name}: there is no such picture"
NO_PICTURE = "{name}: is not a readable picture: use PNG, JPEG or WebP"
TOO_LARGE = (
    "{name}: is too large: a picture may have 64 MB; 12 (WebP), 20 (PNG) or 24 (JPEG) million pixels; "
    "and above 1 MB as many for each MB, up to four times"
)
TOO_MANY = "{name}: is too large: the pictures of a world may have 80 million pixels together"


class PictureError(ValueError):
    """A file can't be shown as a picture; `text` says why, with {name} for its name."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text.format(name=named(name)))
        self.text = text


class Exposure:
    """How a picture is shown."""

    light: float = number(1, "", 0, 1, "how bright it is; a dim one lets animals stand out")


class PicturePath(InnerPath):
    """The path of a picture within the scene's folder."""

    def wrong(self, text: str) -> str:
        if wrong := super().wrong(text):
            return wrong
        return "" if text.lower().endswith(SUFFIXES) else f"must be a picture: {', '.join(SUFFIXES)}"


FILE = PicturePath("a PNG, JPEG or WebP in the scene's folder: its path from there")


class Pictures(KeptTables):
    """The pictures behind a world by name. Each covers the whole world, and is drawn over those before it."""

    table, help = "pictures", "pictures behind the world, each over those before it"
    about = "a picture file, and how it is shown"
    fields = declared(Exposure)
    texts = {"file": FILE}  # noqa: RUF012

    def files(self, folder: Path | None) -> dict[str, Path]:
        """Return the files that are there, by their paths from the scene's file; `folder`: as in `picture_file`."""
        found = {own["file"]: picture_file(own, folder) for own in self.kept.values()}
        return {name: file for name, file in found.items() if file is not None}


def picture_file(own: Mapping[str, Any], folder: Path | None) -> Path | None:
    """Return the file of a picture: within `folder`, else among the pictures that the person chose; None if neither.

    Args:
        own: a table of `Pictures`.
        folder: the folder of the scene's file, or None.
    """
    return next((file for place in (folder, _chosen()) if place and (file := _within(place, own["file"]))), None)


def wrong_pictures(pictures: Tables, folder: Path | None) -> dict[str, str]:
    """Return the files of tables of `Pictures` that can't be shown, by their path there, and why, with {name} for it.

    `folder`: as in `picture_file`.
    """
    files = {own["file"]: picture_file(own, folder) for own in pictures.values()}
    wrong = wrong_files(file for file in files.values() if file)
    return {name: wrong[file] if file else NO_SUCH for name, file in files.items() if not file or file in wrong}


def wrong_files(files: Iterable[Path]) -> dict[Path, str]:
    """Return those of the picture files of a world that can't be shown, and why, with {name} for its name."""
    wrong, left = dict[Path, str](), MOST_TOGETHER
    for file in dict.fromkeys(files):
        try:
            with open_picture(file) as picture:
                pixels = picture.width * picture.height
        except PictureError as error:
            wrong[file] = error.text
            continue
        if pixels > left:
            wrong[file] = TOO_MANY
        else:
            left -= pixels
    return wrong


def open_picture(path: Path) -> Image:
    """Open a picture; only its head is read until it is used.

    Raises:
        PictureError: it is no PNG, JPEG or WebP, or larger than a picture may be.
    """
    from PIL import Image, UnidentifiedImageError  # imported lazily: most worlds have no pictures

    warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)  # refused below
    try:
        if (size := os.path.getsize(path)) > MOST_BYTES:
            raise PictureError(TOO_LARGE, path.name)
        picture = Image.open(path, formats=[*MEGAPIXELS])
    except Image.DecompressionBombError:
        raise PictureError(TOO_LARGE, path.name) from None
    except (OSError, SyntaxError, UnidentifiedImageError):
        raise PictureError(NO_PICTURE, path.name) from None
    most = MEGAPIXELS[picture.format or ""] * min(max(size / 1e6, 1), LARGER) * 1e6
    if picture.width * picture.height > most:
        picture.close()
        raise PictureError(TOO_LARGE, path.name)
    return picture


def choose_picture(file: Path, folder: Path | None) -> str:
    """Return the path under which a scene in `folder` finds a picture that a person has chosen.

    A picture from elsewhere is copied to those that the person chose, and from there beside the scene when it is saved.

    Raises:
        OSError: it can't be copied.
    """
    if folder is not None and file.absolute().is_relative_to(folder):
        inside = file.absolute().relative_to(folder).as_posix()
        if _within(folder, inside):
            return inside
    content = read_file(file)
    name = f"{plain_name(file.stem)}-{hashlib.sha256(content).hexdigest()[:8]}{file.suffix.lower()}"
    make_folder(_chosen())
    write_atomically(_chosen() / name, content)
    return name


def brought_along(
    pictures: Tables, before: Path | None, folder: Path
) -> tuple[dict[str, dict[str, Any]], dict[str, Path]]:
    """Return the tables of `Pictures` of a scene that moves from folder `before` to `folder`, and what to copy there.

    Returns:
        The tables; and the files to copy by their new name, which is never that of another file.
    """
    found = {name: {**own} for name, own in pictures.items()}
    copies: dict[str, Path] = {}
    for own in found.values():
        file = picture_file(own, before)
        there = _within(folder, own["file"])
        if file is None or (there and _same(there, file)):
            continue
        path = folder / Path(own["file"]).name
        while not _is_for(path, file, copies):
            path = path.with_stem(f"{path.stem}-2")
        own["file"], copies[path.name] = path.name, file
    return found, copies


def copy_pictures(copies: Mapping[str, Path], folder: Path) -> None:
    """Copy pictures into a folder, each under its path there; a file that is there already stays as it is.

    Raises:
        PictureError: one is not a picture.
        OSError: one can't be read or written.
    """
    for name, file in copies.items():
        beside = folder / name
        if os.path.lexists(beside):
            continue
        open_picture(file).close()
        make_folder(beside.parent)
        if not beside.resolve().is_relative_to(folder.resolve()):
            raise ValueError(f"{named(beside)}: a link leads out of the folder")
        write_atomically(beside, read_file(file))


def _chosen() -> Path:
    return user_data_path("boids-sandbox", appauthor=False) / "pictures"


def _within(folder: Path, text: str) -> Path | None:
    """Return the picture at this path from a folder, if there is one."""
    return None if FILE.wrong(text) else within(folder, text)


def _same(one: Path, other: Path) -> bool:
    return one.samefile(other) or filecmp.cmp(one, other, shallow=False)


def _is_for(path: Path, file: Path, copies: Mapping[str, Path]) -> bool:
    """Return whether `path` is free for a copy of `file`, or holds it already."""
    if path.name in copies:
        return copies[path.name] == file
    return not os.path.lexists(path) or (path.is_file() and _same(path, file))
