"""What runs in the worker processes of a study, on this machine or in a cluster."""

from __future__ import annotations

import pickle
import threading
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path

from sandbox.extras.studies.run import Result, run_one
from sandbox.extras.studies.study import Study, Value
from sandbox.mods.load.library import own_library
from sandbox.physics import PHYSICS
from sandbox.scenes.reader import scene_of
from sandbox.toml.source import TomlSource
from systems.engine.threads import exactly

Task = tuple[int, dict[str, Value], int]  # run, values, seed

_one_at_a_time = threading.Lock()  # esper has one current world per process


class UnfitError(ValueError):
    """A worker can't run a study."""


@cache
def program_here() -> tuple[str, int]:
    """Return the version of the program, and of its physics."""
    return version("boids-sandbox"), PHYSICS


def run_group(program: tuple[str, int], parcel: bytes, group: list[Task]) -> list[Result]:
    """Run tasks one after another.

    Args:
        program: the version that the study needs.
        parcel: the pickled study and the folders of its mods.
    Raises:
        UnfitError: this worker has another version of the program or other mods.
    """
    from distributed import get_worker

    try:
        if program != program_here():
            there, here = (f"{name}, physics {physics}" for name, physics in (program, program_here()))
            raise ValueError(f"it has version {here} of the program, and this one has {there}")
        with _one_at_a_time, exactly(1):
            worker = _worker(parcel)
            return [worker.run(*task) for task in group]
    except ValueError as error:
        raise UnfitError(f"the Dask worker {get_worker().address} can't run this study: {error}") from None


@lru_cache(maxsize=1)
def _worker(parcel: bytes) -> Worker:
    return Worker(*pickle.loads(parcel))


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

    def run(self, run: int, values: dict[str, Value], seed: int) -> Result:
        """Run a task."""
        return run_one(self._study, self._scene, run, values, seed)
