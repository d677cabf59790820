"""Saves the design of a running world as a scene file; comments and order of the opened file are kept."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from tomlkit.exceptions import TOMLKitError

from sandbox.design.format import FORMAT
from sandbox.design.kept_tables import Tables
from sandbox.design.pictures import Pictures, brought_along, copy_pictures
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
    """Write the design to a scene file atomically; pictures that lie elsewhere are copied beside it first.

    Raises:
        ValueError: see `scene_text`; or a picture can't be read.
        WriteError: it can't be written; an existing file is unchanged.
    """
    folder = Path(path).absolute().parent
    pictures, copies = brought_along(Pictures.now(simulation.world), simulation.scene.folder, folder)
    text = scene_text(simulation, pictures)
    copy_pictures(copies, folder)
    write_atomically(path, text.encode())


def scene_text(simulation: Simulation, pictures: Tables | None = None) -> str:
    """Return the design as the text of a scene file; it is read again to check that it describes exactly this design.

    Comments and order of the opened file are kept. A fresh text is made if the world was not opened from a scene file,
    or from one that is written in a way that can't be edited in place.

    Args:
        pictures: the tables of pictures, if they have other paths in the new file.
    Raises:
        ValueError: a scene file can't describe the world: it is too large, or has values that files may not have.
    """
    mods, scene = LoadedMods(simulation.mods.assembly), simulation.scene
    design, origins = design_now(simulation)
    if pictures is not None:
        design.tables[Pictures.table] = {name: {**own} for name, own in pictures.items()}
    if scene.text:
        text, mistake = _try_edit(scene.text, design, origins, renamed(simulation), mods)
        if not mistake:
            return text
    text, mistake = _try_edit(FRESH, design, [None] * len(origins), {}, mods)
    if mistake:
        raise ValueError(f"a scene file can't describe this world ({mistake}): save the state instead")
    return text


def _try_edit(
    old: str, design: Design, origins: list[int | None], renamed: Mapping[str, str], mods: LoadedMods
) -> tuple[str, str | None]:
    """Edit a text to describe a design; return it and the reason why it does not, or None."""
    try:
        text = edited(old, design, origins, renamed, mods)
        return text, _mismatch(text, design, mods)
    except SceneError as error:
        return "", error.mistakes[0].sentence
    except (LookupError, TypeError, ValueError, TOMLKitError) as error:
        return "", str(error)


def _mismatch(text: str, design: Design, mods: LoadedMods) -> str | None:
    """Return the reason why a text does not describe a design, or None."""
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
