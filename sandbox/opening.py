"""Opens a scene file, a bundled scene by its name, or a snapshot."""

from __future__ import annotations

import os
from pathlib import Path

import tomli

from sandbox.extras import modules
from sandbox.files import AnyPath, named, read_file
from sandbox.mods.load.loaded_mods import NO_MODS, LoadedMods
from sandbox.scenes.bundled import find_scene, is_bundled
from sandbox.scenes.reader import read_scene
from sandbox.simulation import Simulation
from sandbox.state.array_file import SnapshotError
from sandbox.state.snapshot import read_snapshot
from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import LARGEST_FILE

ENDINGS = ".toml", ".npz", ".boids", ".png", ".jpg", ".jpeg", ".webp", ""
BEGINNING = 4096  # bytes that are searched for a zero, which text does not contain
ZIP = b"PK\x03\x04"  # the first bytes of a snapshot, never of a scene file


def load(
    path: AnyPath,
    seed: int | None = None,
    mods: LoadedMods = NO_MODS,
    kind: type[Simulation] = Simulation,
) -> Simulation:
    """Open a scene or snapshot with these mods; a library of mods first looks for those beside the file.

    Args:
        kind: the class to make: `Simulation` or `Sandbox`.
    Raises:
        SceneError, SnapshotError, FileNotFoundError: it can't be opened.
    """
    if is_recording(path) and os.path.isfile(path):
        what = "is a picture: boids play, replay and diff open the recording in it"
        if not is_picture(path):
            what = "is a recording: boids play, replay and diff open it"
        raise SnapshotError(f"{named(path)}: {what}")
    mods.look(Path(path) if os.path.exists(path) else None)
    if is_snapshot(path):
        snapshot = read_snapshot(path, mods)
        snapshot.meta.scene.folder = Path(path).absolute().parent
        simulation = kind(snapshot.meta.scene, seed, populate=False)
        try:
            snapshot.restore(simulation.world)
        except SnapshotError:
            simulation.close()
            raise
        return simulation
    try:
        return kind(read_scene(find_scene(Path(path), mods.assembly.app.scenes), mods), seed)
    except (SceneError, FileNotFoundError):
        if what := other_than_a_world(path):
            raise SnapshotError(what) from None
        raise


def other_than_a_world(path: AnyPath) -> str:
    """Return a sentence that says what a file or folder is if it is not a world; "" if it may be one."""
    path, name = Path(path), named(path)
    for extra in modules("files"):
        if what := extra.other_than_a_world(path):
            return str(what)
    if not os.path.isfile(path) or is_snapshot(path):
        return ""
    try:
        content = read_file(path, LARGEST_FILE)
        if path.suffix.lower() not in ENDINGS and (b"\0" in content[:BEGINNING] or content.startswith(b"<")):
            return f"{name}: is not a scene, state, recording or picture: their names end in {', '.join(ENDINGS[:-1])}"
        keys = tomli.loads(content.decode()).keys()
    except (OSError, ValueError, RecursionError):
        return ""  # reading it as a scene reports what is wrong
    return f"{name}: is a lesson: boids play --lesson {name} begins it" if {"scene", "step"} <= keys else ""


def is_snapshot(path: AnyPath) -> bool:
    """Return whether a file is a snapshot, by its name or its first bytes."""
    if Path(path).suffix == ".npz":
        return True
    try:
        return read_file(path, len(ZIP)) == ZIP
    except OSError:
        return False


def is_recording(path: AnyPath) -> bool:
    """Return whether a file is, by its name, a recording or a picture, which may contain one."""
    return Path(path).suffix.lower() == ".boids" or is_picture(path)


def is_picture(path: AnyPath) -> bool:
    """Return whether a file is a PNG, by its name."""
    return Path(path).suffix.lower() == ".png"


def is_own_scene(path: AnyPath) -> bool:
    """Return whether a path is a scene file that may be overwritten: not a snapshot and not a bundled scene."""
    return os.path.isfile(path) and not (is_snapshot(path) or is_recording(path)) and not is_bundled(Path(path))
