"""Opens worlds for scripts: empty ones, scenes and recordings."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from sandbox.edit.command import read
from sandbox.edit.resources import SEED
from sandbox.files import AnyPath
from sandbox.mods.load.library import own_library
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.together import mods_from
from sandbox.opening import load as open_any
from sandbox.scenes.reader import scene_of
from sandbox.script.given import path_given, scene_given
from sandbox.script.sandbox import Sandbox
from sandbox.simulation import Simulation
from sandbox.toml.source import TomlSource
from sandbox.toml.value_source import plain
from sandbox.warning import SandboxWarning


def new(
    size: tuple[float, float] = (1280, 720),
    edges: str = "wrap",
    seed: int = 0,
    name: str = "untitled",
    mods: Iterable[AnyPath] | None = None,
    **world: Any,
) -> Sandbox:
    """Make an empty world.

    Args:
        size: width and height, u.
        edges: "wrap", "turn", "bounce" or "open".
        seed: determines all random numbers.
        mods: see `load`.
        world: other keys of a scene file's `[world]` table: turn, tick_rate, population_limit, backdrop.
    Raises:
        ValueError: an argument is invalid; the message says what would be right.
    """
    scene = {"name": name, "seed": seed, "world": {"size": size, "edges": edges, **world}}
    with _mods(mods) as known:
        known.look()
        return Sandbox(Simulation(scene_given(scene, known)))


def loads(text: str, seed: int | None = None, mods: Iterable[AnyPath] | None = None) -> Sandbox:
    """Make the world that the text of a scene file describes; `seed` and `mods` as for `load`.

    Raises:
        SceneError: a ValueError with every mistake and its place in the text.
    """
    if not isinstance(text, str):
        raise ValueError(f"{text!r:.60}: must be the text of a scene file; sandbox.load opens a file")
    with _mods(mods) as known:
        known.look()
        return Sandbox(Simulation(scene_of(TomlSource("untitled", text.encode()), known), _seed(seed)))


def load(
    path: AnyPath, seed: int | None = None, mods: Iterable[AnyPath] | None = None, depth: float | None = None
) -> Sandbox:
    """Open a scene file, a bundled scene by its name, or a recording: a snapshot, or the end of a longer one.

    Args:
        seed: replaces the scene's seed; with a recording, that of all random numbers from now on.
        mods: folders of the mods to run it with; None: the mods that the person enabled.
        depth: replaces that of the scene's world, u: also a flat scene gets one.
    Raises:
        SceneError, RecordingError: the file can't be opened; both are ValueErrors that name it and the mistake.
        ModError, LoadError: the mods can't be loaded.
    Warns:
        SandboxWarning: a mod that the person enabled is not on, or a recording can't be played to its end.
    """
    given = path_given(path, "the path of a file, or the name of a bundled scene")
    with _mods(mods) as known:
        return Sandbox(open_any(given, _seed(seed), known, depth))


def _seed(seed: int | None) -> int | None:
    return None if seed is None else read("seed", plain(seed), SEED.parse)


@contextmanager
def _mods(folders: Iterable[AnyPath] | None) -> Iterator[LoadedMods]:
    """Yield the mods of these folders, or those that the person enabled; then warn the caller's caller of problems."""
    if folders is not None:
        yield mods_from(_folders(folders))
        return
    library = own_library()
    try:
        yield library
    finally:
        for problem in library.problems:
            warnings.warn(problem, SandboxWarning, stacklevel=4)


def _folders(given: object) -> list[AnyPath]:
    listed = os.fspath(given) if isinstance(given, os.PathLike) else given
    folders: list[Any] = [*listed] if isinstance(listed, Iterable) and not isinstance(listed, str | bytes) else [None]
    if not all(isinstance(folder, str | os.PathLike) for folder in folders):
        raise ValueError(f"mods = {listed!r:.60}: must be a list of folders")
    return folders
