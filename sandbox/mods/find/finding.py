"""Where mods are found. Looking imports nothing and runs nothing of theirs."""

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

GROUP = "boids_sandbox.mods"  # of entry points: an installed package names the package that is its mod's folder


class Origin(Enum):
    """Where a mod is from; of two with one id, the one whose origin stands first here is taken."""

    NAMED = "--mod"
    SCENE = "beside the scene"
    WORKING = "the working folder"
    OWN = "yours"
    PACKAGE = "an installed package"
    BUNDLED = "comes with the program"


RANK = {origin: rank for rank, origin in enumerate(Origin)}


@dataclass(frozen=True)
class Found:
    """A folder that is a mod, or would be.

    Attributes:
        manifest: None when it can't be read.
        wrong: why it can't, a mistake a line; else empty.
    """

    folder: Path
    origin: Origin
    manifest: Manifest | None
    wrong: str = ""

    @property
    def id(self) -> str:
        """Its id; the name of its folder where nobody can read what it is called."""
        return self.manifest.id if self.manifest else self.folder.name


def bundled_mods_folder() -> Path:
    """The folder of the mods that come with the program."""
    program = Path(__file__).parents[2]
    in_wheel = program / "example_mods"  # a checkout has them beside the packages
    return in_wheel if in_wheel.is_dir() else program.parent / "mods"


def own_mods_folder() -> Path:
    """The folder for a person's own mods, found from everywhere; maybe it is not there yet."""
    return user_data_path("boids-sandbox", appauthor=False) / "mods"


def find_mods(scene: Path | None = None, named: Sequence[Path] = ()) -> list[Found]:
    """All mods there are, each folder once, in order of origin and name.

    Args:
        scene: the scene's file; `mods` beside it is looked into.
        named: folders of mods that a person named.
    """
    found: dict[Hashable, Found] = {}
    for origin, folder in _folders(scene, named):
        found.setdefault(_identity(folder), _looked_at(folder, origin))
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
    """The folders in a folder that are mods, or hold Python and so were meant to be."""
    try:
        inner = sorted((path for path in folder.iterdir() if path.is_dir()), key=lambda path: natural(path.name))
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError:
        yield origin, folder  # looking at it tells why
        return
    for path in inner:
        if path.name.startswith((".", "__")):
            continue
        if os.path.lexists(path / MANIFEST) or any(path.glob("*.py")):
            yield origin, path


def _package_folder(package: str) -> Path:
    """The folder of an installed package, found without importing it; only its name where there is none."""
    top, *inner = package.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    places = [Path(place, *inner) for place in (spec and spec.submodule_search_locations) or ()]
    return next((place for place in places if (place / MANIFEST).is_file()), places[0] if places else Path(top))


def _identity(folder: Path) -> Hashable:
    """What is the same for two ways to one folder."""
    try:
        status = folder.stat()
    except OSError:
        return folder
    return status.st_dev, status.st_ino


def _looked_at(folder: Path, origin: Origin) -> Found:
    try:
        if origin is Origin.PACKAGE and not folder.is_absolute():
            raise ModError(f"{folder}: there is no installed package of that name")
        return Found(folder, origin, read_manifest(folder))
    except ModError as error:
        return Found(folder, origin, None, str(error))
