"""Reads and checks the manifest of a mod, its `mod.toml`.

id = "magnet"
version = "1.0"
api = 1                           # the version of sandbox.api it was written for
title = "Magnets"
description = "Draw a boid after you."
depends = ["wind >= 1.2"]         # loaded before it
optional = ["food"]               # loaded before it if they are on
conflicts = ["gravity"]
entry = "magnet:install"          # the module magnet.py of this folder, and a function in it
worlds = "both"                   # its systems run in flat worlds and in those with depth; "flat", "deep": only there
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from packaging.version import Version

from components.store.declare import choice, integer
from sandbox.files import named
from sandbox.mods.find.versions import Requirement, read_id, read_version
from sandbox.toml.key_places import KeyPath
from sandbox.toml.mistakes import SceneError
from sandbox.toml.schemas import WRONG, Anything, Many, One, Table, Text, hint, refuse
from sandbox.toml.source import TomlSource, read_toml

API = 1  # the current version of sandbox.api
MANIFEST = "mod.toml"
WORLDS = ("flat", "deep", "both")
LARGEST_MANIFEST = 64 << 10  # bytes
LONGEST_LINE = 200  # characters of a title or description
_ENTRY = re.compile(r"([A-Za-z_]\w*):([A-Za-z_]\w*)", re.ASCII)


class ModError(ValueError):
    """A mod can't be read; the message has one line for each mistake, with its place."""


@dataclass(frozen=True)
class Manifest:
    """The contents of a `mod.toml`.

    Attributes:
        module, function: the entry: a file of the folder, without `.py`, and the function in it that installs the mod.
        worlds: those that its systems run in: "flat", "deep" (those with depth) or "both".
    """

    id: str
    version: Version
    api: int
    title: str
    description: str
    depends: tuple[Requirement, ...]
    optional: tuple[Requirement, ...]
    conflicts: tuple[Requirement, ...]
    module: str
    function: str
    worlds: str = "flat"

    @property
    def related(self) -> frozenset[str]:
        """The ids of the mods that it may import: its own, and those of its dependencies."""
        return frozenset({self.id, *(other.id for other in (*self.depends, *self.optional))})


def read_manifest(folder: Path) -> Manifest:
    """Read and check the `mod.toml` of a folder.

    Raises:
        ModError: it has mistakes; the message lists all of them with their places.
    """
    try:
        files = [path.name for path in folder.iterdir()]
    except OSError as error:
        raise ModError(f"{shown(folder)}: can't be read: {(error.strerror or str(error)).lower()}") from None
    if MANIFEST not in files:
        raise ModError(f"{shown(folder)}: there is no {MANIFEST} in it{hint(MANIFEST, files)}")
    if not (folder / MANIFEST).is_file():  # reading a pipe would block
        raise ModError(f"{shown(folder / MANIFEST)}: must be a file")
    try:
        return manifest_of(read_toml(from_here(folder / MANIFEST), LARGEST_MANIFEST), files)
    except SceneError as error:
        raise mod_error(error) from None


def manifest_of(source: TomlSource, files: Collection[str]) -> Manifest:
    """Make the manifest from a parsed file; `files` are the names of the files in the mod's folder.

    Raises:
        SceneError: it has mistakes; the error has all of them with their places.
    """
    schema = _schema(files)
    api = source.data.get("api")
    if isinstance(api, int) and api > API:  # load_order.py refuses it; its unknown keys may be valid in that version
        schema.keys = {**dict.fromkeys(source.data, Anything()), **schema.keys}
    read = schema.read(source, (), source.data)
    given: dict[str, Any] = {} if read is WRONG else read
    lists = {key: given.get(key, []) for key in ("depends", "optional", "conflicts")}
    for key, requirements in lists.items():
        for path, requirement in requirements:
            if requirement.id == given.get("id"):
                refuse(source, path, f"is the mod itself: {key} is for other mods")
    source.refuse_mistakes()
    module, function = given["entry"]
    return Manifest(
        id=given["id"],
        version=given["version"],
        api=given["api"],
        title=given.get("title") or given["id"],
        description=given.get("description", ""),
        **{key: tuple(requirement for _, requirement in requirements) for key, requirements in lists.items()},
        module=module,
        function=function,
        worlds=WORLDS[given.get("worlds", 0)],
    )


def mod_error(error: SceneError) -> ModError:
    """Return a ModError with the same mistakes, one per line."""
    return ModError("\n".join(str(mistake).splitlines()[0] for mistake in error.mistakes))


def shown(path: Path) -> str:
    """Return a path as messages show it: relative to the working folder if it is inside."""
    return named(from_here(path))


def from_here(path: Path) -> Path:
    """Return the path relative to the working folder if it is inside, else unchanged."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


class _ParsedText(Text):
    """Text that a function parses; the message of its ValueError becomes the mistake."""

    def __init__(self, help: str, parse: Callable[[str], Any]) -> None:
        super().__init__(help)
        self.parse = parse

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        if super().read(source, path, value) is WRONG:
            return WRONG
        try:
            return self.parse(value)
        except ValueError as error:
            return refuse(source, path, str(error))


def _schema(files: Collection[str]) -> Table:
    requirement = _ParsedText("a mod's id, maybe with a version", Requirement)
    keys = {
        "id": _ParsedText("the name that other mods use for it", read_id),
        "version": _ParsedText("its version", read_version),
        "api": One(integer(API, "", 1, 1_000_000, "the version of sandbox.api it was written for")),
        "title": _ParsedText("its name for people", _one_line),
        "description": _ParsedText("what it does", _one_line),
        "depends": Many(requirement, '["wind >= 1.2"]'),
        "optional": Many(requirement, '["wind >= 1.2"]'),
        "conflicts": Many(requirement, '["wind >= 1.2"]'),
        "worlds": One(choice(*WORLDS, default="flat", help="those that its systems run in: flat, with depth, or both")),
        "entry": _ParsedText("the file and the function that installs it", lambda text: _entry(text, files)),
    }
    return Table(keys, required=("id", "version", "api", "entry"))


def _one_line(text: str) -> str:
    if text.isprintable() and len(text) <= LONGEST_LINE:
        return text.strip()
    raise ValueError(f"must be one line of at most {LONGEST_LINE} characters")


def _entry(text: str, files: Collection[str]) -> tuple[str, str]:
    match = _ENTRY.fullmatch(text)
    if match is None or any(map(keyword.iskeyword, match.groups())):
        raise ValueError('must be a file of this folder, without .py, and a function in it: "magnet:install"')
    module, function = match.groups()
    if f"{module}.py" not in files:
        modules = [PurePosixPath(name).stem for name in files if name.endswith(".py")]
        raise ValueError(f"there is no {module}.py in this folder{hint(module, modules)}")
    return module, function
