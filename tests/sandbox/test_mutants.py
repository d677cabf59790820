"""Whatever chance makes of a good scene or manifest is read, or its mistakes are told."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox.mods.find.manifest import read_manifest
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.scenes.bundled import bundled_scenes
from sandbox.scenes.reader import read_scene
from tests.bundled import MODS
from tests.mutants import few_or_many, refuse_all_but_mistakes

KINDS: dict[str, tuple[list[Path], Callable[[Path], object]]] = {
    "scene": (bundled_scenes(), lambda path: read_scene(path, NO_MODS)),
    "mod": (sorted(MODS.glob("*/mod.toml")), lambda path: read_manifest(path.parent)),
}


@few_or_many
@pytest.mark.parametrize("kind", KINDS)
def test_a_mutant_is_read_or_its_mistakes_are_told(kind: str, count: int, tmp_path: Path) -> None:
    files, read = KINDS[kind]
    for beside in MODS.glob("*/*.py"):
        shutil.copy(beside, tmp_path)
    refuse_all_but_mistakes(read, [file.read_bytes() for file in files], count, tmp_path / f"{kind}.toml")
