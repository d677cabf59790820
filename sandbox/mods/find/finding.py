"""Finds the folders of mods. Nothing of a mod is imported or executed."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from platformdirs import user_data_path

from sandbox.mods.find.manifest import MANIFEST, Manifest, ModError, read_manifest
from sandbox.mods.find.versions import natural

GROUP = "boids_sandbox.mods"  # of entry points; the value is the package whose folder is the mod


class Origin(Enum):
    """Where a mod was found. Of two mods with one id, the one whose origin comes first in this list is used."""

    NAMED = "--mod"
    SCENE = "beside the scene"
    WORKING = "the working folder"
    OWN = "yours"
    PACKAGE = "an installed package"
    BUNDLED = "comes with the program"


RANK = {origin: rank for rank, origin in enumerate(Origin)}


@dataclass(frozen=True)
class Found:
    """A folder that is a mod, or seems to be meant as one.

    Attributes:
        manifest: None if it can't be read.
        wrong: why it can't be read, one mistake per line; else empty.
    """

    folder: Path
    origin: Origin
    manifest: Manifest | None
    wrong: str = ""

    @property
    def id(self) -> str:
        """The mod's id; the name of its folder if the manifest can't be read."""
        return self.manifest.id if self.manifest else self.folder.name


def bundled_mods_folder() -> Path:
    """The folder of the mods that come with the program."""
    program = Path(__file__).parents[2]
    in_wheel = program / "example_mods"  # in a checkout they are beside the packages instead
    return in_wheel if in_wheel.is_dir() else program.parent / "mods"


def own_mods_folder() -> Path:
    """The folder for a person's own mods, searched from every working folder; it may not exist yet."""
    return user_data_path("boids-sandbox", appauthor=False) / "mods"


def find_mods(scene: Path | None = None, named: Sequence[Path] = ()) -> list[Found]:
    """Find all mods, each folder once, sorted by origin and name.

    Args:
        scene: the scene's file; the folder `mods` beside it is searched too.
        named: folders of mods that a person named (`--mod`).
    """
    found: dict[Hashable, Found] = {}
    for origin, folder in _folders(scene, named):
        found.setdefault(_identity(folder), _read(folder, origin))
    return list(found.values())


def _folders(scene: Path | None, named: Iterable[Path]) -> Iterator[tuple[Origin, Path]]:
    for folder in named:
        yield Origin.NAMED, folder.absolute()
    if scene is not None:
        yield from _mods_in(scene.absolute().parent / "mods", Origin.SCENE)
    yield from _mods_in(Path.cwd() / "mods", Origin.WORKING)
    yield from _mods_in(own_mods_folder(), Origin.OWN)
    for point in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        yield Origin.PACKAGE, _package_folder(point.value.split(":")[0].strip())
    yield from _mods_in(bundled_mods_folder(), Origin.BUNDLED)


def _mods_in(folder: Path, origin: Origin) -> Iterator[tuple[Origin, Path]]:
    """Yield the folders in a folder that are mods, or contain Python files and so were probably meant to be."""
    try:
        inner = sorted((path for path in folder.iterdir() if path.is_dir()), key=lambda path: natural(path.name))
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError:
        yield origin, folder  # reading its manifest will report the error
        return
    for path in inner:
        if path.name.startswith((".", "__")):
            continue
        if os.path.lexists(path / MANIFEST) or any(path.glob("*.py")):
            yield origin, path


def _package_folder(package: str) -> Path:
    """Return the folder of an installed package without importing it, or just its name if it is not installed."""
    top, *inner = package.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    places = [Path(place, *inner) for place in (spec and spec.submodule_search_locations) or ()]
    return next((place for place in places if (place / MANIFEST).is_file()), places[0] if places else Path(top))


def _identity(folder: Path) -> Hashable:
    """Return a key that is the same for all paths to one folder."""
    try:
        status = folder.stat()
    except OSError:
        return folder
    return status.st_dev, status.st_ino


def _read(folder: Path, origin: Origin) -> Found:
    try:
        if origin is Origin.PACKAGE and not folder.is_absolute():
            raise ModError(f"{folder}: there is no installed package of that name")
        return Found(folder, origin, read_manifest(folder))
    except ModError as error:
        return Found(folder, origin, None, str(error))
