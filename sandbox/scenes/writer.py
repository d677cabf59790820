"""Saves the design of a running world as a scene file; comments and order of the opened file are kept."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import tomlkit

from sandbox.design.kept_kinds import KEPT
from sandbox.design.kept_tables import Tables
from sandbox.design.origins import Origins
from sandbox.design.pictures import Pictures, brought_along, copy_pictures
from sandbox.design.scene_schema import FORMAT
from sandbox.files import write_atomically
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.run.needed import mods_of
from sandbox.scenes.contents import Table, contents_of
from sandbox.scenes.entries_now import entries_now
from sandbox.scenes.reader import scene_of
from sandbox.scenes.scene_edit import edit
from sandbox.simulation import Simulation
from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import LARGEST_FILE, TomlSource, size_said
from sandbox.toml.splicing import SplicedText
from systems.engine.settings import Settings

FRESH = f'format = {FORMAT}\nname = ""\n'
NAMED = ("prefabs", *KEPT)


def save_scene(simulation: Simulation, path: str | os.PathLike[str]) -> None:
    """Write the design to a scene file atomically; pictures that lie elsewhere are copied beside it first.

    Raises:
        ValueError: see `scene_text`; or a picture can't be read.
        WriteError: it can't be written; an existing file is unchanged.
    """
    folder = Path(path).absolute().parent
    text, copies = scene_into(simulation, folder)
    copy_pictures(copies, folder)
    write_atomically(path, text.encode())


def scene_into(simulation: Simulation, folder: Path) -> tuple[str, Mapping[str, Path]]:
    """Return the design as the text of a scene file in a folder, and the pictures to copy there, by their paths there.

    Raises:
        ValueError: see `scene_text`.
    """
    pictures, copies = brought_along(Pictures.now(simulation.world), simulation.scene.folder, folder)
    return scene_text(simulation, pictures), copies


def scene_text(simulation: Simulation, pictures: Tables | None = None) -> str:
    """Return the design as the text of a scene file; it is read again to check that it describes exactly this design.

    Comments and order of the opened file are kept. A fresh text is made if the world was not opened from a scene file,
    or from one that is written in a way that can't be edited in place.

    Args:
        pictures: the tables of pictures, if they have other paths in the new file.
    Raises:
        ValueError: a scene file can't describe the world: it is too large, or has values that files may not have.
    """
    world, scene, mods = simulation.world, simulation.scene, LoadedMods(simulation.mods.assembly)
    origins, entries = zip(*found, strict=True) if (found := entries_now(simulation)) else ((), ())
    present = replace(
        scene,
        seed=world.seed,
        settings=world.resource(Settings),
        prefabs=world.prefabs,
        entries=[*entries],
        systems={system.name: system.stored for system in simulation.pipeline.systems},
        resources={name: {**stored} for name, stored in world.resource(Origins).resources.items()},
        mods=mods_of(world, scene.mods),
    )
    now = contents_of(present, mods.assembly.app) | {table: kind.now(world) for table, kind in KEPT.items()}
    if pictures is not None:
        now[Pictures.table] = {name: {**own} for name, own in pictures.items()}
    if scene.text:
        renamed = dict(zip(scene.prefabs, world.prefabs))  # a prefab keeps its index
        text, mistake = _try_edit(scene.text, now, [*origins], renamed, scene.kept, mods)
        if not mistake:
            return text
    text, mistake = _try_edit(FRESH, now, [None] * len(origins), {}, scene.kept, mods)
    if mistake:
        raise ValueError(f"a scene file can't describe this world ({mistake}): save the state instead")
    return text


def _try_edit(
    old: str, now: Table, origins: list[int | None], renamed: Mapping[str, str], kept: Table, mods: LoadedMods
) -> tuple[str, str | None]:
    """Edit a text to have these contents; return it and the reason why it has not, or None."""
    try:
        document = SplicedText(old, NAMED)
        document.data = edit(document.data, now, origins, renamed, mods)
        absent = {key: value for key, value in kept.items() if value and key not in document.data}
        text = document.text() + (f"\n{tomlkit.dumps(absent)}" if absent else "")
        return text, _mismatch(text, now, kept, mods)
    except SceneError as error:
        return "", error.mistakes[0].sentence
    except (LookupError, TypeError, ValueError) as error:
        return "", str(error)


def _mismatch(text: str, now: Table, kept: Table, mods: LoadedMods) -> str | None:
    """Return the reason why a text does not have these contents, or None."""
    raw = text.encode()
    if len(raw) > LARGEST_FILE:
        return f"it would be larger than {size_said(LARGEST_FILE)}"
    source = TomlSource("scene.toml", raw)
    scene = scene_of(source, mods)
    found = contents_of(scene, mods.assembly.app)
    found["prefabs"] = {name: found["prefabs"][name] for name in now["prefabs"] if name in found["prefabs"]}
    if "name" not in source.data:
        found["name"] = now["name"]
    differs = [key for key in now if found[key] != now[key]] + ["kept tables"] * (scene.kept != kept)
    return f"its {differs[0]} would differ" if differs else None
