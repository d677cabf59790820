"""The scenes that come with the program."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from components.store.fields import nearest


def bundled_scenes() -> list[Path]:
    """The bundled scene files, in order of name. A scene's name is that of its file."""
    here = Path(__file__).parent
    in_wheel = here / "scenes"  # a checkout has them beside the packages
    folder = in_wheel if in_wheel.is_dir() else here.parent / "scenes"
    return sorted(folder.glob("*.toml"))


def find_scene(name_or_path: str | Path, folders: Iterable[Path] = ()) -> Path:
    """The file of a scene's name, or of a path.

    Args:
        folders: more of them with scenes, those of mods; of several with one name a bundled one goes first.
    Raises:
        FileNotFoundError: with the nearest known name.
    """
    others = [path for folder in folders for path in sorted(folder.glob("*.toml"))]
    scenes = {path.stem: path for path in [*reversed(others), *bundled_scenes()]}
    if str(name_or_path) in scenes:
        return scenes[str(name_or_path)]
    path = Path(name_or_path)
    if path.is_file():
        return path
    if path.is_dir():
        raise FileNotFoundError(f"{str(name_or_path)!r} is a folder, no scene")
    if path.suffix or len(path.parts) > 1:
        raise FileNotFoundError(f"there is no file {str(name_or_path)!r}")
    close = nearest(str(name_or_path), list(scenes))
    near = f"did you mean {close!r}?" if close else f"there are {', '.join(scenes)}"
    raise FileNotFoundError(f"there is no scene {str(name_or_path)!r}: {near}")


def is_bundled(path: str | Path) -> bool:
    """Whether a path is that of a bundled scene, whatever way it is written."""
    return Path(path).resolve() in [scene.resolve() for scene in bundled_scenes()]


def picture_of(scene: Path) -> Path:
    """Where the picture of a bundled scene is, if it has one."""
    return scene.parent / "pictures" / f"{scene.stem}.jpg"
