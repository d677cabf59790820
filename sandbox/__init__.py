"""Floor 3: the program.

import sandbox

with sandbox.load("murmuration", seed=3) as simulation:
    simulation.step(600)
    print(simulation.digest())
    simulation.save("murmuration.npz")
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sandbox.warning import SandboxWarning

if TYPE_CHECKING:
    from sandbox.simulation import Simulation

__all__ = ["SandboxWarning", "load"]


def load(
    path: str | os.PathLike[str], seed: int | None = None, mods: Iterable[str | os.PathLike[str]] | None = None
) -> Simulation:
    """A simulation of a scene file, a scene that comes with the program by its name, or a snapshot.

    Args:
        seed: instead of the scene's; with a snapshot, for what is random from now on.
        mods: folders of mods to run it with, these and no others; without it those that the person enabled.
    Raises:
        SceneError, SnapshotError: the file can't be opened; both are ValueErrors that name it and the mistake.
        ModError, LoadError: the mods can't be loaded.
    Warns:
        SandboxWarning: a mod that the person enabled is not on.
    """
    from sandbox.mods.load.library import own_library
    from sandbox.mods.load.together import mods_from
    from sandbox.opening import load

    if mods is not None:
        return load(path, seed, mods_from(mods))
    library = own_library()
    try:
        return load(path, seed, library)
    finally:
        for problem in library.problems:
            warnings.warn(problem, SandboxWarning, stacklevel=2)
