"""Runs tasks of a study in a worker process, on this machine or in a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sandbox.extras.studies.journal import line_of
from sandbox.extras.studies.run import run_one
from sandbox.extras.studies.study import Study, Value
from sandbox.mods.load.library import own_library
from sandbox.scenes.reader import scene_of
from sandbox.toml.source import TomlSource

Task = tuple[int, dict[str, Value], int]  # run, values, seed


class Worker:
    """Runs tasks of one study; keeps its scene and mods for all of them."""

    def __init__(self, study: Study, mods: tuple[Path, ...]) -> None:
        """`mods`: the folders of the study's mods.

        Raises:
            ValueError: the mods here differ from the study's.
        """
        library = own_library([folder for folder in mods if folder.exists()])
        library.look()
        here = {mod.id: mod.content.digest for mod in library.loaded}
        wrong = [
            f"{mod} is {'another version' if mod in here else 'not on'}"
            for mod, is_ in study.mods
            if here.get(mod) != is_
        ]
        wrong += [f"{mod} is on too" for mod in here.keys() - {mod for mod, _ in study.mods}]
        if wrong:
            raise ValueError(f"its mods differ: {', '.join(wrong)}")
        self._study = study
        self._scene = scene_of(TomlSource(study.scene_name, study.scene.encode()), library)

    def line(self, run: int, values: Mapping[str, Value], seed: int) -> bytes:
        """Run a task; return the line of its result for a journal."""
        return line_of(run_one(self._study, self._scene, run, values, seed))
