"""Pictures behind the world, such as photographs, maps or drawings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from components.store.declare import number
from components.store.fields import declared
from sandbox.design.kept_tables import KeptTables, Tables
from sandbox.files import make_folder, read_file, write_atomically
from sandbox.toml.shapes import Text


class Exposure:
    """How a picture is shown."""

    light: float = number(1, "", 0, 1, "how bright it is; a dim one lets animals stand out")


class Pictures(KeptTables):
    """The pictures behind a world by name. Each covers the whole world, and is drawn over those before it."""

    table, help = "pictures", "pictures behind the world, each over those before it"
    about = "a picture file, and how it is shown"
    fields = declared(Exposure)
    texts = {"file": Text("a PNG, JPEG or WebP: where it lies from the scene file")}  # noqa: RUF012


def picture_file(own: Mapping[str, Any], folder: Path | None) -> Path | None:
    """Return the file of a picture: at its path from `folder`, else by its name in `folder`; None if there is neither.

    Args:
        own: a table of `Pictures`.
        folder: the folder of the scene's file, or None.
    """
    said = Path(own["file"])
    places = [said] if folder is None else [folder / said, folder / said.name]
    return next((place for place in places if _is_file(place)), None)


def missing_pictures(pictures: Tables, folder: Path | None) -> list[str]:
    """Return the missing files of tables of `Pictures`, as named there; `folder` as in `picture_file`."""
    return [own["file"] for own in pictures.values() if picture_file(own, folder) is None]


def copy_pictures(pictures: Tables, before: Path | None, folder: Path) -> None:
    """Copy the files of `Pictures`, found from folder `before`, to where a copy of their scene in `folder` finds them.

    Raises:
        OSError: a file can't be read or written.
    """
    for own in pictures.values():
        said, file = Path(own["file"]), picture_file(own, before)
        beside = folder / (said.name if said.is_absolute() or ".." in said.parts else said)
        if file is not None and not beside.exists():
            make_folder(beside.parent)
            write_atomically(beside, read_file(file))


def seen_from(folder: Path, pictures: Tables, before: Path | None) -> dict[str, dict[str, Any]]:
    """Make the file paths of `Pictures` relative to another folder; `before`: the one that they are relative to."""
    found = {name: {**own} for name, own in pictures.items()}
    for own in found.values():
        file = picture_file(own, before)
        if file is not None and folder != before and not Path(own["file"]).is_absolute():
            own["file"] = _relative(file.absolute(), folder)
    return found


def _relative(file: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:  # on another drive
        return str(file)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
