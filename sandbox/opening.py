"""Opens a scene file, a bundled scene by its name, or a recording; of a recording with a past, its end or its past."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

from components.store.fields import DEEP
from sandbox.design.depth import with_depth
from sandbox.design.scene import Scene
from sandbox.extras import modules
from sandbox.files import AnyPath, is_recording, named, read_file
from sandbox.files.container import RecordingError
from sandbox.files.read_recording import has_past, open_recording, open_state
from sandbox.mods.load.loaded_mods import NO_MODS, LoadedMods
from sandbox.past.recording import BUDGET
from sandbox.past.replay import problem_of
from sandbox.past.timeline import Timeline
from sandbox.scenes.bundled import find_scene, is_bundled
from sandbox.scenes.reader import read_scene
from sandbox.simulation import Simulation, read_seed
from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import LARGEST_FILE, TomlSource
from sandbox.warning import SandboxWarning

ENDINGS = ".toml", ".boids", ".html", ".htm", ".png", ".jpg", ".jpeg", ".webp", ""
BEGINNING = 4096  # bytes that are searched for a zero, which text does not contain


def load(path: AnyPath, seed: int | None = None, mods: LoadedMods = NO_MODS, depth: float | None = None) -> Simulation:
    """Open a scene, or a recording at its end, with these mods; a library first looks for mods beside the file.

    Args:
        seed: replaces the scene's; in a recording, that of all random numbers from now on.
        depth: replaces that of the scene's world, u.
    Raises:
        SceneError, RecordingError, FileNotFoundError: it can't be opened.
        ValueError: the seed or the depth is not one; or it is a recording, whose world keeps its depth.
    Warns:
        SandboxWarning: a recording can't be played to its end.
    """
    if is_recording(path):
        if depth is not None:
            raise ValueError(f"{named(path)}: the world of a recording keeps its depth")
        seed = None if seed is None else read_seed(seed)
        simulation = _end_of(path, mods) if has_past(path) else open_state(path, mods)
        simulation.world.seed = simulation.world.seed if seed is None else seed
        return simulation
    if depth is None:
        return Simulation(scene_at(path, mods), seed)
    return Simulation(with_depth(scene_at(path, mods, DEEP), depth), seed)


def scene_at(path: AnyPath, mods: LoadedMods, axes: str = "") -> Scene:
    """Read the scene file at a path, or the scene of this name, with these mods: as `load` does.

    Args:
        axes: those of the world that it is for, if not of that in the file.
    Raises:
        SceneError, FileNotFoundError, RecordingError: it can't be read; the last if the file is known as another kind.
    """
    mods.look(Path(path) if os.path.exists(path) else None)
    try:
        return read_scene(find_scene(Path(path), mods.assembly.app.scenes), mods, axes)
    except (SceneError, FileNotFoundError):
        if what := other_than_a_world(path):
            raise RecordingError(what) from None
        raise


def scene_beside(source: TomlSource, folder: Path, mods: LoadedMods) -> Path:
    """Return the file of the scene that another file in `folder` names with its key `scene`: there, or by its name.

    Raises:
        SceneError: there is none.
    """
    name: str = source.data["scene"]
    beside = folder / name
    if beside.suffix == ".toml" and beside.exists():
        return beside
    try:
        mods.look()
        return find_scene(name, mods.assembly.app.scenes)
    except FileNotFoundError as error:
        source.mistake(("scene",), str(error))
        source.refuse_mistakes()
        raise


def opened_to_run(path: AnyPath, mods: LoadedMods, budget: int = BUDGET) -> Timeline:
    """Open a recording at its first tick, or a scene as a recording of no ticks.

    Args:
        budget: for keyframes, bytes; 0: only the first and the last are kept.
    Raises:
        ValueError, OSError: the file can't be opened, or is a recording with other physics.
    """
    if not is_recording(path):
        return Timeline(load(path, mods=mods), budget=budget)
    timeline = open_recording(path, mods)
    timeline.recording.budget = budget
    if not timeline.recording.runs:
        timeline.close()
        raise RecordingError(
            f"{named(path)}: was recorded by a version that simulates differently: only that one runs it again"
        )
    return timeline


def _end_of(path: AnyPath, mods: LoadedMods) -> Simulation:
    """Run a recording to its end, or a picture to its moment."""
    timeline = open_recording(path, mods)
    timeline.seek(timeline.branch.last if timeline.opens_at is None else timeline.opens_at)
    if problem := problem_of(timeline):
        sentence = problem if problem == timeline.cut else f"{named(path)}: {problem}"  # `cut` names the file
        warnings.warn(sentence, SandboxWarning, stacklevel=3)
    return timeline.leave()


def other_than_a_world(path: AnyPath) -> str:
    """Return a sentence that says what a file or folder is if it is not a world; "" if it may be one."""
    path, name = Path(path), named(path)
    for extra in modules("files"):
        if what := extra.other_than_a_world(path):
            return str(what)
    if path.suffix.lower() == ".npz":
        return f"{name}: is not a world: scenes are .toml files, and recordings and snapshots .boids files"
    if not os.path.isfile(path) or is_recording(path):
        return ""
    try:
        content = read_file(path, LARGEST_FILE)
        if path.suffix.lower() not in ENDINGS and (b"\0" in content[:BEGINNING] or content.startswith(b"<")):
            return f"{name}: is not a scene, recording or picture: their names end in {', '.join(ENDINGS[:-1])}"
    except (OSError, ValueError):
        return ""  # reading it as a scene reports what is wrong
    return ""


def is_own_scene(path: AnyPath) -> bool:
    """Return whether a path is a scene file that may be overwritten: not a recording and not a bundled scene."""
    return os.path.isfile(path) and not is_recording(path) and not is_bundled(Path(path))
