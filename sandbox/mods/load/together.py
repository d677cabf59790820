"""Loads several mods together: all of them, or none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from sandbox.mods.find.content import Content, read_content
from sandbox.mods.find.finding import Found, Origin
from sandbox.mods.find.load_order import in_order
from sandbox.mods.find.manifest import ModError, read_manifest
from sandbox.mods.find.packages import all_or_none
from sandbox.mods.load.assembly import Assembly, assembled
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.loading import keep, load


def mods_from(folders: Iterable[str | os.PathLike[str]]) -> LoadedMods:
    """Load the mods of these folders; all of them must load.

    Raises:
        ModError: a mod can't be read, or they can't be loaded together.
        LoadError: a mod can't be imported or installed.
    """
    named = [Path(folder) for folder in folders]
    found = [Found(folder.absolute(), Origin.NAMED, read_manifest(folder)) for folder in named]
    with all_or_none():
        assembly = loaded_together({one: read_content(one.folder) for one in found})
    keep(assembly.mods.values())
    return LoadedMods(assembly)


def loaded_together(contents: Mapping[Found, Content]) -> Assembly:
    """Import and install mods in order; must be called within `all_or_none`.

    Raises:
        ModError: the mods can't be loaded together.
        LoadError: a mod can't be imported or installed.
    """
    order = in_order(contents, {one.id for one in contents})
    for one, reason in order.refused.items():
        raise ModError(f"{one.id}: {reason}")
    assembly = assembled()
    for one in order.mods:
        assembly = assembly.with_mod(load(one, contents[one], assembly.mods))
    return assembly
