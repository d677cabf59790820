"""Saving the design of a running world as a scene file, in which the opened file's comments and order live on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from tomlkit.exceptions import TOMLKitError

from sandbox.design.format import FORMAT
from sandbox.design.pictures import Pictures, seen_from
from sandbox.files import write_atomically
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.scenes.design import Design, design_of
from sandbox.scenes.design_now import design_now, renamed
from sandbox.scenes.reader import scene_of
from sandbox.scenes.scene_edit import edited
from sandbox.simulation import Simulation
from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import LARGEST_FILE, TomlSource, size_said

FRESH = f'format = {FORMAT}\nname = ""\n'


def save_scene(simulation: Simulation, path: str | os.PathLike[str]) -> None:
    """Write the design to a scene file, whole or not at all.

    Raises:
        ValueError: see `scene_text`.
        WriteError: it can't be written; a file that stood there is whole.
    """
    write_atomically(path, scene_text(simulation, Path(path).absolute().parent).encode())


def scene_text(simulation: Simulation, folder: Path | None = None) -> str:
    """The design as the text of a scene file, which was read again and says just this.

    Comments and order of the opened file are kept where their lines survive. A world that was opened from no scene
    file, or from one written in a way that can't be changed piece by piece, gets a fresh text.

    Args:
        folder: that the file will be in: pictures are named from there.
    Raises:
        ValueError: a scene file can't say what the world is: it is too much, or there are values that none may hold.
    """
    mods, scene = LoadedMods(simulation.mods.assembly), simulation.scene
    design, origins = design_now(simulation)
    if folder is not None:
        design.tables[Pictures.table] = seen_from(folder, design.tables[Pictures.table], scene.folder)
    if scene.text:
        text, mistake = _tried(scene.text, design, origins, renamed(simulation), mods)
        if not mistake:
            return text
    text, mistake = _tried(FRESH, design, [None] * len(origins), {}, mods)
    if mistake:
        raise ValueError(f"a scene file can't describe this world ({mistake}): save the state instead")
    return text


def _tried(
    old: str, design: Design, origins: list[int | None], renamed: Mapping[str, str], mods: LoadedMods
) -> tuple[str, str | None]:
    """A text changed to say a design, and why it does not, or None."""
    try:
        text = edited(old, design, origins, renamed, mods)
        return text, _mistake(text, design, mods)
    except SceneError as error:
        return "", error.mistakes[0].sentence
    except (LookupError, TypeError, ValueError, TOMLKitError) as error:
        return "", str(error)


def _mistake(text: str, design: Design, mods: LoadedMods) -> str | None:
    """Why a text does not say a design, or None."""
    raw = text.encode()
    if len(raw) > LARGEST_FILE:
        return f"it would be larger than {size_said(LARGEST_FILE)}"
    source = TomlSource("scene.toml", raw)
    said = design_of(scene_of(source, mods), mods.assembly.app)
    said.prefabs = {name: said.prefabs[name] for name in design.prefabs if name in said.prefabs}
    if "name" not in source.data:
        said.name = design.name
    differs = [name for name in vars(design) if getattr(said, name) != getattr(design, name)]
    return f"its {differs[0]} would differ" if differs else None
