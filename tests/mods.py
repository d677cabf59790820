"""Mods for tests: real folders, written in one line."""

from __future__ import annotations

import json
from pathlib import Path

from sandbox.mods.find.finding import Found, Origin
from sandbox.mods.find.manifest import read_manifest

EMPTY = '"""Brings nothing."""\n\n\ndef install(app):\n    pass\n'


def write_mod(folder: Path, python: str = EMPTY, /, **keys: object) -> Path:
    """Write a mod that is called like its folder; `keys` are those of its mod.toml, None leaves one out."""
    said = {"id": folder.name, "version": "1.0", "api": 1, "entry": f"{folder.name}:install", **keys}
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{key} = {json.dumps(value)}" for key, value in said.items() if value is not None]
    (folder / "mod.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / f"{folder.name}.py").write_text(python, encoding="utf-8")
    return folder


def found(folder: Path, origin: Origin = Origin.WORKING, **keys: object) -> Found:
    """A mod that was written and found."""
    return Found(write_mod(folder, **keys), origin, read_manifest(folder))
